// Commands on named volumes.
import { ClientError } from '../../client/client-error.js'
import type { VolumeBackupBody, VolumeBody, VolumesBody } from '../../contract/contract.js'
import { nameWithSlot } from '../../model/volume.js'
import { nameOf, volumeColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import { describeVolume } from '../details.js'
import type { Column } from '../table.js'
import type { ListFlags } from './lists.js'
import { cellView, printJson, printRows, type Shell } from './shell.js'

export interface ListVolumesFlags extends ListFlags {
  readonly service?: string
  readonly machine?: string
}

/** Lists volumes; machines that do not tell of all theirs are named on standard error. */
export async function listVolumes(
  shell: Shell,
  { allProjects = false, service, machine }: ListVolumesFlags,
): Promise<number> {
  const { client, globals, signal } = shell
  const told = await client.volumes(
    {
      ...(!allProjects && { project: globals.project }),
      ...(service !== undefined && { service }),
      ...(machine !== undefined && { machine }),
    },
    signal,
  )
  printRows(shell, allProjects ? withProject : volumeColumns, told.volumes, nameOf.volume)
  tellSilent(shell, told)
  return exitCodes.done
}

export async function showVolume(shell: Shell, word: string): Promise<number> {
  const volume = await shell.client.volume(shell.globals.project, word, shell.signal)
  if (shell.globals.json) printJson(shell, volume)
  else shell.terminal.out(describeVolume(volume, await lastBackupOf(shell, volume), cellView(shell)))
  return exitCodes.done
}

/** The last whole backup by schedule; null for none, and from a daemon of before that knows of none. */
async function lastBackupOf(
  { client, signal }: Shell,
  { project, service, name, slot, machine }: VolumeBody,
): Promise<VolumeBackupBody | null> {
  const all = await client.volumeBackups(project, service, signal).catch((error: unknown) => {
    if (error instanceof ClientError && error.status === 404) return []
    throw error
  })
  const isIt = (one: VolumeBackupBody): boolean =>
    one.result === 'whole' &&
    one.name === name &&
    one.slot === slot &&
    (slot !== null || one.machine === machine)
  return all.findLast(isIt) ?? null
}

/** Deletes a volume; the daemon refuses one that is in use, and without `--force`. */
export async function removeVolume(shell: Shell, word: string, force: boolean): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const deleted = await client.deleteVolume(globals.project, word, force, signal)
  const { uuid, service, hostname, going, state } = deleted
  if (globals.json) printJson(shell, deleted)
  else if (globals.quiet) terminal.out(`${uuid}\n`)
  else {
    const what =
      state === 'lost'
        ? 'is given up: its slot starts with an empty volume, and its machine still has the old one'
        : `is ${going ? 'being deleted' : 'deleted'}`
    terminal.out(`${service}.${nameWithSlot(deleted)} (${uuid.slice(0, 8)}) on ${hostname} ${what}\n`)
  }
  return exitCodes.done
}

const withProject: readonly Column<VolumeBody>[] = [
  { key: 'project', text: ({ project }) => project },
  ...volumeColumns.filter(({ key }) => key !== 'project'),
]

/** What is not told of may be there all the same. */
function tellSilent({ terminal }: Shell, { silent }: VolumesBody): void {
  terminal.err(
    silent
      .map(({ hostname, reason }) => `${hostname} does not list all of its volumes: ${reason}\n`)
      .join(''),
  )
}
