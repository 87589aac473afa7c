// Answers that are given again are those that would be made anew, whatever has changed between, in an order of their own.
import { decode, encode, type RecordType } from 'dns-packet'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AnswerCache } from '../../src/dns/io/answer-cache.js'
import { Forwarder } from '../../src/dns/io/forward.js'
import { OurNetworks } from '../../src/dns/io/networks.js'
import { respond } from '../../src/dns/io/respond.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { defaultCnsSuffixes } from '../../src/manifest/cns.js'
import { randomCases } from '../random-runs.js'
import { idOf } from '../world/world.js'
import { NamedWorld, privateName, publicName } from './asked.js'

const letters = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const checks = 'healthchecks: [{type: http, port: 8080, path: /}]'
const web = `compute_type: process\ncommand: [/bin/web]\nports: ["0:8080"]\n${checks}\ncns: {hysteresis: true}\n`

function sixMachines(): NamedWorld {
  const world = new NamedWorld()
  for (const [index, letter] of letters.entries()) world.machine(letter, { outside: `10.0.0.${index}` })
  world.deploy(web, { scale: 6 })
  world.settle()
  return world
}

/** Asks a server of a world, with what it remembers. */
function askerOf(world: NamedWorld, answers: AnswerCache, random: () => number = () => 0) {
  const networks = new OurNetworks([], systemClock)
  const clock = { ...systemClock, now: () => world.now }
  const isComplete = () => true
  const parts = { names: world.names, suffixes: defaultCnsSuffixes, networks, clock, random, isComplete }
  const forwarder = new Forwarder(() => [], systemClock)
  return (packet: Buffer): Buffer =>
    respond({ ...parts, forwarder, answers }, packet, '127.0.0.1', 'udp') as Buffer
}

interface Asked {
  readonly name: string
  readonly type: RecordType
  readonly size: number | null
}

function packetOf({ name, type, size }: Asked, id = 7): Buffer {
  const head = { type: 'query', id, questions: [{ name, type }] } as const
  if (size === null) return encode({ ...head, questions: [...head.questions] })
  const options = { type: 'OPT', name: '.', udpPayloadSize: size, ednsVersion: 0, extendedRcode: 0 } as const
  return encode({
    ...{ ...head, questions: [...head.questions] },
    additionals: [{ ...options, flags: 0, flag_do: false, options: [] }],
  })
}

/** An answer without the order of its records. */
function unordered(answer: Buffer): Readonly<Record<string, unknown>> {
  const { answers = [], additionals = [], ...rest } = decode(answer)
  const sorted = (records: readonly unknown[]): readonly string[] =>
    records.map((record) => JSON.stringify(record)).sort()
  return { ...rest, bytes: answer.length, answers: sorted(answers), additionals: sorted(additionals) }
}

/** A service that is busy is not scaled. */
function unlessRefused(act: () => void): void {
  try {
    act()
  } catch {
    // Nothing has changed then.
  }
}

const asked: readonly Asked[] = [
  'web.svc',
  'nearest.web.svc',
  'web-1.inst',
  'web-3.inst',
  'late.svc',
  '_8080._tcp.web.svc',
]
  .flatMap((name) => [privateName(name), publicName(name)])
  .flatMap((name) => (['A', 'SRV', 'AAAA', 'TXT'] as const).map((type) => ({ name, type })))
  .flatMap((one) => [null, 512, 1232].map((size) => ({ ...one, size })))

describe('what is asked again', () => {
  test('has the answer that it would have anew, whatever has changed', () => {
    const step = fc.oneof(
      fc.record({ act: fc.constant('health' as const), nth: fc.nat(5), well: fc.boolean() }),
      fc.record({
        act: fc.constant('wait' as const),
        nth: fc.constantFrom(1, 30_000, 600_000),
        well: fc.boolean(),
      }),
      fc.record({
        act: fc.constant('scale' as const),
        nth: fc.integer({ min: 1, max: 6 }),
        well: fc.boolean(),
      }),
      fc.record({
        act: fc.constant('lose' as const),
        nth: fc.integer({ min: 1, max: 5 }),
        well: fc.boolean(),
      }),
      fc.record({ act: fc.constant('deploy' as const), nth: fc.nat(3), well: fc.boolean() }),
    )
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        const world = sixMachines()
        const again = askerOf(world, new AnswerCache())
        for (const { act, nth, well } of steps) {
          const live = world.live('web')
          const instance = live[nth % Math.max(live.length, 1)]
          if (act === 'health' && instance !== undefined)
            world.observe(instance, { health: well ? 'healthy' : 'unhealthy' })
          if (act === 'wait') world.now += nth
          if (act === 'scale') unlessRefused(() => world.scale('web', nth))
          if (act === 'lose') world.loseMachine(idOf(letters[nth] ?? 'f'))
          if (act === 'deploy') {
            const late = { sources: [{ file: 'late.yml', text: web, name: 'late' }] }
            unlessRefused(() => {
              world.deploy(web.replace('/bin/web', `/bin/web${nth}`), well ? {} : late)
              world.settle()
            })
          }
          for (const one of asked) {
            const fresh = askerOf(world, new AnswerCache())
            for (const id of [7, 40_000]) {
              const packet = packetOf(one, id)
              expect(unordered(again(packet)), `${act} ${nth}: ${one.name} ${one.type}`).toEqual(
                unordered(fresh(packet)),
              )
            }
          }
        }
      }),
      { numRuns: randomCases(6) },
    )
  })

  test('has its records in another order each time, and any of them first', () => {
    const world = sixMachines()
    let n = 0
    const random = (): number => (n++ % 13) / 13
    const ask = askerOf(world, new AnswerCache(), random)
    const first = new Set<unknown>()
    for (let time = 0; time < 40; time++) {
      const [record] =
        decode(ask(packetOf({ name: privateName('web.svc'), type: 'A', size: null }))).answers ?? []
      first.add(record?.type === 'A' ? record.data : null)
    }
    expect(first.size).toBe(6)
  })

  test('is not asked of the names while they are the same', () => {
    const world = sixMachines()
    const answers = new AnswerCache()
    const ask = askerOf(world, answers)
    const packet = packetOf({ name: privateName('web.svc'), type: 'SRV', size: 1232 })
    expect(answers.find(packet, world.now, () => 0)).toBeNull()
    const answer = ask(packet)
    expect(unordered(answers.find(packet, world.now, () => 0) ?? expect.fail('not known'))).toEqual(
      unordered(answer),
    )
    const [instance] = world.live('web')
    if (instance !== undefined) world.observe(instance, { health: 'unhealthy' })
    world.names.refresh(world.now)
    expect(answers.find(packet, world.now, () => 0)).toBeNull()
  })
})
