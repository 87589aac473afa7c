import { appendFileSync, linkSync, mkdtempSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogQuery } from '../../../src/agent/driver.js'
import { readLogs } from '../../../src/drivers/process/io/log-reader.js'
import { LogKeeper } from '../../../src/supervisor/io/log-keeper.js'
import type { LogPaths } from '../../../src/supervisor/io/unit-logs.js'
import { removeDir } from '../../remove-dir.js'
import { eachLine } from '../each-line.js'

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
  afterEach(() => removeDir(dir))

  function write(lines: number): void {
    const numbers = Array.from({ length: lines }, (_, n) => written + n + 1)
    appendFileSync(paths.stdout, numbers.map((n) => `${String(n).padStart(99)}\n`).join(''))
    written += lines
  }

  async function tend(): Promise<void> {
    if (keeper.tend(paths.stdout).isFull) await keeper.rotate(paths.stdout, () => false)
  }

  /** Reads one line, then has the file filled, rotated and written to again, then reads on. */
  async function readAroundRotation(): Promise<number[]> {
    const numbers: number[] = []
    for await (const { line } of eachLine(readLogs(paths, all, new AbortController().signal))) {
      numbers.push(Number(line))
      if (numbers.length > 1) continue
      write(100)
      await tend()
      write(50)
    }
    return numbers
  }

  const upTo = (end: number): number[] => Array.from({ length: end }, (_, n) => n + 1)

  it('misses no line of a file that was rotated after it was opened', async () => {
    write(999)
    await tend()
    write(900)
    expect(await readAroundRotation()).toEqual(upTo(2050))
  })

  it('reads on where it was in a file that was rotated when half of it was read', async () => {
    write(899)
    expect(await readAroundRotation()).toEqual(upTo(1050))
  })

  it('tells when lines were written that it had to look for in the older file', async () => {
    const anHourAgo = Math.round(Date.now() / 1000) - 3600
    const writeThen = (lines: number): void => {
      write(lines)
      utimesSync(paths.stdout, anHourAgo, anHourAgo)
    }
    writeThen(999)
    await tend()
    writeThen(1000)
    const instants: number[] = []
    for await (const { at } of eachLine(readLogs(paths, all, new AbortController().signal))) {
      if (instants.length === 0) await tend()
      instants.push(at)
    }
    expect(instants).toEqual(Array(2000).fill(anHourAgo * 1000))
  })

  it('follows on after rotations before which it had read all', async () => {
    const over = new AbortController()
    const lines: string[] = []
    let rotations = 0
    for await (const { line } of eachLine(readLogs(paths, { ...all, follow: true }, over.signal))) {
      lines.push(line.trim())
      if (lines.length < written) continue
      if (rotations === 5) over.abort()
      else if (written % 1000 > 0) write(1000 - (written % 1000))
      else {
        // A link to it is no rotation, though its inode changes.
        if (rotations > 0) linkSync(`${paths.stdout}.1`, join(dir, `link-${rotations}`))
        if (rotations % 2 === 0) await tend()
        rotations += 1
        write(rotations * 100)
      }
    }
    expect(lines).toEqual(upTo(written).map(String))
  })

  describe('that reads slowly', () => {
    const numbered = (n: number): string => `line ${n}${'.'.repeat(n % 83)}`

    /** Reads the first block, then has the file filled and rotated so often, with lines of uneven lengths, then reads on. */
    async function readAcross(rotations: number, each = 2000): Promise<readonly string[]> {
      const lines: string[] = []
      const grow = (count: number): void => {
        const numbers = Array.from({ length: count }, (_, n) => written + n + 1)
        appendFileSync(paths.stdout, numbers.map((n) => `${numbered(n)}\n`).join(''))
        written += count
      }
      grow(1500)
      let isFirst = true
      for await (const batch of readLogs(paths, all, new AbortController().signal)) {
        lines.push(...batch.map(({ line }) => line))
        if (!isFirst) continue
        isFirst = false
        for (let n = 0; n < rotations; n++) {
          grow(each)
          await tend()
        }
        grow(50)
      }
      return lines.slice(1)
    }

    it.each([1, 2, 3, 4, 5, 6, 7])('gets whole lines in order after %d rotations', async (rotations) => {
      const lines = await readAcross(rotations)
      const numbers = lines.map((line) => Number(/^line (\d+)\.*$/.exec(line)?.[1]))
      const gaps = lines.filter((line) => line.startsWith('mariposa: '))
      expect(gaps).toEqual(
        rotations < 3 ? [] : [expect.stringMatching(/^mariposa: \d+ bytes are missing here: /) as string],
      )
      const torn = lines.filter((line, at) => !gaps.includes(line) && line !== numbered(numbers[at] ?? 0))
      expect(torn).toEqual([])
      const known = numbers.filter((n) => !Number.isNaN(n))
      expect(known).toEqual([...new Set(known)].sort((a, b) => a - b))
      expect(known.at(-1)).toBe(written)
      if (rotations < 3) expect(known).toEqual(Array.from({ length: written - 1 }, (_, n) => n + 2))
    })

    it.each([true, false])(
      'is told what came while a file was copied (read before: %s)',
      async (isReading) => {
        const rotate = async (): Promise<void> => {
          write(999)
          keeper.tend(paths.stdout)
          let isFirst = true
          await keeper.rotate(paths.stdout, () => {
            if (isFirst) write(500)
            isFirst = false
            return false
          })
          write(50)
        }
        if (!isReading) await rotate()
        const lines: string[] = []
        for await (const { line } of eachLine(readLogs(paths, all, new AbortController().signal))) {
          if (lines.length === 0 && isReading) await rotate()
          lines.push(line.trim())
        }
        const told = lines.findIndex((line) => line.startsWith('mariposa: '))
        expect(lines[told]).toMatch(/^mariposa: \d+ bytes are missing here: /)
        expect(lines.slice(0, told).map(Number)).toEqual(upTo(told))
        expect(lines.slice(told + 1).map(Number)).toEqual(upTo(written).slice(-50))
      },
    )

    it('is told what a program wrote of which nothing is kept', async () => {
      const lines = await readAcross(1, 9000)
      expect(lines.filter((line) => !/^line \d+\.*$/.test(line))).toEqual([
        expect.stringMatching(/^mariposa: \d+ bytes are missing here: /),
      ])
    })
  })
})
