/**
 * How many random cases a search for counterexamples looks at: as many as a variable of the environment says, else all
 * where `CI` is set, and a tenth of them elsewhere, so that `npm test` is quick.
 */
export function randomRuns(variable: string, all: number): number {
  const asked = process.env[variable]
  if (asked !== undefined) return Number(asked)
  return process.env['CI'] === undefined ? Math.ceil(all / 10) : all
}
