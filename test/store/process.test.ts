// What a store owes to other processes, and to its own end.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import { removeDir } from '../remove-dir.js'
import { bundleChild, killChildren, runChild } from './child.js'

let root: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'store-'))
  chmodSync(root, 0o755)
})
afterEach(killChildren)
afterAll(() => removeDir(root))

test('a kill at any moment loses no acknowledged write and leaves no half of one', async () => {
  const writer = await bundleChild('writer', root)
  const dir = join(root, 'killed')
  let next = 0
  let acknowledged = 0
  for (let round = 0; round < 25; round++) {
    const run = runChild(process.execPath, [writer, dir, String(next)])
    // The moment lies somewhere within the writes, and differs from round to round.
    await run.lines(20 + ((round * 37) % 200))
    run.child.kill('SIGKILL')
    const numbers = (await run.ended).split('\n').slice(0, -1).map(Number)
    expect(numbers.length).toBeGreaterThan(0)
    acknowledged += numbers.length

    const store = await openEmbeddedStore({ dir, clock: systemClock })
    const { entries } = await store.range('')
    const values = new Map(entries.map((entry) => [entry.key, entry]))
    for (const n of numbers) expect(values.has(`all/${n}`), `acknowledged ${n} in round ${round}`).toBe(true)
    for (const [key, left] of values) {
      if (!key.startsWith('left/')) continue
      const right = values.get(key.replace('left/', 'right/'))
      expect(right).toMatchObject({ value: left.value, modRevision: left.modRevision })
      expect(values.get(`all/${left.value.split('-')[0]}`)?.modRevision).toBe(left.modRevision)
    }
    next =
      Math.max(
        ...entries.filter(({ key }) => key.startsWith('all/')).map(({ key }) => Number(key.slice(4))),
      ) + 1
    await store.close()
  }
  expect(acknowledged).toBeGreaterThan(1000)
}, 120_000)

test('a second process is refused with the pid of the first, until the first is gone, however it went', async () => {
  const opener = await bundleChild('opener', root)
  const dir = join(root, 'locked')
  const first = runChild(process.execPath, [opener, dir])
  await first.lines(1)
  expect(first.text()).toBe('open\n')
  const second = await runChild(process.execPath, [opener, dir]).ended
  expect(second).toBe(`store/locked ${dir} is in use by process ${first.child.pid}\n`)
  first.child.kill('SIGKILL')
  await first.ended
  const third = runChild(process.execPath, [opener, dir])
  await third.lines(1)
  expect(third.text()).toBe('open\n')
  expect(readdirSync(dir).filter((name) => name.startsWith('lock-'))).toHaveLength(1)
  third.child.kill('SIGKILL')
  await third.ended
})

test('of many processes that begin together over a dead one no two get in', async () => {
  const opener = await bundleChild('opener', root)
  const dir = join(root, 'raced')
  for (let round = 0; round < 5; round++) {
    const runs = Array.from({ length: 4 }, () => runChild(process.execPath, [opener, dir]))
    await Promise.all(runs.map((run) => run.lines(1)))
    expect(runs.filter((run) => run.text() === 'open\n').length).toBeLessThanOrEqual(1)
    for (const run of runs) run.child.kill('SIGKILL')
    await Promise.all(runs.map((run) => run.ended))
  }
}, 60_000)

test('a write that the system refuses for its size is not stored, and others are', async () => {
  const limited = await bundleChild('limited', root)
  const dir = join(root, 'limited')
  const script = `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`
  const report = await runChild('sh', ['-c', script, process.execPath, limited, dir]).ended
  expect(JSON.parse(report)).toEqual({
    outcomes: ['written, reads small', 'store/full, reads small', 'written, reads after'],
    seen: [1, 2],
  })
  const store = await openEmbeddedStore({ dir, clock: systemClock })
  expect(await store.range('')).toMatchObject({ revision: 2, entries: [{ key: 'a', value: 'after' }] })
  await store.close()
})

test('a directory that may not be written is refused by name', async () => {
  const opener = await bundleChild('opener', root)
  const parent = join(root, 'theirs')
  mkdirSync(parent, { mode: 0o755 })
  // Root may write everywhere, so it tries as nobody.
  const asRoot = process.getuid?.() === 0
  if (!asRoot) chmodSync(parent, 0o555)
  const dir = join(parent, 'store')
  const said = await runChild(process.execPath, [opener, dir], asRoot ? { uid: 65534 } : {}).ended
  expect(said).toBe(`store/denied no permission to open the store in ${dir}\n`)
})
