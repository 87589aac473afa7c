// A file with what was placed on this machine when the store was last seen.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startLoop } from '../../lib/io/loop.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import type { Instant, Time } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import { keysOfCopy } from '../local-copy.js'
import type { Entry } from '../store.js'
import type { Registry } from './registry.js'

export interface LocalCopy {
  readonly savedAt: Instant
  /** The cluster that the records are of. */
  readonly cluster: string
  readonly entries: readonly Entry[]
}

/** Changes with what an older program could not read. */
const format = 'mariposa-local-copy-1'

/** Where the copy lies in a data directory. */
export function localCopyIn(dataDir: string): string {
  return join(dataDir, 'local-copy.json')
}

/** The copy in a file; null where there is none, or none that can be read: then there is nothing to go by. */
export async function readLocalCopy(file: string): Promise<LocalCopy | null> {
  try {
    const { format: found, ...copy } = JSON.parse(await readFile(file, 'utf8')) as LocalCopy & {
      format: string
    }
    return found === format && Array.isArray(copy.entries) ? copy : null
  } catch {
    return null
  }
}

interface LocalCopyOptions {
  readonly registry: Registry
  readonly machine: MachineId
  readonly cluster: string
  readonly file: string
  readonly clock: Time
  /** When the view was last known to be what the store holds. */
  readonly seenAt: () => Instant
  readonly onError: (error: unknown) => void
}

/** How often it is written at most: what changes in between is found again by looking at what runs. */
const writeEveryMs = 5000
/** A copy that nothing changes says from time to time that it is still true. */
const saidAgainEveryMs = 600_000

/** Keeps the file as the view is; the last state is written when it is stopped. */
export function keepLocalCopy(options: LocalCopyOptions): { stop(): Promise<void> } {
  const { registry, machine, cluster, file, clock } = options
  let written = ''
  let writtenAt = Number.NEGATIVE_INFINITY
  const write = async (now: Instant, anyway = false): Promise<void> => {
    const entries = keysOfCopy(registry.view, machine).flatMap((key) => registry.entryAt(key) ?? [])
    const state = entries.map(({ key, modRevision }) => `${key} ${modRevision}`).join('\n')
    if (!anyway && state === written && now - writtenAt < saidAgainEveryMs) return
    const copy: LocalCopy = { savedAt: options.seenAt(), cluster, entries }
    await replaceFile(file, JSON.stringify({ format, ...copy }))
    written = state
    writtenAt = now
  }
  const loop = startLoop({
    clock,
    intervalMs: saidAgainEveryMs,
    restMs: writeEveryMs,
    onError: options.onError,
    pass: async (now) => {
      await write(now)
      return { wakeAt: null }
    },
  })
  const unsubscribe = registry.onChange((kinds) => {
    if (![...kinds].every((kind) => kind === 'event' || kind === 'metrics')) loop.wake()
  })
  return {
    stop: async () => {
      unsubscribe()
      await loop.stop()
      await write(clock.now(), true).catch(options.onError)
    },
  }
}
