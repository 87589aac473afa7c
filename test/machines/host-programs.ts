// Programs of the host for machines and images of tests, with the libraries that they need there.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBase } from './nspawn.js'

/** What a machine is to see of the host to have these programs: what its base has already is left out. */
export async function bindsOf(...programs: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const base = await ensureBase()
  const files = programs.flatMap((program) => [program, ...librariesOf(program)])
  return Object.fromEntries(files.flatMap((file) => (existsSync(join(base, file)) ? [] : [[file, file]])))
}

/** The libraries of a program, and the loader that it starts with. */
export function librariesOf(program: string): readonly string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => /(?:^\s*|=> )(\/\S+)/.exec(line)?.[1] ?? [])
}
