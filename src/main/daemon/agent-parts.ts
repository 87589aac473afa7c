// What a daemon runs on its machine: the agent, and the metrics that it reads there.
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Agent, startAgent } from '../../agent/io/agent.js'
import { type Collector, startCollector } from '../../agent/io/metrics/collector.js'
import type { StopsAsked } from '../../agent/stops-asked.js'
import { purgeOnStop } from '../on-stop.js'
import { openServedCluster, type ServedCluster } from '../served-cluster.js'
import { type Base, unlessFull } from './base.js'
import type { Cluster } from './cluster.js'
import type { MachineParts } from './machine-parts.js'

export interface AgentParts {
  readonly agent: Agent | null
  readonly collector: Collector | null
  /** Whether this machine is part of the cluster: a store that is away or full does not say so yet. */
  readonly isPart: boolean
}

export async function startAgentParts(
  base: Base,
  cluster: Cluster,
  machine: MachineParts,
  stopsAsked: StopsAsked,
): Promise<AgentParts> {
  const { options, clock, log, undo } = base
  const { member, events, units, traffic } = machine
  const { registry, clusterId, copies } = cluster
  let isPart = member.isClaimed
  if (!options.agent) return { agent: null, collector: null, isPart }
  if (isPart) isPart = (await unlessFull(() => member.announce())) !== null
  const served = await openServedCluster({
    ...{ dataDir: options.dataDir, clusterId, copyOf: copies.last?.cluster ?? null },
    ...{ machine: member.id, hostname: hostname(), registry, events, log },
  })
  const agent = await startAgentOf(base, cluster, machine, { served, stopsAsked })
  await served.noteServed(agent.unknownUnits().length > 0)
  const driverOf = agent.driverOf.bind(agent)
  const collector = startCollector({
    ...{ machine: member.id, registry, units, driverOf, clock, log },
    entry: traffic,
  })
  await undo.push('metrics', () => collector.stop())
  return { agent, collector, isPart }
}

async function startAgentOf(
  { current, options, clock, clockWatch, log, undo, beforeEnd }: Base,
  { registry, secrets, space, away }: Cluster,
  { member, events, drivers, keptLogs, units, policies }: MachineParts,
  { served, stopsAsked }: { served: ServedCluster; stopsAsked: StopsAsked },
): Promise<Agent> {
  const agent = await startAgent({
    ...{ machine: member.id, registry, drivers, units, events, secrets, clock, clockWatch, log },
    onDrivers: (here) => member.tellDrivers(here),
    isForeign: served.isForeign,
    onUnknown: served.onUnknown,
    alone: away !== null,
    space,
    stopsAsked,
    policy: policies.now,
    keptLogs,
    leftVolumesFile: join(options.dataDir, 'volumes-to-delete.json'),
    movedVolumesDir: join(options.dataDir, 'moved-volumes'),
    pausedUnitsFile: join(options.dataDir, 'paused-units.json'),
    leavingFile: join(options.dataDir, 'leaving-instances.json'),
    stoppingFile: join(options.dataDir, 'stopping-instances.json'),
  })
  const stopAgent = once(() => agent.stop())
  await undo.push('the agent', stopAgent)
  if (options.onStop === 'purge') {
    beforeEnd(async () => {
      // It would start again what it sees stopped, and report it.
      await stopAgent()
      member.notePurged(await purgeOnStop(drivers.values(), keptLogs, current.now().onStopTimeoutMs, log))
    })
  }
  return agent
}

/** Does something the first time, and gives what came of it from then on. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= work())
}
