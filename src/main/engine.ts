// The loops of the engine and of all else that a leader does.

import { autoscalePass, lookAtMetricsEveryMs } from '../autoscale/io/pass.js'
import type { UnitOfVersion } from '../compile/version-unit.js'
import { enginePass, engineReads } from '../engine/io/pass.js'
import { clockPass } from '../leader/io/clock-pass.js'
import { startLeaseKeeper } from '../leader/io/lease-keeper.js'
import { lostMachinesPass } from '../leader/io/lost-machines-pass.js'
import type { ClockJump } from '../lib/elapsed.js'
import type { JumpWatch } from '../lib/io/clock.js'
import { describeError } from '../lib/io/log.js'
import { type Loop, type Pass, startLoop, tellPasses } from '../lib/io/loop.js'
import type { LogPart } from '../lib/log-levels.js'
import type { Time } from '../lib/time.js'
import { startNotifier } from '../notify/io/notifier.js'
import type { Sender } from '../notify/io/sender.js'
import { schedulePass } from '../schedule/io/pass.js'
import { clearLeftovers, lookForLeftoversEveryMs } from '../service/io/clear-leftovers.js'
import { servicePass } from '../service/io/pass.js'
import { lookForOldVersionsEveryMs, pruneVersions } from '../service/io/prune-versions.js'
import type { MakesRoom } from '../service/situation.js'
import { lookForOldEventsEveryMs, pruneEvents } from '../store/io/prune-events.js'
import type { ChangeListener, Registry } from '../store/io/registry.js'
import type { SecretBox } from '../store/io/secret-box.js'
import { LossWatch } from '../store/losses.js'
import { kindOfKey } from '../store/records.js'
import { SteadyLosses } from '../store/steady-losses.js'
import { isOutOfReach } from '../store/store.js'
import { UnreadableKeys } from '../store/unreadable-keys.js'
import type { openUnitReader } from '../unit/reader.js'
import { heardMachines } from './heard-machines.js'
import type { machineIdOf } from './machine.js'
import { leasesEndWithinMs } from './machine-presence.js'
import type { StoreConnectivity } from './store-connectivity.js'
import type { Teardown } from './teardown.js'

/** How long other engines wait at most for a leader that is gone; fleet's is five times its interval of 2 s. */
const longestLeadMs = 10_000
/** The shortest time between two passes: a burst of changes is decided together. */
const restAfterPassMs = 15
/** The longest time between two runs of a pass that nothing woke. */
const lookEveryMs = 15_000
/** The longest time between two looks at whose clock is to be asked for. */
const lookAtClocksEveryMs = 60_000

/** Kinds of records that only say what clocks say. */
const ofClocks: ReadonlySet<string> = new Set(['clockCall', 'clockReading', 'clockOffset'])

type EngineParts = Pick<Parameters<typeof enginePass>[0], 'events' | 'log'> & {
  readonly id: Awaited<ReturnType<typeof machineIdOf>>
  readonly units: ReturnType<typeof openUnitReader>
  readonly makesRoom: MakesRoom
  readonly unitOf: UnitOfVersion
  readonly secrets: SecretBox
  readonly sender: Sender
  readonly cluster: string
  readonly connectivity: StoreConnectivity
  readonly agentTtlMs: number
  readonly keepEventsMs: () => number
  readonly keepVersions: () => number
  readonly forgetAfterMs: () => number
  readonly clock: Time
  readonly clockWatch: Pick<JumpWatch, 'jumps' | 'onJump'>
  /** The time by which the loop of that name waits; default: the same for all. */
  readonly timeOf?: (loop: string) => Time
  /** Each pass looks at all services, which tells whether it would have missed any. */
  readonly looksAtAll?: boolean
}

type LeaderLoops = ReturnType<typeof leaderLoops>

/** The leader's loops. They run everywhere and do nothing where this machine does not lead. */
export async function startEngine(registry: Registry, parts: EngineParts, undo: Teardown): Promise<void> {
  const { id, connectivity, agentTtlMs, clock, clockWatch, log } = parts
  /** Everything that a leader does looks anew. */
  const wakeAll = (): void => {
    notifier.wake()
    for (const loop of Object.values(loops)) loop.wake()
  }
  const keeper = startLeaseKeeper({
    registry,
    machine: id,
    clock,
    log,
    // A leader that is lost as a machine is lost as a leader too.
    ttlMs: Math.min(longestLeadMs, agentTtlMs),
    connectedForMs: connectivity.connectedForMs,
    onDecides: wakeAll,
  })
  await undo.push('the lead', () => keeper.stop())
  const unsubscribe = clockWatch.onJump((byMs) => {
    log.warn('daemon', 'system clock changed', { byMs })
    wakeAll()
  })
  await undo.push('the watch over the clock', async () => unsubscribe())
  const leadership = { epoch: keeper.epoch, jumps: clockWatch.jumps }
  const { losses, end } = followLosses(registry, parts, () => {
    for (const loop of Object.values(loops)) loop.wake()
  })
  await undo.push('the watch over machines', async () => end())
  const notifier = startNotifier({
    ...parts,
    registry,
    epoch: keeper.epoch,
    onError: errorsOf('webhook', log),
  })
  await undo.push('deliveries', () => notifier.stop())
  const loops = leaderLoops(registry, parts, {
    ...leadership,
    losses,
    notifiedUpTo: () => notifier.toldUpTo(),
  })
  const unreadable = new UnreadableKeys(registry.view)
  const unfollow = registry.onChange((kinds, changes) => wakeFor(kinds, loops, unreadable.note(changes)))
  await undo.push('the engine', async () => {
    unfollow()
    await Promise.all(Object.values(loops).map((loop) => loop.stop()))
  })
}

/** A store out of reach is said by what watches the connection. */
function errorsOf(part: LogPart, log: EngineParts['log']): (error: unknown) => void {
  return (error) => {
    if (!isOutOfReach(error)) log.error(part, describeError(error))
  }
}

/** Which machines are lost, by what the view has seen, and by what the leases say of those that vanished. */
function followLosses(
  registry: Registry,
  { agentTtlMs, clock, log }: EngineParts,
  onHeard: () => void,
): { readonly losses: SteadyLosses; readonly end: () => void } {
  const losses = new SteadyLosses(new LossWatch(registry.view, leasesEndWithinMs(agentTtlMs)), clock)
  const end = registry.onChange((kinds, changes) => {
    if (!kinds.has('machine')) return
    losses.note(changes)
    if (!changes.some(({ type, key }) => type === 'delete' && kindOfKey(key) === 'machine')) return
    heardMachines(registry, agentTtlMs).then(
      (heard) => {
        losses.hear(heard)
        onHeard()
      },
      (error: unknown) => log.warn('engine', `cannot request leases: ${describeError(error)}`),
    )
  })
  return { losses, end }
}

/** What a leader knows beside the records. */
interface Leadership {
  readonly epoch: () => number | null
  readonly jumps: () => readonly ClockJump[]
  readonly losses: SteadyLosses
  /** Up to where events have been made into deliveries. */
  readonly notifiedUpTo: () => number | null
}

function leaderLoops(registry: Registry, parts: EngineParts, leadership: Leadership) {
  const { id, units, unitOf, makesRoom, events, connectivity, agentTtlMs, clock, log } = parts
  const { epoch, jumps, losses, notifiedUpTo } = leadership
  const { keepEventsMs: keepMs, keepVersions: keep, forgetAfterMs } = parts
  const every = (part: LogPart, name: string, intervalMs: number, pass: Pass, restMs = 0): Loop =>
    startLoop({
      ...{ pass, intervalMs, restMs, clock: parts.timeOf?.(name) ?? clock },
      onError: errorsOf(part, log),
      onPass: tellPasses(log, part, name),
    })
  const decides = (part: LogPart, name: string, pass: Pass): Loop =>
    every(part, name, lookEveryMs, pass, restAfterPassMs)
  const common = { registry, events, log, epoch }
  const { connectedForMs } = connectivity
  return {
    schedules: decides('schedule', 'schedules', schedulePass(common)),
    services: decides(
      'service',
      'services',
      servicePass({
        ...common,
        ...{ unitOf, makesRoom, units, losses, jumps, connectedForMs },
        looksAtAll: parts.looksAtAll,
      }),
    ),
    placements: decides(
      'engine',
      'placements',
      enginePass({ ...common, needsOf: units.needs, losses, jumps, time: clock }),
    ),
    clocks: every(
      'engine',
      'clocks',
      lookAtClocksEveryMs,
      clockPass({ ...common, machine: id, clock, jumps }),
      restAfterPassMs,
    ),
    scales: every(
      'autoscale',
      'triggers',
      lookEveryMs,
      autoscalePass({ ...common, time: clock }),
      lookAtMetricsEveryMs,
    ),
    machines: every(
      'engine',
      'machines',
      lookEveryMs,
      lostMachinesPass({ ...common, losses, clock, jumps, graceMs: agentTtlMs, forgetAfterMs }),
    ),
    oldEvents: every(
      'events',
      'old events',
      lookForOldEventsEveryMs(keepMs()),
      pruneEvents({ registry, epoch, keepMs, readUpTo: notifiedUpTo, jumps }),
    ),
    leftovers: every('service', 'leftovers', lookForLeftoversEveryMs, clearLeftovers({ ...common, jumps })),
    oldVersions: every(
      'service',
      'old versions',
      lookForOldVersionsEveryMs,
      pruneVersions({ registry, epoch, keep, log }),
    ),
  }
}

/** Kinds of records that no schedule depends on, as long as they can be read. */
const ofNoSchedule: ReadonlySet<string> = new Set([
  ...ofClocks,
  'event',
  'file',
  'meta',
  'metrics',
  'unit',
  'waiting',
])

/** Wakes the loops that decide on records of these kinds; `isReadAnew`: some can no longer be read, or can be again. */
function wakeFor(kinds: Parameters<ChangeListener>[0], loops: LeaderLoops, isReadAnew: boolean): void {
  if ([...kinds].every((kind) => kind === 'event' || kind === 'metrics')) return
  if (kinds.has('machine') || kinds.has('clockReading')) loops.clocks.wake()
  if ([...kinds].every((kind) => ofClocks.has(kind))) return
  loops.services.wake()
  // Something may be scaled by triggers from now on, or nothing any more.
  if (kinds.has('service') || kinds.has('machine')) loops.scales.wake()
  if ([...kinds].some((kind) => engineReads.has(kind))) loops.placements.wake()
  if (isReadAnew || [...kinds].some((kind) => !ofNoSchedule.has(kind))) loops.schedules.wake()
  if (kinds.has('machine') || kinds.has('knownMachine') || kinds.has('leader')) loops.machines.wake()
}
