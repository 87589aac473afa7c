// What one run of a service is given beside what its service has.
import type { NamedBody } from './call-body.js'

/** Variables of one run alone, by their names: over those of the manifest. */
export type RunVariables = Readonly<Record<string, string>>

/** What one run alone is given. */
export interface RunInput {
  readonly set?: RunVariables
  /** Of the call of a trigger URL that began it. */
  readonly body?: NamedBody
}

/** Whether that is nothing. */
export function isNothing({ set = {}, body }: RunInput): boolean {
  return Object.keys(set).length === 0 && body === undefined
}

/** Reads `NAME=VALUE`; null for what is none. */
export function readVariable(pair: string): readonly [string, string] | null {
  const equals = pair.indexOf('=')
  return equals < 1 ? null : [pair.slice(0, equals), pair.slice(equals + 1)]
}
