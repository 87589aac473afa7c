// Which services and units ask to be near others, and which have a wish only: in half of the seeds, with random numbers of its
// own, so that without it a seed is what it was.
import { diceOf } from './clockwork.js'
import type { Wish } from './draw.js'
import type { Deed } from './scenario.js'

export function withNear(
  deeds: readonly Deed[],
  { seed, services, hasPlaces, hasUnits }: Wish,
): readonly Deed[] {
  const dice = diceOf(`near ${seed}`)
  if ((!hasPlaces && !hasUnits) || !dice.chance(0.5)) return deeds
  return deeds.map((deed): Deed => {
    const { what, details } = deed
    const isService = hasPlaces === true && what === 'deploy' && details['kind'] !== 'job'
    const isUnit = hasUnits === true && what === 'unit'
    if (!isService && !isUnit) return deed
    const [isNear, isWish] = [dice.chance(0.25), dice.chance(0.35)]
    const [byZone, own] = [dice.chance(0.3), dice.chance(0.3)]
    const sort = dice.pick(['near', 'far', 'far', 'zone'] as const)
    const other = isService ? `s${dice.between(0, services)}` : `u${dice.between(0, 6)}`
    const zone = dice.pick(['a', 'b'] as const)
    const of = own ? deed.who.replace(/@.*/, '') : other
    const { zone: _zone, away, far, replaces, global, ...rest } = details
    if (isUnit && (far !== undefined || replaces !== undefined || global !== undefined)) return deed
    // Nobody is to be near those from whom it is to be away.
    if (isNear && away !== of) return { ...deed, details: { ...details, near: byZone ? `${of} zone` : of } }
    if (!isWish) return deed
    // A text has hard rules or wishes.
    return { ...deed, details: { ...rest, wish: `${sort}:${sort === 'zone' ? zone : of}` } }
  })
}
