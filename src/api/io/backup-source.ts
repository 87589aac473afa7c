// What a backup by schedule holds, from wherever it is: a directory of this machine or of another one, or a store.
import type { Readable } from 'node:stream'
import { paths } from '../../contract/contract.js'
import { isInObjectStore } from '../../model/backup.js'
import { DriverError } from '../../model/driver-error.js'
import { hostnameOf } from '../../store/hostname.js'
import type { FoundBackup } from '../../volumes/backups.js'
import { askPeer } from './ask-peer.js'
import { placeOfBackup } from './backup-places.js'
import type { ApiContext } from './context.js'
import { sentArchive } from './sent-archive.js'
import { asProblems } from './volume-access.js'

/** Opens a backup that this machine can read: of its directories, or in a store. Throws ProblemError where it is not there. */
export async function openBackupHere(
  context: ApiContext,
  { record: { project }, made }: FoundBackup,
  signal: AbortSignal,
): Promise<Readable> {
  return await asProblems(async () => {
    const place = placeOfBackup(context, project, made)
    if (place === null)
      throw new DriverError('backup/no-credentials', `the credentials for ${made.to} are not known`)
    return await place.read(made, signal)
  })
}

/** The same from any machine: what is in a directory of another one comes from its daemon. */
export async function openBackup(
  context: ApiContext,
  found: FoundBackup,
  signal: AbortSignal,
): Promise<Readable> {
  const { made, record, id } = found
  if (made.machine === context.machine || isInObjectStore(made.to))
    return await openBackupHere(context, found, signal)
  const request = { method: 'POST', path: paths.volumeBackupRead(record.project, id) } as const
  const answer = await askPeer(context, made.machine, { ...request, answerWithinMs: null }, signal)
  return sentArchive(answer, hostnameOf(context.registry.view, made.machine))
}
