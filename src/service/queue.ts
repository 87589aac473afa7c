// Which changes of one service go together: the table of the queue (Triton's, in our words), and freezing.
import { assertNever } from '../lib/invariant.js'
import type { Instant } from '../lib/time.js'
import { type Service, withoutStart, withoutWaitingStarts } from '../model/service.js'
import { type Task, type TaskKind, takersOf } from '../model/task.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** What becomes of a new task and of those that are there. */
type Admission =
  | { readonly kind: 'rejected'; readonly by: Task }
  | {
      readonly kind: 'admitted'
      /** It waits until these are over. */
      readonly after: readonly Task[]
      /** These end for it. */
      readonly terminates: readonly Task[]
    }

/**
 * Judges a new task by those of its service that are not over. `isForAway`: whether one of them waits only for machines that
 * are away. It ends for what would be refused beside it: what it has told to stop is stopped there all the same.
 */
export function admitTask(
  service: Service,
  open: readonly Task[],
  kind: TaskKind,
  isForAway: (task: Task) => boolean = () => false,
): Admission {
  const after: Task[] = []
  const terminates: Task[] = []
  for (const task of open) {
    switch (verdict(service, rowOf(task), columnOf(kind))) {
      case 'reject':
        if (!isForAway(task)) return { kind: 'rejected', by: task }
        terminates.push(task)
        break
      case 'wait':
        after.push(task)
        break
      case 'terminate':
        terminates.push(task)
        break
      case 'join':
        break
    }
  }
  return { kind: 'admitted', after, terminates }
}

/** What a task that waits for its turn waits for: the task under way that it cannot begin beside, else the one before it. */
export function aheadOf(service: Service, open: readonly Task[], waiting: Task): Task | null {
  const others = open.filter(({ uuid, kind }) => uuid !== waiting.uuid && kind !== 'freeze')
  const active = others.find(
    ({ state, kind }) => state === 'active' && !beginsBeside(service, kind, waiting.kind),
  )
  if (active !== undefined) return active
  // Tasks are in the order in which they were asked for.
  const before = open.slice(0, open.indexOf(waiting)).filter((one) => one.state === 'queued')
  return before.at(-1) ?? null
}

/** Whether nothing of a service is to be changed: it or its project is frozen. */
export function isFrozen(view: ClusterView, project: string, service: string): boolean {
  return freezesOf(view, project, service).length > 0
}

/** The freezes that hold a service; with an empty name, those of the project as a whole. */
export function freezesOf(view: ClusterView, project: string, service: string): readonly Task[] {
  const ofProject = view.tasksOf(serviceKey(project, ''))
  const own = service === '' ? [] : view.tasksOf(serviceKey(project, service))
  return [...ofProject, ...own].filter(({ kind, finishedAt }) => kind === 'freeze' && finishedAt === null)
}

/**
 * A service's record when one of its tasks is ended early: nothing more is replaced, stopped or begun for it. The scale
 * is what was asked for, and not what there is at that moment: that counts what is too many, lost, or without a place.
 */
export function settledAsIs(service: Service, { kind, instance }: Pick<Task, 'kind' | 'instance'>): Service {
  switch (columnOf(kind)) {
    case 'reprovision':
      return { ...service, rollout: null }
    case 'start':
      return instance === undefined ? withoutWaitingStarts(service) : withoutStart(service, instance)
    case 'stop':
      return { ...service, stopping: null }
    case 'delete':
      return withoutDeletion(service)
    case 'scale':
    case 'none':
      return service
  }
}

/** A service whose rollout ends before it is done: a restart that it was is not tried again with the same values. */
export function withRestartHeld(service: Service, reason: string): Service {
  const values = service.rollout?.values
  return values === undefined ? service : { ...service, heldRestart: { values, reason } }
}

/** The same where somebody wants nothing else in its place. */
export function withoutMore(
  service: Service,
  task: Pick<Task, 'kind' | 'instance'>,
  reason: string,
): Service {
  const isReplacing = columnOf(task.kind) === 'reprovision'
  return settledAsIs(isReplacing ? withRestartHeld(service, reason) : service, task)
}

/** What was asked to go with it is forgotten: the next one says it again. Others may have got its routes meanwhile. */
function withoutDeletion({ deleteVolumes: _, handsOver: __, ...service }: Service): Service {
  return { ...service, deleting: false, yields: true }
}

/** Several tasks of a service ended by a freeze, and the service's record without what was still to be done for them. */
export function endedByFreeze(
  service: Service,
  tasks: readonly Task[],
  now: Instant,
): { readonly service: Service; readonly over: readonly { readonly before: Task; readonly task: Task }[] } {
  const active = tasks.filter(({ state }) => state === 'active')
  return {
    service: active.reduce((settled, task) => withoutMore(settled, task, 'it was frozen'), service),
    over: tasks.map((before) => ({ before, task: cutShort(before, 'it was frozen', now) })),
  }
}

/** Over at a time, for a reason. */
export function terminated(task: Task, reason: string, now: Instant): Task {
  return { ...task, state: 'terminated', order: null, error: reason, finishedAt: now }
}

/** Ended by somebody who wants nothing else in its place: it says what was done of it, and how to go on. */
export function cutShort(task: Task, reason: string, now: Instant): Task {
  return terminated(task, `${reason}${leftOf(task)}`, now)
}

function leftOf({ kind, state, service }: Task): string {
  if (state === 'queued') return ''
  if (kind === 'delete')
    return `; ${service} and its versions remain, and its instances continue to stop: mariposa service delete ${service} --force continues the deletion, mariposa service start ${service} starts it again`
  if (kind === 'stop')
    return `; instances that are stopping continue to stop: mariposa service start ${service} starts them again`
  return ''
}

/** Kinds that the table does not tell apart. */
type Column = 'start' | 'stop' | 'scale' | 'reprovision' | 'delete' | 'none'
/** A deletion that waits until others serve leaves its service as it is until then. */
type Row = Exclude<Column, 'none'> | 'handing-over'
type Verdict = 'reject' | 'terminate' | 'wait' | 'join'

function columnOf(kind: TaskKind): Column {
  switch (kind) {
    case 'deploy':
    case 'revert':
    case 'reprovision':
      return 'reprovision'
    case 'start':
    case 'stop':
    case 'scale':
    case 'delete':
      return kind
    // What the service pass began itself stands in nobody's way; a freeze is judged on its own.
    case 'replace':
    case 'freeze':
      return 'none'
    default:
      return assertNever(kind)
  }
}

function rowOf(task: Task): Row | 'none' {
  return takersOf(task) === null ? columnOf(task.kind) : 'handing-over'
}

/** Whether a task that waits begins beside one that is under way: each start of what is not continuous is a run of its own. */
export function beginsBeside(service: Service, active: TaskKind, waiting: TaskKind): boolean {
  return active === 'replace' || (active === 'start' && waiting === 'start' && service.type !== 'continuous')
}

function verdict(service: Service, open: Row | 'none', next: Column): Verdict {
  // Each start of a service that is not continuous is an instance of its own.
  if (open === 'start' && next === 'start' && service.type !== 'continuous') return 'join'
  if (open === 'none' || next === 'none') return 'join'
  return table[open][next]
}

/** A row is a task that is not over, a column the new one. Deleting is not in the original: it ends all others. */
const table: Readonly<Record<Row, Readonly<Record<Exclude<Column, 'none'>, Verdict>>>> = {
  start: { start: 'reject', stop: 'terminate', scale: 'wait', reprovision: 'wait', delete: 'terminate' },
  stop: { start: 'reject', stop: 'reject', scale: 'reject', reprovision: 'reject', delete: 'terminate' },
  scale: { start: 'wait', stop: 'terminate', scale: 'reject', reprovision: 'join', delete: 'terminate' },
  reprovision: {
    start: 'wait',
    stop: 'terminate',
    scale: 'join',
    reprovision: 'terminate',
    delete: 'terminate',
  },
  delete: { start: 'reject', stop: 'reject', scale: 'reject', reprovision: 'reject', delete: 'reject' },
  'handing-over': {
    start: 'join',
    stop: 'terminate',
    scale: 'join',
    reprovision: 'terminate',
    delete: 'terminate',
  },
}
