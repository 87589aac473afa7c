// How the store's troubles with files are named.
import { isDiskFull } from '../../lib/io/disk-full.js'
import { StoreError } from '../store.js'

/** The code that Node gives a failed system call; null for any other error. */
export function systemCode(error: unknown): string | null {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return code ?? null
}

/** A failed system call as a StoreError. `doing` says what was tried, as in "open /var/lib/x". */
export function fileError(doing: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = systemCode(error)
  if (isDiskFull(error)) return fullError(doing, error)
  if (code !== null && noPermission.has(code)) {
    return new StoreError(
      'store/denied',
      `no permission to ${doing}`,
      'run as the user who owns the data directory, or give that user the directory and its files',
      { cause: error },
    )
  }
  return new StoreError('store/io', `could not ${doing}`, 'see the cause; check the disk and its mount', {
    cause: error,
  })
}

const noPermission: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS'])

function fullError(doing: string, cause: unknown): StoreError {
  return new StoreError(
    'store/full',
    `no space left to ${doing}`,
    'free some space; what was refused was not stored, and writing goes on as soon as there is room',
    { cause },
  )
}

/** Damage that no crash explains. `offset` is in bytes from the beginning of the file. */
export function corruptError(path: string, offset: number, problem: string): StoreError {
  return new StoreError(
    'store/corrupt',
    `${path} is damaged at byte ${offset}: ${problem}`,
    'the file was left as it is; restore the whole store directory from a backup, or move it away to start empty: what runs goes on running',
  )
}

/**
 * The same at the end of all that was written. Whether somebody was told that this had succeeded cannot be seen, so it
 * is for the operator to give it up.
 */
export function corruptEndError(path: string, offset: number, problem: string): StoreError {
  return new StoreError(
    'store/corrupt',
    `${path} is damaged at byte ${offset}: ${problem}`,
    `the file was left as it is; all before is sound. Restore the whole store directory from a backup, or copy the file and go on without its last change, which may have been acknowledged: truncate -s ${offset} '${path}'`,
  )
}

export function closedError(): StoreError {
  return new StoreError('store/closed', 'the store is closed', 'open it again')
}

/** The endpoints lead to another etcd than before: what is known here is of no use there. */
export function replacedError(): StoreError {
  return new StoreError(
    'store/replaced',
    'another etcd cluster answers than before, as after a restore from a backup',
    'the daemon must start anew to read it',
  )
}
