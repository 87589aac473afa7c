// What is to be known of other services for the order in which those of a project come up and go down, and how a record says that
// its service waits for others.
import type { Instant } from '../lib/time.js'
import { type After, cycleFrom, type Dependencies } from '../model/after.js'
import type { Run } from '../model/schedule.js'
import type { Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { RunOfOther } from './actions.js'
import { isFrozen } from './queue.js'

/** A service that another one waits for, as it is. */
export interface AwaitedService<Item> {
  readonly after: After
  /** Null where there is none. */
  readonly service: Service | null
  readonly version: ServiceVersion | null
  readonly instances: readonly Item[]
  readonly runs: readonly Run[]
  /** Of people, those that are over too; oldest first. */
  readonly tasks: readonly Task[]
  readonly frozen: boolean
  /** It comes after the one that waits for it: neither is held up. */
  readonly circular: boolean
}

/** Why nothing of a service is made yet. */
export interface Hold {
  /** As the rest of a sentence that begins with the name of the service. */
  readonly reason: string
  /** A dependency has failed: whoever waits for the service need not wait any longer. */
  readonly failed: boolean
  readonly wakeAt: Instant | null
  /** Runs of other services that it waits for and that nobody has begun. */
  readonly runs: readonly RunOfOther[]
}

/** What the record of a service says that comes up now, where its version comes after others. */
export function waitingFirst(
  version: { readonly after?: readonly unknown[] | undefined } | undefined,
): Pick<Service, 'waitsForOthers'> {
  return (version?.after ?? []).length === 0 ? {} : { waitsForOthers: true }
}

/** A service that waits for no other one. */
export function withoutWait(service: Service): Service {
  const { waitsForOthers: _, ...rest } = service
  return rest
}

/** The services that a service waits for; undefined where it waits for none. */
export function awaitedBy<Item>(
  view: ClusterView,
  service: Service,
  current: ServiceVersion | null,
  instancesOf: (name: string) => readonly Item[],
): readonly AwaitedService<Item>[] | undefined {
  if (service.waitsForOthers === undefined || current?.after === undefined) return undefined
  const { project, name } = service
  const dependencies = dependenciesIn(view, project)
  return current.after.map((after) => {
    const key = serviceKey(project, after.service)
    const other = view.services.get(key) ?? null
    return {
      after,
      service: other,
      version: view.versions.get(other?.current ?? '') ?? null,
      instances: other === null ? [] : instancesOf(after.service),
      runs: view.runsOf(key),
      tasks: view.tasksOf(key).filter(({ kind }) => kind !== 'replace' && kind !== 'freeze'),
      frozen: isFrozen(view, project, after.service),
      circular: comesAfter(after.service, name, dependencies),
    }
  })
}

/** The services that have to stop before one that is stopped with its project: those that come after it and are stopping. */
export function stoppingFirst(
  view: ClusterView,
  service: Service,
  tasks: readonly Task[],
): readonly string[] {
  const isInOrder = tasks.some(({ kind, state, inOrder }) => kind === 'stop' && state === 'active' && inOrder)
  if (!isInOrder || service.type !== 'continuous' || service.scale > 0 || service.deleting) return []
  const { project, name } = service
  const dependencies = dependenciesIn(view, project)
  return [...dependencies]
    .filter(([other, after]) => other !== name && after.some((one) => one.service === name))
    .map(([other]) => other)
    .filter((other) => isStopping(view, project, other) && !comesAfter(name, other, dependencies))
    .sort()
}

function isStopping(view: ClusterView, project: string, name: string): boolean {
  const tasks = view.tasksOf(serviceKey(project, name))
  return tasks.some(({ kind, finishedAt }) => kind === 'stop' && finishedAt === null)
}

/** What the current versions of a project's services come after. */
function dependenciesIn(view: ClusterView, project: string): Dependencies {
  const found = new Map<string, readonly After[]>()
  for (const { project: own, name, current } of view.services.values()) {
    if (own !== project) continue
    const after = view.versions.get(current)?.after
    if (after !== undefined) found.set(name, after)
  }
  return found
}

/** Whether a service comes after another one, directly or by way of others. */
function comesAfter(name: string, other: string, dependencies: Dependencies): boolean {
  const ways = new Map([...dependencies, [other, [{ service: name }]]])
  return name === other || cycleFrom(other, ways) !== null
}
