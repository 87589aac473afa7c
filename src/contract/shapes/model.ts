// Types of src/model that answers contain unchanged.

import { type Static, type TSchema, Type } from 'typebox'
import type { DiffLine as LineOfDiff } from '../../lib/line-diff.js'
import type { ManifestSettings as Settings } from '../../manifest/settings.js'
import type { Actor as WhoActs } from '../../model/actor.js'
import type { Diagnostic as Problem } from '../../model/diagnostic.js'
import type { EventData as DataOfEvent } from '../../model/event.js'
import type { ResolvedImage as Meaning } from '../../model/image.js'
import type { Capacity as CapacityOfMachine } from '../../model/machine.js'
import { retireCauses } from '../../model/service.js'
import {
  either,
  flag,
  health,
  list,
  number,
  optional,
  orNull,
  part,
  shape,
  taskKind,
  taskState,
  text,
  unitName,
  words,
  yes,
} from './words.js'

export const actor = typed<WhoActs>()(
  shape('Actor', 'Who changed something, as far as it is known.', {
    user: orNull(text(), '`name@host` as the client reports it. It is not verified on a Unix socket.'),
    client: orNull(text(), 'The client program: `mariposa/0.1.0`.'),
    address: orNull(text(), 'The address that the request came from; null on a Unix socket.'),
    certificate: optional(text('The name in the client certificate, which was verified.')),
  }),
)

export const diagnostic = typed<Problem>()(
  shape('Diagnostic', 'A problem in a manifest or another text. Codes are stable; the wording may change.', {
    code: text(),
    severity: words(['error', 'warning']),
    message: text('The problem, in one sentence.'),
    hint: optional(text('How to fix it.')),
    file: optional(text()),
    line: optional(number('Starts at 1.')),
    column: optional(number('In characters, starts at 1.')),
    length: optional(number('Number of characters on the line.')),
    path: optional(text('Position in the document: `/healthchecks/0/port`.')),
    docs: optional(text('Page with details, as a path in the repository of Mariposa.')),
  }),
)

export const diffLine = typed<LineOfDiff>()(
  shape('DiffLine', null, {
    kind: words(
      ['same', 'gone', 'new'],
      'The line is in both texts, only in the first, or only in the second.',
    ),
    text: text(),
  }),
)

export const capacity = typed<CapacityOfMachine>()(
  shape('Capacity', 'Resources of a machine.', {
    cpus: number(),
    memoryMb: number(),
    diskMb: number(),
  }),
)

export const eventData = typed<DataOfEvent>()(
  shape('EventData', 'Details of an event for programs.', {
    exit: optional(
      part(
        {
          code: orNull(
            number(),
            'Exit status; null if a signal ended the program, or its end was not observed.',
          ),
          signal: orNull(text()),
          oom: flag('The kernel or the memory guard killed the program because of its memory use.'),
          at: number('Milliseconds since 1970.'),
          cutOff: optional(yes('The machine, or the Docker or supervisor that ran the program, went down.')),
        },
        'For `instance-exited`: how the program ended.',
      ),
    ),
    health: optional(health),
    reason: optional(text()),
    cause: optional(words(retireCauses, 'For `instance-retired`: why the instance stops for good.')),
    task: optional(part({ uuid: text(), kind: taskKind, state: taskState })),
    unit: optional(unitName),
    scale: optional(part({ from: number(), to: number() }, 'The scale before and after.')),
  }),
)

export const imageMeaning = typed<Meaning>()(
  either(
    [
      part({
        kind: words(
          ['digest', 'id'],
          '`digest`: the image is in a registry. `id`: the image was built on a machine, and only machines that have it can run it.',
        ),
        reference: text(),
        noted: optional(text('Why the registry could not be reached.')),
      }),
      part({ kind: words(['unknown']), reason: text() }),
    ],
    'The digest or id that the name of an image stands for at one moment.',
  ),
)

export const manifestSettings = typed<Settings>()(
  shape('ManifestSettings', 'Options of the daemon that manifests depend on.', {
    cns: part({ public: text(), private: text() }, 'DNS suffixes of service names.'),
    packages: list(
      part({
        uuid: text(),
        name: text(),
        family: text('Packages of one family differ only in size.'),
        ram: number('MiB.'),
        disk: number('MiB.'),
        cpu: number('Hundredths of a core.'),
      }),
    ),
    mail: flag('Whether a mail server is configured.'),
  }),
)

/** Compiles only if the schema has exactly the fields of a type of the model. */
function typed<T>() {
  return <S extends TSchema>(
    schema: S &
      ([Whole<T>] extends [Whole<Static<S>>]
        ? [Whole<Static<S>>] extends [Whole<T>]
          ? unknown
          : never
        : never),
  ) => Type.Unsafe<T>(schema)
}

/** Every field there, and none read-only. */
type Whole<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer E)[]
    ? Whole<E>[]
    : { -readonly [K in keyof T]-?: Whole<Exclude<T[K], undefined>> }
