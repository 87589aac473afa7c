/**
 * Whether searches for counterexamples look at all of their cases: where `CI` is set, and not elsewhere, so that `npm test` is
 * quick. `RANDOM_RUNS=all` or `few` says otherwise.
 */
export const isThorough: boolean =
  (process.env['RANDOM_RUNS'] ?? (process.env['CI'] === undefined ? 'few' : 'all')) === 'all'

/** What random cases are drawn from: always the same where `CI` is set; null for what nobody has tried. `RANDOM_SEED=n` says otherwise. */
export const randomSeed: number | null = seedOf(process.env['RANDOM_SEED'])

function seedOf(asked: string | undefined): number | null {
  if (asked !== undefined) return Number(asked)
  return process.env['CI'] === undefined ? null : 1
}

/** How many random cases a search looks at: all, or a twentieth of them. */
export function randomCases(all: number): number {
  return isThorough ? all : Math.min(all, Math.max(2, Math.ceil(all / 20)))
}

/** The same, unless a variable of the environment says how many. */
export function randomRuns(variable: string, all: number): number {
  const asked = process.env[variable]
  return asked === undefined ? randomCases(all) : Number(asked)
}
