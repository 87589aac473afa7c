/** `user[:group]`, each of them null where it is not given. */
export function splitUser(text: string | undefined): {
  readonly user: string | null
  readonly group: string | null
} {
  const [user = '', ...group] = (text ?? '').split(':')
  return { user: user || null, group: group.join(':') || null }
}
