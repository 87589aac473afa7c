// Whether other machines answer at all: a connection is made to each, several times a second. A machine that is there accepts or
// refuses it at once, by its kernel, however busy its programs are; one that lost its power, or its network, says nothing. Once it has
// been silent, it counts as back when connections are accepted.
import { connect } from 'node:net'
import type { Log } from '../../lib/io/log.js'
import type { Time, Timer } from '../../lib/time.js'
import { afterLook, type Heard, type Hearing, newHearing, type Probe, type Probes } from '../silent.js'

interface SilenceWatchParts {
  readonly clock: Time
  readonly log: Log
  /** Called when a machine has become silent, or answers again. */
  readonly onChange: () => void
}

/** How long one that is asked has until it is looked at, and so how often each is asked while they are few. */
const lookAfterMs = 250
/** Connections are cheap, not free: of many machines each is asked less often, as long as it answers. */
const shareMs = 10
/** What is not answered by then was lost. */
const giveUpAfterMs = 2000
/** What says that nobody is there; all other errors are answers. */
const noAnswer = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'ETIMEDOUT'])

/** Asks machines as long as it is told to, and knows which of them do not answer. */
export class SilenceWatch {
  readonly #parts: SilenceWatchParts
  readonly #asked = new Map<string, Asked>()

  constructor(parts: SilenceWatchParts) {
    this.#parts = parts
  }

  /** The addresses that do not answer now. */
  get silent(): ReadonlySet<string> {
    return new Set([...this.#asked].flatMap(([address, { isSilent }]) => (isSilent ? [address] : [])))
  }

  /** Asks these from now on, and nobody else. */
  follow(probes: Probes): void {
    for (const [address, asked] of this.#asked) {
      if (probes.has(address)) continue
      asked.stop()
      this.#asked.delete(address)
    }
    const restMs = Math.max(0, shareMs * probes.size - lookAfterMs)
    for (const [address, probe] of probes) {
      const known = this.#asked.get(address)
      // Each begins at another moment, so that many are not asked at once.
      const asked = known ?? new Asked(this.#parts, address, (this.#asked.size * shareMs) % lookAfterMs)
      this.#asked.set(address, asked)
      asked.follow(probe, restMs)
    }
  }

  /** Asks nobody any more, and knows of nobody. */
  stop(): void {
    this.follow(new Map())
  }
}

/** One machine. */
class Asked {
  readonly #parts: SilenceWatchParts
  readonly #address: string
  readonly #pending = new Set<() => void>()
  #probe: Probe = { ports: [], daemonPort: null }
  #restMs = 0
  #turn = 0
  /** The best answer since the last look. */
  #heard: Heard = 'nothing'
  #hearing: Hearing = newHearing
  #timer: Timer | null = null
  #isStopped = false

  /** It is asked for the first time after `beginMs`. */
  constructor(parts: SilenceWatchParts, address: string, beginMs: number) {
    this.#parts = parts
    this.#address = address
    this.#later(beginMs, () => this.#ask())
  }

  get isSilent(): boolean {
    return this.#hearing.isSilent
  }

  /** `restMs`: how long it is left alone each time it has answered. */
  follow(probe: Probe, restMs: number): void {
    this.#probe = probe
    this.#restMs = restMs
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    for (const giveUp of this.#pending) giveUp()
  }

  #later(ms: number, act: () => void): void {
    this.#timer = this.#parts.clock.after(ms, act).unref()
  }

  /** One program may have no room for another connection, or a firewall before it: in doubt the daemon's port is tried as well. */
  #ask(): void {
    const { ports, daemonPort } = this.#probe
    this.#heard = 'nothing'
    this.#try(ports[this.#turn++ % ports.length] ?? 0, 'instance')
    if (this.#hearing.unheard > 0 && daemonPort !== null) this.#try(daemonPort, 'machine')
    this.#later(
      lookAfterMs,
      afterAnswers(() => this.#look()),
    )
  }

  #look(): void {
    if (this.#isStopped) return
    const before = this.#hearing
    this.#hearing = afterLook(before, this.#heard)
    if (this.isSilent !== before.isSilent) this.#tell()
    if (this.#heard !== 'nothing' && this.#restMs > 0) this.#later(this.#restMs, () => this.#ask())
    else this.#ask()
  }

  #tell(): void {
    const { log, onChange } = this.#parts
    if (this.isSilent)
      log.warn('entry', `${this.#address} does not answer: requests go to other machines until it does`)
    else log.info('entry', `${this.#address} answers again`)
    onChange()
  }

  #try(port: number, whose: Exclude<Heard, 'nothing'>): void {
    const socket = connect({ host: this.#address, port })
    const over = (): void => {
      this.#pending.delete(over)
      timer.cancel()
      socket.destroy()
    }
    const answered = (by: Heard): void => {
      if (this.#heard !== 'instance') this.#heard = by
      over()
    }
    const timer = this.#parts.clock.after(giveUpAfterMs, afterAnswers(over)).unref()
    socket.on('connect', () => answered(whose))
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      noAnswer.has(code ?? '') ? over() : answered('machine'),
    )
    this.#pending.add(over)
  }
}

/** A process that was held up has timers that are due, and answers that it has not read yet: these first. */
function afterAnswers(act: () => void): () => void {
  return () => void setImmediate(act)
}
