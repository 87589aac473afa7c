// Tells the history of machines that have gone: what a machine says itself ends with it.
import { type ClockJump, type Elapsed, elapsedAt } from '../../lib/elapsed.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import { earlier, type Instant, type Time } from '../../lib/time.js'
import type { EventDraft } from '../../model/event.js'
import type { KnownMachine, Machine, MachineId } from '../../model/machine.js'
import type { Decision } from '../../store/decision.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import type { MassLoss } from '../../store/losses.js'
import { decodeEvents, keys, kindOfKey, prefixes, putOf, read } from '../../store/records.js'
import type { Losses } from '../../store/steady-losses.js'
import type { ClusterView } from '../../store/view.js'
import { forgetMachine } from '../lost-machines.js'

interface LostMachinesOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly losses: Losses
  readonly clock: Time
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
  /** How long a machine that was there before this daemon has to come back until it is down. */
  readonly graceMs: number
  /** After how long a machine that is down is forgotten. */
  readonly forgetAfterMs: () => number
  readonly jumps: () => readonly ClockJump[]
}

/**
 * The pass of whoever leads. Every engine remembers the machines that it has seen, so that the loss of the machine that
 * led is told by the next leader; that none is told twice, the history itself says. Since when a machine is down is kept
 * until it is back or forgotten.
 */
export function lostMachinesPass(options: LostMachinesOptions): Pass {
  const { registry, events, losses, clock, log, epoch, graceMs } = options
  const { view } = registry
  const sayMassLoss = massLossTeller(log)
  const seen = new Map<MachineId, Machine>(view.machines)
  const startedAt = clock.steady()
  registry.onChange((kinds, changes) => {
    if (!kinds.has('machine')) return
    for (const change of changes) {
      if (change.type !== 'put' || kindOfKey(change.key) !== 'machine') continue
      const found = read('machine', change.entry)
      if ('record' in found) seen.set(found.record.id, found.record)
    }
  })
  return async (now) => {
    const leading = epoch()
    // Of the same moment as `now`: the clock may be set while something is written.
    const elapsed = elapsedAt(now, options.jumps())
    const mass = losses.massLoss(now)
    if (leading !== null) sayMassLoss(mass)
    const massEndsAt = mass?.until ?? null
    if (leading === null) return { wakeAt: massEndsAt }
    const graceLeftMs = startedAt + graceMs - clock.steady()
    const gone = goneMachines(view, seen, graceLeftMs <= 0)
    for (const record of gone) {
      const { id, hostname } = record
      const known = view.knownMachines.get(id)
      // Both are written at once. One that has left for good has taken its record along.
      const isTold = known === undefined ? isLossTold(registry, id) : known.downSince !== undefined
      if (!isTold) {
        const draft = lostEvent(id, hostname)
        const compare = [ledBy(leading), { key: keys.machine(id), modRevision: 0 }]
        const noted = known === undefined ? [] : [putOf('knownMachine', downSince(record, now))]
        // It may be back, or another may lead: then it is looked at again when there is reason to.
        if (!(await registry.commit(compare, [...noted, ...events.append([draft])]))) continue
        log.warn('engine', draft.message)
      }
      if (!view.machines.has(id)) seen.delete(id)
    }
    const forgetAt = await forgetOld(options, leading, elapsed)
    const graceEndsAt = graceLeftMs > 0 ? now + graceLeftMs : null
    return { wakeAt: earlier(massEndsAt, earlier(forgetAt, graceEndsAt)) }
  }
}

/**
 * Machines that are not there any more, and of which that is not noted yet: those that this engine has seen, and once
 * they have had their time to come back, those that others have.
 */
function goneMachines(
  { knownMachines, machines }: ClusterView,
  seen: ReadonlyMap<MachineId, Machine>,
  withOthers: boolean,
): readonly Machine[] {
  const others = [...knownMachines.values()].filter((known) => known.downSince === undefined)
  const all = new Map([...(withOthers ? others : []).map((one) => [one.id, one] as const), ...seen])
  return [...all.values()].filter(({ id }) => !machines.has(id))
}

function downSince({ away: _, ...machine }: Machine, at: Instant): KnownMachine {
  return { ...machine, downSince: at }
}

function downFromNow({ knownMachines }: ClusterView, id: MachineId, before: Instant, now: Instant): Decision {
  const known = knownMachines.get(id)
  const isSame = known?.downSince === before
  return {
    decidedOn: [keys.machine(id), keys.knownMachine(id)],
    ops: known !== undefined && isSame ? [putOf('knownMachine', { ...known, downSince: now })] : [],
  }
}

/** Forgets machines that have been down for long; says when the next one is to be forgotten. */
async function forgetOld(
  { registry, log, forgetAfterMs }: LostMachinesOptions,
  leading: number,
  elapsed: Elapsed,
): Promise<Instant | null> {
  const { now } = elapsed
  let next: Instant | null = null
  for (const { id, hostname, downSince: since } of [...registry.view.knownMachines.values()]) {
    if (since === undefined || registry.view.machines.has(id)) continue
    // Before the clock was set back, or by one that is ahead: how long ago it was nobody knows, and it is counted from now on.
    if (elapsed.since(since) < 0)
      await registry.decide((view) => downFromNow(view, id, since, now), [ledBy(leading)])
    const leftMs = Math.min(elapsed.left(since, forgetAfterMs()), forgetAfterMs())
    if (leftMs > 0) {
      next = earlier(next, elapsed.wakeAt(leftMs))
      continue
    }
    const { committed } = await registry.decide((view) => forgetMachine(view, id), [ledBy(leading)])
    if (committed) log.info('engine', `${hostname} removed: it has been down for too long`, { machine: id })
  }
  return next
}

/** Says once that most machines vanished together, and once that this is over. */
function massLossTeller(log: Log): (mass: MassLoss | null) => void {
  let told = false
  return (mass) => {
    if (mass !== null && !told)
      log.warn('engine', 'most machines were lost together; not placing their units elsewhere for now', {
        machines: mass.machines,
        until: new Date(mass.until).toISOString(),
      })
    if (mass === null && told) log.info('engine', 'units of lost machines are placed elsewhere again')
    told = mass !== null
  }
}

/** Whether the history says last of a machine that it is lost, as far as clocks tell the order. */
function isLossTold(registry: Registry, id: MachineId): boolean {
  const last = registry
    .entriesUnder(prefixes.event)
    .flatMap(decodeEvents)
    .findLast(({ kind, machine }) => machine === id && (kind === 'machine-lost' || kind === 'machine-joined'))
  return last?.kind === 'machine-lost'
}

function lostEvent(machine: MachineId, hostname: string): EventDraft {
  const message = `${hostname} is lost: it has not said that it is there for longer than its lease`
  return { kind: 'machine-lost', project: null, service: null, instance: null, machine, message }
}
