// Real systemd-resolved that is told of the daemon's names.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { insideMachine, type Machine, runInside, startMachine } from '../nspawn.js'
import { addBridge, type Bridge } from './bridge.js'

let bridge: Bridge | null = null
let machine: Machine | null = null
afterEach(async () => {
  await machine?.remove()
  bridge?.remove()
  machine = null
  bridge = null
})

const program = join(insideMachine.project, 'dist/mariposa.js')
const unitFile = '/etc/systemd/system/mariposa-dns.service'
const name = 'web.svc.default.mariposa.internal'
const manifest = 'compute_type: process\ncommand: [sleep, infinity]\nstop: {timeout: 1}\n'

async function run(...argv: readonly string[]) {
  if (machine === null) throw new Error('no machine')
  return await runInside(machine, argv)
}

const mariposa = (...args: readonly string[]) => run(insideMachine.node, program, ...args)

/** What glibc finds: an address, or nothing. */
const found = async (asked: string): Promise<string> => {
  const { stdout } = await run('getent', 'ahostsv4', asked)
  return stdout.split(/\s/)[0] ?? ''
}

test('programs of the host find services once it is set up, and after a restart of the resolver, until it is taken back', async () => {
  bridge = addBridge()
  machine = await startMachine({
    name: 'resolved',
    bridge: bridge.name,
    furnish: (disk) => {
      const install = 'apt-get -qq update && apt-get -qq install -y --no-install-recommends systemd-resolved'
      execFileSync('chroot', [disk, 'sh', '-c', install], { stdio: 'ignore' })
      writeFileSync(join(disk, 'root/web.yml'), manifest)
    },
  })
  const early = await mariposa('dns', 'unset')
  expect(early).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to remove') as string })

  await run(
    ...['systemd-run', '--unit=mariposa', '--property=KillMode=process', insideMachine.node, program],
    ...['daemon', '--public-ip', '10.1.2.3', '--driver', 'process'],
  )
  await expect.poll(async () => (await mariposa('service', 'list')).code).toBe(0)
  expect(await mariposa('service', 'deploy', '/root/web.yml')).toMatchObject({ code: 0 })
  expect(await found(name)).toBe('')

  const printed = await mariposa('dns', 'setup', '--print')
  expect(printed.stdout).toContain('resolvectl domain mariposa-dns ~mariposa.internal')
  expect((await run('test', '-e', unitFile)).code).toBe(1)
  const wrong = await mariposa('dns', 'setup', '--suffix', 'example.org')
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('no names below') as string })

  expect(await mariposa('dns', 'setup')).toMatchObject({ code: 0, stderr: '' })
  await expect.poll(() => found(name)).toBe('10.1.2.3')
  // Twice is as once, and a resolver that is started anew knows it still.
  expect(await mariposa('dns', 'setup')).toMatchObject({ code: 0, stderr: '' })
  await run('systemctl', 'restart', 'systemd-resolved')
  await expect.poll(() => found(name)).toBe('10.1.2.3')
  // The daemon is not asked for the world's names: with no other resolver there is nobody to ask.
  expect((await run('resolvectl', 'query', 'example.com')).stderr).toContain('No appropriate name servers')

  expect(await mariposa('dns', 'unset')).toMatchObject({ code: 0, stderr: '' })
  await expect.poll(() => found(name)).toBe('')
  expect((await run('test', '-e', unitFile)).code).toBe(1)
  expect((await run('test', '-e', '/sys/class/net/mariposa-dns')).code).toBe(1)

  const twice = await mariposa(
    'dns',
    'setup',
    '--print',
    '--suffix',
    'mariposa.internal',
    'Mariposa.internal.',
  )
  expect(twice.stdout).toContain('resolvectl domain mariposa-dns ~mariposa.internal\n')
  // A resolver that does not start: what was written is taken back.
  await run('systemctl', 'mask', '--runtime', '--now', 'systemd-resolved')
  await run('mkdir', '-p', '/run/systemd/resolve')
  await run('touch', '/run/systemd/resolve/stub-resolv.conf')
  const failed = await mariposa('dns', 'setup')
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be set up') as string })
  expect((await run('test', '-e', unitFile)).code).toBe(1)
})
