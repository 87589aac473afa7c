// Clusters that are simulated from seeds. SEEDS=n tries n of them, SEED=n that one, with its trace.
import { expect, test } from 'vitest'
import { simulate } from './run.js'

const seeds = Number(process.env['SEEDS'] ?? 10)
const only = process.env['SEED'] === undefined ? null : Number(process.env['SEED'])

const settings = { machines: 3, services: 5, busyMs: 1_800_000 }

test('whatever happens to a cluster, what was promised holds', { timeout: 600_000 }, async () => {
  const from = performance.now()
  let [steps, virtualMs] = [0, 0]
  for (let seed = only ?? 1; seed <= (only ?? seeds); seed++) {
    const lines: string[] = []
    const report = await simulate({ ...settings, seed, trace: (line) => lines.push(line) })
    steps += report.steps
    virtualMs += report.virtualMs
    if (only !== null) console.log(lines.join('\n'), report.counts)
    expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  }
  console.log(
    `${steps} steps, ${(virtualMs / 86_400_000).toFixed(2)} days, ${((performance.now() - from) / 1000).toFixed(1)} s`,
  )
})

test('a clock that is set ends no rollout before its deadline', { timeout: 600_000 }, async () => {
  const faults = ['set-clock', 'set-clock', 'kill-program', 'slow-link'] as const
  let deadlines = 0
  for (let seed = only ?? 1; seed <= (only ?? Math.ceil(seeds / 3)); seed++) {
    const lines: string[] = []
    const trace = (line: string): number => lines.push(line)
    const report = await simulate({ ...settings, machines: 1, seed, faults, trace })
    deadlines += report.counts['deadline'] ?? 0
    expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  }
  expect(deadlines, 'rollouts that ran into their deadline').toBeGreaterThan(0)
})

test('a seed is the same run, whenever', { timeout: 600_000 }, async () => {
  const [one, two] = [await simulate({ ...settings, seed: 3 }), await simulate({ ...settings, seed: 3 })]
  expect(two).toEqual(one)
})
