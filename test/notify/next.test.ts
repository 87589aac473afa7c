import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from '../../src/lib/retry-after.js'
import type { Delivery } from '../../src/model/webhook.js'
import { next, type Outcome, triedForMs } from '../../src/notify/next.js'
import { secretProblem, signatureHeaders } from '../../src/notify/signature.js'

const createdAt = 1_800_000_000_000
const queued: Delivery = {
  receiver: 'r',
  sequence: '1',
  id: 'evt_1',
  event: 'start',
  subject: 'default/web/web-1',
  body: '{}',
  createdAt,
  state: 'queued',
  attempts: [],
  attemptCount: 0,
  firstAttemptAt: null,
  nextAt: createdAt,
}
const outcome = (at: number, status: number | null, retryAfterMs: number | null = null): Outcome => ({
  at,
  tookMs: 10,
  status,
  error: status !== null && status < 300 ? null : 'no',
  retryAfterMs,
})
/** Fails every attempt until it is given up; returns when attempts were made. */
function exhaust(status: number | null): readonly number[] {
  const times: number[] = []
  for (let delivery = queued; delivery.nextAt !== null; ) {
    const at = delivery.nextAt
    times.push(at - createdAt)
    delivery = next(delivery, outcome(at, status), at + 10)
  }
  return times
}

describe('a delivery', () => {
  it('is over when the receiver takes it, and lets go of its body', () => {
    const over = next(queued, outcome(createdAt, 204), createdAt + 10)
    expect(over).toMatchObject({ state: 'delivered', body: null, nextAt: null, attemptCount: 1 })
  })

  it('is tried again at the times that Standard Webhooks proposes, and more often at first, for 24 hours', () => {
    const times = exhaust(500)
    for (const offset of [0, 5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600]) {
      const slack = 0.25 * offset * 1000 + 2_000
      expect(times.some((time) => time >= offset * 1000 && time <= offset * 1000 + slack)).toBe(true)
    }
    expect(times.length).toBeLessThan(20)
    expect(times.at(-1)).toBe(triedForMs)
  })

  it('that could not be tried within 24 hours is not dead before its receiver has failed some times in a row', () => {
    const late = createdAt + 3 * triedForMs
    let delivery = queued
    const waits: number[] = []
    for (let failures = 0, at = late; delivery.state === 'queued'; failures += 1) {
      delivery = next(delivery, outcome(at, null), at, failures)
      waits.push((delivery.nextAt ?? at) - at)
      at = delivery.nextAt ?? at
    }
    expect(waits).toHaveLength(5)
    expect(Math.min(...waits.slice(0, -1))).toBeGreaterThan(0)
    expect(next(queued, outcome(late, null), late, 4)).toMatchObject({ state: 'dead' })
    expect(next(queued, outcome(late, 200), late, 0)).toMatchObject({ state: 'delivered' })
  })

  it('is tried again soon where its first attempt was told by a clock that was an hour ahead', () => {
    const once = next(queued, outcome(createdAt + 3_600_000, null), createdAt)
    const twice = next(once, outcome(createdAt + 20_000, 503), createdAt + 20_000)
    expect(twice.nextAt).toBeLessThan(createdAt + 20_000 + 5 * 60_000)
  })

  it('is given up at once where the receiver is gone', () => {
    expect(next(queued, outcome(createdAt, 410), createdAt)).toMatchObject({ state: 'dead', body: '{}' })
  })

  it('waits longer for what is overloaded, and as long as it asks for', () => {
    const plain = next(queued, outcome(createdAt, 500), createdAt).nextAt ?? 0
    expect(next(queued, outcome(createdAt, 503), createdAt).nextAt).toBeGreaterThan(plain)
    expect(next(queued, outcome(createdAt, 429, 3_600_000), createdAt).nextAt).toBe(createdAt + 3_600_000)
  })

  it('whatever comes, is tried ever later, and is over within 24 hours and one attempt', () => {
    const answers = fc.array(
      fc.record({
        status: fc.option(fc.constantFrom(100, 200, 301, 404, 429, 500, 503), { nil: null }),
        took: fc.integer({ min: 0, max: 15_000 }),
        retryAfterMs: fc.option(fc.integer({ min: 0, max: 10 * triedForMs }), { nil: null }),
      }),
      { minLength: 60, maxLength: 60 },
    )
    fc.assert(
      fc.property(answers, (list) => {
        let delivery = queued
        for (const { status, took, retryAfterMs } of list) {
          const at = delivery.nextAt
          if (at === null) break
          const now = at + took
          const after = next(delivery, { ...outcome(at, status, retryAfterMs), tookMs: took }, now)
          expect(after.attempts.length).toBeLessThanOrEqual(10)
          expect(after.attemptCount).toBe(delivery.attemptCount + 1)
          if (after.state === 'queued') {
            expect(after.nextAt).toBeGreaterThan(at)
            expect(after.nextAt).toBeLessThanOrEqual(createdAt + triedForMs)
          } else expect(after.nextAt).toBeNull()
          delivery = after
        }
        expect(delivery.state).not.toBe('queued')
        expect(next(delivery, outcome(0, 200), 0)).toBe(delivery)
      }),
    )
  })
})

describe('Retry-After', () => {
  it('holds a queue up for a day at most, also where the event is older than deliveries are tried', () => {
    const at = createdAt + 2 * triedForMs
    const { nextAt } = next(queued, outcome(at, 503, 999_999_999_000), at)
    expect(nextAt).toBe(at + triedForMs)
  })

  it.each([
    ['120', 120_000],
    ['Sat, 01 Jan 2028 00:00:30 GMT', 30_000],
    ['Sat, 01 Jan 2022 00:00:30 GMT', 0],
    ['soon', null],
    ['', null],
    ['-5', null],
  ])('%j asks for %j ms', (header, expected) => {
    expect(parseRetryAfter(header, Date.parse('2028-01-01T00:00:00Z'))).toBe(expected)
  })
})

describe('the signature', () => {
  it('is that of the reference implementation of Standard Webhooks', () => {
    const headers = signatureHeaders(
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      '{"test": 2432232314}',
      1_614_265_330_000,
    )
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  it('needs a secret of 24 to 64 bytes', () => {
    const secret = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
    expect([23, 24, 64, 65].map((bytes) => secretProblem(secret(bytes)) === null)).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(secretProblem('hunter2')).not.toBeNull()
  })
})
