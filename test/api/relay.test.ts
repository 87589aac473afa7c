// What another daemon answers, handed on: whole lines, and a last one where it ends early.
import { expect, test } from 'vitest'
import { relayed } from '../../src/api/io/relay.js'

async function linesOf(chunks: readonly string[], end: Error | null, caller: AbortSignal): Promise<string> {
  async function* answer(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk)
    if (end !== null) throw end
  }
  let text = ''
  for await (const chunk of relayed(answer(), 'north', caller)) text += chunk
  return text
}

const there = new AbortController().signal

test('what comes in parts is handed on in lines', async () => {
  expect(await linesOf(['{"a"', ':1}\n{"b":2}\n{', '}\n'], null, there)).toBe('{"a":1}\n{"b":2}\n{}\n')
})

test('an answer that ends early has an error in place of its broken line', async () => {
  const [first, last, ...more] = (await linesOf(['{"a":1}\n{"b', '":'], new Error('aborted'), there)).split(
    '\n',
  )
  expect(first).toBe('{"a":1}')
  expect(more).toEqual([''])
  expect(JSON.parse(last ?? '')).toMatchObject({
    error: {
      code: 'api/peer-unreachable',
      message: expect.stringContaining('contact with north is lost') as string,
    },
  })
})

test('a caller who has left is told nothing', async () => {
  await expect(linesOf(['{}\n'], new Error('aborted'), AbortSignal.abort())).rejects.toThrow('aborted')
})
