// When the daemon's young generation may grow.
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { mayGrow } from '../../src/main/heap.js'
import { removeDir } from '../remove-dir.js'

describe('the young generation', () => {
  const [small, large] = [1024 ** 2, 16 * 1024 ** 2]

  test('grows while the daemon is busy', () => {
    expect(mayGrow(0.9, small)).toBe(true)
  })

  test('stays as it is at rest', () => {
    expect(mayGrow(0.05, small)).toBe(false)
  })

  test('grows only so far', () => {
    expect(mayGrow(0.9, large)).toBe(false)
  })

  test('of a real process is as large as before until it was seen to be busy', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-heap-'))
    try {
      const outfile = join(dir, 'busy-heap.mjs')
      const entryPoints = [join(import.meta.dirname, 'children/busy-heap.ts')]
      await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
      const [unseen, seen] = JSON.parse(execFileSync(process.execPath, [outfile], { encoding: 'utf8' }))
      expect(unseen).toBeLessThanOrEqual(2 * 1024 ** 2)
      expect(seen).toBeGreaterThan(unseen)
    } finally {
      removeDir(dir)
    }
  })
})
