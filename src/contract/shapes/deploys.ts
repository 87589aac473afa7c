// Shapes of what deploys and plans are answered with.
import { diagnostic, diffLine } from './model.js'
import {
  anything,
  flag,
  list,
  machineId,
  number,
  optional,
  orNull,
  part,
  shape,
  text,
  words,
  yes,
} from './words.js'

export const compileResponse = shape('CompileResponse', null, {
  services: list(
    part({
      service: text(),
      unit: text(),
      text: text(),
      manifest: anything(),
    }),
  ),
  warnings: list(diagnostic),
})

export const madeSecret = shape('MadeSecret', null, {
  of: words(['webhook', 'trigger']),
  name: text("The webhook's URL, or the trigger's name."),
  secret: text(),
})

export const deployedService = shape('DeployedService', null, {
  service: text(),
  outcome: words(
    ['created', 'updated', 'unchanged', 'removed'],
    '`removed`: the deploy does not name it, and prunes.',
  ),
  version: text(),
  ordinal: number(),
  task: orNull(text(), 'The task to follow; null where nothing is to be done.'),
  drifted: optional(
    list(
      text(),
      'The keys (`meta.color`) whose values are others by now than those that it was made of, before this. Where it is `unchanged` it stays so: `refresh` makes it anew. Absent for none.',
    ),
  ),
  secrets: optional(
    list(madeSecret, 'Secrets that were made because the manifest gave none; no later answer holds them.'),
  ),
})

export const plannedInstance = shape('PlannedInstance', null, {
  name: text(),
  ordinal: number(),
  machine: orNull(machineId),
  hostname: orNull(text()),
  reason: text(),
})

export const plannedService = shape('PlannedService', null, {
  service: text(),
  outcome: deployedService.properties.outcome,
  ordinal: number(),
  previous: orNull(
    text(),
    'uuid of the version that is current now, to hand back as `previous`; null for a new service.',
  ),
  scale: part({
    from: number(),
    to: number(),
  }),
  lastInstance: number(
    'The number of the last instance that was ever made of it; those that the deploy starts are numbered higher.',
  ),
  diff: list(diffLine, 'Lines of the manifest that go and come.'),
  pinned: optional(
    part(
      {
        from: orNull(text()),
        to: orNull(text()),
      },
      'With `refresh`: what its image was pinned to and is then; null where nobody knew.',
    ),
  ),
  drifted: deployedService.properties.drifted,
  start: list(plannedInstance),
  stop: list(plannedInstance),
  unplaced: list(plannedInstance, 'Instances that no machine could take.'),
})

export const planResponse = shape(
  'PlanResponse',
  'POST plan, with the body of a deploy: what that would change; changes nothing.',
  {
    id: text(
      'Tells plans apart, to hand back as `expect`: two of one id start and stop the same instances in the same places.',
    ),
    cut: optional(
      yes(
        'It would have taken too long to play the change through to its end: this is how far it came. No deploy expects it.',
      ),
    ),
    changes: flag('Whether anything would change.'),
    services: list(plannedService),
    warnings: list(diagnostic),
  },
)

export const deployResponse = shape('DeployResponse', null, {
  services: list(deployedService),
  warnings: list(diagnostic),
  planned: optional(
    list(plannedService, 'With `expect`: what was planned, to be compared with what has come of it.'),
  ),
})
