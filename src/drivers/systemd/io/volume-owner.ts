// As whom a unit of systemd runs, for the directories that are made for it.
import { readFileSync } from 'node:fs'
import type { UnitToRun } from '../../../agent/driver.js'
import { DriverError } from '../../../model/driver-error.js'
import { findAccount, findGroup } from '../../../supervisor/accounts.js'
import { expandSpecifiers } from '../../../unit/specifiers.js'
import { lastOf } from '../../../unit/values.js'
import type { VolumeOwner } from '../../io/volume-directories.js'

/** `User=` and `Group=` of a unit; null where it runs as systemd does. Throws DriverError `systemd/unknown-user`. */
export function ownerOf({ name, file }: Pick<UnitToRun, 'name' | 'file'>, root: string): VolumeOwner | null {
  const said = (option: 'User' | 'Group'): string | null => {
    const value = lastOf(file, 'Service', option)
    return value === null ? null : expandSpecifiers(value, { name, machine: null }).text
  }
  const [user, group] = [said('User'), said('Group')]
  if (user === null && group === null) return null
  const account = user === null ? null : findAccount(read(`${root}/etc/passwd`), user)
  if (user !== null && account === null) throw unknown(`user ${user}`, '/etc/passwd')
  const gid = group === null ? account?.gid : findGroup(read(`${root}/etc/group`), group)
  if (gid === null || gid === undefined) throw unknown(`group ${group}`, '/etc/group')
  return { uid: account?.uid ?? 0, gid, groups: [] }
}

function unknown(who: string, file: string): DriverError {
  const message = `the volumes of a unit belong to the user and group that it runs as, but there is no ${who} in ${file}: give a number`
  return new DriverError('systemd/unknown-user', message, { permanent: true })
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
