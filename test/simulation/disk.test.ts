// The product's own store over the simulated disk: whenever the power ends, what was acknowledged is there.
import { expect, test } from 'vitest'
import { silentLog } from '../../src/lib/io/log.js'
import { StoreError } from '../../src/store/store.js'
import { Clockwork, MachineTime } from './clockwork.js'
import type { Connection } from './connection.js'
import { EmbeddedWorld } from './embedded.js'

const seeds = Array.from({ length: 12 }, (_, n) => n + 1)

test('what was acknowledged is there after the end of the power, whenever that comes', async () => {
  let answered = 0
  for (const seed of seeds) {
    const machine = start(seed)
    for (let boots = 0; boots < 4; boots++) {
      const opened = await machine.boot()
      for (let n = 0; n < 30; n++) machine.put(opened, `k${n % 7}`, () => (answered += 1))
      await machine.go(machine.dice.between(0, 60))
      machine.powerOff()
    }
    await machine.boot()
    expect(machine.broken, `seed ${seed}`).toEqual([])
  }
  expect(answered).toBeGreaterThan(0)
})

test('a store of which a bit has turned says so, or has all that was acknowledged', async () => {
  let refused = 0
  for (const seed of seeds) {
    const machine = start(seed)
    const opened = await machine.boot()
    for (let n = 0; n < 10; n++) machine.put(opened, `k${n}`)
    await machine.go(500)
    machine.powerOff()
    expect(machine.world.disk.flip()).toBe(true)
    const error = await machine.boot().catch((error: unknown) => error)
    if (error instanceof StoreError) {
      refused += 1
      expect(error.code).toBe('store/corrupt')
    }
    expect(machine.broken, `seed ${seed}`).toEqual([])
  }
  expect(refused).toBeGreaterThan(0)
})

test('a full disk refuses what it has no room for, and takes it again when it has', async () => {
  const machine = start(1)
  const opened = await machine.boot()
  machine.world.disk.full(1000)
  const refusal = opened.store.txn([], [put('a')]).then(() => 'answered', codeOf)
  await machine.go(500)
  expect(await refusal).toBe('store/full')
  await machine.go(1000)
  const answer = opened.store.txn([], [put('b')]).then(() => 'answered', codeOf)
  await machine.go(500)
  expect(await answer).toBe('answered')
  machine.powerOff()
  const again = await machine.boot()
  expect((await again.store.range('')).entries.map(({ key }) => key)).toEqual(['b'])
  expect(machine.broken).toEqual([])
})

/** A machine whose store is on its disk; `go` lets so much time pass. */
function start(seed: number) {
  const clockwork = new Clockwork(seed)
  const broken: string[] = []
  const world = new EmbeddedWorld({ clockwork, broke: (what) => broken.push(what), count: () => {} })
  let gone = new AbortController()
  const go = async (ms: number): Promise<void> => {
    // Time goes on only as far as there is something to happen.
    clockwork.after(ms, () => {})
    await clockwork.run(
      clockwork.now + ms,
      () => {},
      () => false,
    )
  }
  const boot = async (): Promise<Connection> => {
    gone = new AbortController()
    const time = new MachineTime(clockwork)
    const opening = world.connect(0, {
      ...{ time, gone: gone.signal, log: silentLog, onAway: () => {}, onBack: () => {} },
    })
    opening.catch(() => {})
    await go(1000)
    return opening
  }
  const powerOff = (): void => {
    gone.abort()
    world.disk.powerOff()
  }
  const putOne = ({ store }: Connection, key: string, onAnswer = () => {}): void => {
    store.txn([], [put(key)]).then(onAnswer, (error: unknown) => broken.push(String(error)))
  }
  return { dice: clockwork.dice('test'), world, broken, go, boot, powerOff, put: putOne }
}

/** Of more than a sector, so that it may be torn. */
function put(key: string) {
  return { op: 'put', key, value: 'x'.repeat(700) } as const
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code
}
