// The reports of a machine from before it was away. They may be wrong until its agent has looked: after a loss of power its programs
// are gone, and names and the entry would send requests to them.
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { UnitReport } from '../model/unit.js'
import type { Registry } from '../store/io/registry.js'
import { putOf } from '../store/records.js'

const reportsPerWrite = 100

/** Marks the reported state of a machine's running units as unknown; the next reports of its agent replace that. */
export async function noteUnseen(registry: Registry, machine: MachineId, now: Instant): Promise<void> {
  const unseen = [...registry.view.reportsOf(machine).values()].filter(mayRun)
  for (let from = 0; from < unseen.length; from += reportsPerWrite) {
    const some = unseen.slice(from, from + reportsPerWrite)
    await registry.commit(
      [],
      some.map((report) => {
        const unknownSince = report.unknownSince ?? now
        return putOf('report', { ...report, unknownSince, unseen: true })
      }),
    )
  }
}

function mayRun({ active, unseen }: UnitReport): boolean {
  return active !== 'inactive' && active !== 'failed' && unseen === undefined
}
