// Which changes of the cluster may change what a plan would be.
import type { UnitName } from '../model/unit.js'
import type { RecordKind } from '../store/record-types.js'
import { keys, kindOfKey, prefixes, read } from '../store/records.js'
import type { Change } from '../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'

/** What a plan is about. */
interface PlanScope {
  readonly project: string
  readonly services: readonly ServiceKey[]
}

/**
 * Whether a change counts for a plan: what machines there are and all that takes room on them, all that is known of the
 * plan's own services, and what is set and frozen in their project. What others do beside that is theirs.
 */
export function bearsOnPlan(view: ClusterView, scope: PlanScope, change: Change): boolean {
  const { key } = change
  if (key === keys.freezes(scope.project)) return true
  const kind = kindOfKey(key)
  return kind !== null && rules[kind](scope, change, view)
}

type Rule = (scope: PlanScope, change: Change, view: ClusterView) => boolean

const always: Rule = () => true
const never: Rule = () => false

/** Of a service of the plan, by the key. */
const ofService =
  (kind: RecordKind): Rule =>
  ({ services }, { key }) => {
    const rest = key.slice(prefixes[kind].length)
    return services.some((one) => rest === one || rest.startsWith(`${one}/`))
  }

/** One that is new or gone counts: it is what `--prune` would remove. */
const service: Rule = (scope, change, view) => {
  if (ofService('service')(scope, change, view)) return true
  const isNewOrGone = change.type === 'delete' || change.previous === null
  return isNewOrGone && change.key.startsWith(`${prefixes.service}${scope.project}/`)
}

const ofInstance: Rule = ({ services }, { key }, view) => {
  const instance = view.instances.get(key.slice(key.lastIndexOf('/') + 1) as UnitName)
  return instance !== undefined && services.includes(serviceKey(instance.project, instance.service))
}

/** One that cannot be read may be about anything. */
const task: Rule = ({ project, services }, change) =>
  [change.previous, change.type === 'put' ? change.entry : null].some((entry) => {
    if (entry === null) return false
    const found = read('task', entry)
    if (!('record' in found)) return true
    const { record } = found
    const isOfProject = record.project === project && record.service === ''
    return isOfProject || services.includes(serviceKey(record.project, record.service))
  })

const rules: Readonly<Record<RecordKind, Rule>> = {
  machine: always,
  order: always,
  unit: always,
  placement: always,
  service,
  version: ofService('version'),
  instance: ofService('instance'),
  task,
  meta: ({ project }, { key }) => key.startsWith(keys.metaOf(project)),
  report: ofInstance,
  waiting: ofInstance,
  volume: ofService('volume'),
  // A text never changes, and whoever needs another one is another unit.
  file: never,
  // What an image means is asked anew by each plan and each deploy.
  registryLogin: never,
  project: never,
  metrics: never,
  event: never,
  delivery: never,
  receiver: never,
  run: never,
  trigger: never,
  callBody: never,
  schedule: never,
  backup: never,
  scaling: never,
  knownMachine: never,
  clockCall: never,
  clockReading: never,
  clockOffset: never,
  entryIdle: never,
}
