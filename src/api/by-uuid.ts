// Names that callers give as uuids. A name always wins over a uuid, as both may look alike.
import { isKnown, projectNames } from '../changes/projects.js'
import { mayBeUuid } from '../lib/hash.js'
import { projectUuid } from '../model/project.js'
import type { Instance, Service } from '../model/service.js'
import type { Task } from '../model/task.js'
import { type ClusterView, serviceKey } from '../store/view.js'

const uuidLength = 36

/** The project's name that a word stands for. Only a whole uuid is one: a word may name a project that is still to be made. */
export function projectName(view: ClusterView, word: string): string {
  if (word.length !== uuidLength || isKnown(view, word)) return word
  return projectNames(view).find((name) => projectUuid(name) === word) ?? word
}

/** The service's name that a word stands for: itself, or that of the service with this uuid. */
export function serviceName(view: ClusterView, project: string | undefined, word: string): string {
  if (project !== undefined && view.services.has(serviceKey(project, word))) return word
  const own = function* (): Iterable<Service> {
    for (const one of view.services.values()) if (project === undefined || one.project === project) yield one
  }
  return withUuid(own(), word)?.name ?? word
}

/** The same of a service or an instance. */
export function memberName(view: ClusterView, project: string | undefined, word: string): string {
  const service = serviceName(view, project, word)
  if (service !== word || !mayBeUuid(word)) return service
  const own = function* (): Iterable<Instance> {
    for (const one of view.instances.values()) if (project === undefined || one.project === project) yield one
  }
  return withUuid(own(), word)?.name ?? word
}

/** The uuid of the task that a word is the beginning of. */
export function taskUuid(view: ClusterView, word: string): string {
  return view.tasks.has(word) ? word : (withUuid<Task>(view.tasks.values(), word)?.uuid ?? word)
}

/** The only one whose uuid begins so. */
function withUuid<T extends { readonly uuid: string }>(all: Iterable<T>, word: string): T | undefined {
  if (!mayBeUuid(word)) return undefined
  const found: T[] = []
  for (const one of all) if (one.uuid.startsWith(word)) found.push(one)
  return found.length === 1 ? found[0] : undefined
}
