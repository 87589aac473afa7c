// How a machine is being emptied as text: one line per change for logs, a block to redraw for terminals, and what is left.
import { type DrainBody, type DrainedBody, defaultProject } from '../contract/contract.js'
import type { Paint } from './paint.js'
import { clip, type Size } from './progress.js'
import { printable } from './table.js'

/** What changed between two looks at a machine, one line each. */
export function describeDrainChanges(before: DrainBody | null, after: DrainBody): readonly string[] {
  const known = new Set(before?.left.map(describeDrained))
  const here = new Set(after.left.map(({ unit }) => unit))
  const gone = before?.left.filter(({ unit }) => !here.has(unit)) ?? []
  return [
    ...gone.map((one) => `${nameOf(one)}: has left ${after.hostname}`),
    ...after.left.map(describeDrained).filter((line) => !known.has(line)),
    ...(before?.state === after.state ? [] : [describeDrain(after)]),
  ]
}

/** Machines with what is left on each, as a block of lines that fit. */
export function renderDrains(all: readonly DrainBody[], size: Size, paint: Paint): readonly string[] {
  const room = Math.max(1, Math.floor((size.rows - 1) / Math.max(1, all.length)) - 1)
  return all.flatMap((drain) => {
    const rows = drain.left.filter(({ state }) => state !== 'stays')
    const lines = rows.slice(0, rows.length > room ? room - 1 : room).map((one) => {
      const line = clip(`  ${describeDrained(one)}`, size.columns)
      return one.state === 'stuck' ? paint.bad(line) : paint.busy(line)
    })
    const more = rows.length - lines.length
    return [
      paint.bold(clip(describeDrain(drain), size.columns)),
      ...lines,
      ...(more > 0 ? [paint.faint(`  … and ${more} more`)] : []),
    ]
  })
}

/** `north-1 (0123abcd): 2 units are still on it`. */
export function describeDrain({ machine, hostname, state, left }: DrainBody): string {
  const name = `${hostname} (${machine.slice(0, 8)})`
  const leaving = left.filter((one) => one.state !== 'stays').length
  const stays = left.length - leaving
  const units = `${leaving} unit${leaving === 1 ? ' is' : 's are'} still on it`
  if (state === 'done')
    return `${name} is drained${stays === 0 ? '' : `; ${stays} stay${stays === 1 ? 's' : ''}`}`
  if (state === 'off') return `${name} is no longer being drained; ${units}`
  return `${name} ${state === 'stuck' ? 'cannot be drained' : 'is being drained'}: ${units}`
}

/** `web-1: stuck: no other machine can take it: …`. */
export function describeDrained(drained: DrainedBody): string {
  const { state, reason } = drained
  return `${nameOf(drained)}: ${words[state]}${reason === '' ? '' : `: ${printable(reason)}`}`
}

/** A machine has instances of all projects: those of another one than the default are named with it. */
function nameOf({ name, project }: DrainedBody): string {
  return project === null || project === defaultProject ? name : `${project}/${name}`
}

const words: Readonly<Record<DrainedBody['state'], string>> = {
  moving: 'moves',
  ending: 'ends',
  stuck: 'cannot leave',
  stays: 'stays',
}
