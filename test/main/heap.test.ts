// When the daemon's heap may grow.
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
    const [unseen, seen] = await saidBy('busy-heap')
    expect(unseen).toBeLessThanOrEqual(2 * 1024 ** 2)
    expect(seen).toBeGreaterThan(unseen)
  })
})

test('data that go through do not have all of the heap collected every few MiB', async () => {
  const [without, withRoom] = await saidBy('streaming-heap')
  // How often depends on how fast V8's helpers come to mark: on a busy machine it is a few times.
  expect(without).toBeGreaterThan(0)
  expect(withRoom).toBeLessThan(without / 2)
})

/** Two numbers that a process of its own prints. */
async function saidBy(child: string): Promise<readonly [number, number]> {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-heap-'))
  try {
    const outfile = join(dir, `${child}.mjs`)
    const entryPoints = [join(import.meta.dirname, `children/${child}.ts`)]
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
    return JSON.parse(execFileSync(process.execPath, [outfile], { encoding: 'utf8' }))
  } finally {
    removeDir(dir)
  }
}
