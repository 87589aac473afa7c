// A running task as text: one line per change for logs, a block to redraw for terminals, and what is missing at the end.
import type { HeldBody, InstanceBody, LogRecord, TaskBody, TaskProgress } from '../contract/contract.js'
import type { InstanceState } from '../model/service.js'
import type { TaskState } from '../model/task.js'
import type { Paint } from './paint.js'
import { printable } from './table.js'

/** What changed between two looks at a task, one line each. */
export function describeChanges(before: TaskProgress | null, after: TaskProgress): readonly string[] {
  const known = new Map(before?.instances.map((instance) => [instance.uuid, describeInstance(instance)]))
  const changed = after.instances.filter(
    (instance) => known.get(instance.uuid) !== describeInstance(instance),
  )
  const present = new Set(after.instances.map((instance) => instance.uuid))
  const gone = before?.instances.filter((instance) => !present.has(instance.uuid)) ?? []
  const lines = [
    ...changed.map((instance) => `${instance.name}: ${describeInstance(instance)}`),
    ...gone.map((instance) => `${instance.name}: ${describeGone(instance, after)}`),
  ]
  if (after.blocked !== undefined && after.blocked !== before?.blocked) lines.push(printable(after.blocked))
  if (before?.task.state !== after.task.state || before.done !== after.done || before.total !== after.total) {
    lines.push(describeTask(after))
  }
  return lines
}

function describeGone({ uuid, name }: InstanceBody, { kept = [], unseen = [] }: TaskProgress): string {
  if (kept.includes(uuid)) return 'stopped, and kept'
  return unseen.includes(name) ? 'given up: its machine is down, and stops it when it returns' : 'removed'
}

/** All tasks as a block of at most `rows` lines of at most `columns` characters; instances that are up give way first. */
export function renderProgress(all: readonly TaskProgress[], size: Size, paint: Paint): readonly string[] {
  const told = all.filter(({ blocked }) => blocked !== undefined).length
  const room = Math.max(0, size.rows - 1 - all.length * 2 - told)
  const perTask = Math.max(1, Math.floor(room / Math.max(1, all.length)))
  return all
    .flatMap((progress) => [
      paint.bold(clip(describeTask(progress), size.columns)),
      ...(progress.blocked === undefined
        ? []
        : [paint.busy(clip(`  ${printable(progress.blocked)}`, size.columns))]),
      ...renderInstances(progress.instances, perTask, size.columns, paint),
    ])
    .slice(0, Math.max(1, size.rows - 1))
}

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** What a task that is not over still waits for, one sentence each. */
export function describeMissing(progress: TaskProgress): readonly string[] {
  const waiting = progress.instances.filter((instance) => !isUp(instance))
  const lines = [
    ...(progress.held === undefined ? [] : [describeHeld(progress.held)]),
    ...(progress.blocked === undefined ? [] : [printable(progress.blocked)]),
    ...waiting.map((instance) => `${instance.name} is ${describeInstance(instance)}`),
  ]
  const unseen = progress.total - progress.done - waiting.length
  if (unseen > 0) lines.push(`${unseen} more of ${serviceOf(progress.task)} to come`)
  return lines.length > 0 ? lines : [describeDone(progress)]
}

function describeDone({ task, done, total }: TaskProgress): string {
  return total === 0
    ? `${serviceOf(task)}: nothing is left to stop`
    : `${serviceOf(task)}: ${done} of ${total} done`
}

/** Why no daemon decides anything now, and what to do. */
export function describeHeld({ message, hint }: HeldBody): string {
  return `${message}${hint === undefined ? '' : `; ${hint}`}`
}

/** Why a task failed, the last lines that its instances wrote, and where it is a deploy what serves all the same. */
export function describeFailedTask(progress: TaskProgress): readonly string[] {
  const { task, logs } = progress
  const reason = `${serviceOf(task)}: ${task.task} ${task.state}${task.error === null ? '' : `: ${printable(task.error)}`}`
  return [reason, ...logs.map((record) => `  ${describeLogRecord(record)}`), ...describeServing(progress)]
}

/** The newest of the other versions that is up, and unless it is current already, how to make it so again. */
function describeServing({ task, instances, current }: TaskProgress): readonly string[] {
  if (task.task !== 'deploy' || task.state !== 'failed') return []
  const up = instances.filter((instance) => isUp(instance) && instance.version !== task.target?.version)
  if (up.length === 0) return []
  const ordinal = Math.max(...up.map((instance) => instance.ordinal))
  const serving = up.filter((instance) => instance.ordinal === ordinal)
  const serves = `  version ${ordinal} still serves: ${listed(serving.map(({ name }) => name))}`
  if (serving.some(({ version }) => version === current)) return [serves]
  const service = serviceOf(task)
  const project = task.scope.slice(0, task.scope.indexOf('/'))
  return [
    serves,
    `  to make it current again: mariposa service revert ${service} ${ordinal}${project === 'default' ? '' : ` -j ${project}`}`,
  ]
}

/** The first of them, and how many more there are. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}

/** Whether a task will not change any more. */
export function isOver(task: Pick<TaskBody, 'state'>): boolean {
  return over[task.state]
}

const over: Readonly<Record<TaskState, boolean>> = {
  queued: false,
  active: false,
  completed: true,
  failed: true,
  terminated: true,
}

/** The service that a task works on: the second part of its scope. */
export function serviceOf(task: Pick<TaskBody, 'scope'>): string {
  return task.scope.slice(task.scope.indexOf('/') + 1)
}

function describeTask(progress: TaskProgress): string {
  const { task, done, total } = progress
  const why = task.error === null ? '' : `: ${printable(task.error)}`
  const count = total === 0 ? '' : `, ${done} of ${total}`
  return `${serviceOf(task)}: ${task.task} ${task.state}${count}${why}`
}

function describeInstance(instance: InstanceBody): string {
  const health = instance.health === 'unknown' ? '' : `, ${instance.health}`
  return `${instance.state}${health}${instance.reason === '' ? '' : `: ${printable(instance.reason)}`}`
}

function renderInstances(
  instances: readonly InstanceBody[],
  most: number,
  columns: number,
  paint: Paint,
): readonly string[] {
  const ordered = [...instances.filter((instance) => !isUp(instance)), ...instances.filter(isUp)]
  const shown = ordered.length > most ? ordered.slice(0, most - 1) : ordered
  const lines = shown.map((instance) => {
    const line = clip(`  ${instance.name}  ${describeInstance(instance)}`, columns)
    return paint[tone[instance.state]](line)
  })
  const left = ordered.length - shown.length
  return left > 0 ? [...lines, paint.faint(clip(`  … and ${left} more`, columns))] : lines
}

const tone: Readonly<Record<InstanceState, 'good' | 'bad' | 'busy' | 'faint'>> = {
  pending: 'busy',
  pulling: 'busy',
  starting: 'busy',
  running: 'good',
  paused: 'bad',
  stopping: 'busy',
  stopped: 'faint',
  failed: 'bad',
  lost: 'bad',
  unknown: 'bad',
}

function isUp(instance: InstanceBody): boolean {
  return instance.state === 'running' && instance.health !== 'unhealthy'
}

function describeLogRecord(record: LogRecord): string {
  return `${record.instance} | ${printable(record.line)}`
}

/** A line that fits. */
export function clip(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`
}
