// When lines were written, and in which order: what is noted of files that programs write to themselves.
import { appendFileSync, mkdirSync, mkdtempSync, statSync, utimesSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogLine, LogQuery } from '../../../src/agent/driver.js'
import { readLogs } from '../../../src/drivers/process/io/log-reader.js'
import { silentLog } from '../../../src/lib/io/log.js'
import { Allowance } from '../../../src/supervisor/allowance.js'
import { LogKeeper } from '../../../src/supervisor/io/log-keeper.js'
import { LogWatch } from '../../../src/supervisor/io/log-watch.js'
import { instantOfWrite, marksWithout, parseMarks, printMark } from '../../../src/supervisor/log-marks.js'
import { until } from '../../e2e/cluster.js'
import { removeDir } from '../../remove-dir.js'

const all: LogQuery = { follow: false, since: null, tail: null }
const limits = { maxBytes: 10 * 1024 * 1024, files: 3 }

let dir = ''
let paths: { readonly stdout: string; readonly stderr: string }
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-log-times-'))
  paths = { stdout: join(dir, 'stdout.log'), stderr: join(dir, 'stderr.log') }
  for (const path of [paths.stdout, paths.stderr]) appendFileSync(path, '')
})
afterEach(() => removeDir(dir))

async function read(): Promise<readonly LogLine[]> {
  const lines: LogLine[] = []
  for await (const some of readLogs(paths, all, new AbortController().signal)) lines.push(...some)
  return lines
}

async function offsetOfLastMark(path: string): Promise<number> {
  const text = await readFile(`${path}.marks`, 'utf8').catch(() => '')
  return parseMarks(text).at(-1)?.offset ?? 0
}

describe('the time of a write', () => {
  it('is when it was seen, and soon after what the system says where it was seen late', () => {
    expect(instantOfWrite(1000.2, 1003, 0)).toBe(1003)
    expect(instantOfWrite(1000.2, 1500, 0)).toBe(1004)
    expect(instantOfWrite(1000.2, 9000, 0)).toBe(1000)
    // The clock was set back in between.
    expect(instantOfWrite(1000.2, 500, 0)).toBe(1000)
  })

  it('of two files is in the order in which they were seen', () => {
    const seen = Array.from({ length: 50 }, (_, late) => instantOfWrite(1000, 1000 + late, 0))
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })

  it('is not before that of the write before it, unless the clock was set', () => {
    expect(instantOfWrite(1000, 1500, 1007)).toBe(1007)
    expect(instantOfWrite(1000, 1500, 90_000)).toBe(1004)
  })

  it('is read back from marks, which may have no end yet, or begin with what was left out', () => {
    const text = [1, 2, 3].map((n) => printMark({ offset: n * 10, at: n })).join('')
    expect(parseMarks(`${text}40 4`)).toEqual([1, 2, 3].map((n) => ({ offset: n * 10, at: n })))
    expect(parseMarks(marksWithout(text, 15))).toEqual([2, 3].map((n) => ({ offset: n * 10 - 15, at: n })))
    for (const damaged of ['x\n', ' \n', '1\n2 3\n', '\n\n'])
      expect(parseMarks(damaged).length).toBeLessThan(2)
  })
})

it('looks cost no more than their share of the time, with some saved for a burst', () => {
  const allowance = new Allowance({ share: 0.1, savedMs: 5, owedMs: 10 }, 0)
  expect(allowance.waitMs(1000)).toBe(0)
  allowance.spend(4)
  expect(allowance.waitMs(1000)).toBe(0)
  allowance.spend(3)
  expect(allowance.waitMs(1000)).toBeCloseTo(20)
  expect(allowance.waitMs(1010)).toBeCloseTo(10)
  expect(allowance.waitMs(1030)).toBe(0)
  allowance.spend(1000)
  expect(allowance.waitMs(1030)).toBeCloseTo(100)
})

describe('lines of both streams', () => {
  it('are in the order in which they were written, each noted as soon as it is written', {
    timeout: 60_000,
  }, async () => {
    const watch = new LogWatch(limits, silentLog)
    try {
      watch.begin(paths)
      const marked = (path: string): number => statSync(`${path}.marks`, { throwIfNoEntry: false })?.size ?? 0
      for (let n = 0; n < 60; n += 1) {
        const path = n % 3 === 0 ? paths.stderr : paths.stdout
        const before = marked(path)
        appendFileSync(path, `${n}\n`)
        await until(async () => expect(marked(path)).toBeGreaterThan(before))
      }
    } finally {
      watch.end(paths)
      watch.close()
    }
    const lines = await read()
    expect(lines.map(({ line }) => Number(line))).toEqual(Array.from({ length: 60 }, (_, n) => n))
    const times = lines.map(({ at }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  it('of which the times cannot be noted, as on a full disk, are told of once and not at each write', async () => {
    const said: string[] = []
    const watch = new LogWatch(limits, { ...silentLog, warn: (_, text) => said.push(text) })
    try {
      mkdirSync(`${paths.stdout}.marks`)
      watch.begin(paths)
      for (let n = 0; n < 30; n += 1) {
        appendFileSync(paths.stdout, `${n}\n`)
        appendFileSync(paths.stderr, `${n}\n`)
        const size = statSync(paths.stderr).size
        // The other file was written later, and is looked at after it.
        await until(async () => expect(await offsetOfLastMark(paths.stderr)).toBe(size))
      }
    } finally {
      watch.end(paths)
      watch.close()
    }
    expect(said.filter((text) => text !== 'a log file could not be tended')).toEqual([])
    expect(said.length).toBeGreaterThanOrEqual(1)
    // Once while it ran, and once when it was over.
    expect(said.length).toBeLessThanOrEqual(2)
    expect((await read()).filter(({ stream }) => stream === 'stdout')).toHaveLength(30)
  })

  it('that were written while nobody looked are all there, at the time of the last of them', async () => {
    const keeper = new LogKeeper(limits)
    for (let n = 0; n < 1000; n += 1) appendFileSync(paths.stdout, `${n}\n`)
    utimesSync(paths.stdout, 1000, 1000)
    expect(keeper.tend(paths.stdout)).toMatchObject({ grew: true, isUnmarked: false })
    appendFileSync(paths.stdout, 'later\n')
    keeper.forget(paths.stdout)
    const lines = await read()
    expect(lines).toHaveLength(1001)
    expect(new Set(lines.slice(0, 1000).map(({ at }) => at))).toEqual(new Set([1_000_000]))
    expect(lines.at(-1)?.at).toBeGreaterThan(1_000_000)
  })
})

it('what is noted of very short lines takes no more than a part of what they take themselves', () => {
  const keeper = new LogKeeper(limits)
  let isUnmarked = false
  for (let n = 0; n < 8000; n += 1) {
    appendFileSync(paths.stdout, '.\n')
    isUnmarked = keeper.tend(paths.stdout).isUnmarked
  }
  expect(isUnmarked).toBe(true)
  const bytes = statSync(`${paths.stdout}.marks`).size
  expect(bytes).toBeGreaterThan(50_000)
  // And one a second, however long that took.
  expect(bytes).toBeLessThan(64 * 1024 + 16_000 / 4 + 5000)
  expect(keeper.forget(paths.stdout).isUnmarked).toBe(false)
})
