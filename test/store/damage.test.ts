// What a store does with files that are not as it left them.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import { frameOf } from '../../src/store/io/frames.js'
import { type RangeResult, StoreError } from '../../src/store/store.js'
import { isThorough } from '../random-runs.js'
import { removeDir } from '../remove-dir.js'

// A store is opened for every byte of the files, or, where tests have to be quick, for every seventh.
const step = isThorough ? 1 : 7
vi.setConfig({ testTimeout: 120_000 })

let root: string
/** A store with a snapshot and a journal after it. */
let whole: string
let snapshot: string
let journal: string
/** Where each frame of the journal ends, and what the store held then. */
const marks: { end: number; range: RangeResult }[] = []

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'store-'))
  whole = join(root, 'whole')
  const before = await openEmbeddedStore({ dir: whole, clock: systemClock, rotateBytes: 300 })
  for (let i = 0; i < 6; i++) await before.txn([], [{ op: 'put', key: `old${i}`, value: 'x'.repeat(60) }])
  await before.close()
  const names = readdirSync(whole).sort()
  journal = names[0] ?? ''
  snapshot = names[1] ?? ''
  const store = await openEmbeddedStore({ dir: whole, clock: systemClock, rotateBytes: 1_000_000 })
  for (let i = 0; i < 5; i++) {
    await store.txn(
      [],
      [
        { op: 'put', key: `k${i}`, value: 'value' },
        { op: 'delete', key: `old${i}` },
      ],
    )
    marks.push({ end: readFileSync(join(whole, journal)).length, range: await store.range('') })
  }
  await store.close()
})
afterAll(() => removeDir(root))

describe('a journal cut short', () => {
  test('at any length holds exactly the transactions that are whole', async () => {
    const length = marks.at(-1)?.end ?? 0
    for (let keep = marks[0]?.end ?? 0; keep <= length; keep += step) {
      const dir = copy()
      truncateSync(join(dir, journal), keep)
      const expected = marks.findLast(({ end }) => end <= keep)?.range
      expect(await contentOf(dir)).toEqual(expected)
      expect(await contentOf(dir)).toEqual(expected)
    }
  })

  test('can be written on', async () => {
    const dir = copy()
    truncateSync(join(dir, journal), (marks[3]?.end ?? 0) + 25)
    const store = await openEmbeddedStore({ dir, clock: systemClock })
    await store.txn([], [{ op: 'put', key: 'new', value: '1' }])
    const range = await store.range('')
    await store.close()
    expect(range.revision).toBe((marks[3]?.range.revision ?? 0) + 1)
    expect(await contentOf(dir)).toEqual(range)
  })

  test('within its header is damage', async () => {
    for (const keep of [0, 1, 18, 60]) {
      const dir = copy()
      truncateSync(join(dir, journal), keep)
      await expectCorrupt(dir, journal, 0)
    }
  })

  test('that is not the newest is damage', async () => {
    const dir = copy()
    truncateSync(join(dir, journal), (marks[4]?.end ?? 0) - 1)
    const next = Number(journal.slice(-8)) + 1
    const header = { format: 'mariposa-store', version: 1, kind: 'journal', generation: next, revision: 99 }
    writeFileSync(join(dir, `journal-${String(next).padStart(8, '0')}`), frameOf(header))
    await expectCorrupt(dir, journal, marks[3]?.end ?? 0)
  })

  test('by a power cut, with sectors that were never written, loses the last write alone', async () => {
    const dir = copy()
    const store = await openEmbeddedStore({ dir, clock: systemClock })
    const range = await store.range('')
    await store.txn([], [{ op: 'put', key: 'big', value: 'x'.repeat(3000) }])
    await store.close()
    const path = join(dir, journal)
    const bytes = readFileSync(path)
    for (const [from, to] of [
      [1024, 1536],
      [1536, 2048],
      [2048, bytes.length],
      [marks[4]?.end ?? 0, bytes.length],
    ] as const) {
      writeFileSync(path, Buffer.from(bytes).fill(0, Math.max(from, marks[4]?.end ?? 0), to))
      expect(await contentOf(dir)).toEqual(range)
    }
  })
})

describe('the end of the journal after a power cut that mixed up the sectors of the last write', () => {
  const sector = 512
  /** A journal with a last write over several sectors, of which those that a number's bits name were not written. */
  async function torn(): Promise<{
    readonly path: string
    readonly end: number
    readonly before: RangeResult
    readonly without: (missing: number, old: (from: number, to: number) => Buffer) => Buffer
    readonly ways: readonly number[]
  }> {
    const dir = copy()
    const end = marks[4]?.end ?? 0
    const before = marks[4]?.range as RangeResult
    const store = await openEmbeddedStore({ dir, clock: systemClock })
    await store.txn([], [{ op: 'put', key: 'big', value: 'x'.repeat(1800) }])
    await store.close()
    const path = join(dir, journal)
    const bytes = readFileSync(path)
    const first = Math.floor(end / sector)
    const count = Math.ceil(bytes.length / sector) - first
    return {
      path,
      end,
      before,
      ways: Array.from({ length: 2 ** count - 1 }, (_, n) => n + 1),
      without: (missing, old) => {
        const left = Buffer.from(bytes)
        for (let n = 0; n < count; n++) {
          if ((missing & (1 << n)) === 0) continue
          const from = Math.max(end, (first + n) * sector)
          const to = Math.min(bytes.length, (first + n + 1) * sector)
          old(from, to).copy(left, from)
        }
        return left
      },
    }
  }

  test('is cut off where sectors were never written, whichever', async () => {
    const { path, end, before, ways, without } = await torn()
    for (const missing of ways) {
      writeFileSync(
        path,
        without(missing, (from, to) => Buffer.alloc(to - from)),
      )
      expect(await contentOf(join(path, '..'))).toEqual(before)
      expect(readFileSync(path)).toHaveLength(end)
    }
  })

  test('is for the operator to give up where they hold something else, since that may be damage too', async () => {
    const { path, end, before, ways, without } = await torn()
    const dir = join(path, '..')
    for (const missing of ways) {
      writeFileSync(
        path,
        without(missing, (from, to) => Buffer.alloc(to - from, 'old text ')),
      )
      const hint = `go on without its last change, which may have been acknowledged: truncate -s ${end} '${path}'`
      await expect(contentOf(dir)).rejects.toMatchObject({
        code: 'store/corrupt',
        message: expect.stringContaining(`${path} is damaged at byte ${end}:`),
        hint: expect.stringContaining(hint),
      })
      execFileSync('sh', ['-c', hint.slice(hint.indexOf('truncate'))])
      expect(await contentOf(dir)).toEqual(before)
    }
  })

  test('is not offered to be given up where anything sound follows', async () => {
    const dir = copy()
    flip(join(dir, journal), (marks[2]?.end ?? 0) + 30, 1)
    await expect(contentOf(dir)).rejects.toMatchObject({ hint: expect.not.stringContaining('truncate') })
  })
})

describe('a hole in the journal', () => {
  test('is damage, also if it looks like a power cut, when sound records follow', async () => {
    const dir = copy()
    const store = await openEmbeddedStore({ dir, clock: systemClock })
    await store.txn([], [{ op: 'put', key: 'big', value: 'x'.repeat(3000) }])
    await store.txn([], [{ op: 'put', key: 'last', value: '' }])
    await store.close()
    const path = join(dir, journal)
    const end = marks[4]?.end ?? 0
    writeFileSync(path, readFileSync(path).fill(0, end + 1000, end + 2500))
    await expectCorrupt(dir, journal, end)
  })

  test('is damage if whole records are missing', async () => {
    const dir = copy()
    const path = join(dir, journal)
    const bytes = readFileSync(path)
    const [from = 0, to = 0] = [marks[1]?.end, marks[2]?.end]
    writeFileSync(path, Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]))
    await expectCorrupt(dir, journal, from)
  })
})

describe('a flipped bit', () => {
  test('anywhere in the journal is found, named, and left alone', async () => {
    const bytes = readFileSync(join(whole, journal))
    for (let at = 0; at < bytes.length; at += step) {
      const dir = copy()
      flip(join(dir, journal), at, at % 8)
      const frame = marks.findLast(({ end }) => end <= at)?.end
      await expectCorrupt(dir, journal, frame ?? null)
    }
  })

  test('anywhere in the snapshot is found, named, and left alone', async () => {
    const bytes = readFileSync(join(whole, snapshot))
    for (let at = 0; at < bytes.length; at += step) {
      const dir = copy()
      flip(join(dir, snapshot), at, at % 8)
      await expectCorrupt(dir, snapshot, null)
    }
  })
})

describe('a missing or foreign file', () => {
  test('is damage if it is the snapshot, or its journal', async () => {
    for (const name of [snapshot, journal]) {
      const dir = copy()
      rmSync(join(dir, name))
      await expect(contentOf(dir)).rejects.toMatchObject({ code: 'store/corrupt' })
    }
  })

  test('is damage if the snapshot is cut short', async () => {
    const length = readFileSync(join(whole, snapshot)).length
    for (let keep = 0; keep < length; keep += 7) {
      const dir = copy()
      truncateSync(join(dir, snapshot), keep)
      await expectCorrupt(dir, snapshot, null)
    }
  })

  test('is no matter if it is what an interrupted clean-up left', async () => {
    const dir = copy()
    const leftovers = ['journal-00000000', 'snapshot-00000099.tmp']
    for (const name of leftovers) writeFileSync(join(dir, name), 'anything')
    expect(await contentOf(dir)).toEqual(marks[4]?.range)
    expect(readdirSync(dir).sort()).toEqual([journal, snapshot])
  })

  test('is no matter if it is not of the store', async () => {
    const dir = copy()
    writeFileSync(join(dir, 'notes.txt'), 'mine')
    expect(await contentOf(dir)).toEqual(marks[4]?.range)
    expect(readFileSync(join(dir, 'notes.txt'), 'utf8')).toBe('mine')
  })
})

function copy(): string {
  const dir = join(root, 'copy')
  removeDir(dir)
  cpSync(whole, dir, { recursive: true })
  return dir
}

function flip(path: string, at: number, bit: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  writeFileSync(path, bytes)
}

async function contentOf(dir: string): Promise<RangeResult> {
  const store = await openEmbeddedStore({ dir, clock: systemClock })
  const range = await store.range('')
  await store.close()
  return range
}

/** `offset` null: wherever it was found. */
async function expectCorrupt(dir: string, name: string, offset: number | null): Promise<void> {
  const path = join(dir, name)
  const before = readFileSync(path)
  const error = await contentOf(dir).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StoreError)
  expect(error).toMatchObject({ code: 'store/corrupt' })
  const where = offset === null ? `${path} is damaged at byte ` : `${path} is damaged at byte ${offset}:`
  expect((error as StoreError).message).toContain(where)
  expect(readFileSync(path)).toEqual(before)
}
