// Answers to deploys and plans.
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

export const handedRoute = shape('HandedRoute', null, {
  route: text('Host and path, as `shop.example/`, or `tcp:` and the port.'),
  service: text('Which service has it then.'),
})

export const deployedService = shape('DeployedService', null, {
  service: text(),
  outcome: words(
    ['created', 'updated', 'unchanged', 'removed'],
    '`removed`: the deploy has `prune` and does not name the service.',
  ),
  version: text(),
  ordinal: number(),
  task: orNull(text(), 'uuid of the task to follow; null if there is nothing to do.'),
  entry: optional(yes('The service has routes of the entry; absent if it has none.')),
  drifted: optional(
    list(
      text(),
      'Metadata keys (`meta.color`) whose values have changed since the service was made from them, as of before this deploy. An `unchanged` service keeps the old values; `refresh` makes a new version. Absent if there are none.',
    ),
  ),
  handsOver: optional(
    list(
      handedRoute,
      'Of a `removed` service: routes that others take over. It is removed once those serve; until then it serves the routes. Absent if there are none.',
    ),
  ),
  secrets: optional(
    list(
      madeSecret,
      'Secrets that were generated because the manifest gives none. No later answer contains them.',
    ),
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
    'uuid of the current version, to send back as `previous`; null for a new service.',
  ),
  scale: part({
    from: number(),
    to: number(),
  }),
  lastInstance: number(
    'Number of the last instance that the service ever had; instances that the deploy starts get higher numbers.',
  ),
  diff: list(diffLine, 'Lines of the manifest that are removed and added.'),
  pinned: optional(
    part(
      {
        from: orNull(text()),
        to: orNull(text()),
      },
      'With `refresh`: the digest or id that the image is pinned to, before and after; null if unknown.',
    ),
  ),
  drifted: deployedService.properties.drifted,
  handsOver: deployedService.properties.handsOver,
  start: list(plannedInstance),
  stop: list(plannedInstance),
  unplaced: list(plannedInstance, 'Instances that fit on no machine.'),
})

export const planResponse = shape(
  'PlanResponse',
  'POST plan, with the body of a deploy: the changes that this deploy would make. Changes nothing.',
  {
    id: text(
      'Id of the plan, to send back as `expect`. Plans with the same id start and stop the same instances on the same machines.',
    ),
    cut: optional(
      yes(
        'The dry run was stopped before its end because it would have taken too long: the plan is incomplete, and `expect` cannot name it.',
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
  planned: optional(list(plannedService, 'With `expect`: the plan, for comparison with the result.')),
})
