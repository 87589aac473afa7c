// Clusters that are simulated from seeds: some that are always the same and, but where `CI` is set (.ci/simulate.mjs tries
// more of them there), one that nobody has tried, which is printed.
// SEEDS=n tries the first n instead, SEED=n that one, with its trace.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isThorough, randomSeed } from '../random-runs.js'
import { addCounts, describeCoverage } from './coverage.js'
import { drawScenario } from './draw.js'
import { simulate } from './run.js'
import { etcdFaultNames, type FaultName, parseScenario } from './scenario.js'

const only = process.env['SEED'] === undefined ? null : Number(process.env['SEED'])
const many = process.env['SEEDS'] === undefined ? null : Number(process.env['SEEDS'])
const fixed = isThorough ? [1, 2, 3] : [1]
/** Seeds from here on are fresh ones. */
const firstFresh = 1_000_000
const fresh = firstFresh + (Date.now() % 1_000_000_000)

/**
 * What has been tried with many seeds; what is newer, as schedules and webhooks are, is tried with fixed ones, so that
 * nobody is held up by a judge's error.
 */
const newest: ReadonlySet<FaultName> = new Set([
  ...(['driver-away', 'die', 'poison', 'cut-outside', 'lose-member', 'lose-quorum', 'lag-member'] as const),
  // Since clocks are compared the lead passes between machines of different times (seed 193808226).
  'set-clock',
])
const longTried = etcdFaultNames.filter((fault) => !newest.has(fault))

const settings = { machines: 3, services: 5, busyMs: isThorough ? 1_200_000 : 180_000 }

/** The shortest scenarios of faults that were found, each as it broke before it was mended. */
const found = join(import.meta.dirname, 'found')

function seedsToTry(): readonly number[] {
  if (only !== null) return [only]
  if (many !== null) return Array.from({ length: many }, (_, n) => n + 1)
  return randomSeed === null ? [...fixed, fresh] : fixed
}

test('whatever happens to a cluster, what was promised holds', { timeout: 600_000 }, async () => {
  const from = performance.now()
  const counts: Record<string, number> = {}
  let [steps, virtualMs] = [0, 0]
  for (const seed of seedsToTry()) {
    const lines: string[] = []
    const isFresh = seed >= firstFresh
    const faults = isFresh ? longTried : etcdFaultNames
    const scenario = drawScenario({ ...settings, seed, faults, isPlain: isFresh })
    const report = await simulate(scenario, { trace: (line) => lines.push(line) })
    steps += report.steps
    virtualMs += report.virtualMs
    addCounts(counts, report.counts)
    if (only !== null) console.log(lines.join('\n'))
    expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  }
  console.log(describeCoverage(counts).join('\n'))
  console.log(
    `seeds ${seedsToTry().join(', ')}: ${steps} steps, ${(virtualMs / 86_400_000).toFixed(2)} days of a cluster in ${((performance.now() - from) / 1000).toFixed(0)} s`,
  )
})

test.each(readdirSync(found))('what broke once holds: %s', async (file) => {
  const lines: string[] = []
  const scenario = parseScenario(readFileSync(join(found, file), 'utf8'))
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, lines.slice(-40).join('\n')).toEqual([])
})

test('a leader whose clock is minutes ahead leaves the lead to another, and is told of once', async () => {
  const lines: string[] = []
  const scenario = parseScenario(
    [
      ...['seed 1', 'machines 3', 'memoryMb 65536', 'linkMs 4', 'busyMs 120000', '----'],
      ...['m0', 'm1'].map((machine) => `60000 ${machine} fault:set-clock by=300000`),
      '90000 m1 fault:set-clock by=-300000',
    ].join('\n'),
  )
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, lines.slice(-40).join('\n')).toEqual([])
  expect(report.counts).toMatchObject({ 'event clock-differs': 2, 'event clock-agrees': 1 })
})
