// What is set for one run of a service.

/** Variables of one run alone, by their names: over those of the manifest. */
export type RunVariables = Readonly<Record<string, string>>

/** Reads `NAME=VALUE`; null for what is none. */
export function readVariable(pair: string): readonly [string, string] | null {
  const equals = pair.indexOf('=')
  return equals < 1 ? null : [pair.slice(0, equals), pair.slice(equals + 1)]
}
