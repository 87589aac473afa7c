// What of the history a request gets.
import { describe, expect, test } from 'vitest'
import {
  type EventsQuerystring,
  readEventsQuery,
  selectEvents,
  unknownInHistory,
} from '../../src/api/history.js'
import { isProblem } from '../../src/changes/problem.js'
import type { HistoryEvent } from '../../src/model/event.js'
import { putOf } from '../../src/store/records.js'
import type { Entry } from '../../src/store/store.js'
import { idOf, World } from '../world/world.js'

const world = new World()
world.machine('a')

let made = 0
function anEvent(more: Partial<HistoryEvent> = {}): HistoryEvent {
  made += 1
  const at = more.at ?? made * 1000
  const id = `${String(at).padStart(13, '0')}-0000-aaaaaaaa`
  const about = { project: 'default', service: 'web', instance: null, machine: null }
  return { id, at, kind: 'deploy', ...about, message: `event ${made}`, ...more }
}

/** As the store has them: the first was written first, those of a list at once. */
function entriesOf(events: readonly (HistoryEvent | readonly HistoryEvent[])[]): readonly Entry[] {
  const entries = events.flatMap((event, index) => {
    const op = putOf('event', [event].flat())
    const revision = index + 1
    const lives = { createRevision: revision, modRevision: revision, lease: null }
    return op.op === 'put' ? [{ key: op.key, value: op.value, ...lives }] : []
  })
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1))
}

function get(events: Parameters<typeof entriesOf>[0], query: EventsQuerystring): readonly string[] {
  const asked = readEventsQuery(world.view, query)
  if (isProblem(asked)) throw new Error(asked.message)
  return selectEvents(entriesOf(events), asked).map(({ message }) => message)
}

test('a project that nobody has heard of is an error, unless the history tells of it', () => {
  const entries = entriesOf([anEvent({ project: 'gone' })])
  const asked = (project?: string) =>
    unknownInHistory(world.view, entries, project === undefined ? {} : { project })
  expect(asked('shpo')).toMatchObject({ status: 404, code: 'project/unknown' })
  expect([asked('gone'), asked('default'), asked(undefined)]).toEqual([null, null, null])
})

test('so is a service, an instance or a machine, but for one that is followed, which may be still to come', () => {
  const entries = entriesOf([anEvent({ service: 'gone', instance: 'gone-1', machine: idOf('f') })])
  const cluster = new World()
  cluster.machine('a')
  cluster.deploy('compute_type: process\ncommand: [/bin/x]\n')
  cluster.settle()
  const [instance] = cluster.view.instances.values()
  const asked = (query: EventsQuerystring) => {
    const problem = unknownInHistory(cluster.view, entries, { follow: 'false', ...query })
    return problem === null ? null : [problem.status, problem.code, problem.message]
  }
  const unknown = 'there is no service "wbe"'
  expect(asked({ service: 'wbe' })).toEqual([404, 'service/unknown', unknown])
  expect(asked({ service: 'wbe', project: 'default' })).toEqual([
    404,
    'service/unknown',
    `${unknown} in project "default"`,
  ])
  expect(asked({ machine: 'nix' })).toEqual([404, 'machine/unknown', 'there is no machine "nix"'])
  for (const service of ['web', instance?.name ?? '', 'gone', 'gone-1']) {
    expect(asked({ service })).toBeNull()
    expect(asked({ service, project: 'default' })).toBeNull()
  }
  for (const machine of [idOf('a'), idOf('f')]) expect(asked({ machine })).toBeNull()
  expect(asked({ service: 'wbe', follow: 'true' })).toBeNull()
})

describe('the events that are asked for', () => {
  test('are those of a project, service, instance, machine, kind or caller, all at once', () => {
    const by = { user: 'alice@desk', client: 'mariposa/1', address: null }
    const events = [
      anEvent({ message: 'one', by }),
      anEvent({ message: 'two', project: 'shop', kind: 'scale' }),
      anEvent({ message: 'three', instance: 'web-1', machine: idOf('a'), kind: 'placed' }),
      anEvent({ message: 'four', service: null, project: null, kind: 'machine', machine: idOf('b'), by }),
    ]
    expect(get(events, {})).toEqual(['one', 'two', 'three', 'four'])
    expect(get(events, { project: 'default' })).toEqual(['one', 'three'])
    expect(get(events, { service: 'web-1' })).toEqual(['three'])
    expect(get(events, { machine: 'a' })).toEqual(['three'])
    expect(get(events, { machine: idOf('b').slice(0, 4) })).toEqual(['four'])
    expect(get(events, { kind: 'scale, placed' })).toEqual(['two', 'three'])
    expect(get(events, { by: 'alice' })).toEqual(['one', 'four'])
    expect(get(events, { by: 'alice', kind: 'machine' })).toEqual(['four'])
    expect(get(events, { tail: '2' })).toEqual(['three', 'four'])
  })

  test('are those between two times', () => {
    const events = [1, 2, 3].map((n) => anEvent({ at: n * 60_000, message: String(n) }))
    expect(get(events, { since: '1970-01-01T00:02:00Z' })).toEqual(['2', '3'])
    expect(get(events, { since: '1970-01-01T00:02:00Z', until: '1970-01-01T00:02:30Z' })).toEqual(['2'])
  })

  test('go on after one of them with what was written later, also under an earlier time', () => {
    const events = [
      anEvent({ at: 5000, message: 'first' }),
      anEvent({ at: 9000, message: 'of a fast clock' }),
      anEvent({ at: 6000, message: 'of a slow clock' }),
    ]
    expect(get(events, { since: events[1]?.id ?? '' })).toEqual(['of a slow clock'])
    expect(get(events, { since: '0000000005500-0000-gone' })).toEqual(['of a fast clock', 'of a slow clock'])
  })

  test('go on after any of those that were told at once, and are counted one by one', () => {
    const together = [1, 2, 3].map((n) => anEvent({ at: 5000 + n, message: String(n) }))
    const events = [together, anEvent({ at: 9000, message: '4' })]
    expect(get(events, {})).toEqual(['1', '2', '3', '4'])
    expect(get(events, { since: together[0]?.id ?? '' })).toEqual(['2', '3', '4'])
    expect(get(events, { since: together[2]?.id ?? '' })).toEqual(['4'])
    expect(get(events, { tail: '2' })).toEqual(['3', '4'])
    expect(get(events, { until: '1970-01-01T00:00:05.002Z' })).toEqual(['1', '2'])
  })

  test.each([
    [{ since: 'yesterday' }, 'since has to be'],
    [{ until: 'x' }, 'until has to be'],
    [{ tail: '-1' }, 'tail has to be'],
    [{ follow: 'yes' }, 'follow has to be'],
    [{ kind: 'deploys' }, 'there is no kind "deploys"'],
  ])('are refused where the question makes no sense: %j', (query, message) => {
    expect(readEventsQuery(world.view, query)).toMatchObject({
      status: 400,
      message: expect.stringContaining(message) as string,
    })
  })
})
