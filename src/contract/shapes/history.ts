// Shapes of what has happened, and why things are where they are.
import { actor, eventData } from './model.js'
import {
  desiredState,
  flag,
  instanceState,
  list,
  machineId,
  number,
  optional,
  orNull,
  shape,
  text,
  told,
} from './words.js'

export const eventBody = shape('EventBody', null, {
  id: text(),
  at: text(),
  kind: text(),
  project: orNull(text()),
  service: orNull(text()),
  instance: orNull(text()),
  machine: orNull(text()),
  message: text(),
  by: orNull(actor, 'Who asked for it; null where nobody did.'),
  data: optional(told(eventData, 'What programs may want to know beside the message.')),
})

export const explainedMachine = shape('ExplainedMachine', 'What one machine says to a unit.', {
  machine: machineId,
  hostname: text(),
  accepted: flag(),
  reason: text('The first of `reasons`; whether it is here, where the machine accepts it.'),
  reasons: list(text(), 'Every rule that speaks against the machine, in the order in which they are judged.'),
})

export const explainedInstance = shape('ExplainedInstance', null, {
  name: text(),
  state: instanceState,
  machine: orNull(machineId),
  because: list(text(), 'One sentence each, most important first.'),
  machines: list(explainedMachine),
})

export const explainBody = shape(
  'ExplainBody',
  'GET explain: why each instance is where it is, or why it cannot be placed.',
  {
    name: text(),
    because: list(text(), 'What holds for the service as a whole: why no instance can be made.'),
    instances: list(explainedInstance),
    leftOut: optional(
      number('How many more instances there are than one answer explains; absent where it explains all.'),
    ),
  },
)

export const explainedUnit = shape(
  'ExplainedUnit',
  'GET unit explain: the same for a unit, whatever wants it.',
  {
    name: text(),
    desired: desiredState,
    machine: orNull(
      machineId,
      'Null where it has none, and for a global unit, which has one on each machine that takes it.',
    ),
    because: list(text()),
    machines: list(explainedMachine),
  },
)
