// What a seed chooses, the same again for the same seed.
import { randomRuns } from '../random-runs.js'

export interface Random {
  /** From 0, below a bound. */
  below(bound: number): number
  pick<T>(from: readonly T[]): T
}

/** Mulberry32. */
export function openRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (bound: number): number => next() % bound
  return { below, pick: <T>(from: readonly T[]): T => from[below(from.length)] as T }
}

/** How much is tried: `npm run fuzz` says more. `FUZZ_SEED` plays another run, or the one that a failure names. */
export const seed = Number(process.env['FUZZ_SEED'] ?? 1)
export const cases = randomRuns('FUZZ_CASES', 20_000)
/** Characters of a text that is long. */
export const longTexts = randomRuns('FUZZ_LONGEST', 50_000)
export const requests = randomRuns('FUZZ_REQUESTS', 3_000)

/** What texts of all kinds trip over. */
export const signs: readonly string[] = [
  ...[...' \t\n\r\0\\"\'`:;,.=+-*/|&!?%$#@~^<>()[]{}_'],
  ...[
    '{{',
    '}}',
    '\r\n',
    '\\\n',
    '${',
    '$$',
    '%%',
    '%i',
    '%',
    '--',
    '..',
    '://',
    '\ufeff',
    '\u2028',
    '\u0085',
  ],
  ...[
    '0',
    '1',
    '9',
    '00',
    '1e9',
    '99999999999999999999',
    'a',
    'Z',
    'é',
    '日',
    '💥',
    '\ud800',
    '\udc00',
    '\uE000',
  ],
  ...['true', 'null', 'NaN', 'Infinity', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
]

/** A text of a few of the words and signs, one after the other. */
export function textOf(random: Random, words: readonly string[], most = 14): string {
  const glue = random.pick(['', '', ' ', '\n'])
  const parts = Array.from({ length: random.below(most) }, () =>
    random.below(3) === 0 ? random.pick(signs) : random.pick(words),
  )
  const text = parts.join(glue)
  if (text === '' || random.below(4) > 0) return text
  // One edit in the middle of a word.
  const at = random.below(text.length)
  return text.slice(0, at) + random.pick(signs) + text.slice(at + random.below(3))
}
