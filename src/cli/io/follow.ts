// Commands whose output may go on: logs, journals, programs run beside an instance.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { ExecFrame, LogRecord } from '../../api/contract.js'
import { ClientError } from '../client-error.js'
import { exitCodes, usageError } from '../command-error.js'
import { logFormatter } from '../log-lines.js'
import type { LogsQuery } from './client.js'
import type { Shell } from './shell.js'
import { printJson, readTime } from './shell.js'

export interface LogFlags {
  readonly follow?: boolean
  readonly since?: string
  readonly tail?: number
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
  return printLogs(shell, client.logs(globals.project, name, query, signal), name, query.follow)
}

export async function journal(shell: Shell, unit: string, flags: LogFlags): Promise<number> {
  const query = logsQuery(flags)
  return printLogs(shell, shell.client.unitJournal(unit, query, shell.signal), null, query.follow)
}

/** Runs a program beside an instance, joined to our standard streams; resolves to its exit status. */
export async function exec(
  shell: Shell,
  instance: string,
  argv: readonly string[],
  flags: ExecFlags,
): Promise<number> {
  if (!process.argv.includes('--'))
    throw usageError(
      'put -- before the program to run',
      `example: mariposa service exec ${instance} -- ls -l`,
    )
  if (shell.globals.json) throw usageError('exec hands on what the program writes: leave out --json')
  const { stdin, terminal } = readStreams(flags)
  return terminal
    ? await execInTerminal(shell, instance, { argv, user: flags.user, stdin })
    : await execPiped(shell, instance, { argv, user: flags.user, stdin })
}

interface ExecAsked {
  readonly argv: readonly string[]
  readonly user: string | undefined
  readonly stdin: boolean
}

/** Without -i and -t: both on a terminal, else our input alone. */
function readStreams({ interactive, tty }: ExecFlags): {
  readonly stdin: boolean
  readonly terminal: boolean
} {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  if (interactive === undefined && tty === undefined) return { stdin: true, terminal: isTerminal }
  if (interactive && tty && !process.stdin.isTTY)
    throw usageError('-t with -i needs a terminal to read from', 'leave out -t, or -i')
  return { stdin: interactive ?? false, terminal: tty ?? false }
}

async function execPiped(
  { client, globals, signal }: Shell,
  instance: string,
  asked: ExecAsked,
): Promise<number> {
  const body = asked.stdin ? process.stdin : Readable.from([])
  try {
    return await handOn(client.exec(globals.project, instance, asked, body, signal))
  } finally {
    process.stdin.destroy()
  }
}

async function execInTerminal(
  { client, globals, terminal, signal }: Shell,
  instance: string,
  asked: ExecAsked,
): Promise<number> {
  const { joinTerminal } = await import('./exec-terminal.js')
  const joined = joinTerminal(asked)
  const query = { ...asked, terminal: { ...joined.size, type: process.env['TERM'] ?? 'xterm' } }
  try {
    return await handOn(client.exec(globals.project, instance, query, joined.body, signal), () => {
      joined.release()
      terminal.err('detached; the program goes on\n')
    })
  } finally {
    joined.release()
    process.stdin.destroy()
  }
}

/** Prints what a program writes, no faster than it is read; resolves to its exit status. */
async function handOn(frames: AsyncIterable<ExecFrame>, onDetached = (): void => {}): Promise<number> {
  for await (const frame of frames) {
    if ('exit' in frame) return frame.exit
    if ('error' in frame) throw new ClientError(null, frame.error)
    if ('detached' in frame) {
      onDetached()
      return exitCodes.done
    }
    const stream = process[frame.stream]
    if (!stream.write(Buffer.from(frame.base64, 'base64'))) await once(stream, 'drain')
  }
  throw new ClientError(null, {
    code: 'client/disconnected',
    message: 'the daemon ended the connection before the program ended',
    details: [],
  })
}

function logsQuery(flags: LogFlags): LogsQuery {
  return { follow: flags.follow ?? false, since: readTime(flags.since), tail: flags.tail }
}

/** `asked` is the name that was asked for: lines of another name say whose they are; null where there is but one writer. */
async function printLogs(
  shell: Shell,
  records: AsyncIterable<LogRecord>,
  asked: string | null,
  follow: boolean,
): Promise<number> {
  const { globals, terminal } = shell
  if (globals.json && !follow) {
    printJson(shell, await collect(records))
    return exitCodes.done
  }
  const format = globals.json
    ? (record: LogRecord) => `${JSON.stringify(record)}\n`
    : logFormatter(asked, terminal.paint)
  for await (const record of records) terminal.out(format(record))
  return exitCodes.done
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
