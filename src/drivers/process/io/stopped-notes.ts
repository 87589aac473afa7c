// Which processes of a unit were stopped from outside, written down before each is: whoever has them go on finds exactly those,
// though their parents have ended since, and leaves alone what the program itself had stopped.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha1 } from '../../../lib/hash.js'
import { readBootId } from '../../../lib/io/boot-id.js'
import { parseJsonOrNone } from '../../../lib/json.js'
import type { UnitName } from '../../../model/unit.js'
import type { ProcessId } from '../../../supervisor/state.js'

export interface StoppedNotes {
  /** Null where nothing is noted, or nothing that can be read: a daemon of before stopped all and noted none. */
  read(unit: UnitName): readonly ProcessId[] | null
  /** Throws what the system says. */
  write(unit: UnitName, processes: readonly ProcessId[]): void
  remove(unit: UnitName): void
}

/** Opens the notes in a folder, which is made with the first. */
export function openStoppedNotes(folder: string): StoppedNotes {
  const boot = readBootId() ?? 'unknown'
  const fileOf = (unit: UnitName): string => join(folder, sha1(unit))
  return {
    read: (unit) => {
      const text = readOrNull(fileOf(unit))
      const noted = text === null ? null : (parseJsonOrNone(text) as Partial<Note> | null | undefined)
      if (!Array.isArray(noted?.processes)) return null
      // Nothing outlives its boot.
      return noted.boot === boot ? noted.processes.filter(isProcessId) : []
    },
    write: (unit, processes) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const [file, note] = [fileOf(unit), { unit, boot, processes } satisfies Note]
      writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    remove: (unit) => {
      try {
        rmSync(fileOf(unit), { force: true })
      } catch {
        // One that is left has go on once more what goes on.
      }
    },
  }
}

interface Note {
  readonly unit: UnitName
  readonly boot: string
  readonly processes: readonly ProcessId[]
}

function isProcessId(value: unknown): value is ProcessId {
  const { pid, ticks } = (value ?? {}) as Partial<ProcessId>
  return Number.isSafeInteger(pid) && Number(pid) > 0 && Number.isSafeInteger(ticks)
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
