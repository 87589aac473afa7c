// What a simulation predicts: that it is what then happens, how long it takes, and what it says of it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { simulationBodyOf } from '../../src/api/simulation-body.js'
import { isProblem, type Problem } from '../../src/changes/problem.js'
import { ask, type SimulationQuestion } from '../../src/changes/simulation-question.js'
import { writesFor } from '../../src/changes/unit-writes.js'
import { simulationText } from '../../src/cli/simulation-text.js'
import type { SimulatedService, SimulationBody, SourceFile } from '../../src/contract/contract.js'
import { holdMs } from '../../src/store/losses.js'
import { putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { randomCases } from '../random-runs.js'
import { idOf, project, World } from '../world/world.js'
import { dayMs, leaseMs, playOut, simulationOf, startMs } from './play.js'

const manifest = (memory: number, more = ''): string =>
  `name: web\ncompute_type: process\ncommand: [/bin/true]\nmemory: ${memory}M\n${more}`

const nothing: SimulationQuestion = { project, lose: [], drain: [], add: [], deploy: [], scale: {} }

function source(text: string): SourceFile {
  return { file: 'web.yml', text, name: 'web' }
}

type Body = Omit<SimulationBody, 'of' | 'assumptions'>

/** Asks, plays it to its end, and tells what came of it. */
function simulated(
  world: World,
  question: Partial<SimulationQuestion>,
  { stopMs = null as number | null, limitMs = dayMs } = {},
): Body | Problem {
  const simulation = simulationOf(world, stopMs)
  const asked = ask(simulation, { ...nothing, ...question }, defaultSettings, () => leaseMs)
  if (isProblem(asked)) return asked
  const hosts = new Map(
    [...simulation.cluster.view.machines.values()].map(({ id, hostname }) => [id, hostname]),
  )
  const isAtRest = playOut(simulation, limitMs)
  return simulationBodyOf(simulation, world.now, hosts, asked, isAtRest)
}

function body(...args: Parameters<typeof simulated>): Body {
  const told = simulated(...args)
  if (isProblem(told)) throw new Error(told.message)
  return told
}

/** As people are told it. */
function textOf(told: Body, notes: readonly string[] = []): string {
  const of = { cluster: 'c', revision: 1, at: '2026-01-01T00:00:00.000Z' }
  return simulationText(
    { ...told, of, assumptions: { startMs, stopMs: null, limitMs: dayMs, notes } },
    project,
  )
}

function joining(name: string): SimulationQuestion['add'][number] {
  return { name, memoryMb: null, cpus: null, metadata: {} }
}

function quoted(text: string | undefined): string {
  return (text ?? '').replace(/[()]/g, '\\$&')
}

/** What becomes of `web`. */
function web(told: Body): SimulatedService {
  const found = told.services.find(({ service }) => service === 'web')
  if (found === undefined) throw new Error('nothing becomes of web')
  return found
}

/** A world with machines of so much memory each, and `web` at a scale, all of it there. */
function worldOf(memories: readonly number[], text: string, scale: number): World {
  const world = new World()
  for (const [n, memoryMb] of memories.entries()) world.machine(`a${n + 1}`, { memoryMb })
  world.deploy(text, { scale, waitForRoom: true })
  world.settle()
  return world
}

const hostsOf = (service: SimulatedService): readonly (string | null)[] =>
  service.start.map(({ hostname }) => hostname).sort()

describe('what a simulation predicts is what happens', () => {
  const memories = fc.array(fc.integer({ min: 2, max: 12 }), { minLength: 1, maxLength: 5 })
  const clusters = fc.record({
    memories: memories.map((all) => all.map((n) => n * 256)),
    unitMb: fc.constantFrom(256, 512, 700),
    scale: fc.integer({ min: 0, max: 9 }),
    checked: fc.boolean(),
    lost: fc.integer({ min: 0, max: 31 }),
  })
  const textOf = ({ unitMb, checked }: { unitMb: number; checked: boolean }): string =>
    manifest(unitMb, checked ? 'healthchecks: [{type: command, command: "true", poll: 2}]\n' : '')

  it('when machines are lost', () => {
    fc.assert(
      fc.property(clusters, (made) => {
        const world = worldOf(made.memories, textOf(made), made.scale)
        const lose = made.memories.flatMap((_, n) => ((made.lost >> n) % 2 === 1 ? [`a${n + 1}`] : []))
        const told = simulated(world, { lose })
        for (const name of lose) world.loseMachine(idOf(name))
        world.settle()
        // Where most vanished together nothing happens before that.
        world.now += holdMs
        world.settle()
        expect(predictedOf(told, made.scale)).toEqual(happenedIn(world))
      }),
      { numRuns: randomCases(25) },
    )
  })

  it('when it is scaled, and when another version is deployed', () => {
    fc.assert(
      fc.property(clusters, fc.integer({ min: 0, max: 9 }), fc.boolean(), (made, to, deploys) => {
        const world = worldOf(made.memories, textOf(made), made.scale)
        // A rollout that something waits in ends by its deadline, which a world is not played to.
        fc.pre(!deploys || world.serving('web').length === made.scale)
        const text = `${textOf(made)}environment: {A: "2"}\n`
        const told = simulated(world, deploys ? { deploy: [source(text)] } : { scale: { web: to } })
        const problem = deploys ? world.tryDeploy(text) : world.tryScale('web', to)
        if (isProblem(told)) expect(told).toEqual(problem)
        else {
          world.settle()
          expect(predictedOf(told, made.scale)).toEqual(happenedIn(world))
        }
      }),
      { numRuns: randomCases(25) },
    )
  })

  function predictedOf(told: Body | Problem, before: number): unknown {
    if (isProblem(told)) throw new Error(told.message)
    const found = told.services[0]
    return found === undefined
      ? { serving: before, waiting: 0 }
      : { serving: found.serving.to, waiting: found.waiting.length }
  }

  function happenedIn(world: World): unknown {
    const waiting = world.live('web').filter(({ unit }) => world.view.waiting.has(unit))
    return { serving: world.serving('web').length, waiting: waiting.length }
  }
})

it('tells what is made in vain as that, and not as the end of what serves', () => {
  const told = body(worldOf([4096], manifest(64), 2), { scale: { web: 3 } })
  const [first] = web(told).start
  if (first === undefined) throw new Error('an instance')
  const tried = ['web-3', 'web-4', 'web-5'].map((name) => ({ ...first, name }))
  const gone = tried.slice(0, 2).map((one) => ({ ...one, why: 'stopped' as const }))
  const text = textOf({ ...told, services: [{ ...web(told), start: tried, gone }] })
  expect(text).toContain('web: scale 2 -> 3; 1 starts on a1; 2 are made, and ended again')
})

describe('a simulation', () => {
  it('says nothing of instances that had stopped and are kept', () => {
    const world = worldOf([4096, 4096], manifest(64, 'stop: {preservestopped: always}\n'), 3)
    world.scale('web', 2)
    world.settle()
    expect([...world.view.instances.values()].filter(({ retired }) => retired?.kept === true)).toHaveLength(1)
    const told = body(world, { scale: { web: 3 } })
    expect(web(told)).toMatchObject({ gone: [], start: [{ name: 'web-4' }] })
    expect(textOf(told)).not.toContain('stop')
  })

  it('changes nothing of what it is given', () => {
    const world = worldOf([4096, 4096], manifest(1024), 2)
    const before = world.revision
    simulated(world, { lose: ['a1'] })
    expect(world.revision).toBe(before)
  })

  it('replaces what a lost machine ran when its lease has ended, and not before', () => {
    const told = body(worldOf([4096, 4096, 4096], manifest(1024), 3), { lose: ['a1'] })
    const one = web(told)
    expect(one).toMatchObject({ gone: [{ hostname: 'a1', why: 'lost', afterMs: 0 }], waiting: [] })
    expect(one.start).toHaveLength(1)
    expect(one.short).toMatchObject({ most: 1, isOver: true })
    expect(one.short.forMs).toBeGreaterThanOrEqual(leaseMs + startMs)
    expect(one.short.forMs).toBeLessThan(leaseMs + startMs + 1000)
    expect(told.outcome).toBe('placed')
  })

  it('is over when nothing moves any more: that the record of what was lost goes an hour later is none of it', () => {
    const told = body(worldOf([4096, 4096, 4096], manifest(1024), 3), { lose: ['a1'] })
    expect(told.afterMs).toBe(web(told).start[0]?.servingAfterMs)
    expect(textOf(told)).toContain('it is complete after 35 s')
  })

  it('starts nothing elsewhere for a while where most machines vanish together', () => {
    const one = web(body(worldOf([4096, 4096, 4096], manifest(256), 3), { lose: ['a1', 'a2'] }))
    expect(one.short).toMatchObject({ most: 2, isOver: true })
    expect(one.short.forMs).toBeGreaterThan(holdMs)
  })

  it('gives the reason of the planner where something waits', () => {
    const told = body(worldOf([2048, 2048], manifest(1024), 4), { lose: ['a1'] })
    expect(told.outcome).toBe('waits')
    const one = web(told)
    expect(one.waiting).toHaveLength(2)
    expect(one.waiting[0]?.reason).toBe('a2 has 0 MiB of memory left, 1024 MiB are needed')
    expect(one.short).toMatchObject({ most: 2, isOver: false })
  })

  it('places it on a machine that joins', () => {
    const add = [{ name: 'new', memoryMb: 2048, cpus: null, metadata: {} }]
    const told = body(worldOf([2048, 2048], manifest(1024), 4), { lose: ['a1'], add })
    expect(told.outcome).toBe('placed')
    expect(hostsOf(web(told))).toEqual(['new', 'new'])
  })

  it('drains a machine with nothing short meanwhile', () => {
    const told = body(worldOf([4096, 4096], manifest(512), 4), { drain: ['a1'] })
    expect(told.drains).toMatchObject([{ hostname: 'a1', state: 'done' }])
    expect(web(told)).toMatchObject({ short: { most: 0 }, waiting: [] })
    expect(hostsOf(web(told))).toEqual(['a2', 'a2'])
  })

  it('says what keeps a machine from being drained', () => {
    const told = body(worldOf([2048, 1024], manifest(1024), 3), { drain: ['a1'] })
    expect(told.drains).toMatchObject([{ state: 'stuck' }])
    expect(told.outcome).toBe('waits')
  })

  it('finds healthy what answers its checks at their intervals', () => {
    const checked = manifest(256, 'healthchecks: [{type: command, command: "true", poll: 60}]\n')
    const world = worldOf([4096], checked, 1)
    const [one] = web(body(world, { scale: { web: 2 } })).start
    expect(one?.servingAfterMs).toBeGreaterThanOrEqual(startMs)
    // The probes of the first seconds come ever more slowly.
    expect(one?.servingAfterMs).toBeLessThan(2 * startMs)
  })

  it('lets a rollout that needs the room of the old wait for their stops', () => {
    const text = manifest(1024, 'stop: {timeout: 20}\n')
    const world = worldOf([1024], text, 1)
    const next = { deploy: [source(`${text}environment: {A: "2"}\n`)] }
    expect(web(body(world, next)).short.forMs).toBeGreaterThanOrEqual(20_000 + startMs)
    expect(web(body(world, next, { stopMs: 1000 })).short.forMs).toBeLessThan(20_000)
  })

  it('counts the time that stops take', () => {
    const text = manifest(256, 'stop: {timeout: 20, preservestopped: "no"}\n')
    const told = body(worldOf([4096], text, 3), { scale: { web: 1 } })
    expect(web(told)).toMatchObject({ scale: { from: 3, to: 1 }, start: [], waiting: [] })
    expect(told.afterMs).toBeGreaterThanOrEqual(20_000)
    expect(told.afterMs).toBeLessThan(21_000)
  })

  it('says that a deploy fails whose checks allow less time than a start takes', () => {
    const check = (period: number): string =>
      `healthchecks: [{type: command, command: "true", poll: 1, retries: 1, start_period: ${period}}]\n`
    const world = worldOf([4096], manifest(256, check(60)), 1)
    const told = body(world, { deploy: [source(manifest(256, check(1)))] }, { limitMs: 600_000 })
    expect(told.outcome).toBe('waits')
    expect(web(told).failed).toEqual([
      expect.stringMatching(/^deploy fails: web-2 is unhealthy: it has not answered/) as string,
    ])
    expect(web(told).short).toMatchObject({ most: 0 })
  })

  it('says that it is not over where it is not within the time given', () => {
    const world = worldOf([4096, 4096], manifest(256), 2)
    expect(body(world, { lose: ['a1'] }, { limitMs: 10_000 })).toMatchObject({ outcome: 'unfinished' })
  })

  it('refuses what the cluster would refuse, and what contradicts itself', () => {
    const world = worldOf([4096, 4096], manifest(256), 2)
    const big = source(manifest(102_400).replace('web', 'big'))
    const cases: readonly (readonly [Partial<SimulationQuestion>, string])[] = [
      [{ lose: ['nowhere'] }, 'machine/unknown'],
      [{ drain: ['nowhere'] }, 'machine/unknown'],
      [{ lose: ['a1'], drain: ['a1'] }, 'simulate/conflict'],
      [{ lose: ['a1', 'a1'] }, 'simulate/conflict'],
      [{ add: [{ name: 'a1', memoryMb: 1, cpus: null, metadata: {} }] }, 'simulate/machine-exists'],
      [{ scale: { nothing: 3 } }, 'service/unknown'],
      [{ deploy: [big] }, 'deploy/no-machine'],
      [{ deploy: [source('command: [')] }, 'manifest/invalid'],
    ]
    for (const [question, code] of cases) expect(simulated(world, question)).toMatchObject({ code })
  })

  it('asks how much memory a machine has where there is none that it could be like', () => {
    const add = [{ name: 'first', memoryMb: null, cpus: null, metadata: {} }]
    expect(simulated(new World(), { add })).toMatchObject({ code: 'simulate/no-memory' })
  })

  it('starts a global unit on a machine that joins', () => {
    const world = worldOf([2048], manifest(256), 1)
    const [name, text] = ['all.service', '[Service]\nExecStart=/bin/true\n[X-Fleet]\nGlobal=true\n']
    const edit = { kind: 'write', name: asUnitName(name), text, desired: 'launched' } as const
    world.apply(writesFor(world.view, [edit], world.now).ops)
    world.settle()
    const told = body(world, { add: [joining('b2'), joining('b1')] })
    expect(told.units).toEqual(
      ['b1', 'b2'].map((to) => ({ name, from: null, to, reason: null, before: false, afterMs: 0 })),
    )
    expect(told.outcome).toBe('placed')
    expect(textOf(told)).toContain('all.service: starts on b1\nall.service: starts on b2\nAll units are')
  })

  it('calls a machine that joins by its name alone', () => {
    const world = worldOf([2048, 2048], manifest(256), 1)
    const add = [joining('m9'), joining('m99')]
    expect(body(world, { add, lose: ['m9'], drain: ['m99'] }).asked).toMatchObject({
      add: [
        { machine: 'm9', hostname: 'm9' },
        { machine: 'm99', hostname: 'm99' },
      ],
      lose: [{ machine: 'm9', hostname: 'm9' }],
    })
    expect(simulated(world, { add, lose: ['simulated-m9'] })).toMatchObject({ code: 'machine/unknown' })
    expect(simulated(world, { add: [joining('m9'), joining('m9')] })).toMatchObject({
      code: 'simulate/machine-exists',
    })
    // It is no name of the machine whose id begins like that.
    expect(body(world, { add: [joining(idOf('a1').slice(0, 3))] }).asked.add).toHaveLength(1)
  })

  it('tells machines of one hostname apart by their ids', () => {
    const world = new World()
    const [first, second] = [world.machine('a1'), world.machine('a2')]
    for (const id of [first, second]) {
      const machine = world.view.machines.get(id)
      if (machine !== undefined) world.apply([putOf('machine', { ...machine, hostname: 'host' })])
    }
    world.deploy(manifest(256), { scale: 2, waitForRoom: true })
    world.settle()
    const [lost, other] = [first, second].map((id) => `host (${id.slice(0, 8)})`)
    const told = body(world, { lose: [first] })
    expect(textOf(told)).toMatch(
      new RegExp(`^If ${quoted(lost)} is lost:\nweb: 1 of 2 moves to ${quoted(other)};`),
    )
    expect(textOf(body(world, { drain: [first] }))).toContain(`${lost}: drained\n`)
    expect(simulated(world, { lose: ['host'] })).toMatchObject({ code: 'machine/ambiguous' })
  })

  it('does not say that it is done where something cannot leave', () => {
    const told = body(worldOf([2048, 1024], manifest(1024), 3), { drain: ['a1'] })
    expect(textOf(told)).toMatch(/^If a1 is drained:\nweb: 1 waits; never short\n/)
    expect(textOf(told)).toContain('\na1: not drained, 2 left\n')
    const done = body(worldOf([2048, 1024], manifest(1024), 1), { drain: ['a1'] })
    expect(textOf(done)).toContain('; never short, done after ')
  })

  it('says when the last comes up that does, whatever ends or fails later', () => {
    const world = worldOf([2048, 2048], manifest(1024, 'stop: {timeout: 600}\n'), 4)
    world.deploy(manifest(256).replace('web', 'slow'), { scale: 0, waitForRoom: true })
    const told = body(world, { lose: ['a1'] })
    expect(told.outcome).toBe('waits')
    // Nothing comes up in the place of what is lost.
    expect(textOf(told)).toContain('\nSome units are not placed or do not come up.\n')
    const one = body(worldOf([2048, 2048, 1024], manifest(1024), 5), { lose: ['a1'], scale: { web: 4 } })
    expect(one.outcome).toBe('waits')
    for (const { servingAfterMs } of web(one).start)
      expect(textOf(one)).toContain(
        `; the last of the others is up after ${Math.round((servingAfterMs ?? 0) / 1000)} s.`,
      )
  })

  it('is told in lines of 80 columns at most', () => {
    const told = body(worldOf([2048, 2048, 2048], manifest(1024), 6), { lose: ['a1'] })
    const text = textOf(told, ['it rains '.repeat(20).trim()])
    expect(text).toMatch(/^If a1 is lost:\nweb: 2 are lost; 2 wait; short by 2, and stays short\n/)
    expect(text).toContain('web-7 and web-8 wait: a2 has 0 MiB of memory left')
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})
