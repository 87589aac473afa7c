// Commands whose output may go on: logs, journals, programs run beside an instance.
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { ClientError } from '../../client/client-error.js'
import type { ExecQuery, LogsQuery } from '../../client/queries.js'
import type { ErrorBody, ExecFrame, LogRecord } from '../../contract/contract.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { logFormatter } from '../log-lines.js'
import { isTerminal, writeAndDrain } from './output.js'
import type { Shell } from './shell.js'
import { printJson, readTime } from './shell.js'
import type { Terminal } from './terminal.js'

export interface LogFlags {
  readonly follow?: boolean
  readonly since?: string
  readonly tail?: number
  readonly timestamps?: boolean
  readonly previous?: boolean
}

export interface ExecFlags {
  readonly interactive?: boolean
  readonly tty?: boolean
  readonly user?: string
}

/** Prints what an instance wrote, or all instances of a service, each line saying whose it is. */
export async function logs(shell: Shell, name: string, flags: LogFlags): Promise<number> {
  const { client, globals, signal } = shell
  const query = logsQuery(flags)
  return printLogs(shell, client.logs(globals.project, name, query, signal), name, flags)
}

export async function journal(shell: Shell, unit: string, flags: LogFlags): Promise<number> {
  const query = logsQuery(flags)
  return printLogs(shell, shell.client.unitJournal(unit, query, shell.signal), null, flags)
}

/** Runs a program beside an instance, joined to our standard streams; resolves to its exit status. */
export async function exec(
  shell: Shell,
  instance: string,
  argv: readonly string[],
  flags: ExecFlags,
): Promise<number> {
  refuseJoin(shell, 'exec', instance)
  const { client, globals } = shell
  const { project } = globals
  return await join(shell, flags, {
    open: (terminal, body, signal, onId) =>
      client.exec(project, instance, { argv, user: flags.user, terminal }, body, signal, onId),
    leave: (id, signal) => client.detach(project, instance, id, signal),
  })
}

export interface RunFlags extends Omit<ExecFlags, 'user'> {
  readonly set?: readonly string[]
}

/** Runs a program once as an instance of a service, joined to our standard streams; resolves to its exit status. */
export async function run(
  shell: Shell,
  service: string,
  argv: readonly string[],
  flags: RunFlags,
): Promise<number> {
  refuseJoin(shell, 'run', service)
  const { set = [] } = flags
  const odd = set.find((pair) => !/^[^=]+=/.test(pair))
  if (odd !== undefined) throw usageError(`--set takes KEY=VALUE, not ${odd}`)
  const { client, globals } = shell
  return await join(shell, flags, {
    open: (terminal, body, signal) =>
      client.run(globals.project, service, { argv, set, terminal }, body, signal),
    leave: null,
  })
}

/** A program is told from our own options by what stands before it. */
function refuseJoin({ globals }: Shell, verb: 'exec' | 'run', name: string): void {
  if (!process.argv.includes('--'))
    throw usageError('put -- before the program to run', `example: mariposa service ${verb} ${name} -- ls -l`)
  if (globals.json) throw usageError(`${verb} passes on the output of the program: leave out --json`)
}

/** A program that we can be joined to. */
interface Joinable {
  readonly open: (
    terminal: ExecQuery['terminal'],
    body: NodeJS.ReadableStream,
    signal: AbortSignal,
    onId?: (id: string) => void,
  ) => AsyncIterable<ExecFrame>
  /** Leaves it to itself; null for one that ends with us. */
  readonly leave: ((id: string, signal: AbortSignal) => Promise<unknown>) | null
}

async function join(shell: Shell, flags: Omit<ExecFlags, 'user'>, program: Joinable): Promise<number> {
  const { stdin, terminal } = readStreams(flags)
  return terminal
    ? await joinInTerminal(shell, program, { stdin })
    : await joinPiped(shell, program, { stdin })
}

interface Joined {
  readonly stdin: boolean
}

/** Without -i and -t: both on a terminal, else our input alone. */
function readStreams({ interactive, tty }: ExecFlags): {
  readonly stdin: boolean
  readonly terminal: boolean
} {
  const terminal = process.stdin.isTTY && isTerminal('stdout')
  if (interactive === undefined && tty === undefined) return { stdin: true, terminal }
  if (interactive && tty && !process.stdin.isTTY)
    throw usageError('-t with -i needs a terminal to read from', 'leave out -t, or -i')
  return { stdin: interactive ?? false, terminal: tty ?? false }
}

async function joinPiped(
  { signal, terminal }: Shell,
  { open }: Joinable,
  { stdin }: Joined,
): Promise<number> {
  const body = stdin ? process.stdin : Readable.from([])
  try {
    return (await handOn(terminal, open(undefined, body, signal))) ?? exitCodes.done
  } finally {
    process.stdin.destroy()
  }
}

/** How long what was typed before the keys that detach may take to be taken, before it is left behind. */
const leaveWithinMs = 500

async function joinInTerminal(
  { terminal, signal }: Shell,
  { open, leave }: Joinable,
  { stdin }: Joined,
): Promise<number> {
  const { joinTerminal } = await import('./exec-terminal.js')
  const joined = joinTerminal({ stdin, detaches: leave !== null })
  const size = { ...joined.size, type: process.env['TERM'] ?? 'xterm' }
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  let id: string | null = null
  /** The body says that we detach once its turn has come; where that does not come, it is said beside it. */
  const leaveBehind = async (): Promise<null> => {
    await joined.detached
    try {
      await delay(leaveWithinMs, undefined, { signal: until })
      if (id !== null && leave !== null) {
        await leave(id, until)
        return null
      }
    } catch {
      // It has ended, or its daemon is of before and knows of the body alone.
    }
    return await new Promise<never>(() => {})
  }
  try {
    const frames = open(size, joined.body, until, (exec) => {
      id = exec
    })
    const code = await Promise.race([handOn(terminal, frames), leaveBehind()])
    if (code !== null) return code
    joined.release()
    terminal.err('detached; the program continues\n')
    return exitCodes.done
  } finally {
    over.abort()
    joined.release()
    process.stdin.destroy()
  }
}

/** Prints what a program writes, no faster than it is read; resolves to its exit status, null where it goes on without us. */
async function handOn(
  { err }: Pick<Terminal, 'err'>,
  frames: AsyncIterable<ExecFrame>,
): Promise<number | null> {
  for await (const frame of frames) {
    if ('exit' in frame) return frame.exit
    if ('error' in frame) throw notRun(frame.error)
    if ('detached' in frame) return null
    if ('waiting' in frame) err(`${frame.waiting}\n`)
    else await writeAndDrain(frame.stream, Buffer.from(frame.base64, 'base64'))
  }
  throw new ClientError(null, {
    code: 'client/disconnected',
    message: 'the daemon ended the connection before the program ended',
    details: [],
  })
}

/** A program that cannot be run has the status that a shell gives it, as where the driver has asked one. */
function notRun(error: ErrorBody['error']): CommandError | ClientError {
  const status = statusOfShell[error.code]
  return status === undefined
    ? new ClientError(null, error)
    : new CommandError(status, error.code, error.message, { hint: error.hint })
}

const statusOfShell: Readonly<Record<string, number>> = {
  'process/not-executable': 126,
  'process/not-found': 127,
}

function logsQuery({ follow = false, since, tail, previous = false }: LogFlags): LogsQuery {
  if (follow && previous)
    throw usageError('an ended instance writes no more lines: leave out --follow or --previous')
  return { follow, since: readTime(since), tail, previous }
}

/** `asked` is the name that was asked for: lines of another name say whose they are; null where there is but one writer. */
async function printLogs(
  shell: Shell,
  records: AsyncIterable<LogRecord>,
  asked: string | null,
  { follow = false, timestamps = false }: LogFlags,
): Promise<number> {
  const { globals, terminal } = shell
  let isWhole = true
  const noted = async function* (): AsyncGenerator<LogRecord> {
    for await (const record of records) {
      if (record.error !== undefined) isWhole = false
      yield record
    }
  }
  if (globals.json && !follow) printJson(shell, await collect(noted()))
  else {
    const format = globals.json
      ? (record: LogRecord) => `${JSON.stringify(record)}\n`
      : logFormatter(asked, terminal.paint, { timestamps })
    for await (const record of noted()) terminal.out(format(record))
  }
  return isWhole ? exitCodes.done : exitCodes.failed
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
