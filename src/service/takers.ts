// The services that take over what the entry serves for one whose deletion waits for them.
import type { Service } from '../model/service.js'
import { type Task, takersOf } from '../model/task.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** A service that takes over, as it is. */
export interface Taker<Item> {
  readonly name: string
  /** Null where there is none. */
  readonly service: Service | null
  readonly instances: readonly Item[]
  /** Those that are over too. */
  readonly tasks: readonly Task[]
}

/** Who takes over from a service with these tasks; undefined where nothing waits for that. */
export function takersIn<Item>(
  view: ClusterView,
  project: string,
  tasks: readonly Task[],
  instancesOf: (name: string) => readonly Item[],
): readonly Taker<Item>[] | undefined {
  const names = tasks.map(takersOf).find((one) => one !== null)
  return names?.map((name) => {
    const key = serviceKey(project, name)
    const service = view.services.get(key) ?? null
    return { name, service, instances: instancesOf(name), tasks: view.tasksOf(key) }
  })
}
