// A file of somebody else's configuration that is written anew as a whole.
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import { CommandError, exitCodes } from '../command-error.js'
import { findFileToWrite } from './file-to-write.js'
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
  await findFileToWrite(path).catch((error: unknown) => {
    throw notWritten(exitCodes.invalid, path, error)
  })
  return {
    path,
    write: async (text) => {
      try {
        return await writeWhole(path, text)
      } catch (error) {
        throw notWritten(exitCodes.failed, path, error)
      }
    },
  }
}

function notWritten(status: number, path: string, error: unknown): CommandError {
  return new CommandError(status, 'cli/not-written', `cannot write ${path}: ${describeError(error)}`)
}

/**
 * Whoever reads it finds the old text or the new one, whenever we are killed; its mode and its owner stay. Resolves to
 * whether the text differs. Throws EEXIST for one that is there and is to be `made`, whoever made it meanwhile.
 */
export async function writeWhole(
  path: string,
  text: string,
  how: 'replaced' | 'made' = 'replaced',
): Promise<boolean> {
  const { file, stats: found } = await findFileToWrite(path)
  if (how === 'replaced' && found !== null && (await readFile(file, 'utf8')) === text) return false
  const fresh = join(dirname(file), `.${basename(file)}.mariposa-${process.pid}`)
  // One of before may have been killed, and have had the same number, as the first process of a container has.
  await rm(fresh, { force: true })
  try {
    const handle = await open(fresh, 'wx', found === null ? 0o644 : found.mode & 0o777)
    try {
      if (found !== null) {
        await handle.chown(found.uid, found.gid)
        await handle.chmod(found.mode & 0o7777)
      }
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') await rm(fresh, { force: true })
    throw error
  }
  try {
    await (how === 'made' ? putInPlace(fresh, file) : rename(fresh, file))
  } finally {
    await rm(fresh, { force: true })
  }
  return true
}

/** Never over a file, but on file systems without hard links. */
export async function putInPlace(fresh: string, file: string): Promise<void> {
  try {
    await link(fresh, file)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error
    await rename(fresh, file)
  }
}
