// What several operators do at once with `--profile requests`, at random: plans that are deployed a while later, changes of the
// same metadata, and canaries. Each seed has a part of it, with random numbers of its own.
import { diceOf } from './clockwork.js'
import { raceVerbs } from './meta-race.js'
import type { Deed } from './scenario.js'

interface OperatorsWish {
  readonly seed: number
  readonly services: number
  readonly machines: number
  readonly busyMs: number
  readonly calm?: number
}

/** What is planned comes up in its time, or does not. */
const kinds = ['good', 'good', 'late', 'slow', 'ends', 'never'] as const

/** With deeds of its own beside those that there are. */
export function withOperators(deeds: readonly Deed[], wish: OperatorsWish): readonly Deed[] {
  const dice = diceOf(`operators of ${wish.seed}`)
  // Numbers of its own whatever of the others is there.
  const [plans, races, canaries] = [dice.chance(0.7), dice.chance(0.7), dice.chance(0.7)]
  const planned = plans ? drawPlans(wish) : []
  const all = [...deeds, ...planned, ...(races ? drawRaces(wish) : [])]
  return canaries ? withCanaries(all, wish) : all
}

/** Only of services without webhooks, whose secrets a daemon would make by chance. */
function drawPlans({ seed, services, machines, busyMs, calm = 1 }: OperatorsWish): readonly Deed[] {
  const dice = diceOf(`plans ${seed}`)
  const others = Array.from({ length: services }, (_, n) => n).filter((n) => n % 2 === 1)
  const deeds: Deed[] = []
  for (let atMs = 0; others.length > 0; ) {
    atMs += calm * dice.between(500, 40_000)
    if (atMs >= busyMs) break
    const kind = dice.pick(kinds) ?? 'good'
    const isChecked = kind === 'late' || kind === 'never' || dice.chance(0.5)
    const details = {
      via: `m${dice.between(0, machines)}`,
      scale: `${dice.between(1, 6)}`,
      deadline: `${dice.pick([60_000, 600_000])}`,
      memory: `${dice.between(1, 5) * 64}`,
      kind,
      n: `p${deeds.length}`,
      wait: `${dice.chance(0.6) ? dice.between(0, 2000) : dice.between(0, 60_000)}`,
      ...(isChecked && { checked: 'yes' }),
    }
    deeds.push({ atMs, who: `s${dice.pick(others)}`, what: 'plan', details })
  }
  return deeds
}

/** Several at once on few keys, each of whom waits for an answer before it goes on. */
function drawRaces({ seed, machines, busyMs, calm = 1 }: OperatorsWish): readonly Deed[] {
  const dice = diceOf(`races ${seed}`)
  const deeds: Deed[] = []
  for (let atMs = 0; ; ) {
    atMs += dice.chance(0.6) ? dice.between(0, 40) : calm * dice.between(100, 20_000)
    if (atMs >= busyMs) return deeds
    const details = {
      via: `m${dice.between(0, machines)}`,
      verb: dice.pick(raceVerbs) ?? 'incr',
      n: `${deeds.length + 1}`,
      wait: `${dice.chance(0.7) ? dice.between(0, 30) : dice.between(0, 4000)}`,
    }
    deeds.push({ atMs, who: `c${dice.between(0, 2)}.${dice.between(0, 4)}`, what: 'race', details })
  }
}

/** Somebody asks now and then why instances wait, and last when all has been quiet for long. */
export function drawExplains({ seed, services, machines, busyMs, calm = 1 }: OperatorsWish): readonly Deed[] {
  const dice = diceOf(`explains ${seed}`)
  const asks = (atMs: number): Deed => ({
    ...{ atMs, who: `s${dice.between(0, services)}`, what: 'explain' },
    details: { via: `m${dice.between(0, machines)}` },
  })
  const deeds: Deed[] = []
  for (let atMs = 0; ; ) {
    atMs += calm * dice.between(500, 30_000)
    if (atMs >= busyMs) break
    deeds.push(asks(atMs))
  }
  const last = Array.from({ length: 20 }, (_, n) => asks(busyMs + n * 40_000))
  return [...deeds, ...last]
}

/** Some of what replaces instances replaces a few of them only. */
function withCanaries(deeds: readonly Deed[], { seed }: OperatorsWish): readonly Deed[] {
  const dice = diceOf(`canaries ${seed}`)
  const lasting: ReadonlySet<string> = new Set(['deploy', 'plan', 'revert', 'reprovision'])
  return deeds.map((deed) => {
    const { what, details } = deed
    if (!lasting.has(what) || details['kind'] === 'job' || !dice.chance(0.3)) return deed
    return { ...deed, details: { ...details, canary: `${dice.between(1, 3)}` } }
  })
}
