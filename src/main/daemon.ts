// The daemon: joins store, engine, services, agent and API, and takes them down again in order.

import { hostname } from 'node:os'
import { join as joinPath } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Driver } from '../agent/driver.js'
import { driversHere } from '../agent/drivers-here.js'
import { type Agent, startAgent } from '../agent/io/agent.js'
import { startImageKeeper } from '../agent/io/image-keeper.js'
import { type Collector, startCollector } from '../agent/io/metrics/collector.js'
import { noDoors, openDoors } from '../api/io/doors.js'
import { ListenError } from '../api/io/listen.js'
import { openPeers } from '../api/io/peers.js'
import { startApiServer } from '../api/io/server.js'
import { startTriggerServer } from '../api/io/trigger-server.js'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { outliveReader } from '../cli/io/closed-pipe.js'
import { openVersionUnits } from '../compile/version-unit.js'
import { Explainer } from '../engine/explain.js'
import { InvariantError } from '../lib/invariant.js'
import { systemClock } from '../lib/io/clock.js'
import { describeError, type Log, lineLog } from '../lib/io/log.js'
import { watchLoopDelay } from '../lib/io/loop-delay.js'
import type { UnitName } from '../model/unit.js'
import { openMailer } from '../notify/io/mailer.js'
import { openSender } from '../notify/io/sender.js'
import { openEventLog } from '../store/io/event-log.js'
import { keepLocalCopy, readLocalCopy } from '../store/io/local-copy.js'
import { openRegistry } from '../store/io/registry.js'
import { openSecretBox } from '../store/io/secret-box.js'
import { startTelling } from '../store/io/tell-unreadable.js'
import { isOutOfReach, type Store, StoreError } from '../store/store.js'
import { openUnitReader } from '../unit/reader.js'
import { triggerBaseOf } from './access-options.js'
import { conditionOf } from './condition.js'
import { makeDataDir } from './data-dir.js'
import { DriverMissingError, openDrivers } from './drivers.js'
import { startEngine } from './engine.js'
import { guardProcess } from './faults.js'
import { forgetGone } from './forget-gone.js'
import { describeMachine, holderOf, machineIdOf } from './machine.js'
import { drainOnStop, liftDrain, type OnStop, purgedReports, purgeOnStop } from './on-stop.js'
import type { DaemonOptions } from './options.js'
import { claimMachine, DuplicateMachineError, type Presence } from './presence.js'
import { openServedCluster } from './served-cluster.js'
import { watchSpace } from './space.js'
import { openStore } from './store.js'
import { describeStore } from './store-options.js'
import { openTeardown, type Teardown } from './teardown.js'
import { openTouch } from './touch.js'
import { version } from './version.js'

const describeOnStop: Readonly<Record<OnStop, string>> = {
  keep: 'what runs goes on running',
  drain: 'what runs is replaced elsewhere first; another signal ends it at once',
  purge: 'what runs is stopped first; another signal ends it at once',
}

/** Why a daemon ends that was told to. */
const stoppedOnPurpose = 'stopped on purpose'

/**
 * Runs the daemon until it is told to stop; resolves to its exit status. What runs on the machine goes on running.
 * Throws CommandError when it cannot start.
 */
export async function runDaemon(options: DaemonOptions): Promise<number> {
  // A daemon makes little garbage and lives long: a young generation that never grows costs it nothing and saves memory.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Left alone V8 lets the old generation grow to several times what lives in it before it looks for garbage there.
  setFlagsFromString('--heap-growing-percent=30')
  // At rest V8 would collect again and again to win back some 20 MiB, for ten times the processor time of all else.
  setFlagsFromString('--no-memory-reducer')
  outliveReader()
  const log = lineLog((line) => process.stderr.write(line))
  /** What ends the daemon in order, once there is something to end. */
  let inOrder: Ending['fail'] | null = null
  guardProcess({
    log,
    end: (error) => {
      // What nobody foresaw may have left anything undone; an invariant was looked at before anything was done.
      if (!(error instanceof InvariantError) || inOrder === null) process.exit(exitCodes.failed)
      setTimeout(() => process.exit(exitCodes.failed), longestEndMs).unref()
      inOrder(error)
    },
  })
  watchLoopDelay(log)
  const stop = new AbortController()
  const stopOn = (signal: NodeJS.Signals): void => {
    process.once(signal, () => {
      log.info('daemon', `stops on ${signal}; ${describeOnStop[options.onStop]}`)
      stop.abort(stoppedOnPurpose)
    })
  }
  stopOn('SIGTERM')
  stopOn('SIGINT')
  try {
    while (!stop.signal.aborted)
      await serveOneStore(options, log, stop.signal, (fail) => {
        inOrder = fail
      })
    return exitCodes.done
  } catch (error) {
    throw startError(error)
  } finally {
    endThoughBusy()
  }
}

/** How long an end in order may take. */
const longestEndMs = 5000

/** A connection that is still being made, or a start that was left, is no reason to stay. */
function endThoughBusy(): void {
  setTimeout(() => process.exit(), 500).unref()
}

/**
 * Serves until told to stop, or until etcd was put back to what it was before. Then everything that is known is of no
 * use, and is read anew. A socket that was handed over can be listened on once only: there the process has to end.
 */
async function serveOneStore(
  options: DaemonOptions,
  log: Log,
  stop: AbortSignal,
  onServe: (fail: Ending['fail']) => void,
): Promise<void> {
  try {
    await serve(options, log, stop, onServe)
  } catch (error) {
    const isReplaced = error instanceof StoreError && error.code === 'store/replaced'
    if (!isReplaced || options.listen.some(({ kind }) => kind === 'inherited')) throw error
    log.warn('daemon', `reads everything anew; what runs goes on running: ${describeError(error)}`)
  }
}

async function serve(
  options: DaemonOptions,
  log: Log,
  stop: AbortSignal,
  onServe: (fail: Ending['fail']) => void,
): Promise<void> {
  const failure = new AbortController()
  const fail = (error: unknown): void => failure.abort(error)
  onServe(fail)
  const end = AbortSignal.any([stop, failure.signal])
  const undo = openTeardown(log)
  let leave = async (): Promise<void> => {}
  const beforeEnd = (step: () => Promise<void>): void => {
    leave = step
  }
  const started = start(options, log, undo, { end, fail, beforeEnd })
  try {
    // To end does not wait for a start that waits for something else.
    await Promise.race([started, aborted(end)])
    await aborted(end)
    if (failure.signal.aborted) throw failure.signal.reason
    await leave()
  } finally {
    started.catch(() => {})
    await undo.run()
  }
}

/** How a running daemon ends: when it is told to, or by something that it cannot go on after. */
interface Ending {
  readonly end: AbortSignal
  readonly fail: (error: unknown) => void
  /** What is done first of all when it is told to end, with all of it still at work. */
  readonly beforeEnd: (step: () => Promise<void>) => void
}

async function start(
  options: DaemonOptions,
  log: Log,
  undo: Teardown,
  { end, fail, beforeEnd }: Ending,
): Promise<void> {
  const clock = systemClock
  await makeDataDir(options.dataDir, process.getuid?.() ?? 0)
  const touch = openTouch(clock)
  const handedOver = options.listen.flatMap((address) => (address.kind === 'inherited' ? [address.fd] : []))
  const doors = options.store.kind === 'etcd' ? await openDoors(handedOver) : noDoors
  await undo.push('sockets', () => doors.close())
  const copyFile = joinPath(options.dataDir, 'local-copy.json')
  const lastCopy = options.agent ? await readLocalCopy(copyFile) : null
  const copy = options.store.kind === 'etcd' ? lastCopy : null
  const onOpen = (store: Store): Promise<void> => {
    undo.hurryBy(() => store.close())
    return undo.push('the store', () => store.close())
  }
  const where = { store: options.store, dataDir: options.dataDir }
  const opened = await openStore({ ...where, known: copy?.cluster ?? null, log, touch, onOpen }, end)
  if (opened === null) return
  const { clusterId, away } = opened
  const space = watchSpace(opened.store, clock)
  const { store } = space
  await undo.push('the watch over space', () => space.stop())
  const registry = await openRegistry(store, {
    onError: (error) => {
      if (error instanceof InvariantError) fail(error)
      else if (error instanceof StoreError && error.code === 'store/replaced') fail(error)
      else if (!end.aborted && !isOutOfReach(error))
        log.warn('store', `the view cannot follow: ${describeError(error)}`)
    },
    // All that is written is seen by watching; a listing is for a store that others write to as well.
    ...(options.store.kind === 'etcd' && { patienceMs: 2000 }),
    ...(away !== null && copy !== null && { initial: copy.entries }),
  })
  await undo.push('the view', () => registry.close())
  const secrets = openSecretBox({
    keyFile: options.secretKeyFile,
    inUse: () => !registry.isComplete() || registry.view.hasSecrets(),
  })
  const manifests = { cns: options.cns, packages: options.packages, mail: options.smtp !== null }
  const id = await machineIdOf(options.dataDir)
  const events = openEventLog(clock, id)
  let purged: ReadonlySet<UnitName> | null = null
  const claim = async (): Promise<Presence> => {
    const presence = await claimMachine(
      {
        registry,
        events,
        id,
        holder: options.store.kind === 'embedded' ? 'embedded' : await holderOf(options.dataDir),
        hostname: hostname(),
        ttlMs: options.agentTtlMs,
        clock,
        log,
        onTaken: fail,
        onLost: touch.restored,
      },
      end,
    )
    await undo.push('the heartbeat', () => {
      if (purged !== null) return presence.withdraw(purgedReports(registry.view, id, purged))
      const isOnPurpose = end.reason === stoppedOnPurpose && touch.broken() === null
      return isOnPurpose && options.store.kind === 'etcd' && options.awayGraceMs > 0
        ? presence.leave(options.awayGraceMs)
        : presence.stop()
    })
    return presence
  }
  // Before anything on the machine is touched: a copy of it must keep its hands off.
  const claimed = away === null ? await claim() : null

  const drivers = options.agent
    ? await openDrivers({
        dataDir: options.dataDir,
        machine: { id, hostname: hostname() },
        owner: clusterId.slice(0, 8),
        wanted: options.drivers,
        docker: options.docker,
        known: new Set([...registry.view.reportsOf(id).values()].map(({ driver }) => driver)),
        clock,
        log,
      })
    : new Map()
  for (const driver of drivers.values()) await undo.push(`the driver ${driver.kind}`, () => driver.close())
  const machine = await describeMachine({
    id,
    dataDir: options.dataDir,
    publicIp: options.publicIp,
    amongOthers: options.store.kind === 'etcd',
    metadata: options.metadata,
    drivers: driversHere(drivers.values()),
    version,
    api: options.access.advertise,
    clock,
  })
  const units = openUnitReader((hash) => registry.view.files.get(hash), machine)
  registry.onChange((_, changes) => forgetGone(units, changes))
  /** This machine as it is told of; its drivers come and go. */
  let announced = machine
  let presence = claimed
  let agent: Agent | null = null
  let collector: Collector | null = null
  if (options.agent) {
    await claimed?.announce(machine)
    const served = await openServedCluster({
      ...{ dataDir: options.dataDir, clusterId, copyOf: lastCopy?.cluster ?? null },
      ...{ machine: id, hostname: hostname(), registry, events, log },
    })
    const started = await startAgent({
      ...{ machine: id, registry, drivers, units, events, secrets, clock, log },
      onDrivers: async (here) => {
        announced = { ...machine, driversAway: [], ...here }
        await presence?.announce(announced)
      },
      ...{ isForeign: served.isForeign, onUnknown: served.onUnknown, alone: claimed === null },
    })
    const stopAgent = once(() => started.stop())
    await undo.push('the agent', stopAgent)
    if (options.onStop === 'purge') {
      beforeEnd(async () => {
        // It would start again what it sees stopped, and report it.
        await stopAgent()
        purged = await purgeOnStop(drivers.values(), options.onStopTimeoutMs, log)
      })
    }
    await served.noteServed(started.unknownUnits().length > 0)
    agent = started
    const metrics = startCollector({
      machine: id,
      registry,
      units,
      driverOf: started.driverOf.bind(started),
      clock,
      log,
    })
    await undo.push('metrics', () => metrics.stop())
    collector = metrics
  }
  const sender = openSender(clock, openMailer(options.smtp, clock))
  await undo.push('webhooks', async () => sender.close())
  const explainer = new Explainer(registry.view, units.needs)
  registry.onChange((_, changes) => {
    for (const change of changes) explainer.note(change)
  })
  /** What is done as a part of the cluster, and not alone. */
  const join = async (): Promise<void> => {
    const ofDrain = { registry, explainer, events, machine: id, dataDir: options.dataDir, clock, log }
    if (agent !== null) await liftDrain(ofDrain)
    if (agent !== null && options.onStop === 'drain') {
      beforeEnd(async () => {
        if (touch.broken() === null) await drainOnStop(ofDrain, options.onStopTimeoutMs)
        else log.warn('daemon', 'is not drained: the store is out of reach; what runs goes on running')
      })
    }
    agent?.join()
    const telling = startTelling({ registry, events, clock, log })
    await undo.push('what cannot be read', () => telling.stop())
    if (agent !== null && options.store.kind === 'etcd') {
      const onError = (error: unknown): void =>
        log.warn('agent', `cannot keep ${copyFile}: ${describeError(error)}`)
      const kept = keepLocalCopy({
        ...{ registry, machine: id, cluster: clusterId, file: copyFile, clock, onError },
        seenAt: () => touch.broken()?.since ?? clock.now(),
      })
      await undo.push('the local copy', () => kept.stop())
    }
    const images = drivers.get('docker')
    if (images !== undefined) {
      const isCurrent = (): boolean => registry.isComplete() && touch.broken() === null
      const keeper = startImageKeeper({
        ...{ machine: id, registry, driver: images, isCurrent, clock, log },
        onDiskPressure: (name) => agent?.tellDiskPressure(name),
      })
      await undo.push('images', () => keeper.stop())
    }
    if (!options.engine) return
    const makesRoom = explainer.makesRoom.bind(explainer)
    const of = {
      id,
      units,
      makesRoom,
      events,
      unitOf: openVersionUnits(manifests),
      secrets,
      sender,
      cluster: clusterId,
    }
    const { agentTtlMs, keepEventsMs, keepVersions } = options
    await startEngine(registry, { ...of, touch, agentTtlMs, keepEventsMs, keepVersions, clock, log }, undo)
  }
  if (claimed !== null) await join()

  const docker: Driver | undefined = drivers.get('docker')
  const { tls, tokens } = options.access
  const triggers = await startTriggerServer(
    { registry, events, secrets, clock, log },
    options.triggerListen,
    tls === null ? null : { cert: tls.cert, key: tls.key },
  )
  await undo.push('trigger URLs', () => triggers.close())
  const peers = openPeers(registry.view, {
    token: tokens.find(({ role }) => role === 'write')?.text ?? null,
    ca: tls?.ca ?? null,
    cert: tls?.cert ?? null,
    key: tls?.key ?? null,
  })
  const server = await startApiServer(
    {
      registry,
      units,
      explainer,
      events,
      machine: id,
      agent,
      collector,
      imageTeller: () => (docker?.absent === true ? null : (docker?.tellImages?.bind(docker) ?? null)),
      meaningReader: () => (docker?.absent === true ? null : (docker?.meaningOf?.bind(docker) ?? null)),
      peers,
      secrets,
      manifests,
      sender,
      cluster: clusterId,
      triggerBase: triggerBaseOf(options.triggerListen, triggers.endpoints, machine.ip),
      clock,
      log,
      version,
      ...conditionOf(registry, touch, space, copy?.savedAt ?? null),
    },
    options.listen,
    { tls, tokens },
    doors,
  )
  await undo.push('the API', () => server.close())
  log.info('daemon', `mariposa ${version} is ready`, {
    machine: id,
    drivers: driversHere(drivers.values()).drivers.join(',') || 'none',
    data: options.dataDir,
    store: describeStore(options.store),
    listen: server.endpoints.join(','),
    triggers: triggers.endpoints.length === 0 ? undefined : triggers.endpoints.join(','),
  })
  if (away === null) return
  log.warn('daemon', 'does its local duties alone until the store is there: nothing can be changed', {
    knows: `what was placed here at ${new Date(copy?.savedAt ?? 0).toISOString()}`,
  })
  await away
  await registry.complete
  presence = await claim()
  if (options.agent) await presence.announce(announced)
  await join()
  log.info('daemon', 'is part of the cluster again')
}

/** Does something the first time, and gives what came of it from then on. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null
  return () => (done ??= work())
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** What kept the daemon from starting, as an operator can read it. */
function startError(error: unknown): unknown {
  if (error instanceof StoreError || error instanceof ListenError || error instanceof DuplicateMachineError) {
    return new CommandError(exitCodes.failed, error.code, error.message, { hint: error.hint })
  }
  if (error instanceof DriverMissingError) {
    return new CommandError(exitCodes.failed, 'daemon/no-driver', error.message, {
      hint: 'leave --driver out to use what the host offers',
    })
  }
  return error
}
