// Commands that act on units as such: fleet's verbs, and looking at what they made.

import { ClientError } from '../../client/client-error.js'
import type {
  ChangedUnit,
  LogRecord,
  UnitBody,
  UnitChangeRequest,
  UnitDetails,
  UnitProgress,
  UnitVerb,
} from '../../contract/contract.js'
import { nameOf, type UnitRow, unitColumns, unitFileColumns } from '../columns.js'
import { CommandError, exitCodes } from '../command-error.js'
import { describeUnit } from '../details.js'
import { exitCodeOf } from '../failure.js'
import { logFormatter } from '../log-lines.js'
import { inOrder } from './in-order.js'
import type { Shell } from './shell.js'
import { cellView, printJson, printRows, printText, printWarnings } from './shell.js'
import { readNamedUnits } from './unit-files.js'
import { followUnits } from './wait-units.js'

export interface UnitFlags {
  readonly detach?: boolean
  /** False with --no-block. */
  readonly block?: boolean
  readonly replace?: boolean
}

/** Does what a verb says to the units that the words name, and waits until it is so. */
export async function actOnUnits(
  shell: Shell,
  verb: UnitVerb,
  words: readonly string[],
  flags: UnitFlags,
): Promise<number> {
  const submits = verb === 'submit' || verb === 'load' || verb === 'start'
  const units = submits ? readNamedUnits(words) : words.map((name) => ({ name }))
  const request: UnitChangeRequest = { verb, units, ...(flags.replace && { replace: true }) }
  const { units: changed, warnings } = await send(shell, request)
  const sources = units.flatMap((unit) =>
    'source' in unit && unit.source !== undefined ? [unit.source] : [],
  )
  await printWarnings(shell, warnings, sources)
  const waits = verb !== 'submit' && flags.detach !== true && flags.block !== false
  printChanged(shell, changed, waits ? await waitFor(shell, changed) : null)
  return exitCodes.done
}

/** Prints the text of units as it was submitted. */
export async function catUnits(shell: Shell, names: readonly string[]): Promise<number> {
  const units = await Promise.all(names.map((name) => shell.client.unit(name, shell.signal)))
  if (shell.globals.json)
    printJson(
      shell,
      units.map(({ name, text }) => ({ name, text })),
    )
  else printText(shell, units.map(({ text }) => (text.endsWith('\n') ? text : `${text}\n`)).join('\n'))
  return exitCodes.done
}

/** Units on machines, one row for each machine that a unit is on; those that should be on one and are not, too. */
export async function listUnits(shell: Shell): Promise<number> {
  const units = await shell.client.units(shell.signal)
  printRows(shell, unitColumns, units.flatMap(rowsOf), nameOf.unit)
  return exitCodes.done
}

/** Every unit that the cluster knows, templates too. */
export async function listUnitFiles(shell: Shell): Promise<number> {
  printRows(shell, unitFileColumns, await shell.client.units(shell.signal), nameOf.unit)
  return exitCodes.done
}

/** How many of the last lines a status shows. */
const statusLines = 10

/** Shows units as they are now, with the last lines that they wrote. */
export async function unitStatus(shell: Shell, names: readonly string[]): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const units: UnitDetails[] = []
  for await (const unit of inOrder(names, client.unit, signal)) units.push(unit)
  if (globals.json) {
    printJson(shell, units.length === 1 ? units[0] : units)
    return exitCodes.done
  }
  const format = logFormatter(null, terminal.paint)
  const journals = inOrder(units, (unit, one) => lastLinesOf(client, unit, one), signal)
  for (const [at, unit] of units.entries()) {
    terminal.out(`${at > 0 ? '\n' : ''}${describeUnit(unit, cellView(shell))}`)
    const { value: lines = [] } = await journals.next()
    if (lines.length > 0) terminal.out(`\n${lines.map(format).join('')}`)
  }
  return exitCodes.done
}

async function lastLinesOf(
  client: Shell['client'],
  { name, machines }: UnitDetails,
  signal: AbortSignal,
): Promise<readonly LogRecord[]> {
  const lines: LogRecord[] = []
  if (machines.every(({ active }) => active === null)) return lines
  const query = { follow: false, tail: statusLines }
  for await (const record of client.unitJournal(name, query, signal)) lines.push(record)
  return lines
}

/** Problems that the daemon finds in unit files keep their texts, to be shown at their places. */
async function send(shell: Shell, request: UnitChangeRequest) {
  try {
    return await shell.client.changeUnits(request, shell.signal)
  } catch (error) {
    if (!(error instanceof ClientError) || error.details.length === 0) throw error
    const { status, code, message, hint, details } = error
    const sources = request.units.flatMap(({ source, template }) =>
      [source, template].filter((one) => one !== undefined),
    )
    throw new CommandError(exitCodeOf(status), code, message, { hint, details, sources })
  }
}

async function waitFor(shell: Shell, changed: readonly ChangedUnit[]): Promise<UnitProgress | null> {
  const [first] = changed
  if (first === undefined) return null
  const names = changed.map(({ name }) => name)
  return followUnits(shell, names, first.desired)
}

function printChanged(shell: Shell, changed: readonly ChangedUnit[], seen: UnitProgress | null): void {
  const { globals, terminal } = shell
  if (globals.json) {
    const last = new Map(seen?.units.map(({ name, machines, reason }) => [name, { machines, reason }]))
    printJson(
      shell,
      changed.map((unit) => ({ ...unit, ...last.get(unit.name) })),
    )
  } else if (globals.quiet || seen === null) {
    terminal.out(changed.map(({ name }) => `${name}\n`).join(''))
  }
}

function rowsOf(unit: UnitBody): readonly UnitRow[] {
  if (unit.machines.length === 0 && unit.desired === 'inactive') return []
  if (unit.machines.length === 0) return [unit]
  return unit.machines.map((place) => ({ ...unit, ...place }))
}
