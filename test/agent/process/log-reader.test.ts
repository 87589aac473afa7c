import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogQuery } from '../../../src/agent/driver.js'
import { LogKeeper } from '../../../src/agent/io/process/log-keeper.js'
import { readLogs } from '../../../src/agent/io/process/log-reader.js'
import type { LogPaths } from '../../../src/agent/io/process/unit-logs.js'

const full = 100_000
const all: LogQuery = { follow: false, since: null, tail: null }

describe('reading the logs of a unit while its files are rotated', () => {
  let dir = ''
  let paths: LogPaths
  let keeper: LogKeeper
  let written = 0
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'mariposa-log-reader-'))
    paths = { stdout: join(dir, 'stdout.log'), stderr: join(dir, 'stderr.log') }
    keeper = new LogKeeper({ maxBytes: full, files: 3 })
    written = 0
    write(1)
    appendFileSync(paths.stderr, '')
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  function write(lines: number): void {
    const numbers = Array.from({ length: lines }, (_, n) => written + n + 1)
    appendFileSync(paths.stdout, numbers.map((n) => `${String(n).padStart(99)}\n`).join(''))
    written += lines
  }

  /** Reads one line, then rotates what was written meanwhile, then reads on. */
  async function readAround(query: LogQuery, meanwhile: () => void): Promise<number[]> {
    const numbers: number[] = []
    for await (const { line } of readLogs(paths, query, new AbortController().signal)) {
      numbers.push(Number(line))
      if (numbers.length === 1) meanwhile()
    }
    return numbers
  }

  const upTo = (end: number, count = end): number[] =>
    Array.from({ length: count }, (_, n) => end - count + n + 1)

  it('misses no line of a file that was rotated after it was opened', async () => {
    write(999)
    keeper.tend(paths.stdout)
    write(900)
    const read = await readAround(all, () => {
      write(100)
      keeper.tend(paths.stdout)
      write(50)
    })
    expect(read).toEqual(upTo(2050))
  })

  it('reads on where it was in a file that was rotated when half of it was read', async () => {
    write(899)
    const read = await readAround(all, () => {
      write(100)
      keeper.tend(paths.stdout)
      write(50)
    })
    expect(read).toEqual(upTo(1050))
  })

  it('tells when lines were written that it had to look for in the older file', async () => {
    write(999)
    keeper.tend(paths.stdout)
    write(1000)
    const before = Date.now()
    const instants: number[] = []
    for await (const { at } of readLogs(paths, all, new AbortController().signal)) {
      if (instants.length === 0) {
        keeper.tend(paths.stdout)
        while (Date.now() <= before + 20);
      }
      instants.push(at)
    }
    expect(instants).toHaveLength(2000)
    expect(Math.max(...instants)).toBeLessThanOrEqual(before + 15)
  })
})
