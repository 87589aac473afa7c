// Opening a store's directory: the newest snapshot, then every journal from it on.
import { join } from 'node:path'
import type { Log } from '../../lib/io/log.js'
import type { Disk } from '../disk.js'
import type { JournalRecord } from '../journal-record.js'
import { StoreState } from '../state.js'
import type { Revision } from '../store.js'
import { corruptEndError, corruptError } from './errors.js'
import { fileName, parseFileName, readHeader, unfinished, unlinkIfThere } from './files.js'
import { scanFrame } from './frames.js'
import { createJournal, type Journal, openJournal } from './journal.js'
import { readSnapshot } from './snapshot.js'
import { WatchHistory } from './watches.js'

export interface Recovered {
  readonly state: StoreState
  /** Knows the changes since the snapshot. */
  readonly history: WatchHistory
  /** Open at its end. */
  readonly journal: Journal
  /** The size of the snapshot; 0 where there is none. */
  readonly snapshotBytes: number
  /** The oldest generation whose files are needed. */
  readonly oldest: number
}

/** Reads what the directory holds, cuts off a torn end, and removes what is left of an interrupted clean-up. */
export async function recover(disk: Disk, dir: string, historyLimit: number, log: Log): Promise<Recovered> {
  const names = await disk.readdir(dir)
  const { snapshot, journals } = chooseFiles(dir, names)
  const { image, bytes: snapshotBytes } =
    snapshot === null
      ? emptySnapshot
      : await readSnapshot(disk, join(dir, fileName('snapshot', snapshot)), snapshot)
  const state = new StoreState()
  state.restore(image.revision, image.leases, image.entries)
  const history = new WatchHistory(historyLimit, image.revision)
  let end = 0
  for (const generation of journals) {
    end = await replayJournal(disk, dir, generation, generation === journals.at(-1), state, history, log)
  }
  const last = journals.at(-1)
  const journal =
    last === undefined ? await createJournal(disk, dir, 1, 0) : await openJournal(disk, dir, last, end)
  await removeLeftovers(disk, dir, names, snapshot ?? 0)
  return { state, history, journal, snapshotBytes, oldest: snapshot ?? 1 }
}

const emptySnapshot = { image: { revision: 0, leases: [], entries: [] }, bytes: 0 }

/** The newest snapshot and the journals that go on from it, without a gap. */
function chooseFiles(
  dir: string,
  names: readonly string[],
): { readonly snapshot: number | null; readonly journals: readonly number[] } {
  const files = names.map(parseFileName).filter((file) => file !== null)
  const snapshots = files.filter(({ kind }) => kind === 'snapshot').map(({ generation }) => generation)
  const snapshot = snapshots.length === 0 ? null : Math.max(...snapshots)
  const journals = files
    .filter(({ kind, generation }) => kind === 'journal' && generation >= (snapshot ?? 1))
    .map(({ generation }) => generation)
    .sort((a, b) => a - b)
  const newest = Math.max(snapshot ?? 0, journals.at(-1) ?? 0)
  for (let generation = snapshot ?? 1; generation <= newest; generation++) {
    if (!journals.includes(generation)) {
      throw corruptError(
        join(dir, fileName('journal', generation)),
        0,
        'the file is missing, or the snapshot after it',
      )
    }
  }
  return { snapshot, journals }
}

/** Applies a journal; returns where its sound part ends. Only the newest may have a torn end, which is cut off. */
async function replayJournal(
  disk: Disk,
  dir: string,
  generation: number,
  newest: boolean,
  state: StoreState,
  history: WatchHistory,
  log: Log,
): Promise<number> {
  const path = join(dir, fileName('journal', generation))
  const file = await disk.readFile(path)
  const { header, next } = readHeader(path, file, 'journal', generation)
  if (header.revision !== state.revision) throw gapError(path, 0, state.revision, header.revision)
  let at = next
  for (;;) {
    const scan = scanFrame(file, at)
    if (scan.kind === 'end') return at
    if (scan.kind === 'damaged')
      throw newest && scan.isLast
        ? corruptEndError(path, at, scan.problem)
        : corruptError(path, at, scan.problem)
    if (scan.kind === 'torn') {
      if (!newest) throw corruptError(path, at, 'it ends within a record, and a newer journal follows')
      await cutOff(disk, path, at, file.length, log)
      return at
    }
    for (const record of scan.value as readonly JournalRecord[])
      replayRecord(path, at, record, state, history)
    at = scan.next
  }
}

function replayRecord(
  path: string,
  at: number,
  record: JournalRecord,
  state: StoreState,
  history: WatchHistory,
): void {
  const expected = state.revision + (record.c === undefined ? 0 : 1)
  if (record.r !== expected) throw gapError(path, at, expected, record.r)
  const { revision, changes } = state.replay(record)
  if (changes.length > 0) history.publish({ revision, changes })
}

function gapError(path: string, at: number, expected: Revision, found: Revision): Error {
  return corruptError(path, at, `it goes on at revision ${found} where ${expected} was expected`)
}

/** The end of a write that nobody was told had succeeded. */
async function cutOff(disk: Disk, path: string, at: number, length: number, log: Log): Promise<void> {
  log.warn('store', 'cut off an unfinished write at the end of the journal', { path, at, bytes: length - at })
  const handle = await disk.open(path, 'r+')
  try {
    await handle.truncate(at)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function removeLeftovers(
  disk: Disk,
  dir: string,
  names: readonly string[],
  snapshot: number,
): Promise<void> {
  for (const name of names) {
    const file = parseFileName(name)
    if (name.endsWith(unfinished) || (file !== null && file.generation < snapshot))
      // What an attempt to begin has left may have become the journal just now.
      await unlinkIfThere(disk, join(dir, name))
  }
}
