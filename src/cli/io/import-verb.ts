// `mariposa manifest import`: a Compose file as manifests. No daemon is asked.
import { readFileSync, statSync } from 'node:fs'
import { lstat, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type ComposeImport, importCompose } from '../../compose-import/compose.js'
import { dataOf } from '../../compose-import/draft.js'
import { printManifest, printManifests } from '../../compose-import/print.js'
import { errorCode } from '../../lib/io/error-code.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { writeWhole } from './rendered-file.js'
import type { Shell } from './shell.js'
import { printJson } from './shell.js'
import { readSources } from './sources.js'

export interface ImportFlags {
  /** A file, or a directory that gets a file per service; standard output without it. */
  readonly output?: string
  readonly force?: boolean
}

/** Prints or writes the services of a Compose file as manifests, with comments where something has no counterpart. */
export async function importManifests(shell: Shell, path: string, flags: ImportFlags): Promise<number> {
  const imported = await readCompose(path)
  const { force = false } = flags
  const output = flags.output === '-' ? undefined : flags.output
  const files = output === undefined ? [] : await filesFor(output, imported)
  if (!force) await refuseExisting(files)
  for (const file of files) await write(file, force)
  if (shell.globals.json) printJson(shell, importJson(imported))
  else if (output === undefined) shell.terminal.out(printManifests(imported.services, imported.remarks))
  if (!shell.globals.quiet) shell.terminal.err(summary(imported, files))
  return exitCodes.done
}

async function readCompose(path: string): Promise<ComposeImport> {
  const [source, ...more] = await readSources([path])
  if (!source || more.length > 0) throw usageError('import takes one Compose file', 'name the file itself')
  const imported = importCompose(source, (name) => readBeside(path === '-' ? '.' : dirname(path), name))
  if (imported.services.length > 0) return imported
  const message = `${source.file} cannot be imported`
  const { diagnostics } = imported
  throw new CommandError(exitCodes.invalid, 'import/invalid', message, {
    details: diagnostics,
    sources: [source],
  })
}

/** More than a file of variables ever has. */
const besideAtMost = 1024 ** 2

/** A file of variables; null for what is none, and where it cannot be read. */
function readBeside(directory: string, name: string): string | null {
  const path = resolve(directory, name)
  try {
    const found = statSync(path)
    return found.isFile() && found.size <= besideAtMost ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}

interface OutputFile {
  readonly path: string
  readonly text: string
}

/** A directory gets a file per service; what is to be said of the whole stands in each. */
async function filesFor(
  output: string,
  { services, remarks }: ComposeImport,
): Promise<readonly OutputFile[]> {
  if (!output.endsWith('/') && !(await isDirectory(output)))
    return [{ path: output, text: printManifests(services, remarks) }]
  await mkdir(output, { recursive: true }).catch((error: unknown) => {
    throw unwritable(output, error)
  })
  return services.map((one) => ({ path: join(output, `${one.name}.yml`), text: printManifest(one, remarks) }))
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found?.isDirectory() ?? false
}

async function refuseExisting(files: readonly OutputFile[]): Promise<void> {
  const found = await Promise.all(
    files.map(({ path }) =>
      lstat(path).then(
        () => [path],
        () => [],
      ),
    ),
  )
  const existing = found.flat()
  if (existing.length > 0) throw existed(existing)
}

function existed(existing: readonly string[]): CommandError {
  const message = `${existing.join(', ')} ${existing.length === 1 ? 'exists' : 'exist'} already`
  return new CommandError(exitCodes.invalid, 'import/exists', message, { hint: '--force overwrites' })
}

/** As a whole or not at all, whenever it is killed. */
async function write({ path, text }: OutputFile, force: boolean): Promise<void> {
  await writeWhole(path, text, force ? 'replaced' : 'made').catch((error: unknown) => {
    throw errorCode(error) === 'EEXIST' ? existed([path]) : unwritable(path, error)
  })
}

function unwritable(path: string, error: unknown): CommandError {
  const message = `${path} cannot be written: ${(error as Error).message}`
  return new CommandError(exitCodes.failed, 'import/unwritable', message)
}

function importJson({ services, notes }: ComposeImport): unknown {
  return { services: Object.fromEntries(services.map(({ name, draft }) => [name, dataOf(draft)])), notes }
}

function summary({ services, notes, metaKeys }: ComposeImport, files: readonly OutputFile[]): string {
  const lines = [
    ...files.map(({ path }) => path),
    `${counted(services.length, 'service')}; ${counted(notes.length, 'thing')} without counterpart or changed, each in a comment`,
    ...(metaKeys.length > 0 ? [`set before the deploy (mariposa meta set): ${metaKeys.join(', ')}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
