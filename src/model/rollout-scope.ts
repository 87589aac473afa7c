// Which instances of a service a rollout replaces.

/** What a rollout replaces, and what it leaves alone. */
export interface RolloutScope {
  /** The last instance made before it; those numbered higher are its own. */
  readonly after: number
  /** Which instances up to `after` are to go: those of other versions, all, or these numbers. */
  readonly replaces: 'other-versions' | 'all' | readonly number[]
  /** Beside those, instances of the version itself that were in trouble when it began: they are tried anew, as new ones. */
  readonly anew?: readonly number[]
}

/** Whether a rollout to the version `current` replaces an instance. */
export function isToBeReplaced(
  instance: { readonly n: number; readonly version: string },
  { after, replaces, anew }: RolloutScope,
  current: string,
): boolean {
  if (instance.n > after) return false
  if (replaces === 'all' || anew?.includes(instance.n)) return true
  if (replaces === 'other-versions') return instance.version !== current
  return replaces.includes(instance.n)
}

/** So many numbers at most stand in the unit of each instance that a rollout makes. */
const numbersAtMost = 64

/** What the unit of an instance says of the rollout that it is made in, where its lists are too long less exactly. */
export function shortScope({ after, replaces, anew = [] }: RolloutScope): RolloutScope {
  const isShort = typeof replaces === 'string' || replaces.length <= numbersAtMost
  return {
    after,
    replaces: isShort ? replaces : 'other-versions',
    ...(anew.length > 0 && anew.length <= numbersAtMost && { anew }),
  }
}
