// Backups into a store of which nobody would know who asks it, as a deploy warns of them.
import { pointer } from '../compile/problem.js'
import { defaults } from '../manifest/defaults.js'
import { inSource, type ReadManifest } from '../manifest/manifest.js'
import { isInObjectStore } from '../model/backup.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { Meta } from '../model/meta.js'

/** Warns of credentials that the metadata of the project do not have, or not as a secret: they may be set before the first backup. */
export function backupsWithoutCredentials(
  meta: ReadonlyMap<string, Pick<Meta, 'secret'>>,
  read: ReadManifest,
): readonly Diagnostic[] {
  return read.manifest.volumes.flatMap(({ backup }, index) => {
    if (backup?.to === undefined || !isInObjectStore(backup.to)) return []
    const key = backup.credentials ?? defaults.backup.credentials
    const found = meta.get(key)
    if (found?.secret === true) return []
    const problem: Diagnostic = {
      code: 'deploy/no-backup-credentials',
      severity: 'warning',
      message: `backups to ${backup.to} will fail: the meta key ${key}, which holds the credentials for the store, ${found === undefined ? 'does not exist' : 'is not secret'}`,
      hint: `mariposa meta set ${key} --secret --file FILE, with AWS_ACCESS_KEY_ID=… and the others, each on a line`,
      path: pointer('volumes', index, 'backup', 'to'),
      file: read.file,
    }
    return [inSource(problem, read)]
  })
}
