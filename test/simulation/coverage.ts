// What a run has seen of what there is to see: events by kind, why instances went, how tasks ended, what the planners did by
// the records that they wrote, what was refused. The lists are those of the product's own types: the compiler asks for more
// where those grow.
import type { Step } from '../../src/agent/plan-local.js'
import type { EngineAction } from '../../src/engine/pass-decisions.js'
import { eventKinds } from '../../src/model/event.js'
import { retireCauses } from '../../src/model/service.js'
import type { TaskKind, TaskState } from '../../src/model/task.js'
import type { Refusal } from '../../src/model/unit.js'
import type { ServiceAction } from '../../src/service/actions.js'
import { decode, decodeEvents, kindOfKey, prefixes, type RecordKind } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'

/** How often what came about, each as `group name`. */
export type Counts = Readonly<Record<string, number>>

/** What there is to see of a group, and what of that was never seen. */
export interface Covered {
  readonly group: string
  readonly of: number
  readonly never: readonly string[]
}

/** How an action of the engine is seen in the records. */
const engineActions: Record<EngineAction['kind'], readonly [RecordKind, 'created' | 'deleted']> = {
  place: ['placement', 'created'],
  evict: ['placement', 'deleted'],
  wait: ['waiting', 'created'],
  'stop-waiting': ['waiting', 'deleted'],
}

/** Null: the records show no such action. */
type Seen = ((change: Change, kind: RecordKind) => boolean) | null

const instanceOf = (change: Change, which: 'before' | 'after') => {
  const entry = which === 'before' ? change.previous : change.type === 'put' ? change.entry : null
  return entry === null ? null : decode('instance', entry)
}
const becomes = (change: Change, kind: RecordKind, states: readonly TaskState[]): boolean => {
  if (kind !== 'task' || change.type !== 'put') return false
  const before = change.previous && decode('task', change.previous).state
  const { state } = decode('task', change.entry)
  return state !== before && states.includes(state)
}

const serviceActions: Record<ServiceAction['kind'], Seen> = {
  create: (change, kind) => kind === 'instance' && change.type === 'put' && change.previous === null,
  retire: (change, kind) =>
    kind === 'instance' &&
    instanceOf(change, 'before')?.retired === null &&
    (instanceOf(change, 'after')?.retired ?? null) !== null,
  keep: (change, kind) =>
    kind === 'instance' &&
    instanceOf(change, 'before')?.retired?.kept !== true &&
    instanceOf(change, 'after')?.retired?.kept === true,
  remove: (change, kind) => kind === 'instance' && change.type === 'delete',
  note: (change, kind) =>
    kind === 'instance' &&
    change.type === 'put' &&
    change.previous !== null &&
    JSON.stringify(instanceOf(change, 'before')?.lost) !== JSON.stringify(instanceOf(change, 'after')?.lost),
  begin: (change, kind) => becomes(change, kind, ['active']),
  end: (change, kind) => becomes(change, kind, ['terminated']),
  finish: (change, kind) => becomes(change, kind, ['completed', 'failed']),
  unload: null,
  'limit-stop': null,
  'stop-at-once': null,
  run: null,
}

const steps: Record<Step, true> = { load: true, start: true, stop: true, unload: true }

const refusals: Record<Refusal['kind'], true> = {
  driver: true,
  'driver-away': true,
  cordoned: true,
  'machine-id': true,
  metadata: true,
  network: true,
  'secret-key': true,
  memory: true,
  disk: true,
  cpu: true,
  port: true,
  'ports-used-up': true,
  'no-target': true,
  'target-elsewhere': true,
  'volume-elsewhere': true,
  group: true,
  conflict: true,
  replaced: true,
  replaces: true,
  far: true,
  near: true,
  'nothing-near': true,
}

const taskKinds: Record<TaskKind, true> = {
  deploy: true,
  revert: true,
  reprovision: true,
  scale: true,
  stop: true,
  start: true,
  delete: true,
  replace: true,
  freeze: true,
}
const taskStates: Record<TaskState, true> = {
  queued: true,
  active: true,
  completed: true,
  failed: true,
  terminated: true,
}

/** The codes of a page of them that a request of an operator may meet. */
export function codesIn(page: string): readonly string[] {
  const codes = Array.from(page.matchAll(/^\| `([^`]+)` \|/gm), ([, code = '']) => code)
  return codes.filter((code) => askedOf.has(code.slice(0, code.indexOf('/'))))
}

const askedOf: ReadonlySet<string> = new Set([
  ...['service', 'deploy', 'unit', 'machine', 'volume', 'trigger', 'task', 'queue', 'meta', 'project'],
])

/** Notes what changes of the store tell. */
export function noteChanges(changes: readonly Change[], count: (what: string) => void): void {
  for (const change of changes) {
    const kind = kindOfKey(change.key)
    if (kind === 'event') noteEvents(change, count)
    else if (kind !== null) noteRecord(change, kind, count)
  }
}

function noteEvents(change: Change, count: (what: string) => void): void {
  if (change.type === 'delete') return
  for (const { kind, data } of decodeEvents(change.entry)) {
    count(`event ${kind}`)
    if (data?.cause !== undefined) count(`cause ${data.cause}`)
    if (data?.task !== undefined) count(`task ${data.task.kind}, ${data.task.state}`)
  }
}

/** Listed once: they are gone through at each change. */
const engineRows = Object.entries(engineActions)
const serviceRows = Object.entries(serviceActions)

function noteRecord(change: Change, kind: RecordKind, count: (what: string) => void): void {
  const how = change.type === 'delete' ? 'deleted' : change.previous === null ? 'created' : 'changed'
  count(`record ${kind} ${how}`)
  for (const [action, [of, by]] of engineRows) if (of === kind && by === how) count(`engine ${action}`)
  // What damages records on purpose has written some that nobody can read.
  try {
    for (const [action, isSeen] of serviceRows)
      if (isSeen?.(change, kind) === true) count(`service ${action}`)
    if (kind === 'waiting' && change.type === 'put')
      for (const { refusal } of decode('waiting', change.entry).refusals) count(`refusal ${refusal.kind}`)
  } catch {
    count('record unreadable')
  }
}

export function addCounts(to: Record<string, number>, from: Counts): void {
  for (const [what, times] of Object.entries(from)) to[what] = (to[what] ?? 0) + times
}

/** Each group that has an end; `codes`: those of errors, which are counted as `act refused CODE` where somebody was. */
export function coverageOf(counts: Counts, codes: readonly string[] = []): readonly Covered[] {
  const { freeze: _, ...kinds } = taskKinds
  const tasks = Object.keys(kinds).flatMap((kind) =>
    Object.keys(taskStates).map((state) => `${kind}, ${state}`),
  )
  const groups: Readonly<Record<string, readonly string[]>> = {
    event: eventKinds,
    cause: retireCauses,
    engine: Object.keys(engineActions),
    service: Object.entries(serviceActions).flatMap(([action, isSeen]) => (isSeen === null ? [] : [action])),
    step: Object.keys(steps),
    refusal: Object.keys(refusals),
    task: tasks,
    record: Object.keys(prefixes)
      .filter((kind) => kind !== 'event')
      .map((kind) => `${kind} created`),
    refused: codes,
  }
  return Object.entries(groups).map(([group, names]) => ({
    group,
    of: names.length,
    never: names.filter(
      (name) => counts[group === 'refused' ? `act refused ${name}` : `${group} ${name}`] === undefined,
    ),
  }))
}

/** A line for each group, and what was never seen of those that have an end. */
export function describeCoverage(counts: Counts, codes: readonly string[] = []): readonly string[] {
  const groups = new Map<string, string[]>()
  for (const [what, times] of Object.entries(counts).sort()) {
    const [group = '', ...name] = what.split(' ')
    groups.set(group, [...(groups.get(group) ?? []), `${name.join(' ')} ${times}`])
  }
  return [
    ...[...groups].map(([group, found]) => `${group}: ${found.join(', ')}`),
    ...coverageOf(counts, codes)
      .filter(({ of }) => of > 0)
      .map(
        ({ group, of, never }) =>
          `${group.padEnd(8)} ${`${of - never.length}`.padStart(3)} of ${of} seen; never: ${never.join(', ') || 'none'}`,
      ),
  ]
}
