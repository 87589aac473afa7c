// Whether a machine runs the entry, and what it tells of that while the daemon runs.
import { expect, test } from 'vitest'
import type { RunningEntry } from '../../src/entry/io/entry.js'
import { describeRole, type EntryRole, hasRole, parseRole } from '../../src/entry/role.js'
import { lineLog } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import { EntrySwitch } from '../../src/main/entry-switch.js'
import type { Machine } from '../../src/model/machine.js'

type Announced = NonNullable<Machine['entry']>

/** A machine whose metadata, proxies and clock the test says. */
function machineWith(role: EntryRole | null, isLeft = false) {
  const state = {
    metadata: {} as Readonly<Record<string, string>> | null,
    announced: { http: ':80', https: ':443' } as Announced,
    at: 0,
    isBusy: false,
    told: [] as (Announced | null)[],
    did: [] as string[],
  }
  const running = {
    leave: () => state.did.push('leave'),
    comeBack: () => state.did.push('come back'),
    hasLeft: async () => !state.isBusy,
    stop: async () => {
      state.did.push('stop')
    },
  }
  const clock: Time = {
    now: () => state.at,
    steady: () => state.at,
    after: () => {
      throw new Error('nobody waits')
    },
  }
  const asSaid = new EntrySwitch(
    {
      role,
      metadata: () => state.metadata,
      announced: () => state.announced,
      tell: (entry) => state.told.push(entry),
      start: () => {
        state.did.push('start')
        return running as unknown as RunningEntry
      },
      endProxy: async () => {
        state.did.push('end')
      },
      clock,
      log: lineLog(() => {}),
    },
    isLeft,
  )
  const look = async (): Promise<{ did: string[]; isTold: boolean }> => {
    await asSaid.look(state.at)
    return { did: state.did.splice(0), isTold: state.told.at(-1) !== null }
  }
  return { state, look }
}

test('HAProxy that comes and goes while the daemon runs is told of', async () => {
  const { state, look } = machineWith(null)
  state.metadata = null
  const at = state.announced
  await look()
  state.announced = { ...at, tcp: true }
  await look()
  state.announced = at
  await look()
  expect(state.told).toEqual([at, { ...at, tcp: true }, at])
})

test('a machine runs the entry while its metadata say so, and finishes what is under way', async () => {
  const { state, look } = machineWith({ role: ['edge'] })
  expect(await look()).toEqual({ did: [], isTold: false })
  state.metadata = { role: 'edge' }
  expect(await look()).toEqual({ did: ['start'], isTold: true })
  expect(await look()).toEqual({ did: [], isTold: true })

  // It is one as long as something is under way: whoever drains an instance asks it.
  state.metadata = { role: 'inner' }
  state.isBusy = true
  expect(await look()).toEqual({ did: ['leave'], isTold: true })
  expect(await look()).toEqual({ did: [], isTold: true })
  state.isBusy = false
  expect(await look()).toEqual({ did: ['stop', 'end'], isTold: false })
  expect(await look()).toEqual({ did: [], isTold: false })
  state.metadata = { role: 'edge' }
  expect(await look()).toEqual({ did: ['start'], isTold: true })
})

test('one that is to run it again while it leaves goes on, and what takes too long is cut off', async () => {
  const { state, look } = machineWith({ role: ['edge'] })
  state.metadata = { role: 'edge' }
  state.isBusy = true
  await look()
  state.metadata = {}
  expect((await look()).did).toEqual(['leave'])
  state.metadata = { role: 'edge' }
  expect(await look()).toEqual({ did: ['come back'], isTold: true })
  state.metadata = {}
  state.at = 100_000
  expect((await look()).did).toEqual(['leave'])
  state.at += 64_999
  expect(await look()).toEqual({ did: [], isTold: true })
  state.at += 1
  expect(await look()).toEqual({ did: ['stop', 'end'], isTold: false })
})

test('what a proxy of before serves is served on while nobody can tell, and ends once it is known', async () => {
  const { state, look } = machineWith({ role: ['edge'] }, true)
  state.metadata = null
  expect(await look()).toEqual({ did: ['start'], isTold: true })
  state.metadata = {}
  expect(await look()).toEqual({ did: ['leave', 'stop', 'end'], isTold: false })
})

test('a role asks for each key, and for one of its values', () => {
  const role = parseRole('role=edge, role=gateway,region=north')
  expect(role).toEqual({ role: ['edge', 'gateway'], region: ['north'] })
  expect(describeRole(role ?? {})).toBe('role=edge,role=gateway,region=north')
  expect(hasRole({ role: 'gateway', region: 'north', disk: 'ssd' }, role)).toBe(true)
  expect(hasRole({ role: 'gateway' }, role)).toBe(false)
  expect(hasRole({ role: 'inner', region: 'north' }, role)).toBe(false)
  expect(hasRole({}, { constructor: ['x'] })).toBe(false)
  expect(hasRole({}, null)).toBe(true)
  for (const bad of ['', 'role', 'role=', '=edge', 'role=edge,', 'a b=c'])
    expect(parseRole(bad), bad).toBeNull()
})
