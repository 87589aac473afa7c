// Fills in the variables and files of a unit that are known only here and now.
import type { FileDirectories } from '../model/arriving-file.js'
import type { GivenBody } from '../model/call-body.js'
import type { DeferredVariable } from '../unit/deferred-environment.js'
import { type DeferredPiece, isSealed } from '../unit/deferred-pieces.js'
import type { ArrivingFile } from '../unit/files.js'
import type { FilledFile } from './driver.js'

/** What is known where a unit is started. */
export interface KnownValues {
  /** Null for a unit that is no instance of a service. */
  readonly instanceUuid: string | null
  readonly machineIp: string | null
  readonly machineMetadata: Readonly<Record<string, string>>
  /** The value of a key of the project's metadata, opened where it is a secret; null where there is none. */
  readonly meta: (key: string) => string | null
  /** What its run is given of a call; null where that is gone. */
  readonly call: (id: string) => GivenBody | null
  /** Where the unit finds a volume of its own; null where it has none of that name. */
  readonly volumePath: (volume: string) => string | null
  /** Where the unit finds its files; null where it has none. */
  readonly files: FileDirectories | null
  /** Whether the value of a key is a secret. */
  readonly isSecret: (key: string) => boolean
}

export interface ResolvedVariables {
  readonly environment: Readonly<Record<string, string>>
  /** Those with a value of the project's metadata, or of a call, in them: nothing may tell them on. */
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
    const value = joined(pieces, known, (why) => missing.push(`${name}: ${why}`))
    return { name, value, secret: pieces.some(isSealed) }
  })
  const those = (secret: boolean): Readonly<Record<string, string>> =>
    Object.fromEntries(filled.filter((one) => one.secret === secret).map(({ name, value }) => [name, value]))
  return { environment: those(false), secrets: those(true), missing }
}

/** What the files of a unit hold, without those of which something is not known. */
export function resolveFiles(
  files: readonly ArrivingFile[],
  known: KnownValues,
): { readonly files: readonly FilledFile[]; readonly missing: readonly string[] } {
  const missing: string[] = []
  const filled = files.flatMap(({ path, mode, owner, secret, text, data }): readonly FilledFile[] => {
    const before = missing.length
    const filled = joined(text, known, (why) => missing.push(`${path}: ${why}`))
    if (missing.length > before) return []
    const whole = data ?? bodyIn(text, known)
    const content = whole === null ? new TextEncoder().encode(filled) : bytesOf(whole)
    const isSecret = secret || text.some((piece) => piece.kind === 'meta' && known.isSecret(piece.key))
    return [{ path, mode, owner, secret: isSecret, content }]
  })
  return { files: filled, missing }
}

/** A body is bytes, and no text: in base64, where a file holds nothing else. */
function bodyIn([piece]: readonly DeferredPiece[], known: KnownValues): string | null {
  return piece?.kind === 'call' ? (known.call(piece.id)?.data ?? null) : null
}

/** Of base64. */
function bytesOf(data: string): Uint8Array {
  return Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
}

function joined(
  pieces: readonly DeferredPiece[],
  known: KnownValues,
  onMissing: (why: string) => void,
): string {
  const parts = pieces.map((piece) => {
    const value = textOf(piece, known)
    if (value === null) onMissing(describeMissing(piece))
    return value ?? ''
  })
  return parts.join('')
}

function textOf(piece: DeferredPiece, known: KnownValues): string | null {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'meta':
      return known.meta(piece.key)
    case 'call': {
      const given = known.call(piece.id)
      if (given === null) return null
      return piece.variable === null ? (given.data ?? '') : (given.variables[piece.variable] ?? '')
    }
    case 'instance-uuid':
      return known.instanceUuid
    case 'machine-ip':
      return known.machineIp
    case 'volume-path':
      return known.volumePath(piece.volume)
    case 'files-dir':
      return known.files?.[piece.of] ?? null
    case 'machine-metadata':
      return new Map(Object.entries(known.machineMetadata)).get(piece.key) ?? piece.fallback
  }
}

function describeMissing(piece: DeferredPiece): string {
  switch (piece.kind) {
    case 'meta':
      return `the project has no meta key ${piece.key}`
    case 'call':
      return 'the body of the call that began the run is gone'
    case 'machine-metadata':
      return `this machine has no metadata ${piece.key}`
    case 'volume-path':
      return `the unit has no volume ${piece.volume}`
    case 'files-dir':
      return 'the unit has no files'
    case 'instance-uuid':
      return 'the unit is not an instance of a service'
    default:
      return 'the address of this machine is not known'
  }
}
