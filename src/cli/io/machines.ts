// Commands about machines.
import type { MachineDetails } from '../../contract/contract.js'
import { imageColumns, machineColumns, nameOf } from '../columns.js'
import { exitCodes, usageError } from '../command-error.js'
import { describeMachine } from '../details.js'
import type { Shell } from './shell.js'
import { cellView, printJson, printRows, printText } from './shell.js'

export interface MetadataFlags {
  readonly remove?: readonly string[]
}

export interface AdoptFlags {
  readonly stop?: boolean
}

/** Shows, or ends, what runs on a machine that its cluster knows nothing of. */
export async function adoptMachine(shell: Shell, id: string, { stop = false }: AdoptFlags): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const answer = await client.unknownUnits(id, stop, signal)
  const { hostname, unknown } = answer
  if (globals.json) printJson(shell, answer)
  else if (globals.quiet) terminal.out(unknown.map((name) => `${name}\n`).join(''))
  else if (unknown.length === 0) terminal.out(`${hostname} runs nothing that its cluster does not know\n`)
  else {
    terminal.out(unknown.map((name) => `${name}${stop ? ' is being stopped and removed' : ''}\n`).join(''))
    if (!stop)
      terminal.err(
        `check that this is the right store. A deploy of the same service replaces its old units; machine adopt ${hostname} --stop stops all of them\n`,
      )
  }
  return exitCodes.done
}

export async function listMachines(shell: Shell): Promise<number> {
  printRows(shell, machineColumns, await shell.client.machines(shell.signal), nameOf.machine)
  return exitCodes.done
}

/** Says of each image that is kept for the cluster on a machine why it is. */
export async function listImages(shell: Shell, machine: string): Promise<number> {
  const { images } = await shell.client.machineImages(machine, shell.signal)
  printRows(shell, imageColumns, images, nameOf.image)
  return exitCodes.done
}

export async function showMachine(shell: Shell, id: string): Promise<number> {
  const machine = await shell.client.machine(id, shell.signal)
  if (shell.globals.json) printJson(shell, machine)
  else shell.terminal.out(describeMachine(machine, cellView(shell)))
  return exitCodes.done
}

/** Says of each machine whether it takes new units. */
export async function cordonMachines(
  shell: Shell,
  ids: readonly string[],
  cordoned: boolean,
): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const changed: MachineDetails[] = []
  for (const id of ids) changed.push(await client.changeMachine(id, { cordoned }, signal))
  if (globals.json) printJson(shell, changed)
  else if (globals.quiet) terminal.out(changed.map(({ id }) => `${id}\n`).join(''))
  else terminal.out(changed.map((machine) => `${describeCordon(machine)}\n`).join(''))
  return exitCodes.done
}

/** Forgets machines that are down. */
export async function removeMachines(shell: Shell, ids: readonly string[]): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const removed: MachineDetails[] = []
  for (const id of ids) removed.push(await client.removeMachine(id, signal))
  if (globals.json) printJson(shell, removed)
  else if (globals.quiet) terminal.out(removed.map(({ id }) => `${id}\n`).join(''))
  else
    terminal.out(removed.map(({ id, hostname }) => `${id.slice(0, 8)} (${hostname}) is removed\n`).join(''))
  return exitCodes.done
}

/** Sets keys of a machine's metadata and takes others away; prints what it has then. */
export async function changeMetadata(
  shell: Shell,
  id: string,
  pairs: readonly string[],
  { remove = [] }: MetadataFlags,
): Promise<number> {
  const { client, globals, signal } = shell
  const set = pairs.map(readPair)
  const metadata = Object.fromEntries([...set, ...remove.map((key) => [key, null] as const)])
  const machine =
    set.length + remove.length === 0
      ? await client.machine(id, signal)
      : await client.changeMachine(id, { metadata }, signal)
  const sorted = Object.entries(machine.metadata).sort(([a], [b]) => (a < b ? -1 : 1))
  if (globals.json) printJson(shell, Object.fromEntries(sorted))
  else printText(shell, sorted.map(([key, value]) => `${key}=${value}\n`).join(''))
  return exitCodes.done
}

function readPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=')
  if (at < 1 || at === pair.length - 1)
    throw usageError(`'${pair}' is not of the form KEY=VALUE`, 'to take a key away: --remove KEY')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

function describeCordon({ id, hostname, cordoned, units }: MachineDetails): string {
  const name = `${id.slice(0, 8)} (${hostname})`
  return cordoned
    ? `${name} is cordoned: nothing new is placed on it; ${units} unit${units === 1 ? ' stays' : 's stay'}`
    : `${name} takes new units`
}
