// One schema for each kind of record, kept in step with its type by the compiler. A field that is added to a type is
// optional here and there, or records from before it cannot be read any more.
import type { Static, TSchema } from 'typebox'
import type { RecordKind, RecordTypes } from '../record-types.js'
import { backup } from './backups.js'
import { callBody, delivery, events, receiver, run, scheduleState, trigger } from './happenings.js'
import {
  instance,
  meta,
  project,
  registryLogin,
  scalingRecord,
  service,
  task,
  version,
  volume,
} from './services.js'
import {
  clockCall,
  clockOffset,
  clockReading,
  entryIdle,
  file,
  knownMachine,
  machine,
  metrics,
  order,
  placement,
  report,
  unit,
  waiting,
} from './units.js'

export const schemas = {
  project,
  service,
  version,
  instance,
  unit,
  file,
  placement,
  waiting,
  report,
  machine,
  order,
  task,
  meta,
  metrics,
  scaling: scalingRecord,
  event: events,
  receiver,
  delivery,
  schedule: scheduleState,
  run,
  trigger,
  callBody,
  volume,
  backup,
  registryLogin,
  knownMachine,
  clockCall,
  clockReading,
  clockOffset,
  entryIdle,
} satisfies Readonly<Record<RecordKind, TSchema>>

/** Types as JSON has them: nothing is read-only, and a map is a map. */
type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? Plain<E>[]
    : { -readonly [K in keyof T]: Plain<T[K]> }

type Schemas = { readonly [K in RecordKind]: Static<(typeof schemas)[K]> }
/** What the program writes is what the schema takes, and the other way round: `true`, or this does not compile. */
type InStep = {
  readonly [K in RecordKind]: [Plain<RecordTypes[K]>] extends [Plain<Schemas[K]>]
    ? [Plain<Schemas[K]>] extends [Plain<RecordTypes[K]>]
      ? true
      : 'the schema takes what the type does not allow'
    : 'the type allows what the schema does not take'
}
const inStep: { readonly [K in RecordKind]: true } = {} as InStep
void inStep

/** The same with every field there: to a comparison, a field that may be left out is as good as none. */
type Whole<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? Whole<E>[]
    : { -readonly [K in keyof T]-?: Whole<Exclude<T[K], undefined>> }

/** Every optional field of a type is checked by the schema, and the schema checks none that the type does not know. */
type Known = {
  readonly [K in RecordKind]: [Whole<RecordTypes[K]>] extends [Whole<Schemas[K]>]
    ? [Whole<Schemas[K]>] extends [Whole<RecordTypes[K]>]
      ? true
      : 'the type has an optional field that the schema does not know'
    : 'the schema has an optional field that the type does not know'
}
const known: { readonly [K in RecordKind]: true } = {} as Known
void known
