import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SentTail } from '../../src/api/sent-tail.js'

const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 40 })

/** All that it has from there on. */
function readFrom(tail: SentTail, offset: number): Buffer {
  const found: Uint8Array[] = []
  for (let at = offset; ; ) {
    const bytes = tail.behind(at)
    if (bytes === null) return Buffer.concat(found)
    at += bytes.length
    found.push(bytes)
  }
}

it('has what is behind each place that it reaches, byte for byte', () => {
  fc.assert(
    fc.property(pieces, fc.nat(60), (sent, atMostBytes) => {
      const tail = new SentTail(atMostBytes)
      for (const piece of sent) tail.push(piece)
      const whole = Buffer.concat(sent)
      expect(tail.end).toBe(whole.length)
      for (let offset = 0; offset <= whole.length; offset += 1)
        if (tail.reaches(offset)) expect(readFrom(tail, offset)).toEqual(whole.subarray(offset))
    }),
  )
})

it('reaches back for as many bytes as it was given, less than a piece, and holds no more', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 20, max: 200 }), (sent, atMostBytes) => {
      const tail = new SentTail(atMostBytes)
      for (const piece of sent) tail.push(piece)
      expect(tail.reaches(Math.max(0, tail.end - (atMostBytes - 20)))).toBe(true)
      expect(tail.end > atMostBytes && tail.reaches(tail.end - atMostBytes - 1)).toBe(false)
    }),
  )
})

it('has nothing of what has not come yet, and waits for it', () => {
  const tail = new SentTail(10)
  expect([tail.reaches(5), tail.behind(5)]).toEqual([true, null])
  tail.push(Buffer.from('abc'))
  expect([tail.reaches(5), tail.behind(5), tail.behind(3)]).toEqual([true, null, null])
  tail.push(Buffer.from('defg'))
  expect(String(tail.behind(5))).toBe('fg')
})
