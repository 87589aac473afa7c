// Files with what nobody else may know: keys, passwords, tokens.
import type { Stats } from 'node:fs'
import { readTextFile } from './text-file.js'

/** A file that others than those who run the daemon may read or change. */
export class ExposedFileError extends Error {
  override readonly name = 'ExposedFileError'
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

/** Whom a file is for: its owner and its group, or its owner alone. */
type PrivateTo = 'group' | 'owner'

/** The text of a file. Throws ExposedFileError where others may read it, or it belongs to somebody else. */
export function readPrivateFile(file: string, to: PrivateTo = 'group'): string {
  return readTextFile(file, (found) => refuseExposed(file, found, to))
}

/** Throws ExposedFileError for a file that others may read, or whose owner is neither root nor `user`, who reads it. */
export function refuseExposed(
  file: string,
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  to: PrivateTo,
  user: number = process.geteuid?.() ?? 0,
): void {
  if (uid !== 0 && uid !== user) {
    const message = `${file} belongs to user ${uid}, who may read and change it`
    throw new ExposedFileError(message, `chown ${user} ${file}`)
  }
  if ((mode & allowed[to].mask) === 0) return
  const hint = `chmod ${allowed[to].change} ${file}; and take something else in its place, if it has been so for long`
  throw new ExposedFileError(`others may read or write ${file}`, hint)
}

/** Who runs the daemon. */
interface Runner {
  readonly user: number
  readonly group: number
}

/** What whoever may change a file could do with that. */
type Danger = 'make this daemon run anything' | 'say whom this daemon trusts'

/** The text of a file that says whom this daemon trusts. Throws ExposedFileError where others could have changed it. */
export function readTrustFile(file: string): string {
  return readTextFile(file, (found) =>
    refuseChangeable(file, found, undefined, 'say whom this daemon trusts'),
  )
}

/**
 * Throws ExposedFileError for a file that others than root and `runner` may change, who goes by what it says. A group may where it
 * is root's, or the runner's own on a file of the runner's, as the umask 002 leaves them.
 */
export function refuseChangeable(
  file: string,
  { mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>,
  { user, group }: Runner = { user: process.geteuid?.() ?? 0, group: process.getegid?.() ?? 0 },
  could: Danger = 'make this daemon run anything',
): void {
  if (uid !== 0 && uid !== user) {
    const message = `${file} belongs to user ${uid}, who could ${could}`
    throw new ExposedFileError(message, `chown ${user} ${file}, if you know what is in it`)
  }
  const danger = `and so ${could}`
  if ((mode & 0o002) !== 0)
    throw new ExposedFileError(`everybody may write to ${file}, ${danger}`, `chmod o-w ${file}`)
  const isOwnGroup = gid === 0 || (uid === user && gid === group)
  if ((mode & 0o020) !== 0 && !isOwnGroup)
    throw new ExposedFileError(`the group ${gid} may write to ${file}, ${danger}`, `chmod g-w ${file}`)
}

const allowed: Readonly<Record<PrivateTo, { readonly mask: number; readonly change: string }>> = {
  group: { mask: 0o006, change: 'o-rwx' },
  owner: { mask: 0o077, change: 'go-rwx' },
}
