// What a daemon does as a part of the cluster, and not alone: it begins with the start, or when the store is back.
import { startImageKeeper } from '../../agent/io/image-keeper.js'
import { openVersionUnits } from '../../compile/version-unit.js'
import { startClockAnswers } from '../../leader/io/clock-answers.js'
import { describeError } from '../../lib/io/log.js'
import { isFrozen } from '../../service/queue.js'
import { keepLocalCopy } from '../../store/io/local-copy.js'
import { startTelling } from '../../store/io/report-unreadable.js'
import { putOf } from '../../store/records.js'
import { startEngine } from '../engine.js'
import { type DrainOptions, drainOnStop, liftDrain } from '../on-stop.js'
import type { AgentParts } from './agent-parts.js'
import { type Base, unlessFull } from './base.js'
import type { Cluster } from './cluster.js'
import { type MachineParts, manifestSettings } from './machine-parts.js'
import type { PlanningParts } from './planning-parts.js'

export interface JoinParts {
  readonly base: Base
  readonly cluster: Cluster
  readonly machine: MachineParts
  readonly agents: AgentParts
  readonly planning: PlanningParts
}

/** Joins now, where this machine is part of the cluster; the rest is done when the store is back, or has room. */
export async function joinOrWait(parts: JoinParts): Promise<() => Promise<void>> {
  const { base, cluster, machine, agents } = parts
  if (agents.isPart) {
    await joinCluster(parts)
    return async () => {}
  }
  const { member, described, secretKeys } = machine
  const { registry, space, away } = cluster
  // A store that is full may have let its lease end: what runs here is served all the same.
  const takeBack = away === null ? registry.assume(putOf('machine', described)) : null
  return async () => {
    warnOfBeingAlone(parts)
    await away
    await registry.complete
    secretKeys.look()
    await member.claimWhenItFits()
    takeBack?.()
    if (base.options.agent) await space.whenItFits(() => member.announce(), base.end)
    await joinCluster(parts)
    base.log.info('daemon', 'rejoined the cluster')
  }
}

function warnOfBeingAlone({ base: { log }, cluster: { away, space, copies } }: JoinParts): void {
  if (away === null)
    log.warn('daemon', 'store is full; running local units only, changes are refused', {
      reason: space.full()?.reason,
    })
  else
    log.warn('daemon', 'store unreachable; running local units only, changes are refused', {
      knows: `what was placed here at ${new Date(copies.ofEtcd?.savedAt ?? 0).toISOString()}`,
    })
}

async function joinCluster(parts: JoinParts): Promise<void> {
  const { base, cluster, machine, agents } = parts
  const { options, clock, clockWatch, log, undo } = base
  const { registry } = cluster
  const { agent } = agents
  if (agent !== null) {
    await followDrains(parts)
    agent.join()
    const answers = startClockAnswers({ registry, machine: machine.member.id, clock, clockWatch, log })
    await undo.push('what its clock says', () => answers.stop())
  }
  const unreadable = startTelling({ registry, events: machine.events, clock, log })
  await undo.push('what cannot be read', () => unreadable.stop())
  if (agent !== null && base.isOnEtcd) await keepCopy(base, cluster, machine)
  await keepImages(parts)
  if (options.engine) await startEngineOf(parts)
}

/** Ends the drain of the stop before, and drains with this stop where it is told to. */
async function followDrains({ base, cluster, machine, planning }: JoinParts): Promise<void> {
  const { current, options, clock, log, connectivity, beforeEnd, end } = base
  const { registry, space } = cluster
  const { member, events } = machine
  const { explainer } = planning
  const drain: DrainOptions = {
    ...{ registry, explainer, events, machine: member.id, dataDir: options.dataDir, clock, log },
  }
  if ((await unlessFull(() => liftDrain(drain))) === null) {
    space
      .whenItFits(() => liftDrain(drain), end)
      .catch((error: unknown) => {
        if (!end.aborted) log.warn('daemon', `cannot end the drain: ${describeError(error)}`)
      })
  }
  if (options.onStop !== 'drain') return
  beforeEnd(async () => {
    if (connectivity.outage() === null) await drainOnStop(drain, current.now().onStopTimeoutMs)
    else log.warn('daemon', 'not drained: store unreachable; units keep running')
  })
}

async function keepCopy(
  { clock, log, undo, connectivity }: Base,
  { registry, clusterId, copies: { file } }: Cluster,
  { member }: MachineParts,
): Promise<void> {
  const copy = keepLocalCopy({
    ...{ registry, machine: member.id, cluster: clusterId, file, clock },
    onError: (error) => log.warn('agent', `cannot keep ${file}: ${describeError(error)}`),
    seenAt: () => connectivity.outage()?.since ?? clock.now(),
  })
  await undo.push('the local copy', () => copy.stop())
}

async function keepImages({ base, cluster, machine, agents }: JoinParts): Promise<void> {
  const { clock, log, undo, connectivity } = base
  const { registry } = cluster
  const driver = machine.drivers.get('docker')
  if (driver === undefined) return
  const isCurrent = (): boolean => registry.isComplete() && connectivity.outage() === null
  const keeper = startImageKeeper({
    ...{ machine: machine.member.id, registry, driver, isCurrent, isFrozen, clock, log },
    onDiskPressure: (name) => agents.agent?.tellDiskPressure(name),
  })
  await undo.push('images', () => keeper.stop())
}

async function startEngineOf({ base, cluster, machine, planning }: JoinParts): Promise<void> {
  const { current, options, clock, clockWatch, log, undo, connectivity } = base
  const { explainer, sender } = planning
  await startEngine(
    cluster.registry,
    {
      id: machine.member.id,
      units: machine.units,
      makesRoom: explainer.makesRoom.bind(explainer),
      events: machine.events,
      unitOf: openVersionUnits(manifestSettings(base)),
      secrets: cluster.secrets,
      sender,
      cluster: cluster.clusterId,
      keepEventsMs: () => current.now().keepEventsMs,
      keepVersions: () => current.now().keepVersions,
      forgetAfterMs: () => current.now().forgetAfterMs,
      connectivity,
      agentTtlMs: options.agentTtlMs,
      clock,
      clockWatch,
      log,
    },
    undo,
  )
}
