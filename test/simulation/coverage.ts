// What a run has seen of what there is to see: events by kind, why instances went, how tasks ended, what was refused.
import { eventKinds } from '../../src/model/event.js'
import { retireCauses } from '../../src/model/service.js'
import { decodeEvents, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'

/** How often what came about, each as `group name`. */
export type Counts = Readonly<Record<string, number>>

/** Notes what changes of the store tell. */
export function noteChanges(changes: readonly Change[], count: (what: string) => void): void {
  for (const change of changes) {
    if (change.type === 'delete' || kindOfKey(change.key) !== 'event') continue
    for (const { kind, data } of decodeEvents(change.entry)) {
      count(`event ${kind}`)
      if (data?.cause !== undefined) count(`cause ${data.cause}`)
      if (data?.task !== undefined) count(`task ${data.task.kind}, ${data.task.state}`)
    }
  }
}

export function addCounts(to: Record<string, number>, from: Counts): void {
  for (const [what, times] of Object.entries(from)) to[what] = (to[what] ?? 0) + times
}

/** A line for each group, and what was never seen of those that have an end. */
export function describeCoverage(counts: Counts): readonly string[] {
  const groups = new Map<string, string[]>()
  for (const [what, times] of Object.entries(counts).sort()) {
    const [group = '', ...name] = what.split(' ')
    groups.set(group, [...(groups.get(group) ?? []), `${name.join(' ')} ${times}`])
  }
  const never = (group: string, names: readonly string[]): string =>
    names.filter((name) => counts[`${group} ${name}`] === undefined).join(', ') || 'none'
  return [
    ...[...groups].map(([group, found]) => `${group}: ${found.join(', ')}`),
    `events never seen: ${never('event', eventKinds)}`,
    `causes never seen: ${never('cause', retireCauses)}`,
  ]
}
