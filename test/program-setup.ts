// Builds the program once for all files of a run: each would wait for seconds for the same. It is removed after them.
// BUILT_PROGRAM names one that is built already: npm's scripts have built, and several suites may share it.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type {} from 'vitest'
import type { TestProject } from 'vitest/node'
// @ts-expect-error: a build script without types
import { build } from '../scripts/build.mjs'
import { removeDir } from './remove-dir.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The program to run with Node, as the sources are now; ask with `inject('program')`. */
    program: string
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  const built = process.env['BUILT_PROGRAM']
  if (built !== undefined) {
    project.provide('program', built)
    return () => {}
  }
  const cache = join(import.meta.dirname, '../node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const dir = mkdtempSync(join(cache, 'mariposa-cli-'))
  await (build({ outdir: dir }) as Promise<void>)
  project.provide('program', join(dir, 'mariposa.js'))
  return () => removeDir(dir)
}
