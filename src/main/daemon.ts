// The daemon: joins store, engine, services, agent and API, and takes them down again in order.

import { hostname } from 'node:os'
import { join as joinPath } from 'node:path'
import type { Driver } from '../agent/driver.js'
import { driversHere } from '../agent/drivers-here.js'
import { type Agent, startAgent } from '../agent/io/agent.js'
import { startImageKeeper } from '../agent/io/image-keeper.js'
import { openKeptLogs } from '../agent/io/kept-logs.js'
import { deleteVolume, listVolumes } from '../agent/io/local-volumes.js'
import { type Collector, startCollector } from '../agent/io/metrics/collector.js'
import { StopsAsked } from '../agent/stops-asked.js'
import type { Token } from '../api/access.js'
import { makeDoors, noDoors } from '../api/io/doors.js'
import { ListenError } from '../api/io/listen.js'
import type { ServerTls } from '../api/io/make-server.js'
import { openPeers } from '../api/io/peers.js'
import { type ApiServer, startApiServer } from '../api/io/server.js'
import { startTriggerServer } from '../api/io/trigger-server.js'
import { KeptBodies } from '../api/kept-bodies.js'
import { lookAtMetricsEveryMs } from '../autoscale/io/pass.js'
import { followTriggers } from '../autoscale/io/sightings.js'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { outliveReader } from '../cli/io/closed-pipe.js'
import { openVersionUnits } from '../compile/version-unit.js'
import { Explainer } from '../engine/explain.js'
import { startClockAnswers } from '../engine/leader/io/clock-answers.js'
import { InvariantError } from '../lib/invariant.js'
import { systemClock } from '../lib/io/clock.js'
import { isDiskFull } from '../lib/io/disk-full.js'
import { onHangup } from '../lib/io/hangup.js'
import { describeError, type Log, lineLog } from '../lib/io/log.js'
import { startLoop } from '../lib/io/loop.js'
import { watchLoopDelay } from '../lib/io/loop-delay.js'
import type { AdmissionSettings } from '../manifest/settings.js'
import { DriverError } from '../model/driver-error.js'
import type { Machine } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { openMailer } from '../notify/io/mailer.js'
import { openSender } from '../notify/io/sender.js'
import { isFrozen } from '../service/queue.js'
import { countsFromAtMost, openEventLog } from '../store/io/event-log.js'
import { keepLocalCopy, readLocalCopy } from '../store/io/local-copy.js'
import { openRegistry } from '../store/io/registry.js'
import { startTelling } from '../store/io/report-unreadable.js'
import { putOf } from '../store/records.js'
import { isFull, isOutOfReach, type Store, StoreError } from '../store/store.js'
import { openUnitReader } from '../unit/reader.js'
import { announcedAddress, triggerBaseOf } from './access-options.js'
import { shownCertificates, startCertificates } from './certificates.js'
import { conditionOf } from './condition.js'
import { makeDataDir } from './data-dir.js'
import { DriverMissingError, openDrivers } from './drivers.js'
import { startEngine } from './engine.js'
import { announcedEntry, openEntry } from './entry.js'
import { guardProcess } from './faults.js'
import { forgetGone } from './forget-gone.js'
import { guardTcp } from './guard-tcp.js'
import { growWhileBusy } from './heap.js'
import { refuseToLeaveRecords } from './left-behind.js'
import { describeMachine, holderOf, machineIdOf } from './machine.js'
import { NamesToCome, startNames } from './names.js'
import { notYet, type StartedSoFar } from './not-yet.js'
import { drainOnStop, liftDrain, type OnStop, purgedReports, purgeOnStop } from './on-stop.js'
import type { DaemonOptions } from './options.js'
import { openPolicies } from './policy-option.js'
import { claimMachine, DuplicateMachineError, type Presence } from './presence.js'
import { loginsOf } from './registry-logins.js'
import { type CurrentOptions, openReload } from './reload.js'
import { openClusterBox, watchSecretKeys } from './secret-keys.js'
import { openServedCluster } from './served-cluster.js'
import { watchSpace } from './space.js'
import { type Running, stateOf } from './state-line.js'
import { openStore, storeDirOf } from './store.js'
import { openStoreConnectivity } from './store-connectivity.js'
import { describeStore } from './store-options.js'
import { openTeardown, type Teardown, within } from './teardown.js'
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
 * Throws CommandError when it cannot start. On SIGHUP it takes what `read` says then; SIGUSR1 logs its state.
 */
export async function runDaemon(first: DaemonOptions, read: () => DaemonOptions): Promise<number> {
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
      log.info('daemon', `stops on ${signal}; ${describeOnStop[first.onStop]}`)
      stop.abort(stoppedOnPurpose)
    })
  }
  stopOn('SIGTERM')
  stopOn('SIGINT')
  const options = openReload(first, read, log)
  onHangup(() => options.reload())
  const shown: Shown = { running: null }
  const stopsAsked = new StopsAsked()
  process.on('SIGUSR1', () => process.stderr.write(`${JSON.stringify(stateNow(shown))}\n`))
  try {
    while (!stop.signal.aborted) {
      await serveOneStore({ options, shown, stopsAsked }, log, stop.signal, (fail) => {
        inOrder = fail
      })
    }
    return exitCodes.done
  } catch (error) {
    throw startError(error)
  } finally {
    endThoughBusy()
  }
}

/** What is told of the daemon; null while it starts, and while it reads everything anew. */
interface Shown {
  running: Running | null
}

function stateNow({ running }: Shown): object {
  const { pid, uptime, memoryUsage } = process
  const own = { version, pid, upMs: uptime() * 1000, rssBytes: memoryUsage.rss() }
  return { state: stateOf(own, running, systemClock.now()) }
}

/** How long a store may take to be opened until clients are told that it is waited for. */
const doorsAfterMs = 300

/** What a daemon is told to be, and where it says what it is. */
interface Told {
  readonly options: CurrentOptions
  readonly shown: Shown
  readonly stopsAsked: StopsAsked
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
  told: Told,
  log: Log,
  stop: AbortSignal,
  onServe: (fail: Ending['fail']) => void,
): Promise<void> {
  try {
    await serve(told, log, stop, onServe)
  } catch (error) {
    const isReplaced = error instanceof StoreError && error.code === 'store/replaced'
    if (!isReplaced || told.options.now().listen.some(({ kind }) => kind === 'inherited')) throw error
    log.warn('daemon', `reloading everything from the store; units keep running: ${describeError(error)}`)
  }
}

async function serve(
  told: Told,
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
  const started = start(told, log, undo, { end, fail, beforeEnd })
  try {
    // To end does not wait for a start that waits for something else.
    await Promise.race([started, aborted(end)])
    await aborted(end)
    if (failure.signal.aborted) throw failure.signal.reason
    await leave()
  } finally {
    started.catch(() => {})
    told.shown.running = null
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
  { options: current, shown, stopsAsked }: Told,
  log: Log,
  undo: Teardown,
  { end, fail, beforeEnd }: Ending,
): Promise<void> {
  const clock = systemClock
  const random = () => Math.random()
  const options = current.now()
  const heap = growWhileBusy(clock)
  await undo.push('the watch over the heap', async () => heap())
  await makeDataDir(options.dataDir, process.getuid?.() ?? 0)
  const connectivity = openStoreConnectivity(clock)
  const isOnEtcd = options.store.kind === 'etcd'
  const soFar: StartedSoFar = { hasStore: false, taken: null }
  const doors = isOnEtcd ? makeDoors(options.access.tls, () => notYet(soFar, connectivity)) : noDoors
  await undo.push('sockets', () => doors.close())
  const toClose: Pick<ApiServer, 'end' | 'close'>[] = []
  // Last of all: who is answered late is told that the store is closed.
  await undo.push('the API', () => each(toClose, (one) => one.close()))
  await doors.open(options.listen.filter(({ kind }) => kind === 'inherited'))
  const copyFile = joinPath(options.dataDir, 'local-copy.json')
  const lastCopy = options.agent ? await readLocalCopy(copyFile) : null
  const copy = options.store.kind === 'etcd' ? lastCopy : null
  // Whoever has a copy of what was placed here is no newcomer.
  if (options.store.kind === 'etcd' && options.agent && lastCopy === null && !options.discard)
    await refuseToLeaveRecords(storeDirOf(options.dataDir), describeStore(options.store))
  const onOpen = (store: Store): Promise<void> => {
    undo.hurryBy(() => store.close())
    return undo.push('the store', () => store.close())
  }
  const where = { store: options.store, dataDir: options.dataDir }
  const opening = openStore({ ...where, known: copy?.cluster ?? null, log, touch: connectivity, onOpen }, end)
  // Who asks while etcd is waited for is told so.
  if (isOnEtcd && !(await within(opening, doorsAfterMs, clock))) await doors.open(options.listen)
  const opened = await opening
  if (opened === null) return
  soFar.hasStore = true
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
  const secrets = openClusterBox(registry, options.secretKeyFile)
  const settings = { cns: options.cns, packages: options.packages, mail: options.smtp !== null }
  const policies = openPolicies(current)
  const manifests: AdmissionSettings = {
    ...settings,
    get policy() {
      return policies.now()
    },
    asRoot: process.geteuid?.() === 0,
  }
  const id = await machineIdOf(options.dataDir)
  const events = openEventLog(clock, id, Math.floor(random() * countsFromAtMost))
  let purged: ReadonlySet<UnitName> | null = null
  /** While nothing here has been begun, and nobody is served, the id is waited for, and whoever asks is told so. */
  const waitForId = async (error: DuplicateMachineError): Promise<void> => {
    soFar.taken = error
    await doors.open(options.listen)
  }
  const claim = async (isFirst = false): Promise<Presence> => {
    const presence = await claimMachine(
      {
        ...(isFirst && isOnEtcd && { onWait: waitForId }),
        registry,
        events,
        id,
        holder: options.store.kind === 'embedded' ? 'embedded' : await holderOf(options.dataDir),
        hostname: hostname(),
        ttlMs: options.agentTtlMs,
        clock,
        log,
        onTaken: fail,
        onLost: connectivity.restored,
      },
      end,
    )
    await undo.push('the heartbeat', () => {
      if (purged !== null) return presence.withdraw(purgedReports(registry.view, id, purged))
      const isOnPurpose = end.reason === stoppedOnPurpose && connectivity.outage() === null
      const { awayGraceMs } = current.now()
      return isOnPurpose && options.store.kind === 'etcd' && awayGraceMs > 0
        ? presence.leave(awayGraceMs)
        : presence.stop()
    })
    return presence
  }
  // Before anything on the machine is touched: a copy of it must keep its hands off.
  const claimed = away === null ? await unlessFull(() => claim(true)) : null
  soFar.taken = null

  const names = new NamesToCome()
  const drivers = options.agent
    ? await openDrivers({
        dataDir: options.dataDir,
        machine: { id, hostname: hostname() },
        owner: clusterId.slice(0, 8),
        wanted: options.drivers,
        docker: options.docker,
        names,
        logins: loginsOf(registry, secrets),
        known: new Set([...registry.view.reportsOf(id).values()].map(({ driver }) => driver)),
        reported: new Map(registry.view.reportsOf(id)),
        clock,
        log,
      })
    : new Map()
  for (const driver of drivers.values()) await undo.push(`the driver ${driver.kind}`, () => driver.close())
  const keptLogs = await openKeptLogs({
    dir: joinPath(options.dataDir, 'kept-logs'),
    retention: () => current.now().keepLogs,
    ...{ drivers, clock, log },
  })
  await undo.push('the logs that are kept', () => keptLogs.stop())
  const etcdCertFile = options.store.kind === 'etcd' ? (options.store.tls?.certFile ?? null) : null
  /** Says anew what has changed of this machine; nobody is told before it is announced at all. */
  let tellKeys = (): void => {}
  const secretKeys = watchSecretKeys({ registry, secrets, log, onChange: () => tellKeys() })
  await undo.push('the keys of the secrets', async () => secretKeys.stop())
  const described = await describeMachine({
    id,
    dataDir: options.dataDir,
    publicIp: options.publicIp,
    amongOthers: options.store.kind === 'etcd',
    metadata: options.metadata,
    drivers: driversHere(drivers.values()),
    engine: options.engine,
    entry: announcedEntry(options.entry),
    version,
    certificates: shownCertificates(options.access.tls, etcdCertFile),
    apiAt: (ip) => {
      const { tls: secure, advertise } = options.access
      return advertise ?? (secure === null ? null : announcedAddress(options.listen, ip))
    },
    clock,
  })
  const machine = { ...described, secretKeys: secretKeys.now() }
  const units = openUnitReader((hash) => registry.view.files.get(hash), machine)
  registry.onChange((_, changes) => forgetGone(units, changes))
  const dns = await startNames({ registry, units, machine: id, options, clock, log }, undo)
  names.serve(dns.forContainers)
  /** This machine as it is told of; its drivers come and go. */
  let announced = machine
  let presence = claimed
  let agent: Agent | null = null
  let collector: Collector | null = null
  /** Whether this machine is part of the cluster: a store that is away or full does not say so yet. */
  let isPart = claimed !== null
  if (options.agent) {
    if (claimed !== null) isPart = (await unlessFull(async () => claimed.announce(machine))) !== null
    const served = await openServedCluster({
      ...{ dataDir: options.dataDir, clusterId, copyOf: lastCopy?.cluster ?? null },
      ...{ machine: id, hostname: hostname(), registry, events, log },
    })
    const started = await startAgent({
      ...{ machine: id, registry, drivers, units, events, secrets, clock, log },
      onDrivers: async (here) => {
        announced = { ...announced, metadata: current.now().metadata, driversAway: [], ...here }
        await presence?.announce(announced)
      },
      ...{
        isForeign: served.isForeign,
        onUnknown: served.onUnknown,
        alone: away !== null,
        space,
        stopsAsked,
        policy: policies.now,
        keptLogs,
        leftVolumesFile: joinPath(options.dataDir, 'volumes-to-delete.json'),
      },
    })
    const stopAgent = once(() => started.stop())
    await undo.push('the agent', stopAgent)
    if (options.onStop === 'purge') {
      beforeEnd(async () => {
        // It would start again what it sees stopped, and report it.
        await stopAgent()
        purged = await purgeOnStop(drivers.values(), keptLogs, current.now().onStopTimeoutMs, log)
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
  const sightings = followTriggers(registry, clock)
  const watching = startLoop({
    pass: sightings.pass,
    clock,
    intervalMs: lookAtMetricsEveryMs,
    onError: (error) => log.warn('autoscale', `what triggers see is not known: ${describeError(error)}`),
  })
  await undo.push('what triggers see', () => watching.stop())
  const sender = openSender(clock, openMailer(options.smtp, clock))
  await undo.push('webhooks', async () => sender.close())
  const explainer = new Explainer(registry.view, units.needs)
  const bodies = new KeptBodies(registry.view)
  registry.onChange((_, changes) => {
    for (const change of changes) {
      explainer.note(change)
      bodies.note(change)
    }
  })
  /** What is done as a part of the cluster, and not alone. */
  const join = async (): Promise<void> => {
    const ofDrain = { registry, explainer, events, machine: id, dataDir: options.dataDir, clock, log }
    if (agent !== null && (await unlessFull(() => liftDrain(ofDrain))) === null) {
      space
        .whenItFits(() => liftDrain(ofDrain), end)
        .catch((error: unknown) => {
          if (!end.aborted) log.warn('daemon', `cannot end the drain: ${describeError(error)}`)
        })
    }
    if (agent !== null && options.onStop === 'drain') {
      beforeEnd(async () => {
        if (connectivity.outage() === null) await drainOnStop(ofDrain, current.now().onStopTimeoutMs)
        else log.warn('daemon', 'not drained: store unreachable; units keep running')
      })
    }
    agent?.join()
    if (agent !== null) {
      const answers = startClockAnswers({ registry, machine: id, clock, log })
      await undo.push('what its clock says', () => answers.stop())
    }
    const telling = startTelling({ registry, events, clock, log })
    await undo.push('what cannot be read', () => telling.stop())
    if (agent !== null && options.store.kind === 'etcd') {
      const onError = (error: unknown): void =>
        log.warn('agent', `cannot keep ${copyFile}: ${describeError(error)}`)
      const kept = keepLocalCopy({
        ...{ registry, machine: id, cluster: clusterId, file: copyFile, clock, onError },
        seenAt: () => connectivity.outage()?.since ?? clock.now(),
      })
      await undo.push('the local copy', () => kept.stop())
    }
    const images = drivers.get('docker')
    if (images !== undefined) {
      const isCurrent = (): boolean => registry.isComplete() && connectivity.outage() === null
      const keeper = startImageKeeper({
        ...{ machine: id, registry, driver: images, isCurrent, isFrozen, clock, log },
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
      unitOf: openVersionUnits(settings),
      secrets,
      sender,
      cluster: clusterId,
    }
    const kept = {
      keepEventsMs: () => current.now().keepEventsMs,
      keepVersions: () => current.now().keepVersions,
      forgetAfterMs: () => current.now().forgetAfterMs,
    }
    await startEngine(
      registry,
      { ...of, ...kept, touch: connectivity, agentTtlMs: options.agentTtlMs, clock, log },
      undo,
    )
  }
  // A store that is full may have let its lease end: what runs here is served all the same.
  const takeBack = isPart || away !== null ? null : registry.assume(putOf('machine', machine))
  if (isPart) await join()

  // Who serves is known once this machine is, and what runs on it: until then what was served before is served on.
  const entry = await openEntry(
    {
      ...{ registry, names: dns.names, machine: machine.id, secrets, options },
      ...{ cluster: clusterId, clock, log },
    },
    undo,
  )
  const docker: Driver | undefined = drivers.get('docker')
  const { tls, insecure } = options.access
  const tokens = () => current.now().access.tokens
  const triggers = await startTriggerServer(
    { registry, events, secrets, clock, random, log },
    options.triggerListen,
    tls === null ? null : { cert: tls.cert, key: tls.key },
  )
  toClose.push(triggers)
  /** What is shown now, which a renewal changes. */
  let shownTls: ServerTls | null = tls
  const peers = openPeers(registry.view, {
    token: () => tokens().find(({ role }) => role === 'write')?.text ?? null,
    tls: () => shownTls,
  })
  /** What callers over TCP show where nobody has said who is let in. */
  let own: Token | null = null
  const condition = conditionOf({
    ...{ registry, touch: connectivity, space },
    isEmbedded: options.store.kind === 'embedded',
    copiedAt: copy?.savedAt ?? null,
  })
  const server = await startApiServer(
    {
      registry,
      units,
      explainer,
      bodies,
      events,
      machine: id,
      agent,
      collector,
      keptLogs,
      sightings,
      imageTeller: () => (docker?.absent === true ? null : (docker?.tellImages?.bind(docker) ?? null)),
      imageResolver: () => (docker?.absent === true ? null : (docker?.resolveImage?.bind(docker) ?? null)),
      loginChecker: () => (docker?.absent === true ? null : (docker?.checkLogin?.bind(docker) ?? null)),
      deleteVolume: (volume, signal) => deleteVolume(drivers, volume, signal),
      listVolumes: (signal) => listVolumes(drivers, signal),
      peers,
      secrets,
      manifests,
      sender,
      dns,
      entry,
      cluster: clusterId,
      triggerBase: triggerBaseOf(options.triggerListen, triggers.endpoints, machine.ip),
      clock,
      random,
      log,
      version,
      ...condition,
    },
    options.listen,
    { tls, tokens: () => (own === null || tokens().length > 0 ? tokens() : [own]), open: insecure },
    doors,
  )
  toClose.push(server)
  await undo.pushFirst('requests', () => each(toClose, (one) => one.end()))
  own = await guardTcp({ access: options.access, endpoints: server.endpoints, dataDir: options.dataDir, log })
  shown.running = {
    ...{ view: registry.view, condition, machine: id, endpoints: server.endpoints },
    store: describeStore(options.store),
    drivers: () => ({ drivers: announced.drivers, driversAway: announced.driversAway ?? [] }),
  }
  /** Tells of this machine what has changed, as soon as there is somebody to tell. */
  const tell = (change: Partial<Pick<Machine, 'metadata' | 'certificates' | 'secretKeys'>>): void => {
    const next = { ...announced, ...change }
    // A daemon without an agent is no machine.
    if (!options.agent || JSON.stringify(announced) === JSON.stringify(next)) return
    announced = next
    presence?.announce(announced).catch((error: unknown) => {
      if (!isOutOfReach(error))
        log.warn('machine', `cannot update this machine's record: ${describeError(error)}`)
    })
  }
  const certificates = startCertificates({
    ...{ tls, etcdCertFile, clock, log },
    onRenewal: (renewed) => {
      shownTls = renewed
      server.renew(renewed)
      triggers.renew(renewed)
    },
    onChange: (shown) => tell({ certificates: shown }),
  })
  await undo.push('certificates', () => certificates.stop())
  tellKeys = () => tell({ secretKeys: secretKeys.now() })
  tellKeys()
  const unsubscribe = current.onChange(() => {
    tell({ metadata: current.now().metadata })
    certificates.look()
    secretKeys.look()
    agent?.lookAgain()
    keptLogs.look()
  })
  await undo.push('what follows the configuration', async () => unsubscribe())
  log.info('daemon', `mariposa ${version} is ready`, {
    machine: id,
    drivers: driversHere(drivers.values()).drivers.join(',') || 'none',
    data: options.dataDir,
    store: describeStore(options.store),
    listen: server.endpoints.join(','),
    dns: dns.endpoints().join(',') || undefined,
    triggers: triggers.endpoints.length === 0 ? undefined : triggers.endpoints.join(','),
  })
  if (isPart) return
  if (away === null)
    log.warn('daemon', 'store is full; running local units only, changes are refused', {
      reason: space.full()?.reason,
    })
  else
    log.warn('daemon', 'store unreachable; running local units only, changes are refused', {
      knows: `what was placed here at ${new Date(copy?.savedAt ?? 0).toISOString()}`,
    })
  await away
  await registry.complete
  secretKeys.look()
  const claimedNow = presence ?? (await space.whenItFits(() => claim(), end))
  presence = claimedNow
  takeBack?.()
  if (options.agent) await space.whenItFits(() => claimedNow.announce(announced), end)
  await join()
  log.info('daemon', 'rejoined the cluster')
}

async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  await Promise.all(all.map(work))
}

/** What comes of a write; null where the store has no space for it. */
async function unlessFull<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write()
  } catch (error) {
    if (isFull(error)) return null
    throw error
  }
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
  if (error instanceof DriverError)
    return new CommandError(exitCodes.failed, error.code, describeError(error))
  if (isDiskFull(error)) {
    return new CommandError(exitCodes.failed, 'daemon/disk-full', `no space left: ${describeError(error)}`, {
      hint: 'free some space, or name a data directory elsewhere: --data-dir DIR; what runs goes on running',
    })
  }
  if (error instanceof DriverMissingError) {
    return new CommandError(exitCodes.failed, 'daemon/no-driver', error.message, {
      hint: 'leave --driver out to use what the host offers',
    })
  }
  return error
}
