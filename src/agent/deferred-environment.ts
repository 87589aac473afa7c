// Fills in the deferred variables of a unit: those that are known only when and where it starts.
import type { DeferredPiece, DeferredVariable } from '../unit/deferred-environment.js'

/** What is known where a unit is started. */
export interface KnownValues {
  /** Null for a unit that is no instance of a service. */
  readonly instanceUuid: string | null
  readonly machineIp: string | null
  readonly machineMetadata: Readonly<Record<string, string>>
  /** The value of a key of the project's metadata, opened where it is a secret; null where there is none. */
  readonly meta: (key: string) => string | null
  /** Where the unit finds a volume of its own; null where it has none of that name. */
  readonly volumePath: (volume: string) => string | null
}

export interface ResolvedVariables {
  readonly environment: Readonly<Record<string, string>>
  /** Those with a value of the project's metadata in them: nothing may tell them on. */
  readonly secrets: Readonly<Record<string, string>>
  /** What is not known, as ends of sentences. */
  readonly missing: readonly string[]
}

export const nothingDeferred: ResolvedVariables = { environment: {}, secrets: {}, missing: [] }

/** The values of the variables. */
export function resolveVariables(
  variables: readonly DeferredVariable[],
  known: KnownValues,
): ResolvedVariables {
  const missing: string[] = []
  const filled = variables.map(({ name, pieces }) => {
    const parts = pieces.map((piece) => {
      const value = textOf(piece, known)
      if (value === null) missing.push(`${name}: ${describeMissing(piece)}`)
      return value ?? ''
    })
    return { name, value: parts.join(''), secret: pieces.some(({ kind }) => kind === 'meta') }
  })
  const those = (secret: boolean): Readonly<Record<string, string>> =>
    Object.fromEntries(filled.filter((one) => one.secret === secret).map(({ name, value }) => [name, value]))
  return { environment: those(false), secrets: those(true), missing }
}

function textOf(piece: DeferredPiece, known: KnownValues): string | null {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'meta':
      return known.meta(piece.key)
    case 'instance-uuid':
      return known.instanceUuid
    case 'machine-ip':
      return known.machineIp
    case 'volume-path':
      return known.volumePath(piece.volume)
    case 'machine-metadata':
      return new Map(Object.entries(known.machineMetadata)).get(piece.key) ?? piece.fallback
  }
}

function describeMissing(piece: DeferredPiece): string {
  switch (piece.kind) {
    case 'meta':
      return `the project has no meta key ${piece.key}`
    case 'machine-metadata':
      return `this machine has no metadata ${piece.key}`
    case 'volume-path':
      return `the unit has no volume ${piece.volume}`
    case 'instance-uuid':
      return 'the unit is no instance of a service'
    default:
      return 'the address of this machine is not known'
  }
}
