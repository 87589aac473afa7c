// Users and groups as passwd(5) and group(5) list them.

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
  readonly shell: string
}

interface GroupEntry {
  readonly name: string
  readonly gid: number
  readonly members: readonly string[]
}

/** Finds a user by name or number. A number that no line names is a user all the same, without a home. */
export function findAccount(passwd: string, user: string): Account | null {
  const accounts = passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid, , home, shell] = line.split(':')
    if (name === undefined || uid === undefined || gid === undefined) return []
    return [{ name, uid: Number(uid), gid: Number(gid), home: home || '/', shell: shell || '/bin/sh' }]
  })
  const isNumber = /^[0-9]+$/.test(user)
  const found = accounts.find(
    (account) => account.name === user || (isNumber && account.uid === Number(user)),
  )
  if (found !== undefined || !isNumber) return found ?? null
  return { name: user, uid: Number(user), gid: Number(user), home: '/', shell: '/bin/sh' }
}

/** Finds a group's number by its name or number. */
export function findGroup(groups: string, group: string): number | null {
  if (/^[0-9]+$/.test(group)) return Number(group)
  return parseGroups(groups).find(({ name }) => name === group)?.gid ?? null
}

/** The groups besides its first that a user is in. */
export function supplementaryGroups(groups: string, user: string, gid: number): readonly number[] {
  const gids = parseGroups(groups).flatMap((entry) => (entry.members.includes(user) ? [entry.gid] : []))
  return [...new Set(gids)].filter((other) => other !== gid)
}

function parseGroups(text: string): readonly GroupEntry[] {
  return text.split('\n').flatMap((line) => {
    const [name, , gid, members] = line.split(':')
    if (name === undefined || gid === undefined) return []
    return [{ name, gid: Number(gid), members: (members ?? '').split(',').filter((member) => member !== '') }]
  })
}
