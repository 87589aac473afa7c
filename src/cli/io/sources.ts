// Reads manifests from files, directories and standard input.
import { isUtf8 } from 'node:buffer'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SourceFile } from '../../contract/contract.js'
import { maxBodyBytes } from '../../contract/contract.js'
import { CommandError, exitCodes } from '../command-error.js'
import { baseNameOf, manifestsOf } from '../source-names.js'
import { chunksOf, readFirst } from './inputs.js'
import { withFiles } from './source-files.js'
import { takeStdin } from './stdin.js'

/**
 * The files named, those of the directories named, and standard input for `-`; with each what it takes of its directory.
 * Throws CommandError, exit 2.
 */
export async function readSources(args: readonly string[]): Promise<readonly SourceFile[]> {
  const sources: SourceFile[] = []
  for (const arg of args) {
    if (arg === '-') sources.push(await withFiles(await readSource(arg), '.'))
    else
      for (const file of expand(arg)) sources.push(await withFiles(await readFileSource(file), dirname(file)))
  }
  return sources
}

/** One file, or standard input for `-`. Throws CommandError, exit 2. */
export async function readSource(arg: string): Promise<SourceFile> {
  return arg === '-' ? { file: '<stdin>', text: await readStdin() } : readFileSource(arg)
}

function expand(path: string): readonly string[] {
  const names = namesIn(path)
  if (names === null) return [path]
  const files = manifestsOf(names).map((name) => join(path, name))
  if (files.length > 0) return files
  throw new CommandError(exitCodes.invalid, 'cli/no-manifests', `${path} holds no manifest`, {
    hint: 'manifests are files that end in .yml, .yaml or .json',
  })
}

/** What is in a directory; null of anything else. */
function namesIn(path: string): readonly string[] | null {
  try {
    return statSync(path).isDirectory() ? readdirSync(path) : null
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function readFileSource(file: string): Promise<SourceFile> {
  try {
    const found = statSync(file)
    if (found.size > maxBodyBytes) throw tooLarge(file)
    // To read a file piece by piece costs a command more than to read it at once.
    const bytes = found.isFile() && found.size > 0 ? readFileSync(file) : await readAll(file, chunksOf(file))
    return { file, text: decode(file, bytes), name: baseNameOf(file) }
  } catch (error) {
    throw error instanceof CommandError ? error : unreadable(file, error)
  }
}

async function readStdin(): Promise<string> {
  return decode('<stdin>', await readAll('<stdin>', takeStdin()))
}

async function readAll(file: string, from: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  await readFirst(async () => {
    for await (const chunk of from) {
      size += chunk.length
      if (size > maxBodyBytes) throw tooLarge(file)
      chunks.push(chunk)
    }
  })
  return Buffer.concat(chunks)
}

function decode(file: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new CommandError(exitCodes.invalid, 'cli/not-text', `${file} is not UTF-8 text`)
  return bytes.toString('utf8')
}

function tooLarge(file: string): CommandError {
  const message = `${file} is larger than a manifest may be (${maxBodyBytes / 1024 ** 2} MiB)`
  return new CommandError(exitCodes.invalid, 'cli/too-large', message)
}

function unreadable(path: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a directory',
  }
  return new CommandError(
    exitCodes.invalid,
    'cli/unreadable',
    `${path} cannot be read: ${reasons[code ?? ''] ?? message}`,
  )
}
