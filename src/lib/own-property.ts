/** What a table holds under a key that somebody else chose; never what every object has (`toString`, `constructor`). */
export function ownOf<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}
