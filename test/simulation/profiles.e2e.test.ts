// Clusters that are simulated from seeds, with what only some of them have: a store on a disk, triggers, calls, units.
// SEED=n tries that one.
import { expect, test } from 'vitest'
import { isThorough } from '../random-runs.js'
import { drawScenario } from './draw.js'
import { type Report, simulate } from './run.js'
import type { Scenario } from './scenario.js'

const only = process.env['SEED'] === undefined ? null : Number(process.env['SEED'])
const busyMs = 1_200_000
const settings = { machines: 3, services: 5, busyMs: isThorough ? busyMs : busyMs / 2 }

/** That a scenario is played the same again; once for all where tests have to be quick, in a test of its own. */
async function expectSameAgain(scenario: Scenario, report: Report): Promise<void> {
  if (isThorough) expect(await simulate(scenario), 'the same run').toEqual(report)
}

test('a clock that is set ends no rollout before its deadline', { timeout: 600_000 }, async () => {
  const faults = ['set-clock', 'set-clock', 'kill-program', 'slow-link'] as const
  let deadlines = 0
  for (const seed of only === null ? [1, 4] : [only]) {
    const lines: string[] = []
    const scenario = drawScenario({ ...settings, busyMs, machines: 1, seed, faults })
    const report = await simulate(scenario, { trace: (line) => lines.push(line) })
    deadlines += report.counts['deadline reached'] ?? 0
    expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  }
  expect(deadlines, 'rollouts that ran into their deadline').toBeGreaterThan(0)
})

test('what a machine acknowledged that has its store on its own disk is there whatever becomes of that', {
  timeout: 600_000,
}, async () => {
  const seed = only ?? 1
  const lines: string[] = []
  const scenario = drawScenario({ ...settings, seed, isEmbedded: true })
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  expect(report.counts['disk store/corrupt'], 'damage that was refused').toBeGreaterThan(0)
})

test('triggers scale for a reason, calls take effect once, and what is begun by hand runs', {
  timeout: 600_000,
}, async () => {
  const seed = only ?? 1
  const lines: string[] = []
  const scenario = drawScenario({ ...settings, busyMs, seed, hasScaling: true })
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  expect(report.counts['autoscale increment'], 'scales that were raised').toBeGreaterThan(0)
  await expectSameAgain(scenario, report)
})

test('a run has the body of the call that started it, whatever becomes of that on its way', {
  timeout: 600_000,
}, async () => {
  const seed = only ?? 1
  const lines: string[] = []
  const scenario = drawScenario({ ...settings, seed, hasScaling: true, hasNetwork: true })
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  expect(report.counts['network no answer'], 'requests that nobody heard of again').toBeGreaterThan(0)
  expect(report.counts['bodies of calls arrived'], 'starts with a body').toBeGreaterThan(0)
  expect(report.counts['act asked for what is used'], 'daemons that asked the others').toBeGreaterThan(0)
  await expectSameAgain(scenario, report)
})

test('units are where their texts allow it, and as they were asked for', { timeout: 600_000 }, async () => {
  const seed = only ?? 1
  const lines: string[] = []
  const scenario = drawScenario({ ...settings, seed, hasUnits: true })
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  expect(report.counts['placed everywhere'], 'places of global units').toBeGreaterThan(0)
  await expectSameAgain(scenario, report)
})

test('what is in volumes that move is never lost, and has one writer at a time', {
  timeout: 600_000,
}, async () => {
  const seed = only ?? 1
  const lines: string[] = []
  const scenario = drawScenario({ ...settings, seed, hasVolumes: true, hasMoves: true })
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  expect(report.counts['volume moved with data'], 'slots on another machine').toBeGreaterThan(0)
  await expectSameAgain(scenario, report)
})

test('a route of the entry has one owner, who has it until another serves it', {
  timeout: 600_000,
}, async () => {
  const seed = only ?? 1
  const lines: string[] = []
  const scenario = drawScenario({ ...settings, seed, hasRoutes: true })
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  expect(report.counts['handed over'], 'services that others took the place of').toBeGreaterThan(0)
  await expectSameAgain(scenario, report)
})

test('a deploy does what the plan shows that it expects, no write of metadata is lost, and what waits is explained', {
  timeout: 600_000,
}, async () => {
  const seed = only ?? 1
  const lines: string[] = []
  const scenario = drawScenario({ ...settings, seed, hasRequests: true })
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  expect(report.counts['act deployed as planned'], 'deploys that expected a plan').toBeGreaterThan(0)
  expect(report.counts['act meta written by add'], 'values that were compared').toBeGreaterThan(0)
  await expectSameAgain(scenario, report)
})
