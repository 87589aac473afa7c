// What would come of a question, as text for people: a verdict for each service, and what it rests on.
import type {
  DrainBody,
  SimulatedService,
  SimulatedUnit,
  SimulatedWaiting,
  SimulationBody,
} from '../contract/contract.js'
import { toIso } from '../lib/time.js'
import { printable } from './table.js'

const width = 80

/** A simulation in no more columns than a terminal has; services of other projects are told with theirs. */
export function simulationText(body: SimulationBody, project: string): string {
  const { services, units, drains, assumptions, servicesInAll, of } = body
  const lines = [
    ...wrapped(questionText(body), '', '  '),
    ...services.flatMap((service) => serviceLines(service, project, body.outcome)),
    ...units.flatMap(unitLines),
    ...drains.flatMap(drainLines),
    ...wrapped(verdictText(body), '', '  '),
    '',
    ...wrapped(
      `as of ${toIso(Date.parse(of.at))}; ${servicesInAll - services.length} of ${count(servicesInAll, 'service')} untouched. Assumed:`,
      '',
      '',
    ),
    ...assumptions.notes.flatMap((note) => wrapped(note, '- ', '  ')),
  ]
  return `${lines.join('\n')}\n`
}

function questionText({ asked: { lose, drain, add, deploy, scale } }: SimulationBody): string {
  const names = (machines: SimulationBody['asked']['lose']): string =>
    listed(machines.map((one) => one.hostname))
  const parts = [
    ...(add.length > 0 ? [`${names(add)} ${add.length === 1 ? 'joins' : 'join'}`] : []),
    ...(lose.length > 0 ? [`${names(lose)} ${lose.length === 1 ? 'is' : 'are'} lost`] : []),
    ...(drain.length > 0 ? [`${names(drain)} ${drain.length === 1 ? 'is' : 'are'} drained`] : []),
    ...(deploy.length > 0 ? [`${listed(deploy)} ${deploy.length === 1 ? 'is' : 'are'} deployed`] : []),
    ...scale.map(({ service, from, to }) => `${service} is scaled from ${from} to ${to}`),
  ]
  return `If ${parts.join(', and ')}:`
}

function serviceLines(
  service: SimulatedService,
  asked: string,
  outcome: SimulationBody['outcome'],
): readonly string[] {
  const { project, service: name, waiting, blocked, failed } = service
  const called = project === asked ? name : `${project}/${name}`
  return [
    ...wrapped(`${called}: ${[...movesOf(service), shortOf(service, outcome)].join('; ')}`, '', '  '),
    ...waitingLines(waiting),
    ...failed.flatMap((why) => wrapped(why, '  ', '    ')),
    ...(blocked === null ? [] : wrapped(blocked, '  ', '    ')),
  ]
}

function movesOf({ scale, start, gone: ended, waiting }: SimulatedService): readonly string[] {
  // What was made and has ended again, as what never comes up does, took nobody's place.
  const made = new Set(start.map(({ name }) => name))
  const gone = ended.filter(({ name }) => !made.has(name))
  const inVain = new Set(ended.filter(({ name }) => made.has(name)).map(({ name }) => name))
  const there = start.filter(({ name, hostname }) => hostname !== null && !inVain.has(name))
  const moved = Math.min(there.length, gone.length)
  const of = scale.from ?? scale.to
  const more = there.length - moved
  const fewer = gone.length - moved
  const parts = [
    ...(scale.from !== null && scale.from !== scale.to ? [`scale ${scale.from} -> ${scale.to}`] : []),
    ...(moved > 0 ? [`${moved} of ${of} ${moveWords(there, gone, moved)}`] : []),
    ...(more > 0
      ? [`${more} ${more === 1 ? 'starts' : 'start'}${moved > 0 ? '' : ` on ${hostsOf(there)}`}`]
      : []),
    // Of those that wait in the place of others it is enough to say so.
    ...(fewer > (moved > 0 ? waiting.length : 0) ? [`${fewer} ${wentWord(gone, fewer)}`] : []),
    ...(inVain.size > 0 ? [`${inVain.size} ${inVain.size === 1 ? 'is' : 'are'} made, and ended again`] : []),
    ...(waiting.length > 0 ? [`${waiting.length} ${waiting.length === 1 ? 'waits' : 'wait'}`] : []),
  ]
  return parts.length === 0 ? ['nothing moves'] : parts
}

/** What goes from where others come is replaced; else it moves. */
function moveWords(there: SimulatedService['start'], gone: SimulatedService['gone'], moved: number): string {
  const to = new Set(there.map(({ hostname }) => hostname))
  const stays = gone.every(({ hostname }) => to.has(hostname))
  if (stays) return `${moved === 1 ? 'is' : 'are'} replaced, on ${hostsOf(there)}`
  return `${moved === 1 ? 'moves' : 'move'} to ${hostsOf(there)}`
}

function wentWord(gone: SimulatedService['gone'], fewer: number): string {
  const lost = gone.filter(({ why }) => why === 'lost').length
  if (lost === gone.length) return fewer === 1 ? 'is lost' : 'are lost'
  if (lost === 0) return fewer === 1 ? 'stops' : 'stop'
  return fewer === 1 ? 'is lost or stops' : 'are lost or stop'
}

function shortOf(service: SimulatedService, outcome: SimulationBody['outcome']): string {
  const { short, waiting, blocked, failed, afterMs } = service
  if (short.most > 0)
    return short.isOver
      ? `short by ${short.most} for ${timeText(short.forMs)}`
      : `short by ${short.most}, and stays short`
  const isDone = outcome !== 'unfinished' && waiting.length + failed.length === 0 && blocked === null
  return isDone ? `never short, done after ${timeText(afterMs)}` : 'never short'
}

/** Those that wait for one reason are told together. */
function waitingLines(waiting: readonly SimulatedWaiting[]): readonly string[] {
  return groups(waiting).flatMap(({ reason, names, before }) =>
    wrapped(
      `${some(names)} ${names.length === 1 ? 'waits' : 'wait'}${before ? ' already now' : ''}: ${reason}`,
      '  ',
      '    ',
    ),
  )
}

interface Waiters {
  readonly reason: string
  readonly before: boolean
  readonly names: readonly string[]
}

function groups(waiting: readonly SimulatedWaiting[]): readonly Waiters[] {
  const found = new Map<string, { reason: string; before: boolean; names: string[] }>()
  for (const { name, reason, before } of waiting) {
    const key = `${before} ${reason}`
    const one = found.get(key) ?? { reason, before, names: [] }
    one.names.push(name)
    found.set(key, one)
  }
  return [...found.values()]
}

function unitLines({ name, from, to, reason, before }: SimulatedUnit): readonly string[] {
  if (to === null)
    return wrapped(
      `${name}: waits${before ? ' already now' : ''}: ${reason ?? 'it has no machine'}`,
      '',
      '  ',
    )
  return wrapped(`${name}: ${from === null ? 'starts on' : `moves from ${from} to`} ${to}`, '', '  ')
}

function drainLines({ hostname, state, left }: DrainBody): readonly string[] {
  const held = left.filter((one) => one.state !== 'stays')
  const stays = left.length - held.length
  const staying = stays === 0 ? '' : `; ${stays} ${stays === 1 ? 'stays' : 'stay'}`
  if (state === 'done' || held.length === 0) return wrapped(`${hostname}: drained${staying}`, '', '  ')
  return [
    ...wrapped(`${hostname}: not drained, ${held.length} left${staying}`, '', '  '),
    ...held.flatMap(({ name, reason }) => wrapped(`${name}: ${reason}`, '  ', '    ')),
  ]
}

function verdictText({ outcome, services, units, afterMs, assumptions }: SimulationBody): string {
  const after = timeText(afterMs)
  if (outcome === 'unfinished')
    return `It is not complete after ${timeText(assumptions.limitMs)}: raise --hours.`
  if (outcome === 'placed')
    return services.length + units.length === 0
      ? 'Nothing changes.'
      : `All units are placed; it is complete after ${after}.`
  const there = thereAfterMs({ services, units })
  const rest = there === null ? '' : `; the last of the others is up after ${timeText(there)}`
  return `Some units are not placed or do not come up${rest}.`
}

/** When the last came up of what does; null where nothing comes up. What ends later is nothing that comes. */
function thereAfterMs({ services, units }: Pick<SimulationBody, 'services' | 'units'>): number | null {
  const all = [
    ...services.flatMap(({ start }) => start.flatMap(({ servingAfterMs }) => servingAfterMs ?? [])),
    ...units.flatMap(({ to, afterMs }) => (to === null ? [] : afterMs)),
  ]
  return all.length === 0 ? null : Math.max(...all)
}

/** What a simulation rests on, in words. */
export function assumptionNotes(of: {
  readonly startMs: number
  readonly stopMs: number | null
  readonly limitMs: number
  readonly endlessStopMs: number
  /** Of what is lost; null where nothing is. */
  readonly leaseMs: number | null
  /** Until when what is lost is not started elsewhere, as most machines vanish together; 0 where it is. */
  readonly heldMs: number
  readonly unreadable: number
  /** What acts on services beside the planners. */
  readonly idle: readonly string[]
}): readonly string[] {
  const stop =
    of.stopMs === null
      ? `each stop takes all the time that its manifest gives it, ${timeText(of.endlessStopMs)} where it has no end`
      : `each stop takes ${timeText(of.stopMs)} (--stop-time), or what its manifest gives it where that is less`
  return [
    `a program does its work ${timeText(of.startMs)} after it has a machine (--start-time); it is healthy at the first check after that, at the manifest's intervals`,
    stop,
    ...(of.leaseMs === null
      ? []
      : [`a machine counts as lost when its lease ends, after ${timeText(of.leaseMs)}`]),
    ...(of.heldMs === 0
      ? []
      : [
          `so many machines are lost together that their instances are not started elsewhere for ${timeText(of.heldMs)}`,
        ]),
    'nothing else fails: instances that are in trouble now stay so, and new ones come up',
    ...(of.idle.length === 0
      ? []
      : [
          `${of.idle.join(' and ')} ${of.idle.length === 1 && of.idle[0] === 'autoscaling' ? 'does' : 'do'} nothing in it`,
        ]),
    ...(of.unreadable === 0
      ? []
      : [
          `${count(of.unreadable, 'record')} cannot be read, and the objects that they are about are left as they are`,
        ]),
  ]
}

function hostsOf(there: SimulatedService['start']): string {
  return some([...new Set(there.map(({ hostname }) => hostname ?? ''))].sort())
}

/** A few of many names. */
function some(names: readonly string[]): string {
  const most = 6
  return names.length <= most
    ? listed(names)
    : `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`
}

function listed(names: readonly string[]): string {
  return names.length <= 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`
}

function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 120) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A text in lines that fit; a word that is longer than a line has one of its own. */
function wrapped(text: string, first: string, further: string): readonly string[] {
  const lines: string[] = []
  let line = first
  let isEmpty = true
  for (const word of printable(text).split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line)
      line = further
      isEmpty = true
    }
    line += isEmpty ? word : ` ${word}`
    isEmpty = false
  }
  return [...lines, line]
}
