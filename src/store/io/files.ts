// The files of a store's directory: their names, their first frame, and making them last.
import { join } from 'node:path'
import type { Disk } from '../disk.js'
import { type Revision, StoreError } from '../store.js'
import { corruptError, systemCode } from './errors.js'
import { scanFrame } from './frames.js'

/** Changes with what an older program could not read. */
const formatVersion = 1

type FileKind = 'journal' | 'snapshot'

/**
 * The first frame of each file. Generation g is `snapshot-g` (what was there when g began; none for the first) and
 * `journal-g` (what came after).
 */
interface FileHeader {
  readonly format: 'mariposa-store'
  readonly version: number
  readonly kind: FileKind
  readonly generation: number
  /** The store's revision where the file begins. */
  readonly revision: Revision
}

export function headerOf(kind: FileKind, generation: number, revision: Revision): FileHeader {
  return { format: 'mariposa-store', version: formatVersion, kind, generation, revision }
}

export function fileName(kind: FileKind, generation: number): string {
  return `${kind}-${String(generation).padStart(8, '0')}`
}

/** What a file of the directory is, from its name; null for a file of another sort. */
export function parseFileName(name: string): { readonly kind: FileKind; readonly generation: number } | null {
  const match = /^(journal|snapshot)-(\d{8,})$/.exec(name)
  return match === null ? null : { kind: match[1] as FileKind, generation: Number(match[2]) }
}

/** The ending of a file that is not complete yet. */
export const unfinished = '.tmp'

/** Reads and checks the first frame. Nothing cuts a header short, as files get their name when it is durable. */
export function readHeader(
  path: string,
  file: Buffer,
  kind: FileKind,
  generation: number,
): { readonly header: FileHeader; readonly next: number } {
  const scan = scanFrame(file, 0)
  if (scan.kind !== 'frame') throw corruptError(path, 0, 'its header cannot be read')
  const header = scan.value as FileHeader
  if (header?.format !== 'mariposa-store') throw corruptError(path, 0, 'its header is not that of a store')
  if (header.version !== formatVersion) throw versionError(path, header.version)
  if (header.kind !== kind || header.generation !== generation) {
    throw corruptError(path, 0, `its header says ${header.kind} ${header.generation}`)
  }
  return { header, next: scan.next }
}

function versionError(path: string, version: number): StoreError {
  return new StoreError(
    'store/version',
    `${path} has format version ${version}; this program knows version ${formatVersion}`,
    'run the version of the program that wrote it, or a newer one',
  )
}

/** Writes a whole file that appears under its name only when it is complete and durable. */
export async function writeWhole(
  disk: Disk,
  dir: string,
  name: string,
  parts: Iterable<Buffer>,
): Promise<number> {
  const path = join(dir, name)
  const handle = await disk.open(path + unfinished, 'w', 0o600)
  let bytes = 0
  try {
    for (const part of parts) {
      await handle.appendFile(part)
      bytes += part.length
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  await disk.rename(path + unfinished, path)
  await syncDirectory(disk, dir)
  return bytes
}

/** Makes the names in a directory durable. */
export async function syncDirectory(disk: Disk, dir: string): Promise<void> {
  const handle = await disk.open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes a file, if there is one. */
export async function unlinkIfThere(disk: Disk, path: string): Promise<void> {
  try {
    await disk.unlink(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
