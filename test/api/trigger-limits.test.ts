// Callers of trigger URLs who come too often, and a clock that is set meanwhile.
import { afterEach, expect, test } from 'vitest'
import { refusedCalls } from '../../src/api/io/refused-calls.js'
import { startTriggerServer } from '../../src/api/io/trigger-server.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { MachineId } from '../../src/model/machine.js'
import { triggerPath } from '../../src/model/trigger-url.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { openSecretBox } from '../../src/store/io/secret-box.js'
import { openMemoryStore } from '../store/memory-store.js'

const hourMs = 3_600_000
const path = triggerPath({ project: 'default', service: 'web', name: 'go' })
const ends: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Calls of a trigger that is not there, on a server of its own. */
async function open() {
  const clock = { wall: Date.now(), steadyMs: 0 }
  const time = { now: () => clock.wall, steady: () => clock.steadyMs, after: () => never }
  const registry = await openRegistry(openMemoryStore({ clock: time }), { onError: () => {} })
  const context = {
    registry,
    events: openEventLog(time, 'm'.padEnd(32, '0') as MachineId),
    secrets: openSecretBox({ keyFile: '/nowhere/key', inUse: () => true }),
    clock: time,
    random: () => 0,
    log: silentLog,
  }
  const server = await startTriggerServer(context, [{ kind: 'tcp', host: '127.0.0.1', port: 0 }], null)
  ends.push(
    () => server.close(),
    () => registry.close(),
  )
  const call = async (): Promise<number> => {
    const { status } = await fetch(`${server.endpoints[0]}${path}`, { method: 'POST' })
    return status
  }
  return { clock, call }
}

test('who was refused often may call again after a while, also where the clock is set back', async () => {
  const { clock, call } = await open()
  let last = await call()
  for (let calls = 0; last !== 429 && calls < 200; calls++) last = await call()
  expect(last).toBe(429)
  clock.wall -= hourMs
  clock.steadyMs += 60_000
  expect(await call()).not.toBe(429)
})

test('each call that is not let in is counted, also of an address that is looked at no more', async () => {
  const { call } = await open()
  const counted = (code: string): number => refusedCalls().get(code) ?? 0
  const [refused, tooOften] = ['trigger/refused', 'trigger/too-often'].map(counted) as [number, number]
  const answers: number[] = []
  for (let calls = 0; calls < 13; calls++) answers.push(await call())
  const of = (status: number): number => answers.filter((one) => one === status).length
  expect([counted('trigger/refused') - refused, counted('trigger/too-often') - tooOften]).toEqual([
    of(401),
    of(429),
  ])
  expect([of(401), of(429)]).toEqual([10, 3])
})

const never = { cancel: () => {}, unref: () => never }
