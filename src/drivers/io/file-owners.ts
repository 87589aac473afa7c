// Whom the files of a unit belong to, by numbers.
import { readFileSync } from 'node:fs'
import type { FilledFile } from '../../agent/driver.js'
import { DriverError } from '../../model/driver-error.js'
import { findAccount, findGroup } from '../../supervisor/accounts.js'
import type { OwnedFile } from './placed-files.js'

/** As whom a unit runs. */
interface Runner {
  readonly uid: number
  readonly gid: number
}

/**
 * The files with their owners and permissions. `root` is where another machine's files are. Throws DriverError
 * `file/unknown-owner`, and `file/owner-not-allowed` where only root could give a file away.
 */
export function ownersOfFiles(files: readonly FilledFile[], runner: Runner, root = ''): readonly OwnedFile[] {
  return files.map(({ path, content, mode, owner, secret }) => {
    const { uid, gid } = owner === null ? runner : ownerOf(owner, path, root)
    const own = process.getuid?.() ?? 0
    if (own !== 0 && (uid !== own || gid !== (process.getgid?.() ?? 0))) {
      const message = `the file ${path} is to belong to ${uid}:${gid}, but only a daemon that runs as root can set the owner`
      throw new DriverError('file/owner-not-allowed', message, { permanent: true })
    }
    return { path, content, uid, gid, mode: Number.parseInt(mode ?? (secret ? '0400' : '0444'), 8) }
  })
}

function ownerOf(owner: string, path: string, root: string): Runner {
  const [user = '', group] = owner.split(':')
  const account = findAccount(read(`${root}/etc/passwd`), user)
  if (account === null) throw unknown(path, `user ${user}`, '/etc/passwd')
  const gid = group === undefined ? account.gid : findGroup(read(`${root}/etc/group`), group)
  if (gid === null) throw unknown(path, `group ${group}`, '/etc/group')
  return { uid: account.uid, gid }
}

function unknown(path: string, who: string, file: string): DriverError {
  const message = `the file ${path} is to belong to the ${who}, who is not in ${file}: give a number`
  return new DriverError('file/unknown-owner', message, { permanent: true })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
