// Logs that break off while a program writes without a pause, and are asked for again with a little that was told already.
import { expect, test } from 'vitest'
import type { LogLine, LogQuery } from '../../src/agent/driver.js'
import { ToldSoFar } from '../../src/api/io/instance-logs.js'

/** So many lines in a second, from a full second on. */
function written(count: number, text: (n: number) => string): readonly LogLine[] {
  return Array.from({ length: count }, (_, n) => ({
    at: 1_000_000 + Math.floor((n * 1000) / count),
    stream: 'stdout' as const,
    line: text(n),
  }))
}

const everything: LogQuery = { follow: true, since: null, tail: null }

/** What is told of a log that breaks off after so many lines, and then gives what is asked for again; of what is `past`, none was asked for. */
function toldOf(
  lines: readonly LogLine[],
  brokenAfter: number,
  { past = 0, query = everything }: { readonly past?: number; readonly query?: LogQuery } = {},
): readonly LogLine[] {
  const told = new ToldSoFar()
  told.rest(query)
  const first = lines.slice(past, brokenAfter).filter((line) => told.isNews(line))
  const { since } = told.rest(query)
  const again = lines.filter(({ at }) => since === null || at >= since)
  return [...first, ...again.filter((line) => told.isNews(line))]
}

test.each([
  ['a few lines', 20],
  ['thousands in a second', 20_000],
  ['more than are remembered', 150_000],
])('each line is told once of %s', (_, count) => {
  const lines = written(count, (n) => `line ${n}`)
  for (const part of [0.1, 0.5, 0.99]) {
    const told = toldOf(lines, Math.floor(count * part))
    expect(told.length).toBe(count)
    expect(told.every(({ line }, n) => line === `line ${n}`)).toBe(true)
  }
})

test('each line is told once of thousands that are the same', () => {
  expect(
    toldOf(
      written(20_000, () => 'ok'),
      15_000,
    ).length,
  ).toBe(20_000)
})

test.each([
  { follow: true, since: null, tail: 0 },
  { follow: true, since: 1_000_250, tail: null },
])('no line from before what was asked for is told, where it begins with %j', (query) => {
  const lines = written(400, (n) => `line ${n}`)
  for (const brokenAfter of [101, 150, 399])
    expect(toldOf(lines, brokenAfter, { past: 100, query })).toEqual(lines.slice(100))
})

test('no line from before what was asked for is told, where it seems later than at first', () => {
  const lines = written(400, (n) => `line ${n}`)
  const told = new ToldSoFar()
  const query = { follow: true, since: null, tail: 0 }
  told.rest(query)
  for (const line of lines.slice(100, 150)) told.isNews(line)
  told.rest(query)
  const again = lines.map((line) => ({ ...line, at: line.at + 900 }))
  expect(again.filter((line) => told.isNews(line))).toEqual(again.slice(150))
})
