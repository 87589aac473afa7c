// What is wrong with machines and programs beside the faults of every cluster, each in a part of the seeds: what runs programs
// hangs, clocks are fast or slow, daemons are of other releases, and programs do not end when they are told to. It has numbers
// of its own, so that without it a seed is what it was.
import { diceOf } from './clockwork.js'
import type { Wish } from './draw.js'
import { type Release, releases } from './releases.js'
import type { Deed } from './scenario.js'

/** In millionths: crystals, and clocks that somebody has let go wrong. */
export const drifts = [-30_000, -10_000, -300, -100, 100, 300, 10_000, 30_000] as const

export interface MachineTroubles {
  readonly faults: readonly Deed[]
  /** A deploy with how its program ends when it is told to. */
  readonly programOf: (deed: Deed) => Deed
}

/** Where faults are chosen by whoever wishes, there are only those. */
export function drawMachineTroubles(wish: Wish): MachineTroubles {
  const { seed, faults } = wish
  const dice = diceOf(`machine troubles ${seed}`)
  const [hangs, drift, isDeaf] = [dice.chance(0.4), dice.chance(0.25), dice.chance(0.4)]
  const mixed = dice.chance(0.35)
  const own = faults === undefined
  return {
    faults: [
      ...(own && hangs ? drawHangs(wish) : []),
      ...(own && drift ? drawDrifts(wish) : []),
      ...(own && mixed ? drawReleases(wish) : []),
    ],
    programOf: own && isDeaf ? drawDeaf(seed) : (deed) => deed,
  }
}

/** Some are over before anybody notices, others last for minutes. */
function drawHangs({ seed, machines, busyMs, calm = 1 }: Wish): readonly Deed[] {
  const dice = diceOf(`hangs ${seed}`)
  const deeds: Deed[] = []
  for (let atMs = 0; ; ) {
    atMs += calm * dice.between(10_000, 240_000)
    if (atMs >= busyMs) return deeds
    const forMs = dice.chance(0.4) ? dice.between(500, 15_000) : dice.between(15_000, 240_000)
    const who = `m${dice.between(0, machines)}`
    deeds.push({ atMs, who, what: 'fault:driver-hangs', details: { for: `${forMs}` } })
  }
}

/** No time leaps while a clock drifts: half an hour shows as much as a day, and would be most of the work of a quiet day. */
const driftsAtMostMs = 1_800_000
const driftsAtMostOnQuietDaysMs = 300_000

/** Of some machines, from the beginning or from some time on, until somebody sees to it. */
function drawDrifts({ seed, machines, busyMs, calm = 1 }: Wish): readonly Deed[] {
  const dice = diceOf(`drifts ${seed}`)
  const atMostMs = calm > 1 ? driftsAtMostOnQuietDaysMs : driftsAtMostMs
  return Array.from({ length: machines }, (_, n) => n).flatMap((n): readonly Deed[] => {
    if (dice.chance(0.5)) return []
    const atMs = dice.chance(0.5) ? 0 : dice.between(0, busyMs)
    const ppm = `${dice.pick(drifts) ?? 0}`
    const forMs = `${dice.between(60_000, atMostMs)}`
    return [{ atMs, who: `m${n}`, what: 'fault:drift-clock', details: { ppm, for: forMs } }]
  })
}

/** One machine after the other gets another release, and some are turned back. */
function drawReleases({ seed, machines, busyMs, calm = 1 }: Wish): readonly Deed[] {
  const dice = diceOf(`releases ${seed}`)
  const known: readonly Release[] = dice.chance(0.5) ? ['newer', 'newer', 'this'] : releases
  const deeds: Deed[] = []
  for (let atMs = 0; ; ) {
    atMs += calm * dice.between(5_000, 300_000)
    if (atMs >= busyMs) return deeds
    const details = { for: `${dice.between(500, 30_000)}`, to: dice.pick(known) ?? 'this' }
    deeds.push({ atMs, who: `m${dice.between(0, machines)}`, what: 'fault:change-release', details })
  }
}

/** Versions of one service differ in that, and in how long they are waited for. */
function drawDeaf(seed: number): (deed: Deed) => Deed {
  const dice = diceOf(`deaf ${seed}`)
  return (deed) => {
    if (deed.what !== 'deploy') return deed
    const patience = `${dice.pick([2, 5, 5, 20, 40]) ?? 5}`
    const deaf = dice.chance(0.3) && { deaf: 'yes' }
    return { ...deed, details: { ...deed.details, patience, ...deaf } }
  }
}
