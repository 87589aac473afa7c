/** How many instances each service should have: a number, or `"+2"`, `"-1"` for a change. */
export type ScaleTargets = Readonly<Record<string, string | number>>

/**
 * Reads `NAME N`, `NAME +N`, `NAME -N` and `NAME=N`, in any number and order.
 * Returns what is wrong as text where the words are none of these.
 */
export function parseScaleTargets(words: readonly string[]): ScaleTargets | string {
  const pairs = pairWords(words)
  if (typeof pairs === 'string') return pairs
  const targets: Record<string, string | number> = {}
  for (const { name, amount } of pairs) {
    if (!/^[+-]?\d{1,9}$/.test(amount)) return `'${amount}' is not a scale for ${name}: give N, +N or -N`
    if (Object.hasOwn(targets, name)) return `${name} is named twice`
    targets[name] = /^\d/.test(amount) ? Number(amount) : amount
  }
  return targets
}

interface Pair {
  readonly name: string
  readonly amount: string
}

function pairWords(words: readonly string[]): readonly Pair[] | string {
  const pairs: Pair[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const equals = word.indexOf('=')
    if (equals > 0) {
      pairs.push({ name: word.slice(0, equals), amount: word.slice(equals + 1) })
      continue
    }
    const amount = words[++at]
    if (amount === undefined) return `how many instances of ${word}? Give N, +N or -N`
    pairs.push({ name: word, amount })
  }
  return pairs.length === 0 ? 'name a service and its scale' : pairs
}
