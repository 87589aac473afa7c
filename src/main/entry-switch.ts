// Whether this machine runs the entry now: always, or while its metadata say so. It begins and ends while the daemon runs.
import type { RunningEntry } from '../entry/io/entry.js'
import { describeRole, type EntryRole, hasRole } from '../entry/role.js'
import { describeError, type Log } from '../lib/io/log.js'
import { type Loop, startLoop } from '../lib/io/loop.js'
import type { Instant, Time } from '../lib/time.js'
import type { Machine } from '../model/machine.js'

/** HAProxy may be installed, or removed, while the daemon runs. */
const lookEveryMs = 5000
const lookWhileLeavingMs = 250
/** The time that clients have to go elsewhere, and then a minute for what is under way, as where an instance is to stop. */
const leaveWithinMs = 65_000

interface SwitchParts {
  readonly role: EntryRole | null
  /** The metadata that the machine has in effect; null while nobody can tell. */
  metadata(): Readonly<Record<string, string>> | null
  /** What the machine says of its entry while there is one. */
  announced(): NonNullable<Machine['entry']>
  /** Says it, or that there is none. */
  tell(entry: NonNullable<Machine['entry']> | null): void
  start(): RunningEntry
  /** Ends the proxy. */
  endProxy(): Promise<unknown>
  readonly clock: Time
  readonly log: Log
}

export class EntrySwitch {
  readonly #parts: SwitchParts
  #running: RunningEntry | null = null
  #leavingSince: number | null = null
  #loop: Loop | null = null

  /** `isLeft`: a proxy of before still serves here. */
  constructor(parts: SwitchParts, isLeft: boolean) {
    this.#parts = parts
    // What nobody can tell anything of yet is served on.
    if (isLeft) this.#running = parts.start()
  }

  /** The entry as it runs; null while there is none. */
  now(): RunningEntry | null {
    return this.#running
  }

  /** Looks at once, and from then on. */
  follow(): void {
    const { clock, log } = this.#parts
    this.#loop = startLoop({
      pass: async (now) => ({ wakeAt: await this.look(now) }),
      clock,
      intervalMs: lookEveryMs,
      onError: (error) => log.warn('entry', `cannot begin or end the entry: ${describeError(error)}`),
    })
  }

  /** To be called when the metadata may have changed. */
  wake(): void {
    this.#loop?.wake()
  }

  /** What is served is served on. */
  async stop(): Promise<void> {
    await this.#loop?.stop()
    await this.#running?.stop()
  }

  /** Begins, goes on, or ends, as the metadata say; resolves to when to look again, null for some time later. */
  async look(now: Instant): Promise<Instant | null> {
    const { role, metadata, announced, tell } = this.#parts
    const known = role === null ? {} : metadata()
    if (known !== null) {
      if (hasRole(known, role)) this.#begin()
      else await this.#leave()
    }
    tell(this.#running === null ? null : announced())
    return this.#leavingSince === null ? null : now + lookWhileLeavingMs
  }

  #begin(): void {
    const { role, start, log } = this.#parts
    if (this.#running !== null && this.#leavingSince === null) return
    if (role !== null) log.info('entry', 'this machine runs the entry', { metadata: describeRole(role) })
    this.#leavingSince = null
    if (this.#running === null) this.#running = start()
    else this.#running.comeBack()
  }

  async #leave(): Promise<void> {
    const { role, endProxy, clock, log } = this.#parts
    const running = this.#running
    if (running === null) return
    if (this.#leavingSince === null) {
      running.leave()
      this.#leavingSince = clock.steady()
      log.info('entry', 'this machine no longer runs the entry; open requests are finished first', {
        metadata: describeRole(role ?? {}),
      })
    }
    const isOver = clock.steady() - this.#leavingSince >= leaveWithinMs
    if (!isOver && !(await running.hasLeft())) return
    await running.stop()
    this.#running = null
    this.#leavingSince = null
    await endProxy()
    log.info('entry', 'its proxy has ended')
  }
}
