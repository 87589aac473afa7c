// A machine of the cluster with its daemon: the real registry, presence, agent, engine and passes, over a link to the
// store that may be bad, on a machine that may fail.
import { type Agent, startAgent } from '../../src/agent/io/agent.js'
import type { Change } from '../../src/api/changes.js'
import { applyChange } from '../../src/api/io/context.js'
import type { Problem } from '../../src/api/problem.js'
import { openVersionUnits } from '../../src/compile/version-unit.js'
import { Explainer } from '../../src/engine/explain.js'
import type { Log } from '../../src/lib/io/log.js'
import { startEngine } from '../../src/main/engine.js'
import { forgetGone } from '../../src/main/forget-gone.js'
import { claimMachine } from '../../src/main/presence.js'
import { openTeardown } from '../../src/main/teardown.js'
import { openTouch } from '../../src/main/touch.js'
import { defaultSettings } from '../../src/manifest/settings.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import type { Outcome } from '../../src/notify/next.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { startTelling } from '../../src/store/io/tell-unreadable.js'
import { isOutOfReach, type Store } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { type Clockwork, MachineTime } from './clockwork.js'
import { Host } from './host.js'
import { Link } from './link.js'

export const agentTtlMs = 30_000

export interface World {
  readonly clockwork: Clockwork
  readonly store: Store
  /** What nobody may ever see: a bug of ours that came to light. */
  readonly onFault: (who: string, error: unknown) => void
  readonly onLog: (who: string, line: string) => void
  /** A webhook, or a mail, is sent. */
  readonly send: (body: string) => Promise<Outcome>
}

/** A daemon that lives. */
interface Daemon {
  readonly link: Link
  readonly gone: AbortController
  /** Resolves when it serves its API. */
  readonly registry: Registry
  readonly change: <C extends Change>(decide: (view: ClusterView, now: number) => C | Problem) => Promise<C>
  readonly stop: (how: 'purpose' | 'restart') => Promise<void>
}

export class Node {
  readonly name: string
  readonly host: Host
  readonly time: MachineTime
  readonly #world: World
  readonly #machine: Omit<Machine, 'bootedAt'>
  #link: Link | null = null
  #gone = new AbortController()
  #daemon: Daemon | null = null
  #isCut = false
  #slowMs = 4
  #backAt = 0

  constructor(name: string, world: World, facts: Pick<Machine, 'capacity' | 'metadata'>) {
    this.name = name
    this.#world = world
    this.time = new MachineTime(world.clockwork)
    const id = name.padEnd(32, '0') as MachineId
    this.host = new Host(id, world.clockwork, this.time)
    this.#machine = { id, hostname: name, ip: '10.0.0.1', drivers: ['process'], version: '0', ...facts }
  }

  get id(): MachineId {
    return this.host.id
  }

  /** The daemon that can be asked; null where none is ready. */
  get daemon(): Daemon | null {
    return this.#daemon
  }

  get lives(): boolean {
    return this.#link !== null
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** Starts a daemon where none lives. */
  start(): void {
    if (this.#link !== null) return
    this.#gone = new AbortController()
    const { gone } = { gone: this.#gone }
    this.#begin(gone).catch((error: unknown) => {
      if (gone.signal.aborted) return
      if (!isOutOfReach(error)) this.#world.onFault(this.name, error)
      // What keeps it running starts it again.
      this.kill()
      this.#world.clockwork.after(1000, () => this.start())
    })
  }

  /** The daemon is gone from one moment to the next; what runs goes on running. */
  kill(): void {
    this.#gone.abort()
    this.#link?.end()
    this.#link = null
    this.#daemon = null
    this.time.end()
  }

  /** The machine is gone with all that runs on it. */
  powerOff(): void {
    this.kill()
    this.host.powerOff()
  }

  /** It is stopped as an operator stops it. */
  async stop(how: 'purpose' | 'restart'): Promise<void> {
    const daemon = this.#daemon
    if (daemon === null) return this.kill()
    this.#daemon = null
    await daemon.stop(how)
    if (!daemon.gone.signal.aborted) this.kill()
  }

  cut(): void {
    this.#isCut = true
    this.#link?.cut()
  }

  heal(): void {
    if (this.#isCut) this.#backAt = this.#world.clockwork.now
    this.#isCut = false
    this.#link?.heal()
  }

  slow(mostMs: number): void {
    this.#slowMs = mostMs
    if (this.#link !== null) this.#link.slowMs = mostMs
  }

  freeze(ms: number): void {
    this.time.freeze(ms)
    this.#backAt = this.#world.clockwork.now + ms
  }

  /** When it was last out of touch with the store: now, while it is. */
  get outOfTouchAt(): number {
    return this.#isCut || this.#daemon === null ? this.#world.clockwork.now : this.#backAt
  }

  async #begin(gone: AbortController): Promise<void> {
    const { clockwork, onFault, onLog } = this.#world
    const clock = this.time
    const say = (line: string): void => onLog(this.name, line)
    const log: Log = {
      info: (subject, message) => say(`${subject}: ${message}`),
      warn: (subject, message) => {
        say(`${subject}: ${message}`)
        // What follows changes step by step has to come to what a start anew does.
        if (message.startsWith('starting anew found')) onFault(this.name, new Error(message))
      },
      error: (subject, message) => {
        say(`${subject}: ${message}`)
        if (!gone.signal.aborted) onFault(this.name, new Error(`${subject}: ${message}`))
      },
    }
    const touch = openTouch(clock)
    const link = new Link(clockwork, this.#world.store, { onAway: touch.broke, onBack: touch.restored })
    if (this.#isCut) link.cut()
    link.slowMs = this.#slowMs
    this.#link = link
    const onError = (error: unknown): void => {
      if (!gone.signal.aborted && !isOutOfReach(error)) onFault(this.name, error)
    }
    const undo = openTeardown(log, clock)
    const registry = await openRegistry(link.store, { onError, patienceMs: 2000, time: clock })
    const { id } = this
    const events = openEventLog(clock, id)
    const holder = `${id}/${this.host.boots}`
    let isOnPurpose = false
    const presence = await claimMachine(
      {
        ...{ registry, events, id, holder, hostname: this.name, ttlMs: agentTtlMs, clock, log },
        onTaken: (error) => onFault(this.name, error),
        onLost: touch.restored,
      },
      gone.signal,
    )
    await undo.push('the heartbeat', () =>
      isOnPurpose && touch.broken() === null ? presence.leave(300_000) : presence.stop(),
    )
    const units = openUnitReader((hash) => registry.view.files.get(hash))
    registry.onChange((_, changes) => forgetGone(units, changes))
    const driver = this.host.driver(gone.signal)
    await presence.announce({ ...this.#machine, bootedAt: 0 })
    const secrets = { seal: (secret: string) => secret, open: (sealed: string) => sealed }
    const agent: Agent = await startAgent({
      ...{ machine: id, registry, units, events, secrets, clock, log },
      drivers: new Map([['process', driver]]),
      host: { refuseTakenPorts: async () => {}, ownProbe: () => clockwork.sleep(2) },
    })
    await undo.push('the agent', () => agent.stop())
    const explainer = new Explainer(registry.view, units.needs)
    registry.onChange((_, changes) => {
      for (const change of changes) explainer.note(change)
    })
    agent.join()
    const telling = startTelling({ registry, events, clock, log })
    await undo.push('what cannot be read', () => telling.stop())
    const sender = { send: ({ body }: { readonly body: string }) => this.#world.send(body), close: () => {} }
    await startEngine(
      registry,
      {
        ...{ id, units, events, secrets, sender, touch, agentTtlMs, clock, log },
        makesRoom: explainer.makesRoom.bind(explainer),
        unitOf: openVersionUnits(defaultSettings),
        cluster: 'simulated',
        keepEventsMs: 3_600_000,
        keepVersions: 10,
      },
      undo,
    )
    if (gone.signal.aborted) return
    this.#backAt = clockwork.now
    this.#daemon = {
      link,
      gone,
      registry,
      change: (decide) => applyChange({ registry, events, clock }, null, decide),
      stop: async (how) => {
        isOnPurpose = how === 'purpose'
        await undo.run()
        await registry.close()
      },
    }
  }
}
