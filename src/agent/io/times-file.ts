// Notes since when something of instances goes on, so that a daemon that starts meanwhile goes on with what is left of its time
// instead of beginning it anew. By the time since the machine was started, which nobody sets, and which is one for all processes.
import { readFile } from 'node:fs/promises'
import { readBootId } from '../../lib/io/boot-id.js'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { parseJsonOrNone } from '../../lib/json.js'
import type { UnitName } from '../../model/unit.js'

interface TimesFileOptions<Key extends string> {
  /** Undefined: nothing is noted. */
  readonly file: string | undefined
  /** What is noted of a unit; the first is when it began. */
  readonly keys: readonly [Key, ...Key[]]
  /** Whose times they are, for the log: 'instances that leave'. */
  readonly whose: string
  readonly log: Log
  /** Milliseconds since the machine was started; default: as the machine says. */
  readonly uptimeMs?: (() => number) | undefined
}

type Times<Key extends string> = ReadonlyMap<UnitName, Readonly<Record<Key, number>>>

type Noted<Key extends string> = Readonly<Record<Key, number>> & { readonly name: UnitName }

export class TimesFile<Key extends string> {
  readonly #options: TimesFileOptions<Key>
  readonly #uptimeMs: () => number
  #boot = ''
  /** What was noted last; null for what another daemon has noted. */
  #noted: string | null = textOf(new Map())
  #written: Promise<void> = Promise.resolve()

  constructor(options: TimesFileOptions<Key>) {
    this.#options = options
    this.#uptimeMs = options.uptimeMs ?? machineUptimeMs
  }

  /** What was noted before since the machine was started; `at` is now by the steady clock of this process. */
  async read(at: number): Promise<Times<Key>> {
    const { file, keys, whose, log } = this.#options
    if (file === undefined) return new Map()
    this.#boot = readBootId() ?? ''
    try {
      const noted = (parseJsonOrNone(await readFile(file, 'utf8')) ?? {}) as Record<string, unknown>
      this.#noted = null
      const uptime = this.#uptimeMs()
      const { units } = noted
      if (noted['boot'] !== this.#boot || !Array.isArray(units)) return new Map()
      const before = units.filter((one) => isNoted(one, keys)).filter((one) => one[keys[0]] <= uptime)
      return this.#shifted(before, at - uptime)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        log.warn('agent', `cannot read ${file}: ${whose} have their whole time again`)
      return new Map()
    }
  }

  /** Notes times by the steady clock, if they have changed; `at` is now by it. */
  note(times: Times<Key>, at: number): void {
    const { file, whose, log } = this.#options
    const text = textOf(times)
    if (file === undefined || text === this.#noted) return
    this.#noted = text
    const all = this.#shifted(
      [...times].map(([name, of]) => ({ ...of, name })),
      this.#uptimeMs() - at,
    )
    const units = [...all].map(([name, of]) => ({ name, ...of }))
    this.#written = this.#written
      .then(() => replaceFile(file, `${JSON.stringify({ boot: this.#boot, units })}\n`))
      .catch((error: unknown) => log.warn('agent', `cannot note times of ${whose}: ${describeError(error)}`))
  }

  /** Resolves when all is written. */
  async stop(): Promise<void> {
    await this.#written
  }

  #shifted(all: readonly Noted<Key>[], byMs: number): Times<Key> {
    const of = (one: Noted<Key>) =>
      Object.fromEntries(this.#options.keys.map((key) => [key, one[key] + byMs])) as Record<Key, number>
    return new Map(all.map((one) => [one.name, of(one)]))
  }
}

function textOf(times: Times<never>): string {
  return JSON.stringify([...times])
}

function machineUptimeMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function isNoted<Key extends string>(value: unknown, keys: readonly Key[]): value is Noted<Key> {
  const found = (value ?? {}) as Record<string, unknown>
  return typeof found['name'] === 'string' && keys.every((key) => typeof found[key] === 'number')
}
