// Daemons without machines: the real passes of a leader and the real changes of the API, each with a view of its own over
// one store, interleaved at every request and at every batch that is watched. A machine that does as it is told stands
// for the agent.

import { applyChange } from '../../src/api/io/context.js'
import { autoscalePass } from '../../src/autoscale/io/pass.js'
import { decideDeploy } from '../../src/changes/deploy.js'
import type { Problem } from '../../src/changes/problem.js'
import type { Change } from '../../src/changes/services.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import { Explainer } from '../../src/engine/explain.js'
import { enginePass } from '../../src/engine/io/pass.js'
import { noJumps } from '../../src/lib/elapsed.js'
import type { Pass } from '../../src/lib/io/loop.js'
import type { Time, Timer } from '../../src/lib/time.js'
import type { MachineId } from '../../src/model/machine.js'
import { schedulePass } from '../../src/schedule/io/pass.js'
import { servicePass } from '../../src/service/io/pass.js'
import { startedReport } from '../../src/simulate/started-report.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { LossWatch } from '../../src/store/losses.js'
import { leaderKey, putOf } from '../../src/store/records.js'
import type { Op, Store } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { openMemoryStore } from '../store/memory-store.js'
import { idOf } from '../world/world.js'
import { interleaved, randomFrom, turnsIn } from './turns.js'

export const project = 'default'
/** The machines that there are; the first one leads. */
export const machines = [idOf('m'), idOf('n')] as const
const [machine] = machines

export interface Daemon {
  readonly registry: Registry
  /** Changes something as the API does; resolves when it is acknowledged, throws with the problem when it is refused. */
  change<C extends Change>(decide: (view: ClusterView, now: number) => C | Problem): Promise<C>
}

export interface Cluster {
  now(): number
  readonly random: () => number
  readonly store: Store
  /** Daemons that serve the API; the first one leads. */
  readonly daemons: readonly Daemon[]
  /** Runs an actor until it ends. What it throws fails the run. */
  start(actor: () => Promise<void>): void
  /** Lets everything go on until all actors have ended and nothing changes any more. */
  run(onTurn: () => void): Promise<void>
}

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }

/** A cluster whose every await can be interleaved; the same run for the same seed. */
export async function openCluster(seed: number, daemonCount: number): Promise<Cluster> {
  const random = randomFrom(seed)
  let time = 1_000_000
  const due = new Set<{ readonly at: number; readonly run: () => void }>()
  const clock: Time = {
    now: () => time,
    steady: () => time,
    after: (ms, run) => {
      const one = { at: time + ms, run }
      due.add(one)
      const timer: Timer = { cancel: () => due.delete(one), unref: () => timer }
      return timer
    },
  }
  const store = openMemoryStore({ clock, historyLimit: 1_000_000 })
  await store.txn(
    [],
    [...machines.map(machineRecord), { op: 'put', key: leaderKey, value: JSON.stringify({ machine }) }],
  )
  const turns = turnsIn(random)
  let ended = false
  const failures: unknown[] = []
  const onError = (error: unknown): void => {
    if (!ended) failures.push(error)
  }
  const opening = Array.from({ length: daemonCount + 1 }, async () =>
    openRegistry(interleaved(store, turns), { onError, patienceMs: 3_600_000 }),
  )
  const opened = Promise.all(opening)
  let isOpen = false
  const open = (): void => {
    isOpen = true
  }
  opened.then(open, open)
  while (!isOpen) await turns.give()
  const [agentRegistry, ...registries] = await opened
  if (agentRegistry === undefined) throw new Error('no registry')
  const daemons = registries.map((registry, n): Daemon => {
    const events = openEventLog(clock, idOf(`d${n}`))
    return { registry, change: (decide) => applyChange({ registry, events, clock, random }, null, decide) }
  })
  let actors = 0
  const stop = new AbortController()
  const passes = passesOf(registries[0] ?? agentRegistry, clock).concat(agentPass(agentRegistry))

  /** One after the other, as a loop does: never two of one pass at a time. */
  const keepPassing = async (pass: Pass): Promise<void> => {
    while (!stop.signal.aborted) {
      await pass(time, stop.signal)
      await turns.take()
    }
  }
  return {
    now: () => time,
    random,
    store,
    daemons,
    start: (actor) => {
      actors += 1
      actor()
        .catch((error: unknown) => failures.push(error))
        .finally(() => {
          actors -= 1
        })
    },
    run: async (onTurn) => {
      const running = passes.map((pass) => keepPassing(pass).catch(onError))
      let quietFor = 0
      let revision = -1
      for (let turn = 0; actors > 0 || quietFor < 400; turn++) {
        if (turn > 200_000) throw new Error('it never comes to rest')
        await turns.give()
        onTurn()
        time += Math.floor(random() * 20)
        for (const one of due) if (one.at <= time && due.delete(one)) one.run()
        const { revision: now } = await store.range('nothing')
        quietFor = actors === 0 && now === revision ? quietFor + 1 : 0
        revision = now
        if (failures.length > 0) throw failures[0]
      }
      ended = true
      stop.abort()
      let isOver = false
      const over = (): void => {
        isOver = true
      }
      Promise.allSettled(running).then(over, over)
      while (!isOver) await turns.give()
      const closing = Promise.all([agentRegistry, ...registries].map((registry) => registry.close()))
      for (let turn = 0; turn < 50; turn++) await turns.give()
      await closing
    },
  }
}

/** A machine that runs processes. */
export function machineRecord(id: MachineId): Op {
  return putOf('machine', {
    id,
    hostname: id,
    ip: '10.0.0.1',
    metadata: {},
    capacity: { cpus: 64, memoryMb: 1_000_000, diskMb: 10_000 },
    drivers: ['process'],
    version: '0',
    bootedAt: 0,
  })
}

function passesOf(registry: Registry, clock: { now(): number }): Pass[] {
  const events = openEventLog(clock, machine)
  const units = openUnitReader((hash) => registry.view.files.get(hash))
  const epoch = (): number | null => registry.view.leader?.epoch ?? null
  const explainer = new Explainer(registry.view, (unit) => units.needs(unit))
  registry.onChange((_, changes) => {
    for (const change of changes) explainer.note(change)
  })
  const makesRoom = explainer.makesRoom.bind(explainer)
  const jumps = () => noJumps
  const common = { registry, events, losses: new LossWatch(registry.view, 0), log, epoch, jumps }
  return [
    servicePass({
      ...common,
      connectedForMs: () => Number.POSITIVE_INFINITY,
      unitOf: openVersionUnits(defaultSettings),
      makesRoom,
      units,
    }),
    enginePass({ ...common, needsOf: (unit) => units.needs(unit) }),
    schedulePass(common),
    autoscalePass({
      ...common,
      time: { steady: () => clock.now() },
    }),
  ]
}

/** Machines on which programs start and stop at once; those of services that are not continuous end at once, too. */
function agentPass(registry: Registry): Pass {
  return async (now) => {
    const ops = machines.flatMap((id) => reportsDue(registry.view, id, now))
    if (ops.length > 0) await registry.commit([], ops)
    return { wakeAt: null }
  }
}

function reportsDue(view: ClusterView, id: MachineId, now: number): readonly Op[] {
  const gone = [...view.reportsOf(id).values()].filter(({ name }) => !view.placedOn(id).has(name))
  const forget = gone.map(({ name }): Op => ({ op: 'delete', key: `reports/${id}/${name}` }))
  const told = [...view.placedOn(id).keys()].flatMap((name): readonly Op[] => {
    const unit = view.units.get(name)
    const instance = view.instances.get(name)
    if (unit === undefined || instance === undefined) return []
    const known = view.reportOf(name)
    const type = view.versions.get(instance.version)?.type
    const exit = { code: 0, signal: null, oom: false, at: now }
    const over = { active: 'inactive', sub: 'dead', launched: false, exit, since: now } as const
    if (unit.desired === 'launched' && (known === null || !known.launched)) {
      if (known?.exit != null) return []
      const report = startedReport(id, name, now)
      return [putOf('report', type === 'continuous' ? report : { ...report, ...over, launched: true })]
    }
    if (unit.desired === 'loaded' && known?.active !== 'inactive')
      return [putOf('report', { ...(known ?? startedReport(id, name, now)), ...over })]
    return []
  })
  return [...forget, ...told]
}

/** A deploy of one service, as `service deploy` makes it. */
export function deployOf(
  name: string,
  text: string,
  scale?: number,
): (view: ClusterView, now: number) => ReturnType<typeof decideDeploy> {
  const request = {
    sources: [{ file: `${name}.yml`, text, name }],
    ...(scale !== undefined && { scale }),
  }
  return (view, now) => decideDeploy(view, defaultSettings, project, request, now)
}
