// Steps before the program of a container, through the real command line, daemon and Docker. Notes are taken in a directory of
// the host, so that it is seen what ran, and how often.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { onDocker } from './docker-place.js'
import { type Site, siteOn } from './init-site.js'

const openHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('docker-init', () => inject('dockerSocket')),
)

const docker = (...args: readonly string[]): string =>
  execFileSync('docker', ['-H', `unix://${inject('dockerSocket')}`, ...args], { encoding: 'utf8' }).trim()

/** The containers that there are of steps of a service. */
const stepsOf = (project: string): readonly string[] =>
  docker('ps', '-a', '--filter', `name=${project}.web-`, '--format', '{{.Names}}')
    .split('\n')
    .filter((name) => name.includes('.init-'))

const site = (): Site => siteOn(openHost())

const waits = 'echo second >> /notes/notes; until [ -e /notes/go ]; do sleep 0.1; done'

const killed = async (daemon: Awaited<ReturnType<Host['startDaemon']>>): Promise<void> => {
  daemon.signal('SIGKILL')
  await daemon.ended
}

describe('init steps of a container', { timeout: 40_000 }, () => {
  test('run before the program, with its image, environment, user, files and volumes, and leave nothing', async () => {
    const { host, project, notes, deploy } = site()
    await host.startDaemon()
    const steps = [
      'echo "first $WORD $(id -u) $(cat /etc/greeting)" >> /notes/notes',
      'echo "second $(cat /proc/self/mounts | grep -c " /data ")" >> /notes/notes',
    ]
    await host.done(...deploy(steps))
    expect(notes()).toEqual(['first hello 1000 from a file', 'second 1', 'main'])
    expect(stepsOf(project)).toEqual([])
  })

  test('keep the program from being started where one fails, and say its status and last lines', async () => {
    const { host, project, notes, deploy } = site()
    await host.startDaemon()
    const steps = ['echo first >> /notes/notes', 'echo cannot reach the database; exit 4']
    const failed = await host.run(...deploy(steps, 'restart: "no"'))
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('init step 2 of 2 (/bin/sh) exited with status 4')
    expect(failed.stderr).toContain('cannot reach the database')
    expect(notes()).toEqual(['first'])
    await host.done('-j', project, 'service', 'delete', 'web', '--force')
    expect(stepsOf(project)).toEqual([])
  })

  test('that fail are tried again where the program is to be restarted, and those that are done are not', async () => {
    const { host, notes, deploy } = site()
    await host.startDaemon()
    const second = 'echo second >> /notes/notes; test $(grep -c second /notes/notes) = 2'
    await host.done(...deploy(['echo first >> /notes/notes', second], 'restart: on-failure'))
    expect(notes()).toEqual(['first', 'second', 'second', 'main'])
  })

  test('fail where one takes too long, or is no program', async () => {
    const { host, project, notes, deploy } = site()
    await host.startDaemon()
    const late = await host.run(...deploy(['sleep 1000'], 'init_timeout: 1', 'restart: "no"'))
    expect([late.code, late.stderr]).toEqual([
      1,
      expect.stringContaining('the init step (/bin/sh) took longer than 1 s'),
    ])
    const text = readFileSync(join(host.dir, 'web.yml'), 'utf8')
    const file = host.file('web.yml', text.replace('/bin/sh, "-c", "sleep 1000"', '/no/such'))
    const odd = await host.run('-j', project, 'service', 'deploy', file)
    expect(odd.code).toBe(1)
    expect(odd.stderr).toContain('the init step (/no/such) was not started')
    expect(notes()).toEqual([])
  })

  test('go on where they were when the daemon is killed in the middle of them', async () => {
    const { host, project, notes, go, deploy } = site()
    const daemon = await host.startDaemon()
    const deploying = host.start(...deploy(['echo first >> /notes/notes', waits]))
    await until(() => expect(notes()).toEqual(['first', 'second']))
    deploying.signal('SIGKILL')
    await killed(daemon)
    await host.startDaemon()
    await until(async () =>
      expect(
        JSON.parse((await host.done('-j', project, 'service', 'ps', 'web', '--json')).stdout),
      ).toMatchObject([{ name: 'web-1', state: 'starting' }]),
    )
    const logs = await host.done('-j', project, 'service', 'logs', 'web')
    expect(logs.code).toBe(0)
    go()
    await until(() => expect(notes()).toEqual(['first', 'second', 'main']))
    await until(() => expect(stepsOf(project)).toEqual([]))
  })

  test('that end while no daemon runs count as they ended', async () => {
    const { host, notes, go, deploy } = site()
    let daemon = await host.startDaemon()
    const deploying = host.start(...deploy([waits, 'echo third >> /notes/notes; exit 3'], 'restart: "no"'))
    await until(() => expect(notes()).toEqual(['second']))
    deploying.signal('SIGKILL')
    await killed(daemon)
    go()
    await until(() => expect(docker('ps', '--filter', 'name=.init-1', '-q')).toBe(''))
    daemon = await host.startDaemon()
    await until(() => expect(notes()).toContain('third'))
    expect(notes().filter((line) => line === 'second')).toHaveLength(1)
    expect(notes()).not.toContain('main')
  })

  test.each(['the daemon goes on', 'the daemon was killed before'])(
    'end when their instance is to stop, where %s',
    async (when) => {
      const { host, project, notes, deploy } = site()
      const daemon = await host.startDaemon()
      const deploying = host.start(...deploy([waits]))
      await until(() => expect(notes()).toEqual(['second']))
      if (when !== 'the daemon goes on') {
        await killed(daemon)
        await host.startDaemon()
      }
      await host.done('-j', project, 'service', 'delete', 'web', '--force')
      await deploying.ended
      expect(stepsOf(project)).toEqual([])
      expect(notes()).toEqual(['second'])
    },
  )

  test('of a run are begun once: one that fails is its end', async () => {
    const { host, project, notes, deploy } = site()
    await host.startDaemon()
    const steps = ['echo first >> /notes/notes; exit 5']
    await host.done(...deploy(steps, 'service_type: event', 'restart: "no"'))
    const started = await host.run('-j', project, 'service', 'start', 'web')
    expect(started.code).toBe(1)
    await until(async () => {
      const runs = JSON.parse(
        (await host.done('-j', project, 'service', 'runs', 'web', '--json')).stdout,
      ) as object[]
      expect(runs).toMatchObject([{ endedAt: expect.anything() as unknown }])
    })
    expect(notes()).toEqual(['first'])
  })
})
