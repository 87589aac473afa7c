// The shortest scenario that still breaks: deeds are left out, many at first and then one by one, as long as the same
// thing does not hold without them.
import type { Deed, Scenario } from './scenario.js'

/** What did not hold, and when; null where all held. */
export interface Breakage {
  readonly what: string
  readonly atMs: number | null
}

export interface ShrinkParts {
  readonly judge: (scenario: Scenario) => Promise<Breakage | null>
  /** Whether to be content with what is found. */
  readonly isOver: () => boolean
}

/** Resolves to the shortest that was found; `scenario` breaks by `found`. */
export async function shrink(scenario: Scenario, found: Breakage, parts: ShrinkParts): Promise<Scenario> {
  let best = scenario
  const breaks = async (candidate: Scenario): Promise<boolean> => {
    const breakage = await parts.judge(candidate)
    return breakage !== null && kindOf(breakage.what) === kindOf(found.what)
  }
  const keepIfBroken = async (deeds: readonly Deed[], busyMs = best.busyMs): Promise<boolean> => {
    const candidate = { ...best, deeds, busyMs }
    if (!(await breaks(candidate))) return false
    best = candidate
    return true
  }
  // What comes after cannot have done it.
  const { atMs } = found
  if (atMs !== null) await keepIfBroken(best.deeds.filter((deed) => deed.atMs <= atMs))
  let size = Math.ceil(best.deeds.length / 2)
  while (size >= 1 && !parts.isOver()) {
    let wasLeftOut = false
    for (let from = best.deeds.length - size; from > -size && !parts.isOver(); from -= size) {
      const at = Math.max(0, from)
      const without = best.deeds.toSpliced(at, from < 0 ? size + from : size)
      if (without.length < best.deeds.length && (await keepIfBroken(without))) wasLeftOut = true
    }
    if (!wasLeftOut || size > best.deeds.length) size = size === 1 ? 0 : Math.ceil(size / 2)
  }
  const lastMs = best.deeds.at(-1)?.atMs ?? 0
  if (!parts.isOver()) await keepIfBroken(best.deeds, Math.min(best.busyMs, lastMs + 200_000))
  return best
}

/** The same fault says the same with other names and numbers. */
function kindOf(what: string): string {
  return what
    .split('\n', 1)
    .join('')
    .replaceAll(/[0-9a-f]{8,}|\d+/g, '#')
    .replaceAll(/\b[smi]#\S*/g, 'NAME')
    .slice(0, 60)
}
