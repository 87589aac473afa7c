// Shapes of tasks and their progress.
import { logRecord, looked } from './errors.js'
import { actor } from './model.js'
import { instanceBody } from './services.js'
import { list, number, optional, orNull, part, shape, taskKind, taskState, text } from './words.js'

export const taskBody = shape('TaskBody', null, {
  uuid: text(),
  scope: text('`project/service`, or `project` for a freeze of all of it.'),
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
  by: orNull(actor, 'Who asked for it; null for what the daemon began by itself.'),
  done: number('How many instances are as it wants them, of how many; once it is over, how many were.'),
  total: number(),
})

export const taskProgress = shape(
  'TaskProgress',
  'One message of the progress stream (server-sent events) of a task; the last has a task that is over.',
  {
    ...looked.properties,
    task: taskBody,
    done: number('As the task has them.'),
    total: number(),
    instances: list(instanceBody),
    kept: optional(
      list(text(), 'The uuids of instances that have stopped and are kept; left out where there are none.'),
    ),
    unseen: optional(
      list(
        text(),
        'The names of instances that were given up since the stream began, as their machine is down: nobody has seen them stop.',
      ),
    ),
    blocked: optional(
      text(
        'Why no instance can be made, or stopped, now, in one sentence; left out where nothing is in the way.',
      ),
    ),
    logs: list(logRecord, 'With a failed task: the last lines that its instances wrote.'),
  },
)

export const tasksResponse = shape('TasksResponse', 'The tasks that a change began, one per service.', {
  tasks: list(taskBody),
  ended: optional(list(taskBody, 'What a freeze ended; left out where that is nothing.')),
  notes: optional(
    list(text(), 'What to know of it, such as that autoscaling changes the scale; left out for nothing.'),
  ),
})
