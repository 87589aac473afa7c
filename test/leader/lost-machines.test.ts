// Machines that are gone: told of, listed as down, and forgotten.
import { afterEach, expect, test } from 'vitest'
import { findMachine, listedMachines, removeMachine } from '../../src/changes/machines.js'
import { isProblem } from '../../src/changes/problem.js'
import { lostMachinesPass } from '../../src/leader/io/lost-machines-pass.js'
import { type ClockJump, noJumps, withJump } from '../../src/lib/elapsed.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { decodeEvents, keys, leaderKey, putOf } from '../../src/store/records.js'
import { openMemoryStore } from '../store/memory-store.js'

const [own, other] = ['a'.repeat(32), 'b'.repeat(32)] as [MachineId, MachineId]
const graceMs = 30_000
const forgetAfterMs = 3_600_000
const begin = 1_000_000

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

function aMachine(id: MachineId): Machine {
  const capacity = { cpus: 1, memoryMb: 1, diskMb: 1 }
  const facts = { ip: '', metadata: {}, capacity, drivers: [], version: '1', bootedAt: 0 }
  return { id, hostname: `host-${id.slice(0, 1)}`, ...facts }
}

/** A leader that sees these machines when it starts. */
async function openLeader(...there: readonly Machine[]) {
  const registry = await openRegistry(openMemoryStore({ clock: systemClock }), { onError: () => {} })
  ending.push(async () => {
    await registry.close()
    await registry.store.close()
  })
  await registry.store.txn([], [{ op: 'put', key: leaderKey, value: JSON.stringify({ machine: own }) }])
  for (const machine of there)
    await registry.commit([], [putOf('machine', machine), putOf('knownMachine', machine)])
  let steady = 0
  let jumps: readonly ClockJump[] = noJumps
  const clock = { ...systemClock, now: () => begin, steady: () => steady }
  const pass = lostMachinesPass({
    ...{ registry, clock, log: silentLog, graceMs },
    events: openEventLog(clock, own),
    losses: { massLoss: () => null } as unknown as Parameters<typeof lostMachinesPass>[0]['losses'],
    epoch: () => registry.view.leader?.epoch ?? null,
    forgetAfterMs: () => forgetAfterMs,
    jumps: () => jumps,
  })
  const { view } = registry
  return {
    ...{ registry, view },
    pass: (now = begin) => pass(now, new AbortController().signal),
    goBy: (ms: number) => (steady += ms),
    jump: (one: ClockJump) => {
      jumps = withJump(jumps, one)
    },
    lose: (id: MachineId) => registry.store.txn([], [{ op: 'delete', key: keys.machine(id) }]),
    listed: () => listedMachines(view).map(({ hostname }) => hostname),
    told: async () =>
      (await registry.store.range('events/')).entries.flatMap(decodeEvents).map(({ kind }) => kind),
  }
}

test('a machine that is lost stays in the list, and it is known since when it is down', async () => {
  const { listed, lose, pass, told, view } = await openLeader(aMachine(own), aMachine(other))
  await pass()
  await lose(other)
  await expect.poll(() => view.machines.size).toBe(1)
  await pass(begin + 5000)
  expect(listed()).toEqual(['host-a', 'host-b'])
  expect(view.knownMachines.get(other)?.downSince).toBe(begin + 5000)
  expect(await told()).toEqual(['machine-lost'])
  await pass(begin + 9000)
  expect(view.knownMachines.get(other)?.downSince).toBe(begin + 5000)
  expect(findMachine(view, 'host-b')).toMatchObject({ code: 'machine/down' })
})

test('a loss is told though an earlier one was told by a clock that was ahead, and once', async () => {
  const { lose, pass, registry, told, view } = await openLeader(aMachine(own), aMachine(other))
  const ahead = openEventLog({ ...systemClock, now: () => begin + 3_600_000 }, own)
  const message = 'host-b is lost'
  const draft = {
    kind: 'machine-lost',
    project: null,
    service: null,
    instance: null,
    machine: other,
    message,
  } as const
  await registry.commit([], ahead.append([draft]))
  await pass()
  await lose(other)
  await expect.poll(() => view.machines.size).toBe(1)
  await pass(begin + 5000)
  await pass(begin + 9000)
  expect(await told()).toEqual(['machine-lost', 'machine-lost'])
})

test('one that is told to be down since later than now, as the clock was set back, is down since now', async () => {
  const { lose, pass, registry, view } = await openLeader(aMachine(own), aMachine(other))
  await pass()
  await lose(other)
  await expect.poll(() => view.machines.size).toBe(1)
  await pass(begin + forgetAfterMs)
  await pass(begin)
  expect(view.knownMachines.get(other)?.downSince).toBe(begin)
  await pass(begin + forgetAfterMs - 1)
  expect(view.knownMachines.has(other)).toBe(true)
  await pass(begin + forgetAfterMs)
  expect(registry.view.knownMachines.has(other)).toBe(false)
})

test('one is not forgotten early as the clock is set back while the loss of another is written', async () => {
  const third = 'c'.repeat(32) as MachineId
  const { jump, lose, pass, view } = await openLeader(aMachine(own), aMachine(other), aMachine(third))
  await pass()
  await lose(other)
  await expect.poll(() => view.machines.size).toBe(2)
  await pass(begin)
  await lose(third)
  await expect.poll(() => view.machines.size).toBe(1)
  const now = begin + forgetAfterMs - 60_000
  const passed = pass(now)
  jump({ byMs: -120_000, before: now, after: now - 120_000 })
  await passed
  expect([...view.knownMachines.keys()]).toEqual([own, other, third])
})

test('one that has left for good is told of, and in no list', async () => {
  const { listed, pass, registry, told, view } = await openLeader(aMachine(own), aMachine(other))
  await pass()
  const gone = [keys.machine(other), keys.knownMachine(other)]
  await registry.commit(
    [],
    gone.map((key) => ({ op: 'delete', key })),
  )
  await pass()
  expect([listed(), view.knownMachines.size]).toEqual([['host-a'], 1])
  expect(await told()).toEqual(['machine-lost'])
})

test('one that nobody has seen since this leader was started is given time to come back', async () => {
  const { goBy, pass, registry, told, view } = await openLeader(aMachine(own))
  await registry.commit([], [putOf('knownMachine', aMachine(other))])
  expect((await pass()).wakeAt).toBe(begin + graceMs)
  expect(await told()).toEqual([])
  goBy(graceMs)
  await pass(begin + graceMs)
  expect(view.knownMachines.get(other)?.downSince).toBe(begin + graceMs)
  expect(await told()).toEqual(['machine-lost'])
})

test('a machine that is down is forgotten after its time, with what was ordered of it and what it said', async () => {
  const { listed, pass, registry, view } = await openLeader(aMachine(own))
  const down = { ...aMachine(other), downSince: begin }
  await registry.overrule(
    [],
    [
      putOf('knownMachine', down),
      putOf('order', { id: other, cordoned: true }),
      putOf('clockCall', { machine: other, at: begin, asked: [] }),
      putOf('clockReading', { machine: other, at: begin, answers: null }),
    ],
  )
  expect((await pass(begin + forgetAfterMs - 1)).wakeAt).not.toBeNull()
  expect(listed()).toEqual(['host-a', 'host-b'])
  await pass(begin + forgetAfterMs)
  expect(listed()).toEqual(['host-a'])
  expect([view.orders.size, view.clockCalls.size, view.clockReadings.size]).toEqual([0, 0, 0])
})

test('an operator removes machines that are down, and no others', async () => {
  const { listed, registry, view } = await openLeader(aMachine(own))
  await registry.commit([], [putOf('knownMachine', { ...aMachine(other), downSince: begin })])
  expect(removeMachine(view, 'host-a')).toMatchObject({ code: 'machine/there' })
  expect(removeMachine(view, 'host-c')).toMatchObject({ code: 'machine/unknown' })
  const removal = removeMachine(view, 'host-b')
  if (isProblem(removal)) throw new Error(removal.message)
  await registry.decide(() => removal)
  expect(listed()).toEqual(['host-a'])
})
