import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineBatches } from '../../src/lib/io/lines.js'

async function all(stream: AsyncIterable<Uint8Array | string>): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const some of lineBatches(stream)) lines.push(...some)
  return lines
}

test('lines come as they were written, wherever the stream was cut, with all characters that JSON may hold', async () => {
  const character = fc.constantFrom('a', 'ü', '€', '😀', '\u2028', '\u2029', '\v', ' ')
  const text = fc.array(character).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.integer({ min: 1, max: 7 }), async (lines, size) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      )
      expect(await all(Readable.from(chunks))).toEqual(lines)
    }),
  )
})

test('a return before the end belongs to it, and a last line needs no end', async () => {
  expect(await all(Readable.from(['a\r\nb\rc\n', '\n', 'd']))).toEqual(['a', 'b\rc', '', 'd'])
})

test('no more is read than is taken, however long the lines are', async () => {
  let read = 0
  async function* source(): AsyncGenerator<Uint8Array> {
    for (;;) {
      read += 1
      yield Buffer.from(`${'x'.repeat(10_000)}\n`)
    }
  }
  const lines = lineBatches(source())
  await lines.next()
  await new Promise((resolve) => setImmediate(resolve))
  expect(read).toBe(1)
  await lines.return()
})

test('a line that does not end is not waited for without end', async () => {
  async function* source(): AsyncGenerator<string> {
    for (;;) yield 'x'.repeat(2 ** 20)
  }
  await expect(all(source())).rejects.toThrow('a line is longer')
})
