// Shapes of nouns that cross folders, as far as answers show them whole. Their types are those of the model.

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
  shape('Actor', 'Who changed something, as far as that can be known.', {
    user: orNull(text(), '`name@host` as the client says. On a unix socket nobody checks it.'),
    client: orNull(text(), 'The program: `mariposa/0.1.0`.'),
    address: orNull(text(), 'The address that it came from; null on a unix socket.'),
    certificate: optional(text('The name in the certificate that it showed. This one was checked.')),
  }),
)

export const diagnostic = typed<Problem>()(
  shape('Diagnostic', 'A problem in a text. Codes are stable; the wording may change.', {
    code: text(),
    severity: words(['error', 'warning']),
    message: text('What is wrong, one sentence.'),
    hint: optional(text('What to do about it.')),
    file: optional(text()),
    line: optional(number('From 1 on.')),
    column: optional(number('From 1 on, in characters.')),
    length: optional(number('How many characters it spans on its line.')),
    path: optional(text('Where in the document: `/healthchecks/0/port`.')),
    docs: optional(text('Where to read on, as a path in this project.')),
  }),
)

export const diffLine = typed<LineOfDiff>()(
  shape('DiffLine', null, {
    kind: words(['same', 'gone', 'new'], 'In both texts, only in the first, only in the second.'),
    text: text(),
  }),
)

export const capacity = typed<CapacityOfMachine>()(
  shape('Capacity', 'What a machine can give.', {
    cpus: number(),
    memoryMb: number(),
    diskMb: number(),
  }),
)

export const eventData = typed<DataOfEvent>()(
  shape('EventData', 'What programs may want to know of an event beside its sentence.', {
    exit: optional(
      part(
        {
          code: orNull(number(), 'Exit status; null when a signal ended it or nobody saw it end.'),
          signal: orNull(text()),
          oom: flag('The kernel or the memory guard killed it for its memory.'),
          at: number('Milliseconds since 1970.'),
          cutOff: optional(yes('Its machine, or what ran it there, went down.')),
        },
        'Of `instance-exited`.',
      ),
    ),
    health: optional(health),
    reason: optional(text()),
    cause: optional(words(retireCauses, 'Of `instance-retired`.')),
    task: optional(part({ uuid: text(), kind: taskKind, state: taskState })),
    unit: optional(unitName),
    scale: optional(part({ from: number(), to: number() }, 'Before and after.')),
  }),
)

export const imageMeaning = typed<Meaning>()(
  either(
    [
      part({
        kind: words(
          ['digest', 'id'],
          '`digest`: a registry has it. `id`: it was made on a machine, and only machines that have it can run it.',
        ),
        reference: text(),
        noted: optional(text('Why the registry could not be asked.')),
      }),
      part({ kind: words(['unknown']), reason: text() }),
    ],
    'What the name of an image means at a moment.',
  ),
)

export const manifestSettings = typed<Settings>()(
  shape('ManifestSettings', "What the daemon's own options say that manifests depend on.", {
    cns: part({ public: text(), private: text() }, 'What names of services end in.'),
    packages: list(
      part({
        uuid: text(),
        name: text(),
        family: text('Packages of one family differ in size alone.'),
        ram: number('MiB.'),
        disk: number('MiB.'),
        cpu: number('Hundredths of a core.'),
      }),
    ),
    mail: flag('Whether there is a server that takes e-mails on.'),
  }),
)

/** Takes a schema that says the same as a type of the model: every field of it and no other, or it does not compile. */
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
