// Tasks and their progress.
import { logRecord, looked } from './errors.js'
import { actor } from './model.js'
import { instanceBody } from './services.js'
import { list, number, optional, orNull, part, shape, taskKind, taskState, text, yes } from './words.js'

export const taskBody = shape('TaskBody', null, {
  uuid: text(),
  scope: text('`project/service`, or `project` for a freeze of the whole project.'),
  task: taskKind,
  state: taskState,
  target: orNull(
    part({
      scale: number(),
      version: text(),
    }),
    'null for a freeze.',
  ),
  createdAt: text(),
  finishedAt: orNull(text()),
  error: orNull(text()),
  by: orNull(actor, 'Who asked for it; null if the daemon began it by itself.'),
  done: number(
    'Number of instances that are as the task wants them, of `total`; for a finished task, the number when it ended.',
  ),
  total: number(),
})

export const taskProgress = shape(
  'TaskProgress',
  'One message of the progress stream (server-sent events) of a task; in the last one the task is finished.',
  {
    ...looked.properties,
    task: taskBody,
    done: number('As in `task`.'),
    total: number(),
    instances: list(instanceBody),
    kept: optional(list(text(), 'uuids of the stopped instances that are kept; absent if there are none.')),
    unseen: optional(
      list(
        text(),
        'Names of instances that were given up since the stream began because their machine is down; whether they have stopped is unknown.',
      ),
    ),
    entry: optional(
      yes('The service has routes of the entry, to which the task leads instances; absent if it has none.'),
    ),
    blocked: optional(
      text(
        'Why no instance can be made or stopped now, or what a queued task waits for, in one sentence; absent if nothing prevents it.',
      ),
    ),
    current: optional(
      text('For a failed task: the uuid of the version that is current now; absent if the service is gone.'),
    ),
    logs: list(logRecord, 'For a failed task: the last log lines of its instances.'),
  },
)

export const tasksResponse = shape('TasksResponse', 'The tasks that a change began, one per service.', {
  tasks: list(taskBody),
  ended: optional(list(taskBody, 'Tasks that a freeze ended; absent if there are none.')),
  notes: optional(
    list(text(), 'Remarks, for example that autoscaling changes the scale; absent if there are none.'),
  ),
})
