// Shapes of units, what is done with them, and programs that run beside them.
import { errorBody, logRecord, looked } from './errors.js'
import { diagnostic } from './model.js'
import {
  activeState,
  desiredState,
  driverKind,
  either,
  flag,
  list,
  loadState,
  machineId,
  number,
  orNull,
  part,
  shape,
  text,
  words,
  yes,
} from './words.js'

export const changedUnit = shape('ChangedUnit', null, {
  name: text(),
  before: orNull(desiredState, 'What was wanted of it before, and is now; null: it is not in the cluster.'),
  desired: orNull(desiredState),
})

export const unitChangeResponse = shape('UnitChangeResponse', null, {
  units: list(changedUnit),
  warnings: list(diagnostic),
})

export const unitOnMachine = shape(
  'UnitOnMachine',
  "A unit on one machine, in systemd's words; null before the machine has reported.",
  {
    machine: machineId,
    driver: orNull(driverKind),
    load: orNull(loadState),
    active: orNull(either([activeState, words(['unknown'])])),
    sub: orNull(text()),
  },
)

export const unitProgressBody = shape('UnitProgressBody', null, {
  name: text(),
  desired: orNull(desiredState),
  machines: list(unitOnMachine),
  outcome: words(
    ['going', 'done', 'failed', 'overtaken'],
    '`overtaken`: somebody wants something else of it by now.',
  ),
  reason: text('Why it is not as wanted, or why it failed; empty when there is nothing to say.'),
  logs: list(logRecord, 'Of a unit that failed: the last lines that it wrote.'),
})

export const unitProgress = shape(
  'UnitProgress',
  'One message of the progress stream (server-sent events) of units; the last has none that is still `going`.',
  {
    ...looked.properties,
    units: list(unitProgressBody),
  },
)

export const unitBody = shape('UnitBody', null, {
  name: text(),
  hash: text(),
  desired: desiredState,
  state: orNull(
    desiredState,
    'The state that it is in; null for a global unit, which is in one on each machine.',
  ),
  machine: orNull(machineId, 'Where it is placed; null for a global unit too.'),
  driver: orNull(driverKind),
  load: orNull(loadState),
  active: orNull(either([activeState, words(['unknown'])])),
  sub: orNull(text()),
  instance: orNull(text()),
  global: flag(),
  machines: list(unitOnMachine, 'Every machine that it is placed on, with what that reports.'),
  reason: text('Why it is not up, or how it last ended; empty when all is well.'),
})

export const unitDetails = shape('UnitDetails', null, {
  ...unitBody.properties,
  text: text(),
  pid: orNull(number()),
  container: orNull(text()),
  since: orNull(text()),
  restarts: number(),
  nextTryAt: orNull(text(), 'When it is restarted, or started once more; null where neither is due.'),
  memoryBytes: orNull(number()),
  cpuNs: orNull(number()),
  processes: orNull(number()),
})

export const unitKillBody = shape(
  'UnitKillBody',
  'POST unit kill; `signal` is a query parameter (SIGKILL).',
  {
    unit: text(),
    signal: text(),
    machines: list(text(), 'Where it was sent.'),
  },
)

export const execFrame = either(
  [
    part({
      stream: words(['stdout', 'stderr']),
      base64: text(),
    }),
    part({
      exit: number(),
    }),
    part({
      detached: yes(),
    }),
    part({
      error: errorBody.properties.error,
    }),
  ],
  "POST exec. The request's body is the program's standard input; `argv` and `user` are query parameters (`argv` repeated). With `tty=true` the program has a terminal, of `columns` and `rows` and the type `term`, and the body is newline-separated JSON of ExecInput. The answer is newline-separated JSON frames; `exit` or `detached` is the last. With a terminal it has an id as well, in the header `x-mariposa-exec`: POST detach with the parameter `exec` leaves the program at once, also while it takes nothing of its input; what it has not taken then is dropped.",
)

export const execInput = either(
  [
    part({
      base64: text(),
    }),
    part({
      columns: number(),
      rows: number(),
    }),
    part({
      detach: yes(),
    }),
  ],
  'What the body of a POST exec with a terminal is made of.',
)
