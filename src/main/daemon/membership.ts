// This machine in the cluster: the claim on its id, the heartbeat, and its record as that changes.
import { hostname } from 'node:os'
import type { DriversHere } from '../../agent/drivers-here.js'
import { InvariantError } from '../../lib/invariant.js'
import { describeError } from '../../lib/io/log.js'
import type { Machine, MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'
import type { EventLog } from '../../store/io/event-log.js'
import { isOutOfReach } from '../../store/store.js'
import { holderOf } from '../machine.js'
import { claimMachine, type DuplicateMachineError, type Presence } from '../machine-presence.js'
import { purgedReports } from '../on-stop.js'
import { type Base, stoppedOnPurpose, unlessFull } from './base.js'
import type { Cluster } from './cluster.js'

export class Membership {
  readonly id: MachineId
  readonly #base: Base
  readonly #cluster: Cluster
  readonly #events: EventLog
  #presence: Presence | null = null
  /** As the cluster is told of it; its drivers come and go. Null until it is described. */
  #announced: Machine | null = null
  #purged: ReadonlySet<UnitName> | null = null

  constructor(base: Base, cluster: Cluster, { id, events }: { id: MachineId; events: EventLog }) {
    this.id = id
    this.#base = base
    this.#cluster = cluster
    this.#events = events
  }

  get isClaimed(): boolean {
    return this.#presence !== null
  }

  get announced(): Machine {
    if (this.#announced === null) throw new InvariantError('the machine is not described yet')
    return this.#announced
  }

  /** How this machine is described before anybody is told. */
  describe(machine: Machine): void {
    this.#announced = machine
  }

  /** While nothing here has been begun, and nobody is served, the id is waited for, and whoever asks is told so. */
  async claimFirst(): Promise<void> {
    const { isOnEtcd, soFar, doors, options } = this.#base
    const onWait = async (error: DuplicateMachineError): Promise<void> => {
      soFar.taken = error
      await doors.open(options.listen)
    }
    if (this.#cluster.away === null) await unlessFull(() => this.#claim(isOnEtcd ? { onWait } : {}))
    soFar.taken = null
  }

  /** Claims the id as soon as that fits into the store, unless it is claimed. */
  async claimWhenItFits(): Promise<void> {
    if (this.#presence === null) await this.#cluster.space.whenItFits(() => this.#claim({}), this.#base.end)
  }

  /** Writes the record of the machine; nothing while the id is not claimed. */
  async announce(): Promise<void> {
    await this.#presence?.announce(this.announced)
  }

  async tellDrivers(here: DriversHere): Promise<void> {
    const { metadata } = this.#base.current.now()
    this.#announced = { ...this.announced, metadata, driversAway: [], ...here }
    await this.announce()
  }

  /** Tells of this machine what has changed, as soon as there is somebody to tell. */
  tell(change: Partial<Pick<Machine, 'metadata' | 'certificates' | 'secretKeys'>>): void {
    this.#tell({ ...this.announced, ...change })
  }

  #tell(next: Machine): void {
    const { options, log } = this.#base
    // A daemon without an agent is no machine.
    if (!options.agent || JSON.stringify(this.announced) === JSON.stringify(next)) return
    this.#announced = next
    this.announce().catch((error: unknown) => {
      if (!isOutOfReach(error))
        log.warn('machine', `cannot update this machine's record: ${describeError(error)}`)
    })
  }

  /** The same of its entry; null: it has none. */
  tellEntry(entry: NonNullable<Machine['entry']> | null): void {
    const { entry: _, ...without } = this.announced
    this.#tell(entry === null ? without : { ...this.announced, entry })
  }

  /** Units that are stopped for good with this daemon: the heartbeat ends with their last reports. */
  notePurged(purged: ReadonlySet<UnitName>): void {
    this.#purged = purged
  }

  async #claim(waiting: { onWait?: (error: DuplicateMachineError) => Promise<void> }): Promise<void> {
    const { options, clock, log, fail, connectivity, undo, end } = this.#base
    const presence = await claimMachine(
      {
        ...waiting,
        registry: this.#cluster.registry,
        events: this.#events,
        id: this.id,
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
    await undo.push('the heartbeat', () => this.#end(presence))
    this.#presence = presence
  }

  #end(presence: Presence): Promise<void> {
    const { current, isOnEtcd, connectivity, end } = this.#base
    if (this.#purged !== null)
      return presence.withdraw(purgedReports(this.#cluster.registry.view, this.id, this.#purged))
    const isOnPurpose = end.reason === stoppedOnPurpose && connectivity.outage() === null
    const { awayGraceMs } = current.now()
    return isOnPurpose && isOnEtcd && awayGraceMs > 0 ? presence.leave(awayGraceMs) : presence.stop()
  }
}
