import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CommandList,
  commandLists,
  type Service,
  serviceDefaults,
} from '../../src/supervisor/service.js'
import { initialState, isAtRest, type UnitState } from '../../src/supervisor/state.js'
import { type Effect, step, type UnitEvent } from '../../src/supervisor/unit-state-machine.js'
import { randomCases } from '../random-runs.js'

const command = {
  path: '/bin/true',
  argv: ['/bin/true'],
  ignoreFailure: false,
  expandVariables: true,
  privileges: 'normal',
} as const
const none = { 'start-pre': [], start: [command], 'start-post': [], stop: [], 'stop-post': [] }
const simple: Service = { ...serviceDefaults, type: 'simple', commands: none }

/** A world around one unit: processes come and go as a test says, time goes on by itself. */
class World {
  readonly service: Service
  state: UnitState = initialState
  now = 1_000_000
  nextPid = 100
  /** Living processes by role, and how many more the unit has left behind. */
  readonly living = { main: 0, control: 0, leftovers: 0 }
  readonly said: string[] = []
  /** The most main processes that there ever were at a time. */
  mostMains = 0

  constructor(service: Service) {
    this.service = service
  }

  send(event: UnitEvent): void {
    const { state, effects } = step(this.service, this.state, event, this.now)
    this.state = state
    for (const effect of effects) this.carryOut(effect)
  }

  carryOut(effect: Effect): void {
    if (effect.kind === 'signal') {
      this.said.push(`${effect.signal} ${effect.target}`)
      return
    }
    this.said.push(`${effect.list} ${effect.index}`)
    this.living[effect.role] += 1
    this.mostMains = Math.max(this.mostMains, this.living.main)
    this.send({ kind: 'spawned', role: effect.role, process: { pid: this.nextPid++, ticks: 1 } })
  }

  exit(role: 'main' | 'control', code: number | null, signal: string | null = null): void {
    if (this.living[role] === 0) return
    this.living[role] -= 1
    this.send({ kind: 'exited', role, code, signal })
    this.look()
  }

  look(): void {
    if (this.state.lingering && this.state.main === null && this.state.control === null) {
      this.send({ kind: 'leftovers', count: this.living.leftovers })
    }
  }

  /** Lets the deadline come. */
  wait(): void {
    const { deadlineAt } = this.state
    if (deadlineAt === null) return
    this.now = Math.max(this.now, deadlineAt)
    this.send({ kind: 'deadline' })
  }

  clear(): readonly string[] {
    return this.said.splice(0)
  }
}

const world = (overrides: Partial<Service> = {}): World => new World({ ...simple, ...overrides })
const lists = (...full: readonly CommandList[]): Service['commands'] =>
  Object.fromEntries(commandLists.map((list) => [list, full.includes(list) ? [command] : []])) as Record<
    CommandList,
    [typeof command]
  >
const docker = (when: 'always' | 'on-failure', max: number | null = null): Pick<Service, 'restart'> => ({
  restart: { kind: 'docker', when, max },
})

describe('the life of a unit', () => {
  it('goes through its commands in order, up and down', () => {
    const unit = world({ commands: lists(...commandLists) })
    unit.send({ kind: 'start' })
    unit.exit('control', 0)
    unit.exit('control', 0)
    expect(unit.state.sub).toBe('running')
    unit.send({ kind: 'stop' })
    expect(unit.state.sub).toBe('stop')
    unit.exit('control', 0)
    expect(unit.state.sub).toBe('stop-sigterm')
    unit.exit('main', null, 'SIGTERM')
    unit.exit('control', 0)
    expect(unit.state.sub).toBe('dead')
    expect(unit.said).toEqual([
      'start-pre 0',
      'start 0',
      'start-post 0',
      'stop 0',
      'SIGTERM main-group',
      'stop-post 0',
    ])
  })

  it('kills a unit that does not stop in time, and says that it failed', () => {
    const unit = world({ timeoutStopMs: 5000 })
    unit.send({ kind: 'start' })
    unit.send({ kind: 'stop' })
    unit.wait()
    expect(unit.clear()).toEqual(['start 0', 'SIGTERM main-group', 'SIGKILL main-group', 'SIGKILL leftovers'])
    expect(unit.now).toBe(1_005_000)
    unit.exit('main', null, 'SIGKILL')
    expect(unit.state).toMatchObject({ sub: 'failed', result: 'timeout' })
  })

  it('counts the end by its own stop signal as clean, and the same end by itself as systemd does', () => {
    const unit = world({ killSignal: 'SIGUSR1' })
    unit.send({ kind: 'start' })
    unit.send({ kind: 'stop' })
    unit.exit('main', null, 'SIGUSR1')
    expect(unit.state.sub).toBe('dead')
    unit.send({ kind: 'start' })
    unit.exit('main', null, 'SIGUSR1')
    expect(unit.state).toMatchObject({ sub: 'failed', result: 'signal' })
  })

  it('gives what is left behind the stop signal, then kills it, and waits for it', () => {
    const unit = world()
    unit.send({ kind: 'start' })
    unit.living.leftovers = 2
    unit.exit('main', 0)
    expect(unit.state.sub).toBe('stop-sigterm')
    expect(unit.clear()).toEqual(['start 0', 'SIGTERM leftovers'])
    unit.wait()
    expect(unit.clear()).toEqual(['SIGKILL leftovers'])
    unit.living.leftovers = 0
    unit.look()
    expect(unit.state.sub).toBe('failed')
  })

  it('signals the main process alone under KillMode=mixed, and kills the rest when that has gone', () => {
    const unit = world({ killMode: 'mixed' })
    unit.send({ kind: 'start' })
    unit.living.leftovers = 1
    unit.send({ kind: 'stop' })
    unit.exit('main', 0)
    expect(unit.clear()).toEqual(['start 0', 'SIGTERM main', 'SIGKILL leftovers'])
  })

  it('leaves the rest alone under KillMode=process', () => {
    const unit = world({ killMode: 'process' })
    unit.send({ kind: 'start' })
    unit.living.leftovers = 1
    unit.send({ kind: 'stop' })
    unit.exit('main', 0)
    expect(unit.clear()).toEqual(['start 0', 'SIGTERM main'])
    expect(unit.state.sub).toBe('dead')
  })

  it('never calls a unit dead whose processes live, even without SIGKILL', () => {
    const unit = world({ sendSigkill: false, restart: { kind: 'systemd', when: 'always', waitMs: 100 } })
    unit.send({ kind: 'start' })
    unit.send({ kind: 'stop' })
    unit.wait()
    unit.wait()
    expect(unit.state.sub).toBe('stop-sigterm')
    expect(unit.clear()).toEqual(['start 0', 'SIGTERM main-group'])
  })

  it('runs the commands of a oneshot one after the other, and may stay active after them', () => {
    const commands = { ...none, start: [command, command] }
    const unit = world({ type: 'oneshot', commands, remainAfterExit: true })
    unit.send({ kind: 'start' })
    expect(unit.state.sub).toBe('start')
    unit.exit('main', 0)
    unit.exit('main', 0)
    expect(unit.state).toMatchObject({ sub: 'exited', main: null })
    unit.send({ kind: 'stop' })
    unit.look()
    expect(unit.state.sub).toBe('dead')
  })

  it('lets a command with the prefix - fail', () => {
    const unit = world({ commands: { ...none, 'start-pre': [{ ...command, ignoreFailure: true }] } })
    unit.send({ kind: 'start' })
    unit.exit('control', 1)
    expect(unit.state.sub).toBe('running')
  })

  it('does not start when a command before the start fails', () => {
    const unit = world({ commands: lists('start-pre', 'start') })
    unit.send({ kind: 'start' })
    unit.exit('control', 1)
    expect(unit.state).toMatchObject({ sub: 'failed', failure: { code: 'process/command-failed' } })
    expect(unit.said).toEqual(['start-pre 0'])
  })

  it('gives up a start that takes too long', () => {
    const unit = world({ commands: lists('start-pre', 'start'), timeoutStartMs: 3000 })
    unit.send({ kind: 'start' })
    unit.wait()
    unit.exit('control', null, 'SIGTERM')
    expect(unit.state).toMatchObject({
      sub: 'failed',
      result: 'timeout',
      failure: { code: 'process/start-timeout' },
    })
  })

  it('starts once more when it is asked to while it stops', () => {
    const unit = world()
    unit.send({ kind: 'start' })
    unit.send({ kind: 'stop' })
    unit.send({ kind: 'start' })
    unit.exit('main', 0)
    expect(unit.state).toMatchObject({ sub: 'running', restarts: 0 })
  })

  it('marks an end by the memory guard', () => {
    const unit = world(docker('always'))
    unit.send({ kind: 'start' })
    unit.send({ kind: 'over-memory' })
    unit.exit('main', null, 'SIGKILL')
    expect(unit.said).toEqual(['start 0', 'SIGKILL main-group'])
    expect(unit.state).toMatchObject({ sub: 'auto-restart', exit: { signal: 'SIGKILL', oom: true } })
  })
})

describe('restarting', () => {
  it('waits as Docker does: 100 ms, doubled up to a minute, from the start again after a steady run', () => {
    const unit = world(docker('always'))
    const waits: number[] = []
    unit.send({ kind: 'start' })
    for (let n = 0; n < 12; n += 1) {
      unit.exit('main', 1)
      waits.push((unit.state.deadlineAt ?? 0) - unit.now)
      unit.wait()
    }
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000])
    unit.now += 10_000
    unit.exit('main', 1)
    expect((unit.state.deadlineAt ?? 0) - unit.now).toBe(100)
    unit.wait()
    expect(unit.state.restarts).toBe(13)
  })

  it('stops counting at the most that the rule allows', () => {
    const unit = world(docker('on-failure', 2))
    unit.send({ kind: 'start' })
    for (let n = 0; n < 5; n += 1) {
      unit.exit('main', 1)
      unit.wait()
    }
    expect(unit.state).toMatchObject({ sub: 'failed', restarts: 2 })
  })

  it('keeps to the start limit of systemd, and says so', () => {
    const unit = world({ restart: { kind: 'systemd', when: 'always', waitMs: 100 } })
    unit.send({ kind: 'start' })
    for (let n = 0; n < 10; n += 1) {
      unit.exit('main', 0)
      unit.wait()
    }
    expect(unit.said.filter((said) => said === 'start 0').length).toBe(5)
    expect(unit.state).toMatchObject({
      sub: 'failed',
      result: 'start-limit-hit',
      failure: { code: 'process/start-limit' },
    })
  })

  it.each([
    ['no', []],
    ['on-success', ['clean']],
    ['on-failure', ['code', 'signal', 'unseen']],
    ['on-abnormal', ['signal']],
    ['on-abort', ['signal']],
    ['on-watchdog', []],
    ['always', ['clean', 'code', 'signal', 'unseen']],
  ] as const)('restarts by Restart=%s after %j', (when, expected) => {
    const ends = {
      clean: [0, null],
      code: [1, null],
      signal: [null, 'SIGSEGV'],
      unseen: [null, null],
    } as const
    const restarted = Object.entries(ends).flatMap(([name, [code, signal]]) => {
      const unit = world({ restart: { kind: 'systemd', when, waitMs: 100 } })
      unit.send({ kind: 'start' })
      unit.exit('main', code, signal)
      return unit.state.sub === 'auto-restart' ? [name] : []
    })
    expect(restarted).toEqual(expected)
  })

  it('does not restart after an exit status that forbids it', () => {
    const unit = world({ ...docker('always'), restartPrevent: { codes: [78], signals: [] } })
    unit.send({ kind: 'start' })
    unit.exit('main', 78)
    expect(unit.state.sub).toBe('failed')
  })

  it('does not try again what cannot be run at all', () => {
    const unit = new World({ ...simple, ...docker('always') })
    unit.carryOut = () => {
      const failure = { code: 'process/not-found', message: 'it is not there', permanent: true }
      unit.send({ kind: 'spawn-failed', role: 'main', failure })
    }
    unit.send({ kind: 'start' })
    unit.look()
    expect(unit.state).toMatchObject({ sub: 'failed', failure: { code: 'process/not-found' } })
  })
})

type Act =
  | 'start'
  | 'stop'
  | 'main-ok'
  | 'main-bad'
  | 'main-kill'
  | 'control-ok'
  | 'control-bad'
  | 'leave'
  | 'clean-up'
  | 'wait'
  | 'over-memory'

const acting: Readonly<Record<Act, (unit: World) => void>> = {
  start: (unit) => unit.send({ kind: 'start' }),
  stop: (unit) => unit.send({ kind: 'stop' }),
  'over-memory': (unit) => unit.send({ kind: 'over-memory' }),
  'main-ok': (unit) => unit.exit('main', 0),
  'main-bad': (unit) => unit.exit('main', 3),
  'main-kill': (unit) => unit.exit('main', null, 'SIGKILL'),
  'control-ok': (unit) => unit.exit('control', 0),
  'control-bad': (unit) => unit.exit('control', 4),
  leave: (unit) => {
    unit.living.leftovers += unit.living.main
  },
  'clean-up': (unit) => {
    unit.living.leftovers = 0
    unit.look()
  },
  wait: (unit) => unit.wait(),
}

const acts = Object.keys(acting) as readonly Act[]

function act(unit: World, what: Act): void {
  unit.now += 7
  acting[what](unit)
}

const anyService: fc.Arbitrary<Service> = fc
  .record({
    type: fc.constantFrom('simple' as const, 'exec' as const, 'oneshot' as const),
    killMode: fc.constantFrom('control-group' as const, 'mixed' as const, 'process' as const),
    remainAfterExit: fc.boolean(),
    timeoutStopMs: fc.constantFrom(1000, 90_000),
    restart: fc.constantFrom<Service['restart']>(
      { kind: 'systemd', when: 'always', waitMs: 100 },
      { kind: 'systemd', when: 'on-failure', waitMs: 0 },
      { kind: 'docker', when: 'always', max: null },
      { kind: 'docker', when: 'on-failure', max: 2 },
      { kind: 'docker', when: 'no', max: null },
    ),
    commands: fc
      .subarray(['start-pre', 'start-post', 'stop', 'stop-post'] as const)
      .map((some) => lists('start', ...some)),
  })
  .map((some) => ({ ...serviceDefaults, ...some }))

describe('whatever happens', () => {
  const lives = fc.array(fc.constantFrom(...acts), { maxLength: 60 })
  const live = (service: Service, what: readonly Act[], check: (unit: World) => void): void => {
    const unit = new World(service)
    for (const each of what) {
      act(unit, each)
      check(unit)
    }
  }

  it('there is never more than one main and one control process', () => {
    fc.assert(
      fc.property(anyService, lives, (service, what) => {
        live(service, what, (unit) => {
          expect(unit.mostMains).toBeLessThanOrEqual(1)
          expect(unit.living.control).toBeLessThanOrEqual(1)
          expect(unit.living.main).toBe(unit.state.main === null ? 0 : 1)
          expect(unit.living.control).toBe(unit.state.control === null ? 0 : 1)
        })
      }),
      { numRuns: randomCases(500) },
    )
  })

  it('a unit at rest has no process, and one that waits for nothing is at rest or runs', () => {
    fc.assert(
      fc.property(anyService, lives, (service, what) => {
        live(service, what, ({ state, living }) => {
          const processes = living.main + living.control
          if (isAtRest(state) || state.sub === 'auto-restart') expect(processes).toBe(0)
          if (state.deadlineAt === null && processes === 0) {
            expect(isAtRest(state) || state.sub === 'exited' || state.lingering).toBe(true)
          }
        })
      }),
      { numRuns: randomCases(500) },
    )
  })

  it('a stop always ends: whatever lives is killed by a deadline at the latest', () => {
    fc.assert(
      fc.property(anyService, lives, (service, what) => {
        const unit = new World(service)
        for (const each of what) act(unit, each)
        unit.send({ kind: 'stop' })
        // From here on nothing ends by itself; only SIGKILL ends anything.
        for (let n = 0; n < 20 && !isAtRest(unit.state); n += 1) {
          unit.clear()
          unit.wait()
          const said = unit.clear()
          if (said.some((line) => line === 'SIGKILL leftovers')) unit.living.leftovers = 0
          if (said.some((line) => /^SIGKILL main/.test(line))) unit.exit('main', null, 'SIGKILL')
          if (said.some((line) => /^SIGKILL control/.test(line))) unit.exit('control', null, 'SIGKILL')
          unit.look()
        }
        expect(isAtRest(unit.state)).toBe(true)
        expect(unit.living.main + unit.living.control).toBe(0)
      }),
      { numRuns: randomCases(500) },
    )
  })

  it('nothing starts between a stop and the next start', () => {
    fc.assert(
      fc.property(anyService, lives, lives, (service, before, after) => {
        const unit = new World(service)
        for (const each of before) act(unit, each)
        unit.send({ kind: 'stop' })
        unit.clear()
        for (const each of after.filter((what) => what !== 'start')) act(unit, each)
        expect(unit.said.filter((line) => /^start/.test(line))).toEqual([])
      }),
      { numRuns: randomCases(500) },
    )
  })

  it('restarts are never more than the rule allows', () => {
    fc.assert(
      fc.property(anyService, lives, (service, what) => {
        fc.pre(service.restart.kind === 'docker' && service.restart.max !== null)
        live(service, what, ({ state }) => expect(state.restarts).toBeLessThanOrEqual(2))
      }),
      { numRuns: randomCases(300) },
    )
  })
})
