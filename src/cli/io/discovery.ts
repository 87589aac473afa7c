// `mariposa discovery render`: a file that follows what runs.
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '../../client/client-error.js'
import type { DiscoveryBody } from '../../contract/contract.js'
import { type Backoff, backoffMs } from '../../lib/backoff.js'
import { describeError } from '../../lib/io/log.js'
import { readTextFile } from '../../lib/io/text-file.js'
import { splitWords } from '../../manifest/words.js'
import { isRealTimeSignal, signalName } from '../../model/signal.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { type Render, readTemplate } from '../discovery-template.js'
import { type Ended, startProgram } from './render-program.js'
import { openRendered, type Rendered } from './rendered-file.js'
import type { Shell } from './shell.js'

export interface RenderFlags {
  readonly exec?: string
  readonly signal?: string
  readonly once?: boolean
  /** Milliseconds. */
  readonly quiet: number
}

/** Waits after what failed: to reach the daemon, to write, to run the command. */
const again: Backoff = { firstMs: 500, longestMs: 15_000 }
/** A command that runs after a change may take so long. */
const commandWithinMs = 30_000

/** Writes the file, and again after each change until Ctrl-C; with `once` once. */
export async function renderFile(
  shell: Shell,
  template: string,
  out: string,
  flags: RenderFlags,
): Promise<number> {
  const { once: onlyOnce = false, quiet } = flags
  const told = readTold(flags)
  if (out === '-' && !onlyOnce) throw usageError('- prints the file: give --once, or a file to keep')
  const render = readTemplate(readTemplateFile(template), template)
  const file = await openRendered(out, shell.terminal)
  if (out !== '-' && (await isSameFile(template, out)))
    throw usageError(`${out} is the template itself`, 'name another file to write')
  const over = new AbortController()
  const signal = AbortSignal.any([shell.signal, over.signal])
  // What runs with us ends with us.
  const terminated = once(process, 'SIGTERM', { signal }).then(() => 128 + constants.signals.SIGTERM)
  const writing = { shell, render, file, quiet, told, signal }
  try {
    return await Promise.race([terminated, onlyOnce ? renderOnce(writing) : renderAlways(writing)])
  } finally {
    over.abort()
  }
}

/** By whatever names and links. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => stat(path).catch(() => null)))
  return a != null && b != null && a.dev === b.dev && a.ino === b.ino
}

/** What is told of a change: nobody, a command that is run, or one that runs and gets a signal. */
interface Told {
  readonly argv: readonly string[] | null
  readonly signal: NodeJS.Signals | null
}

function readTold({ exec, signal, once }: RenderFlags): Told {
  if (signal !== undefined && exec === undefined)
    throw usageError(
      '--signal is for the program that --exec starts',
      'example: --exec "haproxy -W -f FILE" --signal USR2',
    )
  if (signal !== undefined && once)
    throw usageError('--once ends at once, and would leave the program of --exec alone: leave out --signal')
  const name = signal === undefined ? null : signalName(signal.toUpperCase())
  if (signal !== undefined && (name === null || isRealTimeSignal(signal)))
    throw usageError(`'${signal}' is not a signal`, 'examples: HUP, USR2, SIGTERM')
  return { argv: exec === undefined ? null : readArgv(exec), signal: name as NodeJS.Signals | null }
}

function readArgv(line: string): readonly string[] {
  const { words, unclosed, shellSyntax } = splitWords(line)
  const hint = `for a shell: --exec 'sh -c "…"'`
  if (unclosed !== null) throw usageError(`--exec: a quote is not closed: ${line}`)
  const [strange] = shellSyntax
  if (strange !== undefined) throw usageError(`--exec runs no shell, and ${strange.text} is for one`, hint)
  if (words.length === 0) throw usageError('--exec needs a command')
  return words.map(({ text }) => text)
}

function readTemplateFile(path: string): string {
  try {
    return readTextFile(path)
  } catch (error) {
    throw new CommandError(
      exitCodes.invalid,
      'cli/unreadable',
      `cannot read ${path}: ${describeError(error)}`,
    )
  }
}

async function renderAlways(writing: Writing): Promise<number> {
  const latest = new Latest(writing.signal)
  return await Promise.race([keepLooking(writing, latest), keepWriting(writing, latest)])
}

async function renderOnce({ shell, render, file, told: { argv }, signal }: Writing): Promise<number> {
  for await (const body of shell.client.discovery(shell.globals.project, false, signal)) {
    const changed = await file.write(render(body))
    say(shell, file.path, changed)
    if (!changed || argv === null) return exitCodes.done
    const ended = await runCommand(argv, signal)
    if (ended.code !== 0) shell.terminal.err(`${describeEnd(argv, ended)}\n`)
    return ended.code === 0 ? exitCodes.done : exitCodes.failed
  }
  return exitCodes.failed
}

/** The newest that is known of what runs, for who looks at it when there is time. */
class Latest {
  readonly #signal: AbortSignal
  #body: DiscoveryBody | null = null
  #wake: () => void = () => {}
  /** Sees each at once, also while nobody has time to take it. */
  onPut: (body: DiscoveryBody) => void = () => {}

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#wake())
  }

  put(body: DiscoveryBody): void {
    this.#body = body
    this.#wake()
    this.onPut(body)
  }

  /** The newest that was not taken yet; null when `withinMs` are over first. */
  async take(withinMs: number | null): Promise<DiscoveryBody | null> {
    const signal = this.#signal
    if (this.#body === null && !signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await (withinMs === null ? woken : Promise.race([woken, sleep(withinMs, undefined, { signal })]))
    }
    signal.throwIfAborted()
    const body = this.#body
    this.#body = null
    return body
  }
}

/** A daemon that is away is asked again for as long as it takes: the file stays as it is meanwhile. */
async function keepLooking(
  { shell: { client, globals, terminal }, signal }: Writing,
  latest: Latest,
): Promise<never> {
  let failures = 0
  let seen = false
  for (;;) {
    let why = 'the daemon ended the connection'
    try {
      for await (const body of client.discovery(globals.project, true, signal)) {
        if (failures > 0) terminal.err('the daemon answers again\n')
        failures = 0
        seen = true
        latest.put(body)
      }
    } catch (error) {
      if (signal.aborted) throw error
      // What is wrong from the first time on is told at once: a project that nobody has, a token that is none.
      if (!seen && !isPassing(error)) throw error
      why = describeError(error)
    }
    failures += 1
    if (failures === 2) terminal.err(`${why}; the file is unchanged; asking the daemon again\n`)
    await sleep(backoffMs(failures, again), undefined, { signal })
  }
}

interface Writing {
  readonly shell: Shell
  readonly render: Render
  readonly file: Rendered
  readonly quiet: number
  readonly told: Told
  readonly signal: AbortSignal
}

/** Resolves to an exit status when the program that gets signals has ended. */
async function keepWriting(writing: Writing, latest: Latest): Promise<number> {
  const { shell, render, quiet, told, signal } = writing
  const teller = new Teller(shell, told, signal)
  let body: DiscoveryBody | null = null
  let failures = 0
  let said = ''
  const sayOnce = (error: CommandError, then: string): void => {
    const why = describeError(error)
    if (why !== said) shell.terminal.err(`${why}; ${then}\n`)
    said = why
  }
  latest.onPut = (next) => {
    if (!teller.isRunning) return
    try {
      render(next)
    } catch (error) {
      if (isTold(error))
        sayOnce(error, `${told.argv?.[0]} is still running, and the file is unchanged until it has ended`)
    }
  }
  for (;;) {
    const waitMs = failures === 0 ? null : backoffMs(failures, again)
    const fresh = await Promise.race([teller.ended, latest.take(waitMs)])
    if (typeof fresh === 'number') return fresh
    body = fresh ?? body
    if (body === null) continue
    try {
      await writeAndTell(writing, teller, body)
      failures = 0
      said = ''
    } catch (error) {
      if (signal.aborted || !isTold(error)) throw error
      failures += 1
      sayOnce(error, 'tried again')
    }
    if (typeof (await Promise.race([sleep(quiet, null, { signal }), teller.ended])) === 'number') continue
  }
}

async function writeAndTell(
  { shell, render, file }: Writing,
  teller: Teller,
  body: DiscoveryBody,
): Promise<void> {
  const changed = await file.write(render(body))
  if (changed) say(shell, file.path, true)
  await teller.tell(changed)
}

/** An error of what is outside: the template, the disk, the command. */
function isTold(error: unknown): error is CommandError {
  return error instanceof CommandError
}

/** Tells the operator's command of changes. */
class Teller {
  /** When the program that gets signals has ended: the status that we end with. Never, where there is none. */
  readonly ended: Promise<number>
  readonly #shell: Shell
  readonly #told: Told
  readonly #signal: AbortSignal
  #end: (code: number) => void = () => {}
  #program: ReturnType<typeof startProgram> | null = null
  /** The file has changed, and the command has not run to its end since. */
  #due = false
  /** A command that is waited for. */
  isRunning = false

  constructor(shell: Shell, told: Told, signal: AbortSignal) {
    this.#shell = shell
    this.#told = told
    this.#signal = signal
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  async tell(changed: boolean): Promise<void> {
    const { argv, signal } = this.#told
    if (argv === null) return
    if (signal !== null) {
      if (this.#program === null) this.#start(argv)
      else if (changed) this.#program.kill(signal)
      return
    }
    this.#due ||= changed
    if (!this.#due) return
    this.isRunning = true
    const ended = await runCommand(argv, this.#signal)
    this.isRunning = false
    if (ended.code !== 0)
      throw new CommandError(exitCodes.failed, 'cli/command-failed', describeEnd(argv, ended))
    this.#due = false
  }

  #start(argv: readonly string[]): void {
    const program = startProgram(argv, this.#signal, null)
    this.#program = program
    program.ended.then(
      (ended) => {
        if (ended.code !== 0) this.#shell.terminal.err(`${describeEnd(argv, ended)}\n`)
        this.#end(ended.code)
      },
      () => {},
    )
  }
}

function runCommand(argv: readonly string[], signal: AbortSignal): Promise<Ended> {
  return startProgram(argv, signal, commandWithinMs).ended
}

function describeEnd([program = '']: readonly string[], { code, why }: Ended): string {
  return `${program}: ${why ?? `exit status ${code}`}`
}

function say({ globals, terminal }: Shell, path: string, changed: boolean): void {
  if (path === '-') return
  if (globals.json) terminal.out(`${JSON.stringify({ file: path, changed })}\n`)
  else terminal.out(`${path}: ${changed ? 'written' : 'unchanged'}\n`)
}
