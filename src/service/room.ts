// Old instances that go before their replacements are up, because they hold what those wait for: a fixed host port, or
// memory, that no machine has twice.
import type { Rollout } from '../model/service.js'
import type { Refusal } from '../model/unit.js'
import type { Retire } from './actions.js'
import type { Assessed } from './assess.js'
import type { Roles } from './roles.js'
import { spareOf } from './rollout-width.js'
import { firstToGo } from './select-surplus.js'
import type { ServiceSituation } from './situation.js'

/**
 * Who goes first: only those whose going has been shown to make room, and never so many that more than the rollout's
 * width are missing from the scale.
 */
export function makeRoom(
  { service, makesRoom }: ServiceSituation,
  rollout: Rollout,
  { there, going, staying }: Roles,
  retired: readonly Assessed[],
): readonly Retire[] {
  const blocked = staying.filter((item) => item.fresh && !item.up && roomRefusal(item) !== null)
  const [first] = blocked
  if (first === undefined) return []
  const leaving = retired.filter((item) => item.placement !== null && isLeaving(item)).length
  const atMost = Math.min(blocked.length, rollout.parallel) - leaving
  const spare = spareOf(service, rollout, there)
  const holders = firstToGo(
    service,
    // What has just come back may serve, whatever is reported of it yet.
    going.filter((item) => item.placement !== null && !item.returning),
    going.length,
  )
  const makesWay = (items: readonly Assessed[]): boolean =>
    makesRoom(
      first.instance.unit,
      items.map(({ instance }) => instance.unit),
    )
  const single = within(
    spare,
    holders.filter((item) => makesWay([item])),
  ).slice(0, Math.max(0, atMost))
  const several = single.length > 0 || leaving > 0 ? [] : together(holders, rollout.parallel, spare, makesWay)
  const gone = [...single, ...several]
  // What has no place is in nobody's way, but would take the one that is made.
  const pending = gone.length === 0 ? [] : going.filter((item) => item.placement === null)
  const reason = `no machine has room for its replacement beside it${describeNeed(roomRefusal(first))}`
  return [...gone, ...pending].map(({ instance }) => ({
    kind: 'retire',
    instance,
    cause: 'replaced',
    reason,
  }))
}

/** Where one is not enough: the fewest of one machine that make room together. */
function together(
  holders: readonly Assessed[],
  parallel: number,
  spare: number,
  makesWay: (items: readonly Assessed[]) => boolean,
): readonly Assessed[] {
  const machines = new Set(holders.map(({ placement }) => placement?.machine))
  const found = [...machines].flatMap((machine) => {
    const here = within(
      spare,
      holders.filter(({ placement }) => placement?.machine === machine),
    ).slice(0, parallel)
    const count = here.findIndex((_, index) => index > 0 && makesWay(here.slice(0, index + 1)))
    return count === -1 ? [] : [here.slice(0, count + 1)]
  })
  return found.toSorted((a, b) => a.length - b.length)[0] ?? []
}

/** Of those in order, all that serve nobody, and so many that serve as can be spared. */
function within(spare: number, items: readonly Assessed[]): readonly Assessed[] {
  const idle = items.filter((item) => !item.up)
  return [...idle, ...items.filter((item) => item.up).slice(0, Math.max(0, spare))]
}

function isLeaving({ state }: Assessed): boolean {
  return state !== 'stopped' && state !== 'failed' && state !== 'lost'
}

/** What a machine lacks that it would have once an old instance has left it. */
function roomRefusal({ waiting }: Assessed): Refusal | null {
  return waiting?.refusals.find(({ refusal }) => isAboutRoom(refusal))?.refusal ?? null
}

function isAboutRoom({ kind }: Refusal): boolean {
  return kind === 'port' || kind === 'memory' || kind === 'cpu' || kind === 'conflict' || kind === 'far'
}

function describeNeed(refusal: Refusal | null): string {
  if (refusal?.kind === 'port') return ` (host port ${refusal.port})`
  if (refusal?.kind === 'memory') return ` (${refusal.needsMb} MiB of memory)`
  return ''
}
