/** `user[:group]`, each of them null where it is not given. */
export function splitUser(text: string | undefined): {
  readonly user: string | null
  readonly group: string | null
} {
  const [user = '', ...group] = (text ?? '').split(':')
  return { user: user || null, group: group.join(':') || null }
}

/** Whether a program of the machine would run as another user than root, as far as its manifest says. */
export function isOtherThanRoot(user: string | undefined): boolean {
  const { user: name } = splitUser(user)
  return name !== null && name !== 'root' && !/^0+$/.test(name)
}
