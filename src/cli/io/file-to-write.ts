// The file behind a name that an operator gives, before it is replaced as a whole: never a device, a pipe, or a link.
import type { Stats } from 'node:fs'
import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'

interface FileToWrite {
  /** Where it is, or is to be made, through links. */
  readonly file: string
  /** Null where there is none yet. */
  readonly stats: Stats | null
}

/** Follows links, as opening the name would. Throws what the system says, and for what is there and is no file. */
export async function findFileToWrite(path: string): Promise<FileToWrite> {
  const stats = await stat(path).catch(nullIfMissing)
  if (stats?.isDirectory()) throw new Error('it is a directory')
  // Of /dev/stdout too, whose name leads to what only this process has.
  if (stats !== null && !stats.isFile()) throw new Error('it exists and is not a file')
  return { file: stats === null ? await placeOf(path) : await realpath(path), stats }
}

/** Where a file would be made: links may lead to what is not there yet. */
async function placeOf(path: string): Promise<string> {
  let place = path
  for (let links = 0; links < linksAtMost; links++) {
    const found = await lstat(place).catch(nullIfMissing)
    if (found?.isSymbolicLink() !== true) return join(await realpath(dirname(place)), basename(place))
    place = resolve(await realpath(dirname(place)), await readlink(place))
  }
  throw new Error('too many links lead to one another')
}

const linksAtMost = 40

function nullIfMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null
  throw error
}
