// A policy of a real daemon: at its door, on its machine, and when it is changed while something runs.
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Host, useHosts } from './host.js'

const host = useHosts()

const config = (policy: string) => `policy: ${policy}\n`
const manifest = (more = '') => `name: web\ncompute_type: process\ncommand: [/bin/sleep, "1000"]\n${more}`

/** Each instance that is not gone, with its state and reason. */
async function states(here: Host): Promise<readonly string[]> {
  return (await here.instances('web')).map(({ name, state }) => `${name} ${state}`)
}

test('what breaks a policy is refused, what runs goes on when it is tightened, and is told why it is not begun anew', async () => {
  const here = host()
  const file = here.file('daemon.yml', config('{drivers: [docker]}'))
  const daemon = await here.startDaemon('--config', file)
  const web = here.file('web.yml', manifest())
  for (const verb of [
    ['service', 'deploy'],
    ['service', 'plan'],
    ['manifest', 'lint'],
  ]) {
    const refused = await here.run(...verb, web)
    expect([verb, refused.code, refused.stderr]).toEqual([
      verb,
      2,
      expect.stringContaining('the policy allows docker') as string,
    ])
  }
  expect((await here.run('manifest', 'lint', '--offline', web)).code).toBe(0)
  expect(
    (await here.run('unit', 'start', here.file('a.service', '[Service]\nExecStart=/bin/true\n'))).stderr,
  ).toContain('the policy allows docker')

  writeFileSync(file, config('{root: true}'))
  daemon.signal('SIGHUP')
  await daemon.said('configuration reloaded')
  await here.done('service', 'deploy', web)
  expect(await states(here)).toEqual(['web-1 running'])

  writeFileSync(file, `${config('{drivers: [docker], root: false}')}metadata: {region: north}\n`)
  daemon.signal('SIGHUP')
  await daemon.said('metadata, policy')
  const scaled = await here.run('service', 'scale', 'web', '2', '--timeout', '20s')
  expect(scaled.code).not.toBe(0)
  expect(scaled.stderr).toContain(
    'this machine refuses it: it would run under process, and the policy allows docker',
  )
  expect(await states(here)).toContain('web-1 running')
  const ran = await here.run('service', 'exec', 'web-1', '--user', 'root', '--', '/bin/true')
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('lets nothing run as root') as string])
  expect((await here.run('service', 'exec', 'web-1', '--', '/bin/true')).code).toBe(0)
})
