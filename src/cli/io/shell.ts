// What every command works with, and how it ends: output, client, Ctrl-C, exit status.
import { setMaxListeners } from 'node:events'
import { homedir } from 'node:os'
import { ClientError } from '../../client/client-error.js'
import type { Account } from '../../client/endpoint.js'
import type { Client } from '../../client/io/client.js'
import { connect } from '../../client/io/client.js'
import type { Credentials } from '../../client/io/http.js'
import type { Silence } from '../../client/io/silence.js'
import type { Looked, SourceFile } from '../../contract/contract.js'
import { readTextFile } from '../../lib/io/text-file.js'
import { longestTimerMs } from '../../lib/time.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { describeDuration, parseSince } from '../duration.js'
import type { Failure } from '../failure.js'
import { describeFailure, errorJson, judgeFailure } from '../failure.js'
import type { Globals, RawGlobals } from '../global-options.js'
import { readGlobals } from '../global-options.js'
import { plainPaint } from '../paint.js'
import { describeHeld } from '../progress.js'
import type { CellView, Column } from '../table.js'
import { chooseColumns, printableLines, renderTable } from '../table.js'
import { goOnWithoutReader } from './output.js'
import type { Terminal } from './terminal.js'
import { processTerminal } from './terminal.js'

/** What every command has: its options, a client and a terminal. */
export interface Shell {
  readonly globals: Globals
  readonly client: Client
  readonly terminal: Terminal
  /** Aborts on Ctrl-C, and when time is up. */
  readonly signal: AbortSignal
  /** Aborts on Ctrl-C alone. */
  readonly interruption: AbortSignal
  /** The time that `--timeout` gives to all of the command. */
  readonly deadline: Deadline
}

/** Until when a command may take. */
export interface Deadline {
  readonly timeoutMs: number
  /** null: at no time. */
  readonly endsAt: Date | null
  /** Aborts with a TimeoutError when that is over. */
  readonly signal: AbortSignal
}

/** A command: does its work and resolves to the exit status. */
export type Command = (shell: Shell) => Promise<number>

/**
 * Runs a command with the options given and sets the exit status of the process; every failure is told, none thrown.
 * `timeoutMs` is what `--timeout` says; null where a command has no such option.
 */
export async function runCommand(
  raw: RawGlobals,
  command: Command,
  timeoutMs: number | null = null,
): Promise<void> {
  const abort = new AbortController()
  process.once('SIGINT', () => {
    abort.abort()
    process.once('SIGINT', () => process.exit(exitCodes.interrupted))
  })
  const terminal = processTerminal({ color: raw.color ?? true })
  const deadline = openDeadline(timeoutMs ?? Number.POSITIVE_INFINITY)
  try {
    process.exitCode = await command(openShell(raw, terminal, abort.signal, deadline))
  } catch (error) {
    process.exitCode = abort.signal.aborted
      ? endInterrupted(error, terminal, raw.json ?? false)
      : await reportFailure(
          deadline.signal.aborted ? lateFailure(error, deadline) : error,
          terminal,
          raw.json ?? false,
        )
  }
}

function openDeadline(timeoutMs: number): Deadline {
  const over = new AbortController()
  // Whoever gives more waits for ever.
  const ends = timeoutMs <= longestTimerMs
  if (ends) setTimeout(() => over.abort(new DOMException('time is up', 'TimeoutError')), timeoutMs).unref()
  return { timeoutMs, endsAt: ends ? new Date(Date.now() + timeoutMs) : null, signal: over.signal }
}

/** Time is up (exit 3), and the daemon has not answered. */
function lateFailure(error: unknown, { timeoutMs }: Deadline): unknown {
  if (!(error instanceof ClientError) || error.code !== 'client/timeout') return error
  const message = `${error.message}: ${describeDuration(timeoutMs)} are over`
  return new CommandError(exitCodes.notConverged, error.code, message, { hint: error.hint })
}

/** Tells what went wrong, as JSON on standard output where asked to, and returns the exit status. */
export async function reportFailure(error: unknown, terminal: Terminal, json: boolean): Promise<number> {
  const failure = judgeFailure(error)
  if (failure === null) return reportBug(error, terminal, json)
  return printFailure(failure, error, terminal, json, await renderDetails(failure, terminal))
}

/** Prints rows as JSON, as names alone, or as a table, as the options ask. */
export function printRows<Row>(
  shell: Shell,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): void {
  const { globals, terminal } = shell
  if (globals.json) {
    printJson(shell, globals.quiet ? rows.map(nameOf) : rows)
  } else if (globals.quiet) {
    terminal.out(rows.map((row) => `${nameOf(row)}\n`).join(''))
  } else {
    const chosen = columnsFor(shell, columns)
    terminal.out(renderTable(chosen, rows, { header: globals.header, view: cellView(shell) }))
  }
}

/** The columns that `-o` and `-l` choose; an unknown one is a usage error. */
export function columnsFor<Row>(shell: Shell, columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const { chosen, unknown } = chooseColumns(columns, shell.globals)
  if (unknown.length === 0) return chosen
  const names = columns.map((column) => column.key).join(', ')
  throw usageError(`no column is called ${unknown.join(', ')}`, `columns: ${names}`)
}

export function printJson(shell: Shell, value: unknown): void {
  shell.terminal.out(`${JSON.stringify(value, null, 2)}\n`)
}

/** Prints text that somebody stored: as it is, but for what a terminal would act on where it goes to one. */
export function printText({ terminal }: Pick<Shell, 'terminal'>, text: string): void {
  terminal.out(terminal.width() === null ? text : printableLines(text))
}

/** An instant that an option gives, as RFC 3339 text; undefined where it is not given. */
export function readTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const at = parseSince(text, Date.now())
  if (at === null) throw usageError(`'${text}' is not a time`, 'give a duration like 10m or an RFC 3339 time')
  return at
}

/** Prints what a text should be changed in, though it may stay: on standard error. */
export async function printWarnings(
  { terminal }: Shell,
  warnings: readonly Diagnostic[],
  sources: readonly SourceFile[],
): Promise<void> {
  if (warnings.length > 0) terminal.err(await renderDiagnostics(warnings, sources, terminal))
}

export function cellView({ globals, terminal }: Shell): CellView {
  // What is asked for as a whole, or by name, is not cut; nor what a program reads.
  const width = globals.long || globals.columns !== null ? null : terminal.width()
  return { now: Date.now(), full: globals.long, width }
}

/** Who runs this process, for default paths. */
export function currentAccount(): Account {
  return { root: process.getuid?.() === 0, home: process.env['HOME'] || homedir(), env: process.env }
}

/** Of many answers of one command, one is told of. */
function once<A extends readonly unknown[]>(tell: (...args: A) => void): (...args: A) => void {
  let told = false
  return (...args) => {
    if (!told) tell(...args)
    told = true
  }
}

/** What many waits of one command hear is told once for each silence, on standard error. */
function tellSilence({ note }: Terminal): (news: Silence) => void {
  let silent = false
  return (news) => {
    if ((news.kind === 'silent') === silent) return
    silent = !silent
    note(`${news.kind === 'silent' ? `${news.what}; waiting${untilOf(news.until)}` : news.what}\n`)
  }
}

/** Tells why what is waited for does not go on, once for each state, on standard error; `of` is what a look is at. */
export function tellHeld({ terminal }: Pick<Shell, 'terminal'>): (of: string, look: Looked) => void {
  const holds = new Map<string, string>()
  let told: string | null = null
  return (of, { held }) => {
    if (held === undefined) holds.delete(of)
    else holds.set(of, describeHeld(held))
    const now = holds.get(of) ?? [...holds.values()][0] ?? null
    if (now === told) return
    terminal.note(now === null ? 'it continues\n' : `no change makes progress: ${now}\n`)
    told = now
  }
}

function untilOf(until: Date | null): string {
  return until === null ? '' : ` until ${until.toTimeString().slice(0, 8)}`
}

function whyStale(because: string | undefined): string {
  return because === 'store/full'
    ? 'the store of the daemon has no space left, so machines cannot report changes since then'
    : 'the daemon is out of touch with its store'
}

function describeSetAside(found: number): string {
  const these =
    found === 1
      ? '1 record cannot be read, and the object that it is'
      : `${found} records cannot be read, and the objects that they are`
  return `${these} about is left as it is: mariposa store check names ${found === 1 ? 'it' : 'them'}`
}

function openShell(
  raw: RawGlobals,
  terminal: Terminal,
  interruption: AbortSignal,
  deadline: Deadline,
): Shell {
  const globals = readGlobals(raw, currentAccount())
  if (globals instanceof CommandError) throw globals
  const client = clientOf(globals, {
    listener: { tell: tellSilence(terminal), endsAt: deadline.endsAt },
    onChange: once(goOnWithoutReader),
    onStale: once((since, because) => terminal.err(`stale since ${since}: ${whyStale(because)}\n`)),
    onUnreadable: once((found) => terminal.err(`${describeSetAside(found)}\n`)),
  })
  const signal = AbortSignal.any([interruption, deadline.signal])
  // Every request of a command listens to it.
  setMaxListeners(0, signal)
  return { globals, client, terminal, signal, interruption, deadline }
}

/** A client that shows what the options say; `more` is what it tells of beside its answers. */
export function clientOf(
  { endpoint, token, files: { ca, cert, key } }: Globals,
  more: Pick<Credentials, 'listener' | 'onChange' | 'onStale' | 'onUnreadable'>,
): Client {
  return connect(endpoint, {
    ...(token !== undefined && { token }),
    ...(ca !== undefined && { ca: readCredential(ca) }),
    ...(cert !== undefined && { cert: readCredential(cert) }),
    ...(key !== undefined && { key: readCredential(key) }),
    ...more,
  })
}

function readCredential(file: string): string {
  try {
    return readTextFile(file)
  } catch (error) {
    throw new CommandError(
      exitCodes.invalid,
      'cli/unreadable',
      `${file} cannot be read: ${(error as Error).message}`,
    )
  }
}

/** Ending what would go on for ever is no news; that a change goes on is. */
function endInterrupted(error: unknown, terminal: Terminal, json: boolean): number {
  const isNews =
    error instanceof CommandError || (error instanceof ClientError && error.code === 'cli/interrupted')
  if (!isNews) return exitCodes.interrupted
  const { message, hint } = error
  const failure = { ...plainFailure(exitCodes.interrupted, 'cli/interrupted', message), hint }
  return printFailure(failure, error, terminal, json, '')
}

function printFailure(
  failure: Failure,
  error: unknown,
  terminal: Terminal,
  json: boolean,
  details: string,
): number {
  terminal.err(describeFailure(failure, details))
  if (process.env['MARIPOSA_DEBUG'] === '1' && error instanceof Error) terminal.err(`${error.stack ?? ''}\n`)
  // On one line: it may come behind lines of JSON, and readers of those take one at a time.
  if (json) terminal.out(`${JSON.stringify(errorJson(failure))}\n`)
  return failure.exitCode
}

function reportBug(error: unknown, terminal: Terminal, json: boolean): number {
  const message = `this is a bug in mariposa: ${error instanceof Error ? error.message : String(error)}`
  const hint = 'run it again with MARIPOSA_DEBUG=1 and report what it prints'
  return printFailure(
    { ...plainFailure(exitCodes.failed, 'cli/bug', message), hint },
    error,
    terminal,
    json,
    '',
  )
}

function plainFailure(exitCode: number, code: string, message: string): Failure {
  return { exitCode, code, message, hint: undefined, details: [], sources: [] }
}

/** Places in texts are shown with the lines around them; without a place the sentences are enough. */
async function renderDetails({ details, sources }: Failure, terminal: Terminal): Promise<string> {
  const placed = details.some(({ file, line }) => file !== undefined || line !== undefined)
  if (placed) return renderDiagnostics(details, sources, terminal)
  return details.map(({ message, hint }) => `  ${message}\n${hint ? `    ${hint}\n` : ''}`).join('')
}

/** What prints places in a manifest is loaded only when there is one to print. */
async function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: readonly SourceFile[],
  terminal: Terminal,
): Promise<string> {
  const { describeDiagnostics } = await import('../../manifest/describe.js')
  return describeDiagnostics(diagnostics, sources, { color: terminal.paint !== plainPaint })
}
