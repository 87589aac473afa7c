// How far a long request has come is shown where somebody looks, and nowhere else.
import { expect, test } from 'vitest'
import { type Every, openByteProgress } from '../../src/cli/io/byte-progress.js'
import type { Shell } from '../../src/cli/io/shell.js'

/** A shell that keeps what is shown, and a clock that ticks when it is told to. */
function made({ quiet = false, live = false }: { readonly quiet?: boolean; readonly live?: boolean }) {
  const shown: string[] = []
  let isOver = false
  let tick = (): void => {}
  const every: Every = (_ms, call) => {
    tick = call
    return () => {
      isOver = true
    }
  }
  const block = {
    size: () => ({ columns: 80, rows: 24 }),
    draw: (lines: readonly string[]) => shown.push(lines.join('|')),
  }
  const terminal = { err: (text: string) => shown.push(text), liveBlock: () => (live ? block : null) }
  const shell = { globals: { quiet }, terminal } as unknown as Shell
  const progress = openByteProgress(shell, 'backup of data', every)
  return { progress, shown, tick: () => tick(), isOver: () => isOver }
}

async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
  yield new Uint8Array(2_000_000)
  yield new Uint8Array(500_000)
}

test('bytes are counted as they go by, and told now and then where there is no terminal', async () => {
  const { progress, shown, tick, isOver } = made({})
  tick()
  for await (const _ of progress.count(chunks())) tick()
  progress.end()
  expect(shown).toEqual([
    'backup of data: 10s so far\n',
    'backup of data: 2.0 MB so far\n',
    'backup of data: 2.5 MB so far\n',
  ])
  expect(isOver()).toBe(true)
})

test('a terminal has one line, from the second look on, which goes in the end', async () => {
  const { progress, shown, tick } = made({ live: true })
  tick()
  for await (const _ of progress.count(chunks())) tick()
  progress.end()
  expect(shown).toEqual(['backup of data: 2.0 MB', 'backup of data: 2.5 MB', ''])
})

test('nothing is told with --quiet', async () => {
  const { progress, shown, tick } = made({ quiet: true, live: true })
  for await (const _ of progress.count(chunks())) tick()
  progress.end()
  expect(shown).toEqual([])
})
