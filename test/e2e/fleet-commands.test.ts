// `mariposa unit …` and `machine …` through the real command line against a real daemon.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { MachineDetails, UnitBody } from '../../src/contract/contract.js'
import { fleetClient } from '../fleet/client.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

async function started(...args: readonly string[]): Promise<Host> {
  const host = openHost()
  await host.startDaemon(...args)
  return host
}

const json = async <T>(host: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await host.done(...args, '--json')).stdout) as T
const fileOf = (host: Host, name: string, program: string) =>
  host.file(name, `[Unit]\nDescription=${name}\n\n# a comment\n[Service]\nExecStart=${program}\n`)
const sleeper = '/bin/sleep 3000'

describe('mariposa unit', () => {
  test('leads a unit through its states, and waits until it is there', async () => {
    const host = await started()
    const file = fileOf(host, 'a.service', sleeper)
    expect((await host.done('unit', 'submit', file)).stdout).toBe('a.service\n')
    expect(await json<UnitBody[]>(host, 'unit', 'files')).toMatchObject([
      { name: 'a.service', desired: 'inactive', state: 'inactive', machine: null },
    ])
    expect(await json(host, 'unit', 'list')).toEqual([])
    expect((await host.done('unit', 'load', 'a.service')).stdout).toMatch(/a\.service: inactive \(dead\) on /)
    expect((await host.done('unit', 'start', 'a')).stdout).toMatch(/a\.service: active \(running\) on /)
    expect(await json<UnitBody[]>(host, 'unit', 'list')).toMatchObject([
      { name: 'a.service', load: 'loaded', active: 'active', sub: 'running', state: 'launched' },
    ])
    await host.done('unit', 'stop', 'a')
    expect(await json<UnitBody[]>(host, 'unit', 'files')).toMatchObject([
      { desired: 'loaded', state: 'loaded' },
    ])
    const unloaded = await json<unknown[]>(host, 'unit', 'unload', 'a')
    expect(unloaded).toEqual([
      { name: 'a.service', before: 'loaded', desired: 'inactive', machines: [], reason: '' },
    ])
    await host.done('unit', 'start', 'a')
    expect((await host.done('unit', 'destroy', 'a')).stdout).toContain('a.service: destroyed\n')
    expect(await json(host, 'unit', 'files')).toEqual([])
  })

  test('prints the text byte for byte, the status with the last lines, and the journal', async () => {
    const host = await started()
    const file = fileOf(host, 'hello.service', "/bin/sh -c 'echo hello; exec sleep 3000'")
    await host.done('unit', 'start', file)
    const { stdout } = await host.done('unit', 'cat', 'hello')
    expect(stdout).toContain('# a comment\n[Service]\n')
    await host.start('unit', 'journal', 'hello', '-f').saw('hello\n')
    const status = (await host.done('unit', 'status', 'hello')).stdout
    expect(status).toMatch(/^Unit: +hello\.service\n/)
    expect(status).toMatch(/\nhello\n$/)
  })

  test('runs instances of a template of the cluster, or of one beside them', async () => {
    const host = await started()
    const template = fileOf(host, 'w@.service', "/bin/sh -c 'echo i am %i; exec sleep 3000'")
    await host.done('unit', 'start', template.replace('@', '@1').replace(/.*\//, ''))
    await host.done('unit', 'submit', template)
    await host.done('unit', 'start', 'w@2', 'w@3.service')
    const names = (await json<UnitBody[]>(host, 'unit', 'list')).map(({ name }) => name)
    expect(names).toEqual(['w@1.service', 'w@2.service', 'w@3.service'])
    expect((await host.done('unit', 'journal', 'w@2')).stdout).toBe('i am 2\n')
    const refused = await host.run('unit', 'start', 'w@')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is a template')])
  })

  test('ends with 1 on an invalid action, with 2 on a bad file, and changes nothing', async () => {
    const host = await started()
    await host.done('unit', 'submit', fileOf(host, 'a.service', sleeper))
    const invalid = await host.run('unit', 'stop', 'a', '--json')
    expect(invalid.code).toBe(1)
    expect(JSON.parse(invalid.stdout)).toMatchObject({ error: { code: 'unit/wrong-state' } })
    const missing = await host.run('unit', 'start', './b.service')
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('there is no file')])
    const bad = host.file('b.service', '[Service]\nExecStart\n')
    const refused = await host.run('unit', 'start', bad)
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/b\.service:2:1/)
    const different = await host.run('unit', 'start', fileOf(host, 'a.service', '/bin/sleep 1'))
    expect([different.code, different.stderr]).toEqual([1, expect.stringContaining('--replace')])
    expect(
      (await json<UnitBody[]>(host, 'unit', 'files')).map(({ name, desired }) => [name, desired]),
    ).toEqual([['a.service', 'inactive']])
  })

  test('ends with 1 where the program fails, with its last lines, and with 3 where no machine takes it in time', async () => {
    const host = await started()
    const failing = await host.run(
      'unit',
      'start',
      fileOf(host, 'f.service', "/bin/sh -c 'echo no such luck; exit 3'"),
    )
    // What ends at once may have been seen running: then the command is done before it ends.
    if (failing.code !== 0) expect(failing.stderr).toContain('no such luck')
    const absent = await host.run('unit', 'start', fileOf(host, 'g.service', '/no/such/program'))
    expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining('/no/such/program')])
    const nowhere = host.file(
      'h.service',
      '[Service]\nExecStart=/bin/true\n[X-Fleet]\nMachineMetadata=region=south\n',
    )
    const waiting = await host.run('unit', 'start', nowhere, '--timeout', '5s')
    expect(waiting.code).toBe(3)
    expect(waiting.stderr).toContain('region')
    expect((await host.done('unit', 'list')).stdout).toContain('h.service')
  })

  test('does not wait with --no-block or --detach', async () => {
    const host = await started()
    const file = host.file('a.service', `[Service]\nExecStart=${sleeper}\n[X-Fleet]\nMachineID=nobody\n`)
    expect((await host.done('unit', 'start', file, '--no-block')).stdout).toBe('a.service\n')
    expect(await json(host, 'unit', 'stop', 'a', '--detach')).toEqual([
      { name: 'a.service', before: 'launched', desired: 'loaded' },
    ])
  })

  test('replaces the text of a unit that runs', async () => {
    const host = await started()
    await host.done('unit', 'start', fileOf(host, 'a.service', "/bin/sh -c 'echo one; exec sleep 3000'"))
    const next = fileOf(host, 'a.service', "/bin/sh -c 'echo two; exec sleep 3000'")
    await host.done('unit', 'start', next, '--replace')
    await host.start('unit', 'journal', 'a', '-f').saw('two\n')
  })

  test('shows a global unit on each machine, and waits for all that meet what it asks for', async () => {
    const host = await started('--metadata', 'region=north')
    const text = (region: string) =>
      `[Service]\nExecStart=${sleeper}\n[X-Fleet]\nGlobal=true\nMachineMetadata=region=${region}\n`
    await host.done('unit', 'start', host.file('here.service', text('north')))
    await host.done('unit', 'start', host.file('there.service', text('south')))
    expect(await json<UnitBody[]>(host, 'unit', 'list')).toMatchObject([
      { name: 'here.service', global: true, active: 'active', machine: expect.any(String) as string },
      { name: 'there.service', global: true, active: null, machine: null },
    ])
    expect(await json<UnitBody[]>(host, 'unit', 'files')).toMatchObject([
      { state: null, machine: null },
      { state: null, machine: null },
    ])
    const fleet = fleetClient(join(host.dir, 'mariposa.sock'))
    expect((await fleet.ask('GET', '/state')).json).toMatchObject({
      states: [{ name: 'here.service', machineID: expect.any(String) as string }],
    })
  })
})

describe('mariposa machine', () => {
  test('shows a machine by the beginning of its id, with what is placed on it', async () => {
    const host = await started('--metadata', 'region=north')
    await host.done('unit', 'start', fileOf(host, 'a.service', sleeper))
    const [machine] = await json<MachineDetails[]>(host, 'machine', 'list')
    const id = machine?.id ?? ''
    const shown = await json<MachineDetails>(host, 'machine', 'show', id.slice(0, 6))
    expect(shown).toMatchObject({ id, units: 1, placed: [{ name: 'a.service', active: 'active' }] })
    expect((await host.done('machine', 'show', id)).stdout).toMatch(/Metadata: +region=north\n/)
    const unknown = await host.run('machine', 'show', 'nobody')
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no machine "nobody"')])
  })

  test('cordons and uncordons, and metadata that was set stays', async () => {
    const host = await started('--metadata', 'region=north,disk=ssd')
    const [machine] = await json<MachineDetails[]>(host, 'machine', 'list')
    const id = machine?.id ?? ''
    const set = await host.done('machine', 'metadata', id, 'role=db', 'region=south', '--remove', 'disk')
    expect(set.stdout).toBe('region=south\nrole=db\n')
    expect(await json<MachineDetails[]>(host, 'machine', 'cordon', id)).toMatchObject([
      { cordoned: true, metadata: { region: 'south', role: 'db' } },
    ])
    const file = fileOf(host, 'a.service', sleeper)
    const waiting = await host.run('unit', 'start', file, '--timeout', '5s')
    expect([waiting.code, waiting.stderr]).toEqual([3, expect.stringContaining('cordoned')])
    await host.done('machine', 'uncordon', id)
    await host.done('unit', 'stop', 'a')
    await host.done('unit', 'start', 'a')
    expect(await json(host, 'machine', 'metadata', id)).toEqual({ region: 'south', role: 'db' })
    const wrong = await host.run('machine', 'metadata', id, 'role')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('of the form KEY=VALUE')])
  })
})
