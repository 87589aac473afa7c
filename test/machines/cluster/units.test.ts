// fleet's units over three machines: states, places and rules, each as systemd on the machines has it in the end.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { destroy, listStates, listUnits, setState, submit, unitText } from './fleet-units.js'

let cluster: Cluster
/** Any daemon serves; the tests ask this one. */
let m1: ClusterMachine
beforeAll(async () => {
  cluster = await startCluster({
    metadata: ['region=eu,disk=ssd', 'region=eu,disk=hdd', 'region=us,disk=ssd'],
  })
  m1 = cluster.machine('m1')
})
afterAll(() => cluster?.stop())

/** Every test begins with a cluster that has no units. */
afterEach(async () => {
  for (const { name } of await listUnits(m1)) await destroy(m1, name)
  await cluster.settles()
})

/** Names of the machines on which systemd has a unit, in order. */
async function machinesWith(unit: string): Promise<readonly string[]> {
  const found = await Promise.all(
    cluster.machines.map(async (machine) => ((await machine.units()).has(unit) ? [machine.name] : [])),
  )
  return found.flat()
}

/** Resolves when the daemon of m1 lists its units so: its view may be a moment behind ours. */
async function shown(units: readonly object[]): Promise<void> {
  await expect.poll(() => listUnits(m1)).toMatchObject(units)
}

/** How many units systemd has on each machine. */
async function loads(): Promise<readonly number[]> {
  return await Promise.all(cluster.machines.map(async (machine) => (await machine.units()).size))
}

describe('states', () => {
  test('inactive is known and nowhere, loaded is in systemd on one machine and not started, launched is started', async () => {
    await submit(m1, 'a.service', 'inactive')
    await cluster.settles()
    expect(await machinesWith('a.service')).toEqual([])
    await setState(m1, 'a.service', 'loaded')
    await cluster.settles()
    expect(await machinesWith('a.service')).toHaveLength(1)
    await setState(m1, 'a.service', 'launched')
    await cluster.settles()
    await shown([{ currentState: 'launched', desiredState: 'launched' }])
    await setState(m1, 'a.service', 'loaded')
    await cluster.settles()
    await shown([{ currentState: 'loaded' }])
    await setState(m1, 'a.service', 'inactive')
    await cluster.settles()
    expect(await machinesWith('a.service')).toEqual([])
  })

  test('LOAD, ACTIVE and SUB are what systemctl list-units says on the machine', async () => {
    await submit(m1, 'once.service', 'launched', '[Service]\nType=oneshot\nExecStart=/bin/false\n')
    await submit(
      m1,
      'stays.service',
      'launched',
      '[Service]\nType=oneshot\nExecStart=/bin/true\nRemainAfterExit=yes\n',
    )
    const subStates = async () => (await listStates(m1)).map((state) => state.systemdSubState).sort()
    await expect.poll(subStates).toEqual(['exited', 'failed'])
    const states = await listStates(m1)
    for (const state of states) {
      const machine = cluster.machines.find(({ id }) => id === state.machineID)
      const line = await machine?.run(
        'systemctl',
        'list-units',
        '--all',
        '--plain',
        '--no-legend',
        state.name,
      )
      expect(line?.split(/\s+/).slice(0, 4)).toEqual([
        state.name,
        state.systemdLoadState,
        state.systemdActiveState,
        state.systemdSubState,
      ])
    }
  })

  test('sockets, timers and paths are units as services are', async () => {
    await submit(m1, 'tick.timer', 'launched', '[Timer]\nOnCalendar=yearly\nUnit=tick.service\n')
    await submit(m1, 'tick.service', 'loaded', unitText('MachineOf=tick.timer'))
    await cluster.settles()
    expect(await machinesWith('tick.service')).toEqual(await machinesWith('tick.timer'))
  })

  test('what is destroyed is on no machine and told of by none', async () => {
    await submit(m1, 'a.service', 'launched')
    await cluster.settles()
    await destroy(m1, 'a.service')
    await cluster.settles()
    expect(await loads()).toEqual([0, 0, 0])
    await expect.poll(() => listStates(m1)).toEqual([])
  })
})

describe('places', () => {
  test('thirty units go to three machines in equal numbers, and run once each', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, n) => submit(m1, `u${n}.service`, 'launched')))
    await cluster.settles()
    expect(await loads()).toEqual([10, 10, 10])
  })

  test('any daemon takes a unit, and every daemon shows it where it is', async () => {
    for (const machine of cluster.machines) await submit(machine, `of-${machine.name}.service`, 'launched')
    await cluster.settles()
    const where = cluster.machines.map((_, n) => ({ currentState: 'launched', name: `of-m${n + 1}.service` }))
    await shown(where)
    const told = await listUnits(m1)
    for (const machine of cluster.machines) await expect.poll(() => listUnits(machine)).toEqual(told)
  })

  test('MachineID asks for one machine, by its whole id', async () => {
    const m3 = cluster.machine('m3')
    await submit(m1, 'a.service', 'launched', unitText(`MachineID=${m3.id}`))
    await submit(m1, 'short.service', 'launched', unitText(`MachineID=${m3.id.slice(0, 8)}`))
    await cluster.settles({ waiting: ['short.service'] })
    expect(await machinesWith('a.service')).toEqual(['m3'])
  })
})

describe('metadata', () => {
  const both = 'MachineMetadata="region=eu" "disk=ssd"'
  const either = ['MachineMetadata=region=eu', 'MachineMetadata=region=us']

  test('two keys must both hold', async () => {
    await submit(m1, 'a.service', 'launched', unitText(both))
    await submit(m1, 'b.service', 'launched', unitText(both))
    await cluster.settles()
    expect([await machinesWith('a.service'), await machinesWith('b.service')]).toEqual([['m1'], ['m1']])
  })

  test('of two values of one key either will do, and other keys hold beside them', async () => {
    for (const n of [1, 2, 3]) await submit(m1, `any${n}.service`, 'launched', unitText(...either))
    await submit(m1, 'ssd1.service', 'launched', unitText(both, 'MachineMetadata=region=us'))
    await submit(m1, 'ssd2.service', 'launched', unitText(both, 'MachineMetadata=region=us'))
    await cluster.settles()
    expect((await machinesWith('any1.service')).length).toBe(1)
    const ssd = [...(await machinesWith('ssd1.service')), ...(await machinesWith('ssd2.service'))]
    expect(ssd.sort()).toEqual(['m1', 'm3'])
  })

  test('a value that no machine has makes a unit wait, and changed metadata gives it a place', async () => {
    await submit(m1, 'a.service', 'launched', unitText('MachineMetadata=rack=7'))
    await cluster.settles({ waiting: ['a.service'] })
    const id = cluster.machine('m2').id
    const patch = (op: string) =>
      m1.ask('PATCH', '/fleet/v1/machines', [{ op, path: `/${id}/metadata/rack`, value: '7' }])
    expect((await patch('add')).status).toBe(204)
    await cluster.settles()
    expect(await machinesWith('a.service')).toEqual(['m2'])
    expect((await patch('remove')).status).toBe(204)
    await cluster.settles({ waiting: ['a.service'] })
  })
})

describe('MachineOf', () => {
  test('a follower goes where its target is, and moves with it', async () => {
    await submit(m1, 'a.service', 'launched', unitText(`MachineID=${cluster.machine('m2').id}`))
    await submit(m1, 'b.service', 'launched', unitText('MachineOf=a.service'))
    await cluster.settles()
    expect(await machinesWith('b.service')).toEqual(['m2'])
    await destroy(m1, 'a.service')
    await cluster.settles({ waiting: ['b.service'] })
    await submit(m1, 'a.service', 'launched', unitText(`MachineID=${cluster.machine('m3').id}`))
    await cluster.settles()
    expect(await machinesWith('b.service')).toEqual(['m3'])
  })

  test('a follower of a unit that is not there waits', async () => {
    await submit(m1, 'b.service', 'launched', unitText('MachineOf=%p-target.service'))
    await cluster.settles({ waiting: ['b.service'] })
    await submit(m1, 'b-target.service', 'loaded')
    await cluster.settles()
    expect(await machinesWith('b.service')).toEqual(await machinesWith('b-target.service'))
  })

  test('units that follow each other are placed together', async () => {
    await submit(m1, 'a.service', 'launched', unitText('MachineOf=b.service'))
    await submit(m1, 'b.service', 'launched', unitText('MachineOf=a.service'))
    await cluster.settles()
    expect(await machinesWith('a.service')).toEqual(await machinesWith('b.service'))
  })
})

describe('Conflicts', () => {
  test('units whose names a pattern fits never share a machine; the one too many waits until there is room', async () => {
    for (const n of [1, 2, 3, 4]) {
      await submit(m1, `web@${n}.service`, 'launched', unitText('Conflicts=web@*.service'))
    }
    await cluster.settles({ waiting: ['web@4.service'] })
    expect(await loads()).toEqual([1, 1, 1])
    await destroy(m1, 'web@2.service')
    await cluster.settles()
    expect(await loads()).toEqual([1, 1, 1])
  })

  test('another unit’s conflict holds against a unit that has none', async () => {
    await submit(m1, 'a.service', 'launched', unitText('MachineMetadata=region=us', 'Conflicts=b*'))
    await cluster.settles()
    await submit(m1, 'b.service', 'launched', unitText('MachineMetadata=region=us'))
    await cluster.settles({ waiting: ['b.service'] })
    await destroy(m1, 'a.service')
    await cluster.settles()
    expect(await machinesWith('b.service')).toEqual(['m3'])
  })
})

describe('Global', () => {
  test('runs on every machine, and with metadata on those that meet it', async () => {
    await submit(m1, 'all.service', 'launched', unitText('Global=true'))
    await submit(m1, 'ssd.service', 'launched', unitText('Global=true', 'MachineMetadata=disk=ssd'))
    await cluster.settles()
    expect(await machinesWith('all.service')).toEqual(['m1', 'm2', 'm3'])
    expect(await machinesWith('ssd.service')).toEqual(['m1', 'm3'])
  })

  test('keeps off machines where a unit is that it conflicts with, and keeps such units off its own', async () => {
    await submit(m1, 'db.service', 'launched', unitText(`MachineID=${cluster.machine('m2').id}`))
    await cluster.settles()
    await submit(m1, 'agent.service', 'launched', unitText('Global=true', 'Conflicts=db*'))
    await cluster.settles()
    expect(await machinesWith('agent.service')).toEqual(['m1', 'm3'])
    await submit(m1, 'db2.service', 'launched', unitText(`MachineID=${cluster.machine('m1').id}`))
    await cluster.settles({ waiting: ['db2.service'] })
  })
})

describe('machines', () => {
  test('are listed with id, address and metadata, the same by each daemon', async () => {
    const lists = await Promise.all(
      cluster.machines.map(async (machine) =>
        JSON.parse((await machine.ask('GET', '/fleet/v1/machines')).text),
      ),
    )
    const wanted = cluster.machines
      .map(({ id, address }) => ({ id, primaryIP: address }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(lists[0]).toMatchObject({ machines: wanted })
    expect(lists[1]).toEqual(lists[0])
    expect(lists[2]).toEqual(lists[0])
  })

  test('keep the journal of their units, which the daemon there reads from systemd', async () => {
    await submit(
      m1,
      'says.service',
      'launched',
      `[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/echo hello from %H\n\n[X-Fleet]\nMachineID=${cluster.machine('m2').id}\n`,
    )
    await cluster.settles()
    expect(await cluster.machine('m2').cli('unit', 'journal', 'says.service')).toContain('hello from m2')
  })
})
