// What manifests take of the directory that they are in, read to be sent along with them.
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { SourceFile } from '../../contract/contract.js'
import { errorCode } from '../../lib/io/error-code.js'
import { type SourcePath, sourcePathsOf } from '../../manifest/source-paths.js'
import { type SourcedFile, sourcePathPattern, sourcesAtMost } from '../../model/arriving-file.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import { CommandError, exitCodes } from '../command-error.js'

/** A manifest with the files that it takes of a directory. Throws CommandError `cli/bad-source`, exit 2. */
export async function withFiles(source: SourceFile, directory: string): Promise<SourceFile> {
  const paths = sourcePathsOf(source)
  // What has no such form the manifest's own check refuses.
  const wanted = paths.filter(({ path }) => new RegExp(sourcePathPattern, 'u').test(path))
  if (wanted.length === 0) return source
  const files: SourcedFile[] = []
  const details: Diagnostic[] = []
  for (const { path, place } of wanted) {
    const read = await readBelow(directory, path)
    if (typeof read === 'string') details.push(problemOf(source, { path, place }, read))
    else files.push({ path, data: read.toString('base64') })
  }
  if (details.length === 0) return { ...source, files }
  const message = details.length === 1 ? 'a file cannot be taken' : `${details.length} files cannot be taken`
  throw new CommandError(exitCodes.invalid, 'cli/bad-source', message, { details, sources: [source] })
}

/** What a file holds, or why it cannot be taken. */
async function readBelow(directory: string, path: string): Promise<Buffer | string> {
  try {
    const [top, real] = [await realpath(directory), await realpath(join(directory, path))]
    if (!real.startsWith(top === sep ? top : `${top}${sep}`))
      return 'it leads out of the directory of the manifest'
    // One that nobody writes to would be waited for.
    const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const info = await file.stat()
      if (!info.isFile()) return 'it is not a file'
      if (info.size > sourcesAtMost) return `it holds ${info.size} bytes, and ${sourcesAtMost} are the most`
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? 'there is no such file'
      : `it cannot be read: ${code ?? String(error)}`
  }
}

function problemOf({ file }: SourceFile, { path, place }: SourcePath, why: string): Diagnostic {
  return { code: 'cli/bad-source', severity: 'error', message: `${path}: ${why}`, file, ...place }
}
