// Tasks, the queue that they wait in, and the history.
import type {
  EventBody,
  ScopeRequest,
  TaskBody,
  TaskProgress,
  TasksResponse,
  TerminateRequest,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { lookAt } from '../../commands-to-check.js'
import { by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { EventsQuery } from '../../queries.js'
import { eventsQuery } from '../../queries.js'
import type { Requests } from '../requests.js'

export interface TaskCalls {
  /** Of one project, or of all. */
  tasks(project?: string, signal?: AbortSignal, page?: PageQuery): Promise<Page<TaskBody>>
  task(uuid: string, signal?: AbortSignal): Promise<TaskBody>
  /** Looks at a task until it is over; the first look comes at once. */
  taskProgress(uuid: string, signal?: AbortSignal): AsyncIterable<TaskProgress>
  terminate(uuid: string, request: TerminateRequest, signal?: AbortSignal): Promise<TasksResponse>
  changeScope(
    project: string,
    verb: 'freeze' | 'unfreeze' | 'release',
    request: ScopeRequest,
    signal?: AbortSignal,
  ): Promise<TasksResponse>
  /** The history; with `follow` also what happens from now on. */
  events(query: EventsQuery, signal?: AbortSignal): AsyncIterable<EventBody>
}

export function taskCalls({ get, list, changeBy, sse }: Requests): TaskCalls {
  return {
    tasks: (project, signal, page) => list(each('uuid'), paths.tasks, signal, page, { project }),
    task: (uuid, signal) => get(by('uuid'), paths.task(uuid), signal),
    taskProgress: (uuid, signal) =>
      sse(by('task'), { method: 'GET', path: paths.taskProgress(uuid) }, signal),
    terminate: (uuid, request, signal) =>
      changeBy(by('tasks'), 'mariposa queue list', paths.terminate(uuid), request, signal),
    changeScope: (project, verb, request, signal) =>
      changeBy(by('tasks'), lookAt.tasks(project), paths[verb](project), request, signal),
    events: (query, signal) =>
      sse(by('id'), { method: 'GET', path: paths.events, query: eventsQuery(query) }, signal),
  }
}
