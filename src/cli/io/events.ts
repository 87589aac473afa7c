// `mariposa events` and `service events`: the history, and what happens from now on.

import type { EventsQuery } from '../../client/queries.js'
import type { EventBody } from '../../contract/contract.js'
import { eventColumns, nameOf } from '../columns.js'
import { exitCodes, usageError } from '../command-error.js'
import { renderTable } from '../table.js'
import { keepFollowing } from './keep-following.js'
import { cellView, columnsFor, printRows, readTime, type Shell } from './shell.js'

export interface EventsFlags {
  readonly follow?: boolean
  readonly since?: string
  readonly until?: string
  readonly tail?: number
  readonly kind?: string
  readonly by?: string
  readonly service?: string
  readonly machine?: string
  readonly jsonl?: boolean
}

/** Prints the history of the cluster, or of a project where one is named; with `follow` until Ctrl-C. */
export function events(shell: Shell, flags: EventsFlags): Promise<number> {
  return printEvents(shell, { project: shell.globals.projectGiven, ...queryOf(flags) }, flags)
}

/** The same of one service, or of all of the project. */
export function serviceEvents(
  shell: Shell,
  service: string | undefined,
  flags: EventsFlags,
): Promise<number> {
  return printEvents(shell, { project: shell.globals.project, ...queryOf(flags), service }, flags)
}

function queryOf({ follow = false, since, until, tail, kind, by, service, machine }: EventsFlags) {
  return { follow, since: readTime(since), until: readTime(until), tail, kind, by, service, machine }
}

async function printEvents(
  shell: Shell,
  query: EventsQuery,
  { jsonl = false }: EventsFlags,
): Promise<number> {
  const { globals, terminal, client, signal } = shell
  const isTable = globals.quiet || globals.long || !globals.header || globals.columns !== null
  if (jsonl && isTable) throw usageError('--jsonl prints whole events: leave out -q, -l, -H and -o')
  const asLine = jsonl || globals.json ? toJsonLine : tableLine(shell)
  const print = (event: EventBody): void => terminal.out(asLine(event))
  if (query.follow) await followEvents(shell, query, print)
  else if (jsonl) for await (const event of client.events(query, signal)) print(event)
  else printRows(shell, eventColumns, await collect(client.events(query, signal)), nameOf.event)
  return exitCodes.done
}

/** Goes on after a lost connection where it was; a daemon that is not there at first is told at once. */
async function followEvents(
  { client, signal }: Shell,
  query: EventsQuery,
  print: (event: EventBody) => void,
): Promise<void> {
  for await (const _ of client.events({ ...query, follow: false, tail: 0 }, signal));
  let last: string | null = null
  const open = () => client.events(last === null ? query : { ...query, since: last, tail: undefined }, signal)
  await keepFollowing(open, signal, (event) => {
    last = event.id
    print(event)
    return false
  })
}

function toJsonLine(event: EventBody): string {
  return `${JSON.stringify(event)}\n`
}

function tableLine(shell: Shell): (event: EventBody) => string {
  if (shell.globals.quiet) return (event) => `${event.id}\n`
  const columns = columnsFor(shell, eventColumns)
  // One after the other, as a log: each is told whole.
  return (event) =>
    renderTable(columns, [event], { header: false, view: { ...cellView(shell), width: null } })
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
