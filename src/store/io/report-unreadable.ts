// Reports records that cannot be read, once each: in this daemon's log, and in the history by the first daemon that sees it.
import { describeError, type Log } from '../../lib/io/log.js'
import { type Loop, type Pass, startLoop } from '../../lib/io/loop.js'
import type { Time } from '../../lib/time.js'
import type { EventDraft } from '../../model/event.js'
import type { Unreadable } from '../quarantine.js'
import { type Change, isOutOfReach, type Op } from '../store.js'
import type { EventLog } from './event-log.js'
import type { Registry } from './registry.js'

interface ReportUnreadableOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly log: Log
}

/** Under it each record that the history tells of as unreadable, with why: so it is told once, by no leader needed. */
const reportedPrefix = 'unreadable/'
const longestProblem = 200

/** Starts to tell, for as long as it is not stopped. */
export function startTelling(options: ReportUnreadableOptions & { readonly clock: Time }): Loop {
  const { registry, log, clock } = options
  let size = 0
  const onError = (error: unknown): void => {
    if (!isOutOfReach(error)) log.warn('store', `cannot report unreadable records: ${describeError(error)}`)
  }
  const loop = startLoop({ pass: reportUnreadable(options), clock, intervalMs: lookEveryMs, onError })
  const unsubscribe = registry.onChange((_, changes) => {
    const { unreadable } = registry.view
    const isAbout = ({ key }: Change): boolean => unreadable.has(key) || key.startsWith(reportedPrefix)
    if (unreadable.size !== size || (size > 0 && changes.some(isAbout))) loop.wake()
    size = unreadable.size
  })
  return {
    wake: loop.wake,
    stop: () => {
      unsubscribe()
      return loop.stop()
    },
  }
}

const lookEveryMs = 60_000

function reportUnreadable(options: ReportUnreadableOptions): Pass {
  const { registry, log } = options
  const logged = new Map<string, string>()
  let isNew = true
  return async () => {
    const { unreadable } = registry.view
    for (const [key, { unfit, problem }] of unreadable) {
      if (logged.get(key) === problem) continue
      logged.set(key, problem)
      log.error('store', 'cannot read a record; ignoring it', { key, unfit, problem: cut(problem) })
    }
    for (const key of [...logged.keys()].filter((one) => !unreadable.has(one))) {
      // Where that cannot be written now, the next pass finds it once more.
      await reportAgain(options, key)
      logged.delete(key)
      log.info('store', 'the record is readable again, or gone', { key })
    }
    if (isNew) for (const { key } of registry.entriesUnder(reportedPrefix)) await reportIfOver(options, key)
    isNew = false
    for (const one of unreadable.values()) await report(options, one)
    return { wakeAt: null }
  }
}

async function report(
  { registry, events }: ReportUnreadableOptions,
  { entry, problem }: Unreadable,
): Promise<void> {
  const key = `${reportedPrefix}${entry.key}`
  const told = registry.entryAt(key)
  if (told?.value === problem) return
  const message = `the record ${entry.key} cannot be read: ${cut(problem)}`
  const compare = [
    { key, modRevision: told?.modRevision ?? 0 },
    { key: entry.key, modRevision: entry.modRevision },
  ]
  await registry.commit(compare, [{ op: 'put', key, value: problem }, ...events.append([about(message)])])
}

/** A record that was healed while no daemon looked. */
async function reportIfOver(options: ReportUnreadableOptions, marker: string): Promise<void> {
  const key = marker.slice(reportedPrefix.length)
  if (!options.registry.view.unreadable.has(key)) await reportAgain(options, key)
}

async function reportAgain({ registry, events }: ReportUnreadableOptions, key: string): Promise<void> {
  const marker = `${reportedPrefix}${key}`
  const told = registry.entryAt(marker)
  if (told === null) return
  const compare = [
    { key: marker, modRevision: told.modRevision },
    { key, modRevision: registry.view.revisionOf(key) },
  ]
  const isThere = registry.view.revisionOf(key) > 0
  const message = `the record ${key} ${isThere ? 'can be read again' : 'is gone'}`
  const drop: Op = { op: 'delete', key: marker }
  await registry.commit(compare, [drop, ...events.append([about(message)])])
}

function about(message: string): EventDraft {
  return { kind: 'record', project: null, service: null, instance: null, machine: null, message }
}

function cut(text: string): string {
  return text.length > longestProblem ? `${text.slice(0, longestProblem)}…` : text
}
