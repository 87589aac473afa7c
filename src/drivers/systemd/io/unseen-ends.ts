// Units that ended well while nobody listened: systemd has forgotten them with all that it knew, and only the journal
// has the line that it wrote. What failed stays in its memory.
import { describeError, type Log } from '../../../lib/io/log.js'
import type { Instant } from '../../../lib/time.js'
import type { UnitName } from '../../../model/unit.js'
import { splitUnitName } from '../../../unit/name.js'
import { afterCleanEnd, type Properties } from '../observe.js'
import type { SystemdHostAccess } from './host.js'
import { readCleanEnds } from './journal.js'
import type { UnitFiles } from './unit-files.js'
import type { UnitTable } from './unit-table.js'

interface Answer {
  readonly name: UnitName
  readonly properties: Properties
}

interface Sources {
  readonly table: UnitTable
  readonly files: UnitFiles
  readonly host: SystemdHostAccess
  readonly log: Log
}

/** How long the journal may take: what it does not say by then stays unknown. */
const answersWithinMs = 5000
/** As many units are asked for in one call: their names are arguments. */
const unitsPerCall = 500

/** systemd's answers, with the ends that the journal knows of. Without a journal the answers are as they were. */
export async function withUnseenEnds(
  sources: Sources,
  answers: readonly Answer[],
): Promise<readonly Answer[]> {
  const unseen = new Map<UnitName, Instant>()
  for (const { name, properties } of answers) {
    const since = splitUnitName(name).type === 'service' ? sinceOf(sources, name, properties) : null
    if (since !== null) unseen.set(name, since)
  }
  if (unseen.size === 0) return answers
  const ends = await readEnds(sources, unseen)
  return answers.map(({ name, properties }) => {
    const at = ends.get(name)
    return { name, properties: at === undefined ? properties : afterCleanEnd(properties, at) }
  })
}

/** Since when to look for its end; null where it has not run, or how it ended is known. */
function sinceOf({ table, files }: Sources, name: UnitName, properties: Properties): Instant | null {
  const since = table.unseenSince(name, properties)
  return since === 0 ? files.writtenAt(name) : since
}

async function readEnds(
  { host, log }: Sources,
  unseen: ReadonlyMap<UnitName, Instant>,
): Promise<ReadonlyMap<string, Instant>> {
  const names = [...unseen.keys()]
  const signal = AbortSignal.timeout(answersWithinMs)
  const ends: [string, Instant][] = []
  try {
    for (let from = 0; from < names.length; from += unitsPerCall) {
      const some = names.slice(from, from + unitsPerCall)
      const since = Math.min(...some.map((name) => unseen.get(name) ?? 0))
      ends.push(...(await readCleanEnds(host, some, since, signal)))
    }
  } catch (error) {
    log.warn('systemd', `cannot read from the journal how units ended: ${describeError(error)}`)
  }
  return new Map(ends.filter(([name, at]) => at >= (unseen.get(name as UnitName) ?? 0)))
}
