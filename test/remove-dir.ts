import { rmSync } from 'node:fs'

/** How often it is tried, and how long in between: what outlives a daemon writes for a few seconds more at most. */
const tries = 100
const pauseMs = 100

/**
 * Removes a folder with all in it, also one into which a program that is just ending still writes. Node's own retries remove
 * the folder alone again, and not what has come into it since.
 */
export function removeDir(dir: string): void {
  for (let left = tries; ; left--) {
    try {
      rmSync(dir, { recursive: true, force: true })
      return
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (left === 0 || (code !== 'ENOTEMPTY' && code !== 'EBUSY')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
}
