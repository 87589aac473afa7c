// What a machine tells of its drivers: that one does not answer, and that it does again.
import type { Instant } from '../lib/time.js'
import type { DriverKind } from '../model/driver-kind.js'
import type { EventDraft } from '../model/event.js'
import type { MachineId } from '../model/machine.js'

/** A driver that does not answer. */
interface AwayDriver {
  readonly kind: DriverKind
  readonly since: Instant
  /** What there is to say of it; empty for nothing more. */
  readonly why: string
}

export class DriverNews {
  readonly #machine: MachineId
  readonly #told = new Map<DriverKind, Instant>()

  constructor(machine: MachineId) {
    this.#machine = machine
  }

  /** Gives what is to be told, now that these are away and all others answer. */
  note(away: readonly AwayDriver[], hostname: string, now: Instant): readonly EventDraft[] {
    const gone = away.filter(({ kind }) => !this.#told.has(kind))
    const back = [...this.#told].filter(([told]) => away.every(({ kind }) => kind !== told))
    for (const { kind, since } of gone) this.#told.set(kind, since)
    for (const [kind] of back) this.#told.delete(kind)
    return [
      ...gone.map(({ kind, why }) => {
        const more = why === '' ? '' : `: ${why}`
        return this.#event(
          `${hostname}: ${kind} does not answer${more}; the state of its units is unknown, and they are left as they are`,
        )
      }),
      ...back.map(([kind, since]) =>
        this.#event(
          `${hostname}: ${kind} answers again, after ${Math.max(0, Math.round((now - since) / 1000))} s`,
        ),
      ),
    ]
  }

  #event(message: string): EventDraft {
    return { kind: 'machine', project: null, service: null, instance: null, machine: this.#machine, message }
  }
}
