// What a deploy would change, as text for people.
import type { PlannedInstance, PlannedService, PlanResponse } from '../contract/contract.js'
import type { Paint } from './paint.js'
import { printable } from './table.js'

/** A plan; its last line holds the deploy to what was looked at. */
export function describePlan({ id, cut, changes, services }: PlanResponse, paint: Paint): string {
  const texts = services.map((service) => describeService(service, paint))
  if (cut === true) return [...texts, paint.bad(cutShort)].join('\n')
  return [...texts, ...(changes ? [paint.faint(`--expect ${id}\n`)] : [])].join('\n')
}

const cutShort = 'this list is incomplete: the dry run took too long and was cut; others may change as well\n'

function describeService(planned: PlannedService, paint: Paint): string {
  const { service, outcome, ordinal, scale, diff, pinned, drifted = [], start, stop, unplaced } = planned
  const { handsOver = [] } = planned
  const scaled = scale.from === scale.to ? '' : `, scale ${scale.from} -> ${scale.to}`
  const lines = [
    paint.bold(`${service}: ${words[outcome]} version ${ordinal}${scaled}`),
    ...diff.map(({ kind, text }) => (kind === 'gone' ? paint.bad(`  - ${text}`) : paint.good(`  + ${text}`))),
    ...(pinned === undefined || pinned.from === pinned.to
      ? []
      : [
          paint.bad(`  - image: ${pinned.from ?? 'as its tag says'}`),
          paint.good(`  + image: ${pinned.to ?? 'as its tag says'}`),
        ]),
    ...(drifted.length === 0 ? [] : [`  ${describeDrift(outcome, drifted)}`]),
    ...handsOver.map(({ route, service: to }) => `  serves ${route} until ${to} does`),
    ...start.map((one) => `  start ${describeInstance(one)}`),
    ...stop.map((one) => `  stop ${describeInstance(one)}`),
    ...unplaced.map((one) => paint.bad(`  no place for ${describeInstance(one)}`)),
  ]
  if (start.length + stop.length + unplaced.length === 0) lines.push('  no instance starts or stops')
  return `${lines.join('\n')}\n`
}

/** What it was made of is left as it is, or taken anew. */
function describeDrift(outcome: PlannedService['outcome'], drifted: readonly string[]): string {
  const keys = drifted.join(', ')
  if (outcome === 'updated') return `takes the current values: ${keys}`
  return `drifted: ${keys}${outcome === 'unchanged' ? ' (--refresh makes a new version)' : ''}`
}

const words = {
  created: 'new, at',
  updated: 'goes to',
  unchanged: 'stays at',
  removed: 'is removed, was at',
} as const

function describeInstance({ name, ordinal, hostname, reason }: PlannedInstance): string {
  const where = hostname === null ? '' : ` on ${hostname}`
  return `${name} (version ${ordinal})${where}${reason === '' ? '' : `: ${printable(reason)}`}`
}
