// A machine of the cluster with its daemon: the real registry, presence, agent, engine and passes, over a link to the
// store that may be bad, on a machine that may fail.

import type { UnitToRun } from '../../src/agent/driver.js'
import { type Agent, startAgent } from '../../src/agent/io/agent.js'
import { deleteVolume, listVolumes, volumeKeeper } from '../../src/agent/io/local-volumes.js'
import { type Collector, startCollector } from '../../src/agent/io/metrics/collector.js'
import type { KernelFiles } from '../../src/agent/io/metrics/read-use.js'
import type { Step } from '../../src/agent/plan-local.js'
import { type ApiContext, applyChange } from '../../src/api/io/context.js'
import { buildTriggerServer } from '../../src/api/io/trigger-server.js'
import { startVolumeKeeper } from '../../src/api/io/volume-keeper.js'
import { deleteAsked } from '../../src/api/io/volume-removal.js'
import { KeptBodies } from '../../src/api/kept-bodies.js'
import type { Problem } from '../../src/changes/problem.js'
import type { Change } from '../../src/changes/services.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import type { VolumeBody, VolumesBody } from '../../src/contract/contract.js'
import { NameIndex } from '../../src/dns/name-index.js'
import { Explainer } from '../../src/engine/explain.js'
import { startClockAnswers } from '../../src/leader/io/clock-answers.js'
import { watchForJumps } from '../../src/lib/io/clock.js'
import type { Log } from '../../src/lib/io/log.js'
import { Slices } from '../../src/lib/io/slices.js'
import type { Time } from '../../src/lib/time.js'
import { startEngine } from '../../src/main/engine.js'
import { forgetGone } from '../../src/main/forget-gone.js'
import { claimMachine } from '../../src/main/machine-presence.js'
import { openStoreConnectivity } from '../../src/main/store-connectivity.js'
import { openTeardown } from '../../src/main/teardown.js'
import type { Actor } from '../../src/model/actor.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import type { UnitName } from '../../src/model/unit.js'
import type { Letter, Sender } from '../../src/notify/io/sender.js'
import type { Outcome } from '../../src/notify/next.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { startTelling } from '../../src/store/io/report-unreadable.js'
import { isOutOfReach, type Store, type Change as StoreChange } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { volumeBodyOf } from '../../src/volumes/bodies.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { type Clockwork, type Dice, MachineTime } from './clockwork.js'
import type { Connection, SimulatedStore } from './connection.js'
import type { SimulatedDisk } from './disk.js'
import {
  buildApi,
  type Door,
  type DoorAnswer,
  type DoorRequest,
  type Doors,
  openDoors,
  peersOver,
} from './doors.js'
import { keeps } from './growth-judge.js'
import { Host, type Program } from './host.js'
import type { Loads } from './loads.js'
import { type Network, NobodyThere, outside } from './network.js'
import { type Release, storeOf } from './releases.js'
import { poisonPrefix } from './scenario.js'
import { keyName, simulatedBox } from './sealing.js'
import type { VolumesWatch } from './volumes.js'
import { countedTime, Wakes } from './wakes.js'

const nobody: Actor = { user: null, client: null, address: null }

export const agentTtlMs = 30_000
/** After so long all clocks have been compared since something became of them or their machines. */
const comparedWithinMs = 20 * 60_000
/** What a daemon that is back finds out, it has told after so long. */
const tellsWithinMs = 15_000

/** Simulated programs are no processes of this machine. */
const noKernelFiles: KernelFiles = { text: async () => null, link: async () => null }

export interface World {
  readonly clockwork: Clockwork
  readonly store: SimulatedStore
  /** What nobody may ever see: a bug of ours that came to light. */
  readonly onFault: (who: string, error: unknown) => void
  readonly onLog: (who: string, line: string) => void
  /** What goes with a line of a log. */
  readonly onFields: (who: string, fields: unknown) => void
  /** A daemon makes an instance, or what is none, ready to start. */
  readonly onLoading: (node: Node, instance: string | null, unit: UnitName) => void
  readonly onStarted: (node: Node, program: Program, unit: UnitToRun) => void
  /** A daemon's view has taken in changes. */
  readonly onView: (node: Node, registry: Registry, changes: readonly StoreChange[]) => void
  readonly onStopping: (node: Node, unit: UnitName) => void
  readonly onChecked: (unit: UnitName, isWell: boolean) => void
  /** A daemon asks what runs programs on its machine for a step of a unit. */
  readonly onStep: (step: Step) => void
  /** What there is to do; null where nothing is measured of it. */
  readonly loads: Loads | null
  /** How many machines have a daemon that lives. */
  readonly living: () => number
  /** A program begins, and is about to write to volumes. */
  readonly onWriting: (node: Node, ...what: Parameters<VolumesWatch['onWriting']>) => void
  readonly onDeleted: (node: Node, ...what: Parameters<VolumesWatch['onDeleted']>) => void
  /** A webhook is sent, unless that is broken off. */
  readonly send: (letter: Letter, way: Way, from: string, signal: AbortSignal) => Promise<Outcome>
  readonly network: Network
  /** Whether machines have an entry, which forwards TCP as well. */
  readonly hasEntry: boolean
  /** Whether daemons carry out moves of volumes. */
  readonly movesVolumes: boolean
  /** Whether each pass over services looks at all of them, and tells what it would have missed. */
  readonly looksAtAll: boolean
  readonly nodes: () => readonly Node[]
}

/** How what a machine sends those outside gets there, and what they answer gets back. */
export interface Way {
  readonly passes: (what: 'request' | 'answer') => boolean
  /** What it takes longer than usual. */
  readonly delayMs: (what: 'request' | 'answer') => number
}

/** A daemon that lives. */
export interface Daemon {
  readonly link: Connection
  readonly gone: AbortController
  /** Resolves when it serves its API. */
  readonly registry: Registry
  readonly change: <C extends Change>(decide: (view: ClusterView, now: number) => C | Problem) => Promise<C>
  /** Deletes a volume of its machine, or gives up one that is lost. */
  readonly removeVolume: (told: VolumesBody, word: string, project: string) => Promise<unknown>
  /** What its machine tells of its volumes. */
  readonly listVolumes: () => Promise<readonly VolumeBody[]>
  readonly stop: (how: 'purpose' | 'restart') => Promise<void>
  readonly doors: Doors
}

export class Node {
  readonly name: string
  readonly host: Host
  readonly time: MachineTime
  readonly wakes = new Wakes()
  /** Of which release its next daemon is. */
  release: Release = 'this'
  readonly #world: World
  readonly #n: number
  readonly #machine: Omit<Machine, 'bootedAt'>
  /** For what its API takes at random. */
  readonly #dice: Dice
  #link: Connection | null = null
  #lives = false
  #isStopping = false
  #startsAgain = false
  /** How many daemons it has had. */
  #daemons = 0
  #gone = new AbortController()
  #daemon: Daemon | null = null
  /** Instances that are to stop for good, with when its daemon heard of that. */
  #retired = new Map<string, number>()
  #isCut = false
  #isDead = false
  #slowMs = 4
  #backAt = 0
  /** When it was last in touch before it was not. */
  #heardAt = 0
  #cutOutsideUntil = 0
  #reasons = 0
  #writeFailedAt = Number.NEGATIVE_INFINITY

  constructor(n: number, world: World, facts: Pick<Machine, 'capacity' | 'metadata'>) {
    const name = `m${n}`
    this.name = name
    this.#n = n
    this.#world = world
    this.time = new MachineTime(world.clockwork)
    this.#dice = world.clockwork.dice(`api ${name}`)
    const id = name.padEnd(32, '0') as MachineId
    this.host = new Host(id, world.clockwork, this.time, {
      onLoading: ({ instance, name }) =>
        world.onLoading(this, instance === null ? null : `${instance.uuid}`, name),
      onStarted: (program, unit) => world.onStarted(this, program, unit),
      onStopping: (unit) => world.onStopping(this, unit),
      onChecked: world.onChecked,
      onStep: world.onStep,
      coresOf: (service) => world.loads?.cores(service) ?? 0,
      onWriting: (program, volumes, written) => world.onWriting(this, program, volumes, written),
      onDeleted: (...what) => world.onDeleted(this, ...what),
    })
    const entry = { http: '[10.0.0.1]:80', https: '[10.0.0.1]:443' }
    this.#machine = {
      ...{ id, hostname: name, ip: '10.0.0.1', drivers: ['process'], version: '0', ...facts },
      ...(world.loads !== null && { entry }),
      ...(world.hasEntry && { entry: { ...entry, tcp: true } }),
      secretKeys: { fingerprints: [keyName] },
      api: `http://${name}.test:7447`,
    }
  }

  get id(): MachineId {
    return this.host.id
  }

  /** What its daemon announces. */
  get metadata(): Machine['metadata'] {
    return this.#machine.metadata
  }

  /** The daemon that can be asked; null where none is ready. */
  get daemon(): Daemon | null {
    return this.#daemon
  }

  /** Aborts when the daemon of now is gone. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  get lives(): boolean {
    return this.#lives
  }

  /** What its daemon knows, and is none of it: the world, its machine, and the links between them. */
  get surroundings(): readonly object[] {
    const world = Object.values(this.#world).filter((part) => part instanceof Object)
    const link = this.#link === null ? [] : [this.#link]
    return [this, this.#world, ...world, this.#retired, this.host, this.time, this.wakes, ...link]
  }

  /** How often its daemon has been told anything since this was asked last. */
  takeReasons(): number {
    const reasons = this.#reasons
    this.#reasons = 0
    return reasons
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** Starts a daemon where none lives. */
  start(): void {
    if (this.#isDead) return
    // One that is being stopped is started when that is done.
    this.#startsAgain = this.#isStopping
    if (this.#lives) return
    this.#lives = true
    this.#gone = new AbortController()
    const { gone } = { gone: this.#gone }
    this.#begin(gone).catch((error: unknown) => {
      if (gone.signal.aborted) return
      if (!isOutOfReach(error)) this.#fault(error)
      // What keeps it running starts it again.
      this.kill()
      this.#world.clockwork.after(1000, () => this.start())
    })
  }

  /** The daemon is gone from one moment to the next; what runs goes on running. */
  kill(): void {
    this.#leaves()
    this.#gone.abort()
    this.#isStopping = false
    if (this.#lives) this.#link?.end()
    this.#lives = false
    this.#link = null
    this.#daemon = null
    this.time.end()
  }

  /** The machine is gone with all that runs on it. */
  powerOff(disk: SimulatedDisk | null = null): void {
    this.#gone.abort()
    disk?.powerOff()
    this.kill()
    this.host.powerOff()
  }

  /** The machine is gone, and never comes back. */
  die(): void {
    this.powerOff()
    this.#isDead = true
  }

  /** It is stopped as an operator stops it. */
  async stop(how: 'purpose' | 'restart'): Promise<void> {
    const daemon = this.#daemon
    if (daemon === null) return this.kill()
    this.#leaves()
    this.#daemon = null
    this.#isStopping = true
    await daemon.stop(how)
    await daemon.link.close()
    this.#isStopping = false
    if (!daemon.gone.signal.aborted) this.kill()
    if (this.#startsAgain) this.start()
  }

  /** Whether nothing would come of what goes on here by itself: renewals, checks, looks. */
  get isQuiet(): boolean {
    if (!this.time.isEven) return false
    if (!this.#lives) return true
    if (this.#daemon === null || this.#isStopping || this.#isCut || this.time.frozenForMs > 0) return false
    return this.#daemon.link.isQuiet && this.host.isThere
  }

  /** Whether its clock has been compared with the others since it was set, and since its daemon came. */
  get isCompared(): boolean {
    if (!this.#lives) return true
    if (!this.time.isEven) return false
    return this.#world.clockwork.now - Math.max(this.troubledAt, this.time.setAt) > comparedWithinMs
  }

  /** For how long its daemon has known that an instance is to stop for good; 0 where it does not. */
  knowsRetiredForMs(instance: string): number {
    const { now } = this.#world.clockwork
    return now - (this.#retired.get(instance) ?? now)
  }

  cut(): void {
    this.#leaves()
    this.#isCut = true
    this.#link?.cut()
  }

  heal(): void {
    this.#cutOutsideUntil = 0
    if (this.#isCut) this.#backAt = Math.max(this.#backAt, this.#world.clockwork.now)
    this.#isCut = false
    this.#link?.heal()
    if (this.#link?.isBroken !== true) return
    // An operator sees that the disk works again.
    this.kill()
    this.start()
  }

  /** It reaches nobody outside of the cluster until then. */
  cutOutside(until: number): void {
    this.#cutOutsideUntil = until
  }

  /**
   * What comes to an address of its daemon is answered there. Rejects with `NobodyThere` where nobody listens; a daemon that is
   * gone meanwhile says nothing any more.
   */
  async knock(door: Door, request: DoorRequest): Promise<DoorAnswer> {
    const daemon = this.#daemon
    if (daemon === null) throw new NobodyThere(`nobody listens on ${this.name}`)
    await this.#awake()
    if (daemon.gone.signal.aborted) return new Promise(() => {})
    const answer = await daemon.doors[door](request)
    await this.#awake()
    return daemon.gone.signal.aborted ? new Promise(() => {}) : answer
  }

  async #awake(): Promise<void> {
    while (this.time.frozenForMs > 0) await this.#world.clockwork.sleep(this.time.frozenForMs)
  }

  #wayOut(): Way {
    const { clockwork, network } = this.#world
    const isCut = (): boolean => clockwork.now < this.#cutOutsideUntil
    const ends = (what: 'request' | 'answer'): [string, string] =>
      what === 'request' ? [this.name, outside] : [outside, this.name]
    return {
      passes: (what) => !isCut() && network.passes(...ends(what), what),
      delayMs: (what) => network.delayMs(...ends(what)),
    }
  }

  /** What it watches of the store next is gone there. */
  compact(): void {
    this.#link?.compact()
  }

  slow(mostMs: number): void {
    this.#slowMs = mostMs
    if (this.#link !== null) this.#link.slowMs = mostMs
  }

  freeze(ms: number): void {
    this.#leaves()
    this.time.freeze(ms)
    this.#backAt = Math.max(this.#backAt, this.#world.clockwork.now + ms)
  }

  /** When it was last out of touch with the store: now, while it is. */
  get outOfTouchAt(): number {
    const { now } = this.#world.clockwork
    if (this.#isCut || this.#daemon === null) return now
    return Math.max(this.#backAt, this.#daemon.link.outOfTouchAt)
  }

  /** When its daemon was last not there, out of touch, new, or standing still: now, while it is. */
  get troubledAt(): number {
    const { now } = this.#world.clockwork
    return this.#daemon === null || this.time.frozenForMs > 0
      ? now
      : Math.max(this.outOfTouchAt, this.host.awayAt)
  }

  /** When something last went wrong for its daemon: now, while it does. */
  get failedAt(): number {
    return Math.max(this.#writeFailedAt, this.troubledAt)
  }

  /** What its daemon reaches of the store, noting what failed. */
  #noting({ store }: Connection): Store {
    const txn: Store['txn'] = async (...what) => {
      try {
        return await store.txn(...what)
      } catch (error) {
        this.#writeFailedAt = this.#world.clockwork.now
        throw error
      }
    }
    return { ...store, txn }
  }

  /** How old what others know of its programs may be; 0 where it is in touch. */
  get unheardMs(): number {
    return this.#isBehind() ? this.#world.clockwork.now - this.#heardAt : 0
  }

  /** Whether it is out of touch, or was a moment ago, and may not have told yet what it found. */
  #isBehind(): boolean {
    return this.#world.clockwork.now - this.outOfTouchAt < tellsWithinMs
  }

  #leaves(): void {
    if (!this.#isBehind()) this.#heardAt = this.#world.clockwork.now
  }

  #fault(error: unknown): void {
    if (!this.#world.store.excuses(error)) this.#world.onFault(this.name, error)
  }

  async #begin(gone: AbortController): Promise<void> {
    const { clockwork, onLog } = this.#world
    const onFault = (_: string, error: unknown): void => this.#fault(error)
    const clock = this.time
    const clockOf = (part: string): Time => countedTime(clock, part, this.wakes)
    const comparisons = this.time.ofComparisons(() => this.#world.nodes().every((node) => node.isCompared))
    const say = (line: string): void => onLog(this.name, line)
    const log: Log = {
      debug: (_, message, fields) => this.#world.onFields(this.name, [message, fields]),
      info: (subject, message, fields) => {
        this.#world.onFields(this.name, fields)
        say(`${subject}: ${message}`)
      },
      warn: (subject, message, fields) => {
        this.#world.onFields(this.name, fields)
        say(`${subject}: ${message}`)
        // What follows changes step by step has to come to what a start anew does.
        // What is due by the steady clock is so before a slow clock on the wall says it, and is planned when that does.
        if (
          message.startsWith('a fresh scheduler found') ||
          (message.startsWith('a look at all services found') && this.time.isEven)
        )
          onFault(
            this.name,
            new Error(`${message} ${String(fields?.['service'] ?? '')} ${String(fields?.['records'] ?? '')}`),
          )
      },
      error: (subject, message, fields) => {
        this.#world.onFields(this.name, fields)
        say(`${subject}: ${message}`)
        if (`${String(fields?.['key'])}`.startsWith(poisonPrefix)) return
        // Whoever asked is told, and judges that.
        if (subject === 'api' && /^the daemon of |which does not answer/.test(message)) return
        if (!gone.signal.aborted) onFault(this.name, new Error(`${subject}: ${message}`))
      },
    }
    const connectivity = openStoreConnectivity(clock)
    const link = await this.#world.store.connect(this.#n, {
      ...{ time: clock, log, gone: gone.signal, onAway: connectivity.lost, onBack: connectivity.restored },
    })
    if (gone.signal.aborted) return
    if (this.#isCut) link.cut()
    link.slowMs = this.#slowMs
    this.#link = link
    const onError = (error: unknown): void => {
      if (!gone.signal.aborted && !isOutOfReach(error)) onFault(this.name, error)
    }
    const undo = openTeardown(log, clock)
    const clockWatch = watchForJumps(clockOf('clock'))
    await undo.push('the watch over the clock', async () => clockWatch.end())
    const registry = await openRegistry(storeOf(this.release, this.#noting(link)), {
      onError,
      patienceMs: 2000,
      time: clockOf('records'),
    })
    const retired = new Map<string, number>()
    this.#retired = retired
    const hear = (): void => {
      for (const { uuid, retired: is } of registry.view.instances.values())
        if (is !== null && !retired.has(uuid)) retired.set(uuid, clockwork.now)
    }
    hear()
    registry.onChange((kinds, changes) => {
      this.#reasons += 1
      this.#world.onView(this, registry, changes)
      if (kinds.has('instance')) hear()
    })
    const { id } = this
    this.#daemons += 1
    const events = openEventLog(clock, id, this.#daemons)
    const holder = `${id}/${this.host.boots}`
    let isOnPurpose = false
    const presence = await claimMachine(
      {
        ...{
          registry,
          events,
          id,
          holder,
          hostname: this.name,
          ttlMs: agentTtlMs,
          clock: clockOf('heartbeat'),
          log,
        },
        onTaken: (error) => onFault(this.name, error),
        // A claim of its own machine before the power was off lasts as long as its lease, whose time may begin anew.
        onWait: async () => {},
        onLost: connectivity.restored,
      },
      gone.signal,
    )
    await undo.push('the heartbeat', () =>
      isOnPurpose && connectivity.outage() === null ? presence.leave(300_000) : presence.stop(),
    )
    const units = openUnitReader((hash) => registry.view.files.get(hash))
    registry.onChange((_, changes) => forgetGone(units, changes))
    const volumeFiles = this.host.volumes.tree.filesOf(this.time, gone.signal)
    const driver = this.host.driver(gone.signal, volumeFiles)
    const heard: typeof driver.watch = (onChange, signal) =>
      driver.watch((name) => {
        this.#reasons += 1
        onChange(name)
      }, signal)
    const drivers = new Map([['process' as const, { ...driver, watch: heard }]])
    await presence.announce({ ...this.#machine, bootedAt: 0 })
    const secrets = simulatedBox
    const agent: Agent = await startAgent({
      ...{ machine: id, registry, units, events, secrets, clock: clockOf('agent'), clockWatch, log },
      drivers,
      host: {
        refuseTakenPorts: async () => {},
        holdToSize: async () => {},
        whyFull: async () => null,
        ownProbe: () => clockwork.sleep(2),
        checkTime: countedTime(
          this.time.ofChecks(() => this.host.isSettled),
          'checks',
          this.wakes,
        ),
      },
    })
    await undo.push('the agent', () => agent.stop())
    const { loads, network } = this.#world
    let collector: Collector | null = null
    if (loads !== null) {
      const started = startCollector({
        ...{ machine: id, registry, units, clock: clockOf('metrics'), log },
        driverOf: (unit) => agent.driverOf(unit),
        kernelFiles: noKernelFiles,
        entry: { figuresOf: (services) => loads.figures(services, this.#world.living()) },
      })
      collector = started
      await undo.push('metrics', () => started.stop())
    }
    const explainer = new Explainer(registry.view, units.needs)
    registry.onChange((_, changes) => {
      for (const change of changes) explainer.note(change)
    })
    agent.join()
    const answers = startClockAnswers({
      ...{ registry, machine: id, clock: clockOf('clock answers'), clockWatch, log },
    })
    await undo.push('what its clock says', () => answers.stop())
    const telling = startTelling({ registry, events, clock: clockOf('unreadable'), log })
    await undo.push('what cannot be read', () => telling.stop())
    const sender: Sender = {
      send: async (letter, signal) => {
        const at = this.time.now()
        const outcome = await this.#world.send(letter, this.#wayOut(), this.name, signal)
        // A daemon that is gone learns nothing of what became of it.
        if (gone.signal.aborted) return new Promise<Outcome>(() => {})
        signal.throwIfAborted()
        // When it was sent, its own clock says.
        return { ...outcome, at }
      },
      close: () => {},
    }
    await startEngine(
      registry,
      {
        ...{ id, units, events, secrets, sender, connectivity, agentTtlMs, log },
        ...{ clock: clockOf('engine'), clockWatch },
        makesRoom: explainer.makesRoom.bind(explainer),
        unitOf: openVersionUnits(defaultSettings),
        cluster: 'simulated',
        keepEventsMs: () => keeps.eventsMs,
        keepVersions: () => keeps.versions,
        forgetAfterMs: () => keeps.machinesMs,
        looksAtAll: this.#world.looksAtAll,
        timeOf: (loop) => (loop === 'clocks' ? countedTime(comparisons, loop, this.wakes) : clockOf(loop)),
      },
      undo,
    )
    let made: Partial<ApiContext> | null = null
    const contextOf = (): Partial<ApiContext> => {
      made ??= {
        ...{ registry, units, explainer, events, machine: id, agent, collector, secrets, clock, log },
        dns: { names: new NameIndex(registry.view, units, id), endpoints: () => [], upstream: () => [] },
        peers: peersOver(network, { from: this, view: registry.view, nodes: this.#world.nodes, clockwork }),
        ...{ random: this.#dice.random, version: '0', cluster: 'simulated', entry: null },
        listVolumes: (signal) => listVolumes(drivers, signal),
        deleteVolume: (volume, signal) => deleteVolume(drivers, volume, signal),
        volumeKeeper: (volume, signal) => volumeKeeper(drivers, volume, signal),
        ...{
          driversHere: drivers,
          volumeFiles,
          volumeWorks: new Set(),
          sentBytes: new Map(),
          usedBytes: new Map(),
        },
        slices: new Slices(clock),
        ...{ bodies: new KeptBodies(registry.view), sightings: { of: () => [] } },
        ...{ stale: () => null, notReady: () => null, triggerBase: null, manifests: defaultSettings },
      }
      return made
    }
    if (this.#world.movesVolumes)
      await undo.push('what is done with volumes', startVolumeKeeper(contextOf() as ApiContext))
    if (gone.signal.aborted) return
    this.#backAt = clockwork.now
    this.#daemon = {
      link,
      gone,
      registry,
      change: (decide) => applyChange({ registry, events, clock, random: this.#dice.random }, null, decide),
      removeVolume: (told, word, project) => {
        const asked = { word, project, force: true }
        // What a deletion of a volume that is lost, or is on its own machine, needs.
        const context: Partial<ApiContext> = {
          ...{ registry, events, clock, log, machine: id, random: this.#dice.random },
          deleteVolume: (volume, signal) => deleteVolume(drivers, volume, signal),
        }
        return deleteAsked(context as ApiContext, nobody, told, asked)
      },
      listVolumes: async () => {
        const { volumes } = await listVolumes(drivers, gone.signal)
        const machine: Machine = { ...this.#machine, bootedAt: 0 }
        return volumes.map((volume) => volumeBodyOf(registry.view, machine, volume))
      },
      doors: openDoors({
        triggers: () =>
          buildTriggerServer({ registry, events, secrets, clock, random: this.#dice.random, log }, null),
        api: () => buildApi(contextOf()),
      }),
      stop: async (how) => {
        isOnPurpose = how === 'purpose'
        await undo.run()
        await registry.close()
      },
    }
  }
}
