import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Chain, planLocal } from '../../src/agent/plan-local.js'
import {
  absentUnit,
  freshMemory,
  memoryOfFound,
  nextAttempt,
  reportOf,
  type UnitMemory,
} from '../../src/agent/report.js'
import { runHash } from '../../src/agent/unit-to-run.js'
import type { MachineId } from '../../src/model/machine.js'
import type {
  ActiveState,
  DesiredState,
  DesiredUnit,
  ObservedUnit,
  Placement,
  UnitName,
} from '../../src/model/unit.js'
import { asUnitName } from '../../src/unit/name.js'

const name = asUnitName('web@1.service')
const machine = 'a'.repeat(32) as MachineId
const now = 50_000

const unit = (desired: DesiredState): DesiredUnit => ({
  name,
  hash: 'new',
  desired,
  instance: { project: 'default', service: 'web', name: 'web-1', n: 1, uuid: 'u', version: 'v' },
  createdAt: 0,
})
const placement: Placement = { unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 }
const seen = (change: Partial<ObservedUnit> = {}): ObservedUnit => ({
  ...absentUnit(name, 'process'),
  load: 'loaded',
  hash: runHash('new', placement),
  ...change,
})

function planned(
  desired: DesiredState | null,
  observed: ObservedUnit | null,
  memory: Partial<UnitMemory> = {},
  busy: readonly UnitName[] = [],
) {
  return planLocal(
    {
      placed: desired === null ? [] : [{ unit: unit(desired), placement }],
      observed: new Map(observed === null ? [] : [[name, observed]]),
      memory: new Map([[name, { ...freshMemory, ...memory }]]),
      busy: new Set(busy),
    },
    now,
  )
}

/** What is begun by an agent that has not seen the store since it started. */
function plannedAlone(desired: DesiredState | null, observed: ObservedUnit | null, ran: boolean): string {
  const { chains } = planLocal(
    {
      placed: desired === null ? [] : [{ unit: unit(desired), placement }],
      observed: new Map(observed === null ? [] : [[name, observed]]),
      memory: new Map([[name, { ...freshMemory, launched: ran }]]),
      busy: new Set(),
      bringBack: new Set(ran ? [name] : []),
    },
    now,
  )
  return steps(chains)
}

const steps = (chains: readonly Chain[]): string => chains.map((chain) => chain.steps.join(' ')).join('; ')

describe('a run, of which nothing is left', () => {
  const left = (memory: Partial<UnitMemory>, runsOnce: boolean, holdsRuns = false): string =>
    steps(
      planLocal(
        {
          placed: [{ unit: unit('launched'), placement, runsOnce }],
          observed: new Map(),
          memory: new Map([[name, { ...freshMemory, ...memory }]]),
          busy: new Set(),
          holdsRuns,
        },
        now,
      ).chains,
    )

  test('is begun once, and never again', () => {
    expect(left({}, true)).toBe('load start')
    expect(left({ launched: true }, true)).toBe('')
    expect(left({ launched: true }, false)).toBe('load start')
  })

  test('is not begun while nobody could be told of it, unlike what is started again', () => {
    expect(left({}, true, true)).toBe('')
    expect(left({}, false, true)).toBe('load start')
  })
})

describe('what an agent does for a unit', () => {
  test.each([
    ['a new unit is loaded and started', 'launched', null, {}, 'load start'],
    ['a loaded unit is started', 'launched', seen(), {}, 'start'],
    ['a running unit is left alone', 'launched', seen({ active: 'active' }), { launched: true }, ''],
    [
      'a program that ended by itself is not started again',
      'launched',
      seen({ active: 'failed' }),
      { launched: true },
      '',
    ],
    [
      'a unit that runs though nobody remembers starting it is left alone',
      'launched',
      seen({ active: 'active' }),
      {},
      '',
    ],
    ['a unit to be stopped is stopped', 'loaded', seen({ active: 'active' }), { launched: true }, 'stop'],
    [
      'a unit that waits for its restart is stopped too',
      'loaded',
      seen({ active: 'activating' }),
      { launched: true },
      'stop',
    ],
    ['a stopped unit is left alone', 'loaded', seen(), {}, ''],
    ['an instance that is to stop before it was there is not loaded for it', 'loaded', null, {}, ''],
    [
      'a unit that is not placed here any more is stopped and removed',
      null,
      seen({ active: 'active' }),
      {},
      'stop unload',
    ],
    [
      'a unit whose text changed is replaced',
      'launched',
      seen({ hash: 'old', active: 'active' }),
      { launched: true },
      'stop load start',
    ],
  ] as const)('%s', (_title, desired, observed, memory, expected) => {
    expect(steps(planned(desired, observed, memory).chains)).toBe(expected)
  })

  test('an instance that is to stop is stopped, whatever its newest text', () => {
    expect(steps(planned('loaded', seen({ hash: 'old', active: 'active' }), { launched: true }).chains)).toBe(
      'stop',
    )
    expect(planned('loaded', seen({ hash: 'old' })).chains).toEqual([])
  })

  test('a unit whose chain is under way is left alone', () => {
    expect(planned('launched', null, {}, [name]).chains).toEqual([])
    expect(planned(null, seen({ active: 'active' }), {}, [name]).chains).toEqual([])
  })

  test('a chain that failed is tried again when it is due, and not before', () => {
    const early = planned('launched', null, { attempts: 1, retryAt: now + 700 })
    expect([early.chains, early.wakeAt]).toEqual([[], now + 700])
    expect(steps(planned('launched', null, { attempts: 1, retryAt: now }).chains)).toBe('load start')
  })

  test('retries slow down, at most to a minute, and wait longer where only a change can help', () => {
    expect([1, 2, 3, 9].map((attempts) => nextAttempt(attempts, { permanent: false }, 0))).toEqual([
      1000, 2000, 4000, 60_000,
    ])
    expect(nextAttempt(1, { permanent: true }, 0)).toBe(30_000)
    expect(nextAttempt(1, { permanent: false, retryAfterMs: 300_000 }, 0)).toBe(300_000)
    expect(nextAttempt(9, { permanent: false, retryAfterMs: 3000 }, 0)).toBe(60_000)
  })
})

describe('a unit that is loaded, and that another unit of its host may start', () => {
  const left = (
    launched: boolean,
    desired: DesiredState = 'loaded',
    active: ActiveState = 'active',
  ): string =>
    steps(
      planLocal(
        {
          placed: [{ unit: { ...unit(desired), instance: null }, placement, mayBeStartedByOthers: true }],
          observed: new Map([[name, seen({ driver: 'systemd', active })]]),
          memory: new Map([[name, { ...freshMemory, launched }]]),
          busy: new Set(),
        },
        now,
      ).chains,
    )

  test('is left running where that one has started it, and stopped where the agent has', () => {
    expect(left(false)).toBe('')
    expect(left(true)).toBe('stop')
    expect(left(false, 'loaded', 'inactive')).toBe('')
  })

  test('is stopped when it is not to be here', () => {
    const { chains } = planned(null, seen({ driver: 'systemd', active: 'active' }))
    expect(steps(chains)).toBe('stop unload')
  })
})

describe('what an agent remembers over a restart', () => {
  test('a unit that was started after its last report is known to be started: it never runs twice', () => {
    const ended = seen({
      active: 'inactive',
      since: 40_000,
      exit: { code: 0, signal: null, oom: false, at: 41_000 },
    })
    const before = reportOf(machine, seen(), freshMemory)
    expect(memoryOfFound(ended, before).launched).toBe(true)
    expect(memoryOfFound(ended, null).launched).toBe(true)
    expect(memoryOfFound(seen(), null).launched).toBe(false)
  })

  test('what checks said counts for the run that it was said of, and for no other', () => {
    const ran = seen({ active: 'active', since: 40_000 })
    const before = reportOf(machine, ran, { ...freshMemory, launched: true, health: 'healthy' })
    expect(memoryOfFound(ran, before).health).toBe('healthy')
    expect(memoryOfFound({ ...ran, since: 50_000 }, before)).toMatchObject({
      health: 'unknown',
      launched: true,
    })
  })

  test('a unit that was stopped is not taken for one that ended by itself', () => {
    const stopped = seen({ active: 'inactive', since: 40_000 })
    expect(memoryOfFound(stopped, reportOf(machine, stopped, freshMemory)).launched).toBe(false)
  })
})

test('carrying a plan out leads to where no more is planned', () => {
  const desires = fc.constantFrom<DesiredState | null>('launched', 'loaded', null)
  const states = fc.constantFrom<ObservedUnit | null>(
    null,
    seen(),
    seen({ active: 'active' }),
    seen({ active: 'failed' }),
    seen({ hash: 'old' }),
    seen({ hash: 'old', active: 'active' }),
  )
  fc.assert(
    fc.property(desires, states, fc.boolean(), (desired, state, launched) => {
      let observed = state
      let memory: UnitMemory = { ...freshMemory, launched }
      for (const step of planned(desired, observed, memory).chains.flatMap((chain) => chain.steps)) {
        if (step === 'load') observed = seen()
        if (step === 'start') observed = seen({ active: 'active' })
        if (step === 'stop' && observed !== null) observed = { ...observed, active: 'inactive' }
        if (step === 'unload') observed = null
        if (step === 'start' || step === 'stop') memory = { ...memory, launched: step === 'start' }
      }
      expect(planned(desired, observed, memory).chains).toEqual([])
    }),
  )
})

describe('an agent that has not seen the store since it started', () => {
  test('brings back what ran when the store was last seen, and starts nothing else', () => {
    expect(plannedAlone('launched', null, true)).toBe('load start')
    expect(plannedAlone('launched', null, false)).toBe('')
    expect(plannedAlone('launched', seen(), false)).toBe('')
  })

  test('stops and changes nothing: what it knows may be of yesterday', () => {
    const running = seen({ active: 'active' })
    expect(plannedAlone(null, running, true)).toBe('')
    expect(plannedAlone('loaded', running, true)).toBe('')
    expect(plannedAlone('launched', { ...running, hash: 'old' }, true)).toBe('')
  })
})

describe('a restart that the driver leaves to the agent', () => {
  const ended = seen({ active: 'activating', sub: 'auto-restart', restartAt: now + 400, restartIsDue: true })
  const memory = { launched: true }

  test('is made when its time has come', () => {
    expect(planned('launched', ended, memory)).toEqual({ chains: [], wakeAt: now + 400 })
    const [chain] = planned('launched', { ...ended, restartAt: now }, memory).chains
    expect(chain).toEqual({ unit: name, steps: ['start'], cause: 'to-restart' })
  })

  test('is not made of what is to stop, and waits on after one that failed', () => {
    expect(planned('loaded', ended, memory).chains).toMatchObject([{ steps: ['stop'], cause: 'to-stop' }])
    const due = { ...ended, restartAt: now }
    expect(planned('launched', due, { ...memory, retryAt: now + 1000 })).toEqual({
      chains: [],
      wakeAt: now + 1000,
    })
  })

  test('is made without the store too', () => {
    expect(plannedAlone('launched', { ...ended, restartAt: now }, true)).toBe('start')
    expect(plannedAlone('launched', { ...ended, restartAt: now }, false)).toBe('')
  })
})

describe('a unit that another machine may still have', () => {
  const held = (observed: ObservedUnit | null, desired: DesiredState = 'launched') =>
    planLocal(
      {
        placed: [{ unit: { ...unit(desired), instance: null }, placement, isElsewhere: true }],
        observed: new Map(observed === null ? [] : [[name, observed]]),
        memory: new Map(),
        busy: new Set(),
      },
      now,
    ).chains.map(({ steps }) => steps.join(' '))

  test('is made ready, and not started', () => {
    expect(held(null)).toEqual(['load'])
    expect(held(seen())).toEqual([])
    expect(held(seen({ hash: 'old' }))).toEqual(['stop load'])
  })

  test('is left alone where it runs, and stopped where that is wanted', () => {
    expect(held(seen({ active: 'active' }))).toEqual([])
    expect(held(seen({ active: 'active' }), 'loaded')).toEqual(['stop'])
  })
})
