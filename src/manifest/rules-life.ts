// Rules of how instances are started, checked and restarted.
import { parseCron } from '../lib/cron-line.js'
import { parseInterval } from '../lib/interval.js'
import { isGiven, itemOf, placeFor, type Rule, type RuleInput } from './rule.js'
import type { ServiceManifest } from './schema.js'
import { childOf, locate, type Tree } from './tree.js'

export const lifeRules: readonly Rule[] = [
  restartsAreCountedOnFailure,
  checksFitComputeType,
  scheduleFitsServiceType,
  expressionIsReadable,
]

function restartsAreCountedOnFailure({ manifest: { restart }, tree, notes }: RuleInput): void {
  const policy: string | undefined = restart.policy
  // Without one the schema has said so.
  if (restart.max === undefined || policy === undefined || policy === 'on-failure') return
  const message = `max needs the policy on-failure, not ${policy}`
  notes.report('manifest/bad-value', childOf(tree, 'restart') ?? tree, message, 'leave it out')
}

function checksFitComputeType({ manifest, tree, notes }: RuleInput): void {
  if (manifest.compute_type !== 'kvm') return
  manifest.healthchecks?.forEach(({ type }, index) => {
    if (type !== 'command') return
    const check = itemOf(tree, 'healthchecks', index)
    const hint = 'use a check of type http, https or tcp'
    const message = 'a command cannot be run inside a virtual machine'
    notes.report('manifest/conflict', childOf(check, 'type') ?? check, message, hint)
  })
}

function scheduleFitsServiceType({ manifest, tree, notes }: RuleInput): void {
  const scheduled = manifest.service_type === 'scheduled'
  const schedule = childOf(tree, 'schedule')
  if (schedule && !scheduled && !tree.dropped?.includes('service_type')) {
    const message = `a schedule needs service_type: scheduled, not ${manifest.service_type}`
    notes.report(
      'manifest/conflict',
      schedule,
      message,
      'add service_type: scheduled, or leave the schedule out',
    )
  }
  if (!scheduled || isGiven(tree, 'schedule')) return
  const hint = 'write schedule: "R/2026-01-01T00:00:00Z/PT1H", or a cron line such as "15 3 * * *"'
  notes.report('manifest/missing', placeFor(tree, 'service_type'), 'schedule is missing', hint)
}

function expressionIsReadable({ manifest: { schedule }, tree, ...input }: RuleInput): void {
  const node = childOf(tree, 'schedule')
  if (node !== undefined) scheduleIsReadable(schedule, node, input)
}

/** Reports a text that is no interval or cron line, and a time zone that there is not. */
export function scheduleIsReadable(
  schedule: Partial<Pick<NonNullable<ServiceManifest['schedule']>, 'kind' | 'expression' | 'timezone'>> = {},
  place: Tree,
  { source, notes }: Pick<RuleInput, 'source' | 'notes'>,
): void {
  const { kind, expression = '', timezone } = schedule
  const text = childOf(place, 'expression')
  if (text?.kind === 'scalar' && !text.standIn && (kind === 'cron' || kind === 'interval')) {
    const read = kind === 'cron' ? parseCron(expression) : parseInterval(expression)
    if ('message' in read)
      notes.report('manifest/bad-schedule', locate(source, text, read.offset, read.length), read.message)
  }
  const zone = childOf(place, 'timezone')
  if (zone?.kind !== 'scalar' || zone.standIn || timezone === undefined || isTimezone(timezone)) return
  const hint = 'use a name from the IANA time zone database, such as Europe/Berlin'
  notes.report('manifest/bad-schedule', zone, `there is no time zone ${JSON.stringify(timezone)}`, hint)
}

/** Names of the time zone database; Intl would take offsets such as `+01:00` as well, which know no summer. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
