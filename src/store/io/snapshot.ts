// A snapshot: the whole state in one file, so that the journals before it can go.
import type { Disk } from '../disk.js'
import type { Grant } from '../effect.js'
import { entryOf, type RecordedEntry, recordEntry } from '../journal-record.js'
import type { StoreState } from '../state.js'
import type { Entry, Revision } from '../store.js'
import { corruptError } from './errors.js'
import { fileName, headerOf, readHeader, writeWhole } from './files.js'
import { frameOf, scanFrame } from './frames.js'

/** What is in a state at one moment. */
interface Image {
  readonly revision: Revision
  readonly leases: readonly Grant[]
  readonly entries: readonly Entry[]
}

export function imageOf(state: StoreState): Image {
  return { revision: state.revision, leases: state.leases(), entries: state.range('') }
}

/** Writes an image as the snapshot of a generation; returns its size in bytes. */
export function writeSnapshot(disk: Disk, dir: string, generation: number, image: Image): Promise<number> {
  return writeWhole(disk, dir, fileName('snapshot', generation), frames(generation, image))
}

type SnapshotFrame =
  | { readonly leases: readonly Grant[] }
  | { readonly entries: readonly RecordedEntry[] }
  /** The last frame: how many entries there are. */
  | { readonly count: number }

const entriesPerFrame = 500

/** Made one by one as they are written, so that other work goes on between them. */
function* frames(generation: number, { revision, leases, entries }: Image): Generator<Buffer> {
  yield frameOf(headerOf('snapshot', generation, revision))
  yield frameOf({ leases } satisfies SnapshotFrame)
  for (let from = 0; from < entries.length; from += entriesPerFrame) {
    const some = entries.slice(from, from + entriesPerFrame).map(recordEntry)
    yield frameOf({ entries: some } satisfies SnapshotFrame)
  }
  yield frameOf({ count: entries.length } satisfies SnapshotFrame)
}

/** Reads a snapshot; its size in bytes comes with it. Anything unexpected in it is damage. */
export async function readSnapshot(
  disk: Disk,
  path: string,
  generation: number,
): Promise<{ readonly image: Image; readonly bytes: number }> {
  const file = await disk.readFile(path)
  const { header, next } = readHeader(path, file, 'snapshot', generation)
  const leases: Grant[] = []
  const entries: Entry[] = []
  let at = next
  for (;;) {
    const scan = scanFrame(file, at)
    if (scan.kind !== 'frame')
      throw corruptError(path, at, scan.kind === 'damaged' ? scan.problem : 'its end is missing')
    const frame = scan.value as SnapshotFrame
    if ('count' in frame) {
      if (frame.count !== entries.length || scan.next !== file.length)
        throw corruptError(path, at, 'its end does not fit')
      return { image: { revision: header.revision, leases, entries }, bytes: file.length }
    }
    if ('leases' in frame) leases.push(...frame.leases)
    else for (const entry of frame.entries) entries.push(entryOf(entry))
    at = scan.next
  }
}
