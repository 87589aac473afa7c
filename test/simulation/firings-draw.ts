// Redeploys of what a schedule starts in the moments of its firings, each of which waits for a predecessor that takes its time to
// stop: in half of the seeds that have such a service, with random numbers of its own.
import { beginsAt, diceOf } from './clockwork.js'
import { firesFrom } from './manifest.js'
import type { Deed } from './scenario.js'

interface FiringsWish {
  readonly seed: number
  readonly machines: number
  readonly busyMs: number
  readonly calm?: number
}

const everyMs = 15_000
/** So long a run takes to stop, and the next one waits. */
const lingersMs = 4000

export function withRedeploysAtFirings(
  deeds: readonly Deed[],
  { seed, machines, busyMs, calm = 1 }: FiringsWish,
): readonly Deed[] {
  const dice = diceOf(`firings ${seed}`)
  const first = deeds.find(isJob)
  if (!dice.chance(0.5) || first === undefined || calm > 1) return deeds
  const lingering = {
    every: `${everyMs / 1000}`,
    takes: '40000',
    overlap: 'replace',
    lingers: `${lingersMs}`,
  }
  const all = deeds.map(
    (deed): Deed => (isJob(deed) ? { ...deed, details: { ...deed.details, ...lingering } } : deed),
  )
  const untilFirst = everyMs - ((beginsAt - Date.parse(firesFrom)) % everyMs)
  for (let atMs = untilFirst; atMs < busyMs; atMs += everyMs) {
    if (atMs < first.atMs || !dice.chance(0.25)) continue
    const details = {
      ...{ ...first.details, ...lingering, via: `m${dice.between(0, machines)}` },
      ...{ every: dice.chance(0.5) ? '15' : '30', n: `f${all.length}` },
    }
    all.push({ atMs: atMs + dice.between(0, lingersMs), who: first.who, what: 'deploy', details })
  }
  return all
}

function isJob({ what, details }: Deed): boolean {
  return what === 'deploy' && details['kind'] === 'job'
}
