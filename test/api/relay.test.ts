// What another daemon answers, handed on: whole lines, and a last one where it ends early.
import { expect, test } from 'vitest'
import { relayed } from '../../src/api/io/relay.js'
import { systemClock } from '../../src/lib/io/clock.js'

async function linesOf(chunks: readonly string[], end: Error | null, caller: AbortSignal): Promise<string> {
  async function* answer(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield Buffer.from(chunk)
    if (end !== null) throw end
  }
  let text = ''
  for await (const chunk of relayed(answer(), 'north', caller, systemClock)) text += chunk
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

test('the caller is told once that nothing comes, and has a sign of life from then on', async () => {
  let goOn = (): void => {}
  const later = new Promise<void>((resolve) => {
    goOn = resolve
  })
  async function* answer(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{"a":1}\n{"b"')
    await later
    yield Buffer.from(':2}\n')
  }
  const lines: unknown[] = []
  for await (const text of relayed(answer(), 'north', there, systemClock, {
    tellAfterMs: 1,
    beatEveryMs: 1,
  })) {
    lines.push(text === '\n' ? 'alive' : JSON.parse(text))
    if (lines.length === 4) goOn()
  }
  expect(lines.filter((line) => line !== 'alive')).toEqual([
    { a: 1 },
    { waiting: 'the daemon of north says nothing; mariposa machine show north shows how it is' },
    { b: 2 },
  ])
  expect(lines.slice(2, 4)).toEqual(['alive', 'alive'])
})
