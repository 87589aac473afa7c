// When the daemon's code is compiled.
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workBeyondRest } from '../../src/main/compilers.js'
import { removeDir } from '../remove-dir.js'

describe('work beyond rest', () => {
  test('is none at rest, however long', () => {
    let beyond = 0
    for (let look = 0; look < 100_000; look++) beyond = workBeyondRest(beyond, 40)
    expect(beyond).toBe(0)
  })

  test('adds up, and is forgotten at rest', () => {
    const afterWork = workBeyondRest(workBeyondRest(0, 1000), 1000)
    expect(afterWork).toBe(1920)
    expect(workBeyondRest(afterWork, 0)).toBe(1880)
  })
})

describe('a real process compiles its code', () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-compilers-'))
  const outfile = join(dir, 'compiled-code.mjs')
  beforeAll(async () => {
    const entryPoints = [join(import.meta.dirname, 'children/compiled-code.ts')]
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  })
  afterAll(() => removeDir(dir))

  test.each([
    ['not at rest', { usedMs: 1000, units: 90 }, [false, false]],
    ['once it has worked', { usedMs: 60_000, units: 90 }, [false, true]],
    ['once there are many units', { usedMs: 0, units: 10_000 }, [false, true]],
  ])('%s', (_, { usedMs, units }, compiled) => {
    expect(saidBy([outfile, String(usedMs), String(units)])).toEqual(compiled)
  })

  test('never where whoever started it forbids that', () => {
    expect(saidBy(['--jitless', outfile, '60000', '10000'])).toEqual([false, false])
  })

  function saidBy(words: readonly string[]): unknown {
    return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))
  }
})
