// Whether an instance is listed in answers for its service, and why not.
import type { Instant } from '../lib/time.js'
import type { CnsLabels } from '../model/cns-labels.js'
import { withPrefix } from '../model/cns-labels.js'
import { instanceStateOf, isPausedForBackup } from '../model/instance-state.js'
import type { Machine, MachineSettings } from '../model/machine.js'
import type { Instance, InstanceState, ServiceVersion } from '../model/service.js'
import type { Placement, UnitReport } from '../model/unit.js'
import { isChecked, settleMs } from '../service/assess.js'

/** What is known of an instance that may be listed. */
interface Candidate {
  readonly instance: Instance
  readonly labels: CnsLabels
  readonly placement: Placement | null
  readonly report: UnitReport | null
  readonly machine: Machine | undefined
  readonly order: MachineSettings | undefined
  readonly version: ServiceVersion | undefined
}

const reserves = {
  draining: 'its machine is drained',
  'driver-silent': 'its driver does not answer',
  paused: 'it is paused for a backup',
} as const

export type Listing =
  /** From that instant on: what nobody checks has to run for a moment first. It runs since then, by the clock of its machine. */
  | { readonly rank: 'listed'; readonly from: Instant | null; readonly runsSince: Instant | null }
  /** Only where no other is listed: it may well answer, and nobody else does. */
  | { readonly rank: 'reserve'; readonly because: keyof typeof reserves; readonly runsSince: Instant | null }
  | { readonly rank: 'out'; readonly because: OutReason }

export type OutReason =
  | { readonly kind: 'disabled' | 'down' | 'machine-down' | 'retired' | 'pending' | 'machine-lost' }
  | { readonly kind: 'not-running'; readonly state: InstanceState }
  | { readonly kind: 'unhealthy'; readonly reason: string | null }
  | { readonly kind: 'not-checked-yet' }

/** `before`: the listing until something of the instance changed. */
export function listingOf(candidate: Candidate, before: Listing | null, now: Instant): Listing {
  const { instance, labels, placement, report, machine, order, version } = candidate
  if (labels.disabled) return out({ kind: 'disabled' })
  if (instance.retired !== null) return out({ kind: 'retired' })
  if (placement === null) return out({ kind: 'pending' })
  if (machine === undefined) return out({ kind: 'machine-lost' })
  if (!labels.up) return out({ kind: 'down' })
  if ((machine.metadata[withPrefix('status')] ?? 'up') !== 'up') return out({ kind: 'machine-down' })
  const state = instanceStateOf({ instance, placement, report, machinePresent: true })
  // It ran when its driver last answered, and goes on running as far as anybody knows.
  if (state === 'unknown' && report?.active === 'active') return reserve('driver-silent', report)
  // It goes on in a moment, and answers then what it was asked meanwhile.
  const isStill = report !== null && isPausedForBackup(report) && state === 'paused'
  if ((state !== 'running' && !isStill) || report === null) return out({ kind: 'not-running', state })
  if (report.health === 'unhealthy') return out({ kind: 'unhealthy', reason: report.healthReason })
  const checked = isChecked(version, report)
  if (checked && report.health !== 'healthy') return out({ kind: 'not-checked-yet' })
  if (isStill) return reserve('paused', report)
  if (order?.drain !== undefined) return reserve('draining', report)
  const { since: runsSince } = report
  if (checked) return { rank: 'listed', from: null, runsSince }
  // What is known to run has begun its moment: with a clock that is ahead of ours it would begin anew with each change.
  if (before !== null && before.rank !== 'out' && before.runsSince === runsSince)
    return before.rank === 'listed' ? before : { rank: 'listed', from: null, runsSince }
  // Nor does such a clock keep it out for longer.
  return { rank: 'listed', from: Math.min(runsSince ?? now, now) + settleMs, runsSince }
}

function reserve(because: keyof typeof reserves, { since }: UnitReport): Listing {
  return { rank: 'reserve', because, runsSince: since }
}

function out(because: OutReason): Listing {
  return { rank: 'out', because }
}

/** Whether it is listed by now. Nobody waits for longer than a moment: what is further away is from before the clock was set back. */
export function isListedFrom(from: Instant | null, now: Instant): boolean {
  return from === null || from <= now || from > now + settleMs
}

/** Why an instance is not listed now; empty where it is. */
export function describeListing(listing: Listing, now: Instant): string {
  if (listing.rank === 'listed') {
    return isListedFrom(listing.from, now) ? '' : 'it started less than a second ago'
  }
  if (listing.rank === 'reserve') {
    return `${reserves[listing.because]}: it is listed only if no other instance is`
  }
  return describeOut(listing.because)
}

function describeOut(because: OutReason): string {
  switch (because.kind) {
    case 'disabled':
      return `the label ${withPrefix('disable')} excludes it`
    case 'down':
      return `the label ${withPrefix('status')} is not up`
    case 'machine-down':
      return `its machine has ${withPrefix('status')} in its metadata, and that is not up`
    case 'retired':
      return 'it is to stop for good'
    case 'pending':
      return 'it has no machine yet'
    case 'machine-lost':
      return 'its machine is lost'
    case 'not-running':
      return `it is ${because.state}`
    case 'unhealthy':
      return because.reason === null ? 'it is unhealthy' : `it is unhealthy: ${because.reason}`
    case 'not-checked-yet':
      return 'no check has found it healthy yet'
  }
}
