// A file of somebody else's configuration that is written anew as a whole.
import type { Stats } from 'node:fs'
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import { CommandError, exitCodes } from '../command-error.js'
import type { Terminal } from './terminal.js'

export interface Rendered {
  readonly path: string
  /** Resolves to whether the text differs from what the file said. Throws CommandError where it cannot be written. */
  write(text: string): Promise<boolean>
}

/** A file that may be there already, or `-` for standard output. Throws CommandError for what is no file. */
export async function openRendered(path: string, { out }: Pick<Terminal, 'out'>): Promise<Rendered> {
  if (path === '-') {
    return {
      path,
      write: (text) => {
        out(text)
        return Promise.resolve(true)
      },
    }
  }
  const found = await lookAt(path)
  if (found !== null && !found.stats.isFile())
    throw new CommandError(exitCodes.invalid, 'cli/not-written', `${path} is there, and is no file`)
  return {
    path,
    write: async (text) => {
      try {
        return await replace(path, text)
      } catch (error) {
        throw new CommandError(
          exitCodes.failed,
          'cli/not-written',
          `cannot write ${path}: ${describeError(error)}`,
        )
      }
    },
  }
}

/** The file behind a name, through links; null where there is none. */
async function lookAt(path: string): Promise<{ readonly file: string; readonly stats: Stats } | null> {
  try {
    const file = await realpath(path)
    return { file, stats: await stat(file) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw new CommandError(
      exitCodes.invalid,
      'cli/not-written',
      `cannot write ${path}: ${describeError(error)}`,
    )
  }
}

/** Whoever reads it finds the old text or the new one, whenever we are killed; its mode and its owner stay. */
async function replace(path: string, text: string): Promise<boolean> {
  const found = await lookAt(path)
  const file = found?.file ?? path
  if (found !== null && (await readFile(file, 'utf8')) === text) return false
  const fresh = join(dirname(file), `.${basename(file)}.mariposa-${process.pid}`)
  try {
    const handle = await open(fresh, 'wx', found === null ? 0o644 : found.stats.mode & 0o777)
    try {
      if (found !== null) {
        await handle.chown(found.stats.uid, found.stats.gid)
        await handle.chmod(found.stats.mode & 0o7777)
      }
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(fresh, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') await rm(fresh, { force: true })
    throw error
  }
  return true
}
