// What an image says of its containers, and how a manifest overrules it: health check, entrypoint and command, through
// the real command line, daemon and Docker.
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const docker = new Docker({ socketPath: inject('dockerSocket') })
const openHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('defaults', () => inject('dockerSocket')),
)

/** Images that differ from the test image by what they say of their containers. */
const images = {
  'mariposa-checked:1': [
    'HEALTHCHECK --interval=1s --timeout=5s --retries=2 CMD test -f /tmp/ok',
    'CMD ["/bin/sh", "-c", "touch /tmp/ok; exec sleep 1000"]',
  ],
  'mariposa-sick:1': [
    'HEALTHCHECK --interval=1s --timeout=5s --retries=2 CMD test -f /tmp/ok',
    'CMD ["/bin/sleep", "1000"]',
  ],
  'mariposa-words:1': ['ENTRYPOINT ["/bin/echo", "entry"]', 'CMD ["/bin/echo", "command"]'],
}

beforeAll(async () => {
  const container = await docker.createContainer({ Image: testImage, Cmd: ['true'] })
  for (const [name, changes] of Object.entries(images)) {
    const [repo, tag] = name.split(':')
    await container.commit({ repo, tag, changes: changes.join('\n') })
  }
  await container.remove()
})
afterAll(async () => {
  for (const name of Object.keys(images)) await docker.getImage(name).remove({ force: true })
})

const manifest = (image: string, more = ''): string =>
  `image: ${image}\nstop: {timeout: 1, preservestopped: "no"}\n${more}`

async function healthcheckOf(host: Host): Promise<unknown> {
  const [instance] = await host.instances('web')
  return (await docker.getContainer(instance?.container ?? '').inspect()).Config.Healthcheck
}

describe('the check of an image', () => {
  test('counts where the manifest has none: rollouts wait for it, and what fails it is replaced', async () => {
    const host = openHost()
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', manifest('mariposa-checked:1')))
    expect(await host.instances('web')).toMatchObject([{ name: 'web-1', health: 'healthy' }])
    expect(await healthcheckOf(host)).toMatchObject({ Test: ['NONE'] })

    const bad = host.file('web.yml', manifest('mariposa-sick:1'))
    const failed = await host.run('service', 'deploy', bad, '--deadline', '4s')
    expect(failed.code).toBe(1)
    await host.done('service', 'revert', 'web', '1')
    expect(await host.instances('web')).toMatchObject([{ ordinal: 1, health: 'healthy' }])

    const [{ name = '' } = {}] = await host.instances('web')
    await host.done('service', 'exec', name, '--', 'rm', '/tmp/ok')
    await host.sawEvent('web', (event) => event.instance === name && event.message.includes('is unhealthy'))
    // A deploy of what is current waits until the service is as its manifest says.
    await host.done('service', 'deploy', host.file('web.yml', manifest('mariposa-checked:1')))
    const [now] = await host.instances('web')
    expect(now).toMatchObject({ health: 'healthy' })
    expect(now?.name).not.toBe(name)
  })

  test('is switched off by an empty list, and by a check of the manifest', async () => {
    const host = openHost()
    await host.startDaemon()
    const off = manifest('mariposa-sick:1', 'healthchecks: []\n')
    await host.done('service', 'deploy', host.file('web.yml', off))
    expect(await host.instances('web')).toMatchObject([{ state: 'running', health: 'unknown' }])
    expect(await healthcheckOf(host)).toMatchObject({ Test: ['NONE'] })
    const own = manifest('mariposa-sick:1', 'healthchecks: {type: command, command: "true", poll: 1}\n')
    await host.done('service', 'deploy', host.file('web.yml', own))
    expect(await host.instances('web')).toMatchObject([{ state: 'running', health: 'healthy' }])
    expect(await healthcheckOf(host)).toMatchObject({ Test: ['NONE'] })
  })
})

test('entrypoint and command of an image are cleared by empty ones', async () => {
  const host = openHost()
  await host.startDaemon()
  const cases = {
    neither: ['', 'entry /bin/echo command'],
    entrypoint: ['entrypoint: []\n', 'command'],
    text: ['entrypoint: ""\n', 'command'],
    command: ['command: []\n', 'entry'],
    both: ['entrypoint: ""\ncommand: [/bin/echo, own]\n', 'own'],
    word: ['command: [""]\n', 'entry '],
  } as const
  for (const [name, [more, printed]] of Object.entries(cases)) {
    const text = `image: mariposa-words:1\nservice_type: event\nstop: {preservestopped: always}\n${more}`
    await host.done('service', 'deploy', host.file(`${name}.yml`, text))
    await host.done('service', 'start', name)
    const { stdout } = await host.done('service', 'logs', name)
    expect([name, stdout.replace(/\n$/, '')]).toEqual([
      name,
      expect.stringMatching(new RegExp(`${printed}$`)),
    ])
  }
  const nothing = manifest('mariposa-words:1', 'entrypoint: []\ncommand: []\n')
  const failed = await host.run('service', 'deploy', host.file('none.yml', nothing))
  expect(failed).toMatchObject({ code: 1 })
  expect(failed.stderr + failed.stdout).toContain('No command specified')
})
