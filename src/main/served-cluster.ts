// Which cluster the programs of this machine were started for, kept beside them: another store is not to stop them.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeError, type Log } from '../lib/io/log.js'
import { replaceFile } from '../lib/io/replace-file.js'
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import type { EventLog } from '../store/io/event-log.js'
import type { Registry } from '../store/io/registry.js'

export interface ServedCluster {
  /** Whether what runs here was started for another cluster. */
  readonly isForeign: boolean
  /** Units were found that the cluster knows nothing of; with none: all are gone, or known by now. */
  readonly onUnknown: (names: readonly UnitName[]) => void
  /** Notes the cluster that is served from now on, unless something of another one still runs. */
  noteServed(hasUnknown: boolean): Promise<void>
}

interface ServedClusterOptions {
  readonly dataDir: string
  readonly clusterId: string
  /** The cluster of the copy of what was placed here; null where there is none. */
  readonly copyOf: string | null
  readonly machine: MachineId
  readonly hostname: string
  readonly registry: Registry
  readonly events: EventLog
  readonly log: Log
}

/** Reads the note. A machine without one served the cluster of its local copy, or one that knows it by its reports. */
export async function openServedCluster(options: ServedClusterOptions): Promise<ServedCluster> {
  const { dataDir, clusterId, copyOf, machine, hostname, registry, events, log } = options
  const file = join(dataDir, 'served-cluster')
  const noted = await readNote(file)
  const served = noted ?? copyOf
  const isForeign = served === null ? registry.view.reportsOf(machine).size === 0 : served !== clusterId
  const note = (): Promise<void> => replaceFile(file, `${clusterId}\n`)
  const failed = (what: string) => (error: unknown) => log.warn('daemon', `${what}: ${describeError(error)}`)
  const onUnknown = (names: readonly UnitName[]): void => {
    if (names.length === 0) {
      note().catch(failed(`cannot write ${file}`))
      return
    }
    const shown =
      names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
    const message = `${hostname} runs units that this cluster does not know, and leaves them running: ${shown}`
    log.warn('daemon', message, {
      hint: `check that this is the right store; mariposa machine adopt ${hostname} lists and stops them`,
    })
    const about = { project: null, service: null, instance: null, machine }
    registry
      .commit([], events.append([{ kind: 'machine', ...about, message }]))
      .catch(failed('cannot report it'))
  }
  return {
    isForeign,
    onUnknown,
    noteServed: async (hasUnknown) => {
      // It is written at the next start, where there is no room for it now.
      if (!hasUnknown && noted !== clusterId) await note().catch(failed(`cannot write ${file}`))
    },
  }
}

async function readNote(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim() || null
  } catch {
    return null
  }
}
