// What the schemas of records are made of. Fields that nobody knows pass: a record of the same format may say more than
// this program reads.
import { type Static, type TSchema, Type } from 'typebox'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'

export const text = Type.String()
export const count = Type.Number()
export const instant = Type.Number()
export const flag = Type.Boolean()
export const unitName = Type.Unsafe<UnitName>(Type.String({ minLength: 1 }))
export const machineId = Type.Unsafe<MachineId>(Type.String({ minLength: 1 }))
export const texts = Type.Record(Type.String(), Type.String())

/** One of these words. */
export function words<const W extends readonly string[]>(...list: W) {
  return Type.Unsafe<W[number]>(Type.Union(list.map((word) => Type.Literal(word))))
}

export function orNull<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>(Type.Union([Type.Null(), schema]))
}

/** Said where it holds, and left out where it does not. */
export const said = Type.Optional(Type.Literal(true))

/** One of several shapes. */
export function either<const T extends readonly TSchema[]>(...shapes: T) {
  return Type.Unsafe<Static<T[number]>>(Type.Union([...shapes]))
}

/** A shape that is told from others by its `kind`. */
export function kindOf<const K extends string, P extends Record<string, TSchema>>(kind: K, parts: P) {
  return Type.Object({ kind: Type.Literal(kind), ...parts })
}

/** What a run is given of a call. */
export const namedBody = Type.Object({ id: text, bytes: count, file: flag, variables: Type.Array(text) })

export const health = words('unknown', 'healthy', 'unhealthy')

/** The members of a `RolloutScope`. */
export const rolloutScope = {
  after: count,
  replaces: either(words('other-versions', 'all'), Type.Array(count)),
  anew: Type.Optional(Type.Array(count)),
}
