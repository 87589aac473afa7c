// Events, and explanations of placements.
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
  by: orNull(actor, 'Who asked for it; null if nobody did.'),
  data: optional(told(eventData, 'Details of the event for programs.')),
})

export const explainedMachine = shape('ExplainedMachine', 'Whether one machine can take a unit.', {
  machine: machineId,
  hostname: text(),
  accepted: flag(),
  reason: text('The first of `reasons`. For a machine that accepts the unit: whether the unit is there.'),
  reasons: list(
    text(),
    'Every constraint that the machine does not meet, in the order in which they are checked.',
  ),
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
  'GET explain: why each instance is on its machine, or why it cannot be placed.',
  {
    name: text(),
    because: list(text(), 'Reasons for the service as a whole: why no instance can be made.'),
    instances: list(explainedInstance),
    leftOut: optional(
      number(
        'Number of instances that exceed the limit of one answer and are not explained; absent if all are.',
      ),
    ),
  },
)

export const explainedUnit = shape(
  'ExplainedUnit',
  'GET unit explain: the same for a unit, whether it belongs to an instance or not.',
  {
    name: text(),
    desired: desiredState,
    machine: orNull(
      machineId,
      'null if it has none, and for a global unit, which runs on each machine that accepts it.',
    ),
    because: list(text()),
    machines: list(explainedMachine),
  },
)
