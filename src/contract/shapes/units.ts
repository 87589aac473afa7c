// Units, changes of units, and programs that `exec` runs inside instances.
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
  before: orNull(
    desiredState,
    'The desired state before, and in `desired` the one after; null: the unit is not in the cluster.',
  ),
  desired: orNull(desiredState),
})

export const unitChangeResponse = shape('UnitChangeResponse', null, {
  units: list(changedUnit),
  warnings: list(diagnostic),
})

export const unitOnMachine = shape(
  'UnitOnMachine',
  "State of a unit on one machine, in systemd's terms; null before the machine has reported.",
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
    '`overtaken`: the desired state was changed again meanwhile.',
  ),
  reason: text('Why the unit is not in the desired state, or why it failed; empty otherwise.'),
  logs: list(logRecord, 'For a failed unit: its last log lines.'),
})

export const unitProgress = shape(
  'UnitProgress',
  'One message of the progress stream (server-sent events) of units; in the last one no unit is `going`.',
  {
    ...looked.properties,
    units: list(unitProgressBody),
  },
)

export const unitBody = shape('UnitBody', null, {
  name: text(),
  hash: text(),
  desired: desiredState,
  state: orNull(desiredState, 'The present state; null for a global unit, which has a state per machine.'),
  machine: orNull(machineId, 'The machine where it is placed; null if it has none, and for a global unit.'),
  driver: orNull(driverKind),
  load: orNull(loadState),
  active: orNull(either([activeState, words(['unknown'])])),
  sub: orNull(text()),
  instance: orNull(text()),
  global: flag(),
  machines: list(unitOnMachine, 'Every machine where it is placed, with its state there.'),
  reason: text('Why it is not up, or how it last ended; empty if all is well.'),
})

export const unitDetails = shape('UnitDetails', null, {
  ...unitBody.properties,
  text: text(),
  pid: orNull(number()),
  container: orNull(text()),
  since: orNull(text()),
  restarts: number(),
  nextTryAt: orNull(text(), 'When it is restarted, or the next attempt to start it; null if neither is due.'),
  memoryBytes: orNull(number()),
  cpuNs: orNull(number()),
  processes: orNull(number()),
})

export const unitKillBody = shape(
  'UnitKillBody',
  'Answer to POST unit kill. Query: `signal`, default SIGKILL.',
  {
    unit: text(),
    signal: text(),
    machines: list(text(), 'Machines that the signal was sent to.'),
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
      waiting: text(),
    }),
    part({
      error: errorBody.properties.error,
    }),
  ],
  'POST exec. The body of the request is the standard input of the program; `argv` (repeated) and `user` are query parameters. With `tty=true` the program gets a terminal of the size `columns` by `rows` and the type `term`, and the body is newline-separated JSON of ExecInput. The answer is newline-separated JSON frames; `exit` or `detached` is the last one. `waiting` says what is waited for: before a program of POST run begins, or while the daemon of its machine says nothing. With a terminal, the header `x-mariposa-exec` of the answer has an id: POST detach with the parameter `exec` leaves the program at once, even while it does not read its input; input that it has not read then is dropped.',
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
  'One line of the body of a POST exec with a terminal.',
)
