// What is told of callers who are not let in.
import { beforeEach, expect, test } from 'vitest'
import { noteRefusedCalls, refusedCalls } from '../../src/api/io/refused-calls.js'
import type { Log } from '../../src/lib/io/log.js'

const told: object[] = []
const log: Log = {
  debug: () => {},
  info: () => {},
  error: () => {},
  warn: (_subject, _message, fields) => void told.push(fields ?? {}),
}
let now = 1_000_000
const by = { user: 'eve@host', client: null, address: '192.0.2.7' }
const call = { method: 'POST', url: '/v1/projects/shop/scale?token=s3cret', by, code: 'api/unauthorized' }

beforeEach(() => void told.splice(0))

test('who, what and from where, and nothing of what is secret', () => {
  noteRefusedCalls(log, () => now).note(call)
  expect(told).toEqual([
    {
      code: 'api/unauthorized',
      method: 'POST',
      path: '/v1/projects/shop/scale',
      from: '192.0.2.7',
      user: 'eve@host',
      certificate: undefined,
    },
  ])
})

test('each is counted, also where the log is told of no more of one address', () => {
  const calls = noteRefusedCalls(log, () => now)
  const before = refusedCalls().get('api/read-only') ?? 0
  for (let times = 0; times < 1000; times++) calls.note({ ...call, code: 'api/read-only' })
  expect([told.length, (refusedCalls().get('api/read-only') ?? 0) - before]).toEqual([10, 1000])
  calls.note({ ...call, by: { ...by, address: '192.0.2.8' } })
  now += 10_000
  calls.note(call)
  expect(told.length).toBe(12)
})

test('an address that goes on for long is cut', () => {
  noteRefusedCalls(log, () => now).note({ ...call, url: `/${'x'.repeat(10_000)}` })
  expect(JSON.stringify(told).length).toBeLessThan(500)
})
