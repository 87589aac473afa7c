// The table of verbs and states of fleet, every cell of it. Names are the sentences of the seed.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { currentStateOf, isStartRefused } from '../../src/api/unit-state.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { changeUnits, type UnitChange } from '../../src/changes/unit-verbs.js'
import type { NamedUnit, UnitVerb } from '../../src/contract/contract.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import type { DesiredState, UnitReport } from '../../src/model/unit.js'
import { startedReport } from '../../src/simulate/started-report.js'
import { putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { World } from '../world/world.js'

type State = DesiredState | 'none'

const text = '[Service]\nExecStart=/bin/sleep 3000\n'
const otherText = '[Service]\nExecStart=/bin/sleep 1\n'
const source = { file: 'web.service', text }
const web = asUnitName('web.service')

function decide(world: World, verb: UnitVerb, units: readonly NamedUnit[], replace?: boolean) {
  return changeUnits(world.view, { verb, units, ...(replace && { replace }) }, world.now)
}

function done(world: World, verb: UnitVerb, ...units: readonly NamedUnit[]): UnitChange {
  const change = decide(world, verb, units)
  if (isProblem(change)) throw new Error(change.message)
  world.apply(change.ops)
  return change
}

function refused(world: World, verb: UnitVerb, units: readonly NamedUnit[], replace?: boolean): Problem {
  const change = decide(world, verb, units, replace)
  if (!isProblem(change)) throw new Error(`${verb} was not refused`)
  return change
}

/** A cluster that has brought `web.service` into a state. */
function worldWith(state: State): World {
  const world = new World()
  world.machine('a')
  if (state === 'inactive') done(world, 'submit', { name: web, source })
  if (state === 'loaded') done(world, 'load', { name: web, source })
  if (state === 'launched') done(world, 'start', { name: web, source })
  return world
}

const stateOf = (world: World): State => world.view.units.get(web)?.desired ?? 'none'
const states: readonly State[] = ['none', 'inactive', 'loaded', 'launched']

/** As the seed prints it: command, desired state, valid previous states. */
const table: readonly (readonly [UnitVerb, State, readonly State[]])[] = [
  ['submit', 'inactive', ['none']],
  ['load', 'loaded', ['none', 'inactive']],
  ['start', 'launched', ['none', 'inactive', 'loaded']],
  ['stop', 'loaded', ['launched']],
  ['unload', 'inactive', ['launched', 'loaded']],
  ['destroy', 'none', ['launched', 'loaded', 'inactive']],
]

describe('commands and states', () => {
  for (const [verb, desired, valid] of table) {
    for (const state of states) {
      const words = verb === 'submit' || verb === 'load' || verb === 'start' ? { source } : {}
      const name = state === 'none' ? 'a unit that is not there' : `a unit that is ${state}`
      if (valid.includes(state)) {
        it(`${verb} leaves ${name} ${desired === 'none' ? 'destroyed' : desired}`, () => {
          const world = worldWith(state)
          const { response } = done(world, verb, { name: web, ...words })
          expect(stateOf(world)).toBe(desired)
          expect(response.units).toEqual([
            {
              name: web,
              before: state === 'none' ? null : state,
              desired: desired === 'none' ? null : desired,
            },
          ])
        })
      } else {
        it(`${verb} is an invalid action on ${name}`, () => {
          const world = worldWith(state)
          const { status, code } = refused(world, verb, [{ name: web, ...words }])
          expect([status, code]).toEqual(state === 'none' ? [404, 'unit/unknown'] : [409, 'unit/wrong-state'])
          expect(stateOf(world)).toBe(state)
        })
      }
    }
  }

  test('if a unit is inactive, then stop is an invalid action, and the refusal says so', () => {
    const { message } = refused(worldWith('inactive'), 'stop', [{ name: web }])
    expect(message).toBe('web.service is inactive: stop is for units that are launched')
  })

  test('none indicates that the unit previously existed but was destroyed, too', () => {
    const world = worldWith('launched')
    done(world, 'destroy', { name: web })
    expect(refused(world, 'stop', [{ name: web }]).code).toBe('unit/unknown')
    done(world, 'submit', { name: web, source })
    expect(stateOf(world)).toBe('inactive')
  })

  test('load is an alias for submit and load, start for submit, load and start, and so on', () => {
    const ways: readonly (readonly [UnitVerb, readonly UnitVerb[], State])[] = [
      ['load', ['submit', 'load'], 'none'],
      ['start', ['submit', 'load', 'start'], 'none'],
      ['unload', ['stop', 'unload'], 'launched'],
      ['destroy', ['stop', 'unload', 'destroy'], 'launched'],
    ]
    for (const [alias, verbs, state] of ways) {
      const [short, long] = [worldWith(state), worldWith(state)]
      const given = state === 'none' ? { source } : {}
      done(short, alias, { name: web, ...given })
      for (const verb of verbs) done(long, verb, { name: web, ...(verb === 'submit' && given) })
      expect(short.view.units).toEqual(long.view.units)
      expect(short.view.files).toEqual(long.view.files)
    }
  })
})

describe('units and their texts', () => {
  test('once a unit is pushed its contents are immutable, unless they are replaced', () => {
    const world = worldWith('inactive')
    const changed = { name: web, source: { file: 'web.service', text: otherText } }
    expect(refused(world, 'start', [changed])).toMatchObject({ status: 409, code: 'unit/differs' })
    const change = decide(world, 'start', [changed], true)
    if (isProblem(change)) throw new Error(change.message)
    world.apply(change.ops)
    expect([...world.view.files.values()]).toEqual([otherText])
    expect(stateOf(world)).toBe('launched')
  })

  test('comments and blank lines make no other unit', () => {
    const world = worldWith('inactive')
    const commented = { file: 'web.service', text: `# mine\n\n${text}` }
    expect(done(world, 'start', { name: web, source: commented }).response.units).toMatchObject([
      { desired: 'launched' },
    ])
    expect([...world.view.files.values()]).toEqual([text])
  })

  test('a name without a type is that of a service', () => {
    const world = worldWith('inactive')
    done(world, 'start', { name: 'web' })
    expect(stateOf(world)).toBe('launched')
  })

  test('instances utilize the relevant template unit', () => {
    const world = worldWith('none')
    done(world, 'submit', { name: 'hello@.service', source })
    done(world, 'start', { name: 'hello@world' }, { name: 'hello@1.service' })
    const hashes = [...world.view.units.values()].map(({ hash }) => hash)
    expect([...world.view.units.keys()].sort()).toEqual([
      'hello@.service',
      'hello@1.service',
      'hello@world.service',
    ])
    expect(new Set(hashes).size).toBe(1)
  })

  test('an instance whose template is nowhere is refused, one whose template is at hand is not', () => {
    const world = worldWith('none')
    expect(refused(world, 'start', [{ name: 'hello@1' }])).toMatchObject({
      code: 'unit/unknown',
      hint: 'submit its template hello@.service first, or name its file',
    })
    done(world, 'start', { name: 'hello@1', template: { file: 'hello@.service', text } })
    expect([...world.view.units.keys()]).toEqual(['hello@1.service'])
  })

  test('a template itself is never loaded', () => {
    const world = worldWith('none')
    const template = { name: 'hello@.service', source }
    for (const verb of ['load', 'start'] as const) {
      expect(refused(world, verb, [template])).toMatchObject({ status: 400, code: 'unit/is-template' })
    }
  })

  test('units of a service are changed by it alone', () => {
    const world = worldWith('none')
    world.deploy('compute_type: process\ncommand: [/bin/true]\n')
    world.servicePass()
    for (const verb of ['start', 'stop', 'unload', 'destroy'] as const) {
      expect(refused(world, verb, [{ name: 'default.web.v1@1.service' }])).toMatchObject({
        status: 403,
        code: 'unit/of-service',
      })
    }
  })

  test('all that is wrong in a file is told, at its place', () => {
    const world = worldWith('none')
    const wrong =
      '[X-Fleet]\nMachineOff=a\nGlobal=true\nMachineOf=b.service\n[Service]\nExecStart=/bin/true\n'
    const { status, code, details } = refused(world, 'submit', [
      { name: web, source: { file: 'units/web.service', text: wrong } },
    ])
    expect([status, code]).toEqual([422, 'unit/invalid'])
    expect(details).toMatchObject([
      { code: 'unit/unknown-option', file: 'units/web.service', line: 2 },
      { code: 'unit/unresolvable-requirements', file: 'units/web.service' },
    ])
  })

  test('several units are one change: one that is refused keeps the others from it, and all refusals are told', () => {
    const world = worldWith('launched')
    const problem = refused(world, 'stop', [{ name: web }, { name: 'gone' }, { name: 'we b' }])
    expect(problem).toMatchObject({
      code: 'unit/refused',
      details: [{ code: 'unit/unknown' }, { code: 'unit/bad-name' }],
    })
    expect(stateOf(world)).toBe('launched')
    expect(refused(world, 'stop', [{ name: web }, { name: 'web' }]).code).toBe('unit/named-twice')
  })

  test('a machine that still runs the text from before has not launched the unit', () => {
    const world = worldWith('launched')
    world.enginePass()
    const stateNow = (): DesiredState => {
      const unit = world.view.units.get(web)
      if (unit === undefined) throw new Error('the unit is gone')
      return currentStateOf(world.view, unit)
    }
    const { machine } = world.view.placements.get(web) ?? {}
    if (machine === undefined) throw new Error('the unit is nowhere')
    const runs = (): void => {
      const hash = world.view.units.get(web)?.hash ?? ''
      world.apply([putOf('report', { ...startedReport(machine, web, world.now), hash })])
    }
    runs()
    expect(stateNow()).toBe('launched')
    const change = decide(world, 'start', [{ name: web, source: { file: web, text: otherText } }], true)
    if (isProblem(change)) throw new Error(change.message)
    world.apply(change.ops)
    expect(stateNow()).toBe('inactive')
    runs()
    expect(stateNow()).toBe('launched')
  })

  test('a start that systemd refuses is launched to fleet, until another state is wanted; what waits to be tried is not', () => {
    const world = worldWith('launched')
    world.enginePass()
    const { hash = '' } = world.view.units.get(web) ?? {}
    const machine = world.view.placements.get(web)?.machine
    if (machine === undefined) throw new Error('the unit is nowhere')
    const failure = { code: 'systemd/start-failed', message: 'it failed', permanent: false }
    const idle = { driver: 'systemd', active: 'inactive', sub: 'dead', launched: false } as const
    const report = { ...startedReport(machine, web, world.now), ...idle, hash }
    const reported = (change: Partial<UnitReport>): boolean => {
      world.apply([putOf('report', { ...report, ...change })])
      const unit = world.view.units.get(web)
      return unit !== undefined && isStartRefused(world.view, unit)
    }
    expect(reported({})).toBe(false)
    expect(reported({ attempts: 1, failure })).toBe(true)
    expect(reported({ attempts: 1, failure: { ...failure, code: 'agent/port-taken' } })).toBe(false)
    expect(reported({ attempts: 1, failure, driver: 'process' })).toBe(false)
    done(world, 'stop', { name: web })
    expect(reported({ attempts: 1, failure })).toBe(false)
  })

  test('a unit that no machine can run yet waits, with a warning', () => {
    const change = decide(new World(), 'start', [{ name: web, source }])
    if (isProblem(change)) throw new Error(change.message)
    expect(change.response.warnings).toMatchObject([{ code: 'deploy/no-driver', severity: 'warning' }])
  })
})

describe('texts of units', () => {
  const names = ['a.service', 'b.service', 'c@.service', 'c@1.service', 'c@2.service']
  const verbs: readonly UnitVerb[] = ['submit', 'load', 'start', 'stop', 'unload', 'destroy']
  const act = fc.record({
    verb: fc.constantFrom(...verbs),
    units: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
    text: fc.constantFrom(text, otherText),
    replace: fc.boolean(),
  })

  test('are kept as long as a unit has them, and no longer, whatever is done', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const world = worldWith('none')
        for (const { verb, units, text: given, replace } of acts) {
          const submits = verb === 'submit' || verb === 'load' || verb === 'start'
          const named = units.map((name) => ({
            name,
            ...(submits && { source: { file: name, text: given } }),
          }))
          const change = decide(world, verb, named, replace)
          if (isProblem(change)) continue
          const keys = change.ops.map((op) => ('key' in op ? op.key : op.prefix))
          expect(new Set(keys).size).toBe(keys.length)
          world.apply(change.ops)
          const used = new Set([...world.view.units.values()].map(({ hash }) => hash))
          expect(new Set(world.view.files.keys())).toEqual(used)
        }
      }),
    )
  })
})

test('a unit that the process driver runs as root is told of, where the daemon is root', () => {
  const warned = (drivers: readonly DriverKind[], asRoot: boolean) => {
    const world = new World()
    world.machine('a', { drivers })
    const units = [{ name: web, source }]
    const change = changeUnits(world.view, { verb: 'submit', units }, world.now, { asRoot })
    if (isProblem(change)) throw new Error(change.message)
    return change.response.warnings.map(({ code, file }) => [code, file])
  }
  expect(warned(['process'], true)).toEqual([['deploy/runs-as-root', 'web.service']])
  expect(warned(['process'], false)).toEqual([])
  // As in fleet, where most run as root.
  expect(warned(['systemd', 'process'], true)).toEqual([])
})
