// Building blocks for the schemas of answers. They are written once, as JSON Schema: the types of the contract derive from them,
// and the OpenAPI document shows them.
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { driverKinds } from '../../model/driver-kind.js'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'

/** The type of a schema, deeply read-only. */
export type Shape<T extends TSchema> = Frozen<Static<T>>

type Frozen<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? readonly Frozen<E>[]
    : { readonly [K in keyof T]: Frozen<T[K]> }

export function text(description?: string) {
  return Type.String(described(description))
}

export function number(description?: string) {
  return Type.Number(described(description))
}

export function flag(description?: string) {
  return Type.Boolean(described(description))
}

/** A flag that is true or absent. */
export function yes(description?: string) {
  return Type.Literal(true, described(description))
}

export function anything(description?: string) {
  return Type.Unknown(described(description))
}

/** One of these words. */
export function words<const W extends readonly string[]>(list: W, description?: string) {
  return Type.Unsafe<W[number]>(Type.Enum([...list], { type: 'string', ...described(description) }))
}

export function list<T extends TSchema>(items: T, description?: string) {
  return Type.Array(items, described(description))
}

/** A map with arbitrary keys. */
export function mapOf<T extends TSchema>(values: T, description?: string) {
  return Type.Unsafe<Record<string, Static<T>>>({
    type: 'object',
    additionalProperties: values,
    ...described(description),
  })
}

export function orNull<T extends TSchema>(schema: T, description?: string) {
  return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()], described(description)))
}

/** One of several shapes. */
export function either<const T extends readonly TSchema[]>(shapes: T, description?: string) {
  return Type.Unsafe<Static<T[number]>>(Type.Union([...shapes], described(description)))
}

export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(schema)
}

/** A schema with a description for one place where it is used. */
export function told<T extends TSchema>(schema: T, here: string): T {
  const own = { here: { value: here, enumerable: true, configurable: true, writable: true } }
  return Object.create(Object.prototype, { ...Object.getOwnPropertyDescriptors(schema), ...own }) as T
}

/** An object without a title: the OpenAPI document inlines it. */
export function part<P extends TProperties>(properties: P, description?: string): TObject<P> {
  return Type.Object(properties, described(description))
}

/** An object with a title: the OpenAPI document lists it as a component. */
export function shape<P extends TProperties>(
  title: string,
  description: string | null,
  properties: P,
): TObject<P> {
  return Type.Object(properties, { title, ...described(description ?? undefined) })
}

function described(description: string | undefined) {
  return description === undefined ? {} : { description }
}

export const machineId = Type.Unsafe<MachineId>(Type.String())
export const unitName = Type.Unsafe<UnitName>(Type.String())
export const driverKind = words(driverKinds)
export const activeState = words(['active', 'reloading', 'inactive', 'failed', 'activating', 'deactivating'])
export const loadState = words(['loaded', 'not-found', 'error', 'masked', 'bad-setting'])
export const desiredState = words(['inactive', 'loaded', 'launched'])
export const health = words(['unknown', 'healthy', 'unhealthy'])
export const taskState = words(['queued', 'active', 'completed', 'failed', 'terminated'])
export const taskKind = words([
  'deploy',
  'revert',
  'reprovision',
  'scale',
  'stop',
  'start',
  'delete',
  'replace',
  'freeze',
])
export const serviceType = words(['continuous', 'scheduled', 'event'])
export const instanceState = words([
  'pending',
  'pulling',
  'starting',
  'running',
  'paused',
  'stopping',
  'stopped',
  'failed',
  'lost',
  'unknown',
])
export const webhookEvent = words(['start', 'stop', 'health', 'scale', 'deploy', 'autoscale'])
export const deliveryState = words(['queued', 'delivered', 'dead'])
