// Which machines run the entry, where that is said by their metadata.

/** What a machine has to have in its metadata: of each key one of the values. */
export type EntryRole = Readonly<Record<string, readonly string[]>>

/** Whether metadata are what a role asks for; null asks for nothing. */
export function hasRole(metadata: Readonly<Record<string, string>>, role: EntryRole | null): boolean {
  const wanted = Object.entries(role ?? {})
  return wanted.every(([key, values]) => Object.hasOwn(metadata, key) && values.includes(metadata[key] ?? ''))
}

/** `KEY=VALUE,…`; a key that is said again may have either value. Null for what is none. */
export function parseRole(text: string): EntryRole | null {
  const role = new Map<string, readonly string[]>()
  for (const pair of text.split(',')) {
    const [, key, value] = /^\s*([^=\s]+)=(.*?)\s*$/.exec(pair) ?? []
    if (key === undefined || value === undefined || value === '') return null
    role.set(key, [...(role.get(key) ?? []), value])
  }
  return Object.fromEntries(role)
}

/** As it is given. */
export function describeRole(role: EntryRole): string {
  return Object.entries(role)
    .flatMap(([key, values]) => values.map((value) => `${key}=${value}`))
    .join(',')
}
