// `mariposa volume backups`: what became of backups by schedule.
import type { VolumeBackupBody } from '../../contract/contract.js'
import { nameWithSlot, volumeKey } from '../../model/volume.js'
import { nameOf, volumeBackupColumns } from '../columns.js'
import { CommandError, exitCodes } from '../command-error.js'
import { type ListFlags, printList } from './lists.js'
import type { Shell } from './shell.js'

/** Lists backups by schedule, of all volumes or of those that are named; warns of those that are overdue. */
export async function listVolumeBackups(
  shell: Shell,
  words: readonly string[],
  flags: ListFlags,
): Promise<number> {
  const shown: VolumeBackupBody[] = []
  const code = await printList(shell, flags, {
    columns: volumeBackupColumns,
    nameOf: nameOf.volumeBackup,
    of: async (project) => {
      const all = await shell.client.volumeBackups(project, undefined, shell.signal)
      const found = words.length === 0 ? all : all.filter((one) => words.some((word) => isNamed(one, word)))
      const unknown = words.find((word) => !all.some((one) => isNamed(one, word)))
      if (unknown !== undefined && flags.allProjects !== true) throw noBackups(unknown, project)
      shown.push(...found)
      return found
    },
  })
  for (const one of shown)
    if (one.overdue)
      shell.terminal.err(
        `the last whole backup of ${one.service}.${nameWithSlot(one)} is more than two periods of its schedule old\n`,
      )
  return code
}

function isNamed(one: VolumeBackupBody, word: string): boolean {
  const { service, name } = one
  const title = nameWithSlot(one)
  return [name, title, service, `${service}.${name}`, `${service}.${title}`, volumeKey(one)].includes(word)
}

function noBackups(word: string, project: string): CommandError {
  const message = `there are no backups by schedule of a volume "${word}" in ${project}`
  const hint =
    'mariposa volume backups shows all of them; backup: {schedule, to} in the manifest has them made'
  return new CommandError(exitCodes.failed, 'volume/no-backups', message, { hint })
}
