import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkProof } from '../../src/api/trigger-proof.js'

const now = Date.UTC(2026, 10, 21, 12)
const whsec = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`

function signed(secret: string, { id = 'call-1', at = now, body = '{}', key = Buffer.from(secret) } = {}) {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,c29tZXRoaW5nIGVsc2U= v1,${signature}`,
    },
    body: Buffer.from(body),
  }
}

const plain = (headers: Record<string, string>) => ({ headers, body: Buffer.of() })
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('the proof of a caller', () => {
  it.each([
    ['the secret as a bearer token', plain({ authorization: 'Bearer open-sesame' })],
    ['the secret as a password', plain({ authorization: basic('anybody:open-sesame') })],
    ['a signature', signed('open-sesame')],
  ])('is %s', (_what, call) => {
    expect(checkProof(call, 'open-sesame', now)).toEqual({
      id: 'webhook-id' in call.headers ? 'call-1' : null,
    })
  })

  it('is a signature as Standard Webhooks makes it with a whsec_ secret', () => {
    const key = Buffer.from(whsec.slice(6), 'base64')
    expect(checkProof(signed(whsec, { key }), whsec, now)).toEqual({ id: 'call-1' })
    expect(checkProof(signed(whsec), whsec, now)).toEqual({ refused: 'secret' })
  })

  it('may name the call in the header that is usual for that', () => {
    const call = plain({ authorization: 'Bearer open-sesame', 'idempotency-key': 'build 7' })
    expect(checkProof(call, 'open-sesame', now)).toEqual({ id: 'build 7' })
  })

  it.each([
    ['nothing', plain({})],
    ['another secret', plain({ authorization: 'Bearer open-sesam' })],
    ['the user of a pair', plain({ authorization: basic('open-sesame:') })],
    ['what is no pair', plain({ authorization: basic('open-sesame') })],
    ['what is no base64', plain({ authorization: 'Basic ***' })],
    ['a signature with another secret', signed('open-sesam')],
    ['a signature of another body', { ...signed('open-sesame'), body: Buffer.from('{"more":1}') }],
    [
      'the secret beside a signature that is wrong',
      { ...signed('x'), headers: { ...signed('x').headers, authorization: 'Bearer open-sesame' } },
    ],
  ])('is not %s', (_what, call) => {
    expect(checkProof(call, 'open-sesame', now)).toEqual({ refused: 'secret' })
  })

  it('by signature holds for five minutes around its time', () => {
    for (const minutes of [-5, 0, 5])
      expect(checkProof(signed('open-sesame', { at: now + minutes * 60_000 }), 'open-sesame', now)).toEqual({
        id: 'call-1',
      })
    for (const minutes of [-6, 6])
      expect(checkProof(signed('open-sesame', { at: now + minutes * 60_000 }), 'open-sesame', now)).toEqual({
        refused: 'time',
      })
  })

  it('by signature names the call, since only so it is good for one time', () => {
    expect(checkProof(signed('open-sesame', { id: '' }), 'open-sesame', now)).toEqual({ refused: 'id' })
    expect(checkProof(signed('open-sesame', { id: 'x'.repeat(257) }), 'open-sesame', now)).toEqual({
      refused: 'id',
    })
  })
})
