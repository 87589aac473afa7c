// Notes since when instances leave, so that a daemon that starts meanwhile goes on with what is left of their time instead of
// beginning it anew. By the time since the machine was started, which nobody sets, and which is one for all processes.
import { readFile } from 'node:fs/promises'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { parseJsonOrNone } from '../../lib/json.js'
import type { UnitName } from '../../model/unit.js'
import type { Leaving } from '../leaving.js'

interface LeavingFileOptions {
  /** Absent: nothing is noted. */
  readonly leavingFile?: string
  readonly log: Log
  /** Milliseconds since the machine was started; default: as the machine says. */
  readonly uptimeMs?: () => number
}

interface Noted {
  readonly name: UnitName
  readonly since: number
  readonly stopAt: number
}

export class LeavingFile {
  readonly #options: LeavingFileOptions
  readonly #uptimeMs: () => number
  #boot = ''
  /** What was noted last; null for what another daemon has noted. */
  #noted: string | null = textOf(new Map())
  #written: Promise<void> = Promise.resolve()

  constructor(options: LeavingFileOptions) {
    this.#options = options
    this.#uptimeMs = options.uptimeMs ?? machineUptimeMs
  }

  /** What was noted before since the machine was started; `at` is now by the steady clock of this process. */
  async read(at: number): Promise<Leaving> {
    const { leavingFile: file, log } = this.#options
    if (file === undefined) return new Map()
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
    this.#boot = boot.trim()
    try {
      const noted = (parseJsonOrNone(await readFile(file, 'utf8')) ?? {}) as Record<string, unknown>
      this.#noted = null
      const uptime = this.#uptimeMs()
      const { units } = noted
      if (noted['boot'] !== this.#boot || !Array.isArray(units)) return new Map()
      const before = units.filter(isNoted).filter(({ since }) => since <= uptime)
      return shifted(before, at - uptime)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        log.warn('agent', `cannot read ${file}: instances that leave have their whole time again`)
      return new Map()
    }
  }

  /** Notes who leaves, if that has changed. */
  note(leaving: Leaving, at: number): void {
    const { leavingFile: file, log } = this.#options
    const text = textOf(leaving)
    if (file === undefined || text === this.#noted) return
    this.#noted = text
    const byMs = this.#uptimeMs() - at
    const all = shifted(
      [...leaving].map(([name, times]) => ({ name, ...times })),
      byMs,
    )
    const units = [...all].map(([name, times]) => ({ name, ...times }))
    this.#written = this.#written
      .then(() => replaceFile(file, `${JSON.stringify({ boot: this.#boot, units })}\n`))
      .catch((error: unknown) =>
        log.warn('agent', `cannot note which instances leave: ${describeError(error)}`),
      )
  }

  /** Resolves when all is written. */
  async stop(): Promise<void> {
    await this.#written
  }
}

function textOf(leaving: Leaving): string {
  return JSON.stringify([...leaving])
}

function shifted(all: readonly Noted[], byMs: number): Leaving {
  return new Map(all.map(({ name, since, stopAt }) => [name, { since: since + byMs, stopAt: stopAt + byMs }]))
}

function machineUptimeMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function isNoted(value: unknown): value is Noted {
  const { name, since, stopAt } = (value ?? {}) as { name?: unknown; since?: unknown; stopAt?: unknown }
  return typeof name === 'string' && typeof since === 'number' && typeof stopAt === 'number'
}
