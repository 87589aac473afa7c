// The place of a backup by schedule: a directory of this machine, or a store that a secret of the project's metadata says who asks.
import { directoryPlace } from '../../backup/io/directory.js'
import { objectStorePlace } from '../../backup/io/object-store.js'
import type { BackupPlace } from '../../backup/io/place.js'
import { isInObjectStore, type ObjectStore, type RunningBackup } from '../../model/backup.js'
import { DriverError } from '../../model/driver-error.js'
import type { BackupPlan } from '../../model/volume.js'
import { parseS3Credentials } from '../../s3/credentials.js'
import type { S3Account } from '../../s3/location.js'
import { SecretError } from '../../store/io/secret-box.js'
import type { ApiContext } from './context.js'

/** A place, and what is noted of it with a backup. */
interface PlannedPlace {
  readonly place: BackupPlace
  /** Absent for a directory. */
  readonly store?: ObjectStore
}

type PlaceContext = Pick<ApiContext, 'clock' | 'registry' | 'secrets'>

/** Where the next backup of a plan goes. Throws DriverError where nobody knows whom to ask. */
export function placeOfPlan(
  context: PlaceContext,
  project: string,
  { to, credentials }: Pick<BackupPlan, 'to' | 'credentials'>,
): PlannedPlace {
  if (!isInObjectStore(to)) return { place: directoryPlace }
  const key = credentials ?? ''
  const account = accountOf(context, project, key)
  return {
    place: objectStorePlace(account, context.clock),
    store: { credentials: key, endpoint: account.endpoint },
  }
}

/**
 * Where a backup is; null for one of which nothing was begun, as nobody knew whom to ask. It is asked for at the endpoint of then, with
 * the credentials of now. Throws DriverError.
 */
export function placeOfBackup(
  context: PlaceContext,
  project: string,
  { to, store }: Pick<RunningBackup, 'to' | 'store'>,
): BackupPlace | null {
  if (!isInObjectStore(to)) return directoryPlace
  if (store === undefined) return null
  const { credentials, endpoint } = store
  return objectStorePlace({ ...accountOf(context, project, credentials), endpoint }, context.clock)
}

function accountOf({ registry, secrets }: PlaceContext, project: string, key: string): S3Account {
  const meta = registry.view.metaOf(project).get(key)
  const hint = `mariposa meta set ${key} --secret --file FILE`
  if (meta === undefined)
    throw noCredentials(
      `the project ${project} has no meta key ${key}, which should hold the credentials for the store: ${hint}`,
    )
  if (!meta.secret)
    throw noCredentials(`the meta key ${key} has credentials but is not secret: set it with --secret`)
  const account = parseS3Credentials(opened(secrets, meta.value, `${project}/${key}`))
  if ('message' in account)
    throw noCredentials(
      `the meta key ${key} has no valid credentials for the store: ${account.message} (${account.hint})`,
    )
  return account
}

function opened(secrets: PlaceContext['secrets'], sealed: string, place: string): string {
  try {
    return secrets.open(sealed, place)
  } catch (error) {
    if (error instanceof SecretError) throw new DriverError(error.code, error.message)
    throw error
  }
}

function noCredentials(message: string): DriverError {
  return new DriverError('backup/no-credentials', message)
}
