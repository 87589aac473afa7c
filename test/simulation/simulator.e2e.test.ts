// What the simulator promises of itself: the same run of a seed, whenever, and the same end where it leaps.
import { expect, test } from 'vitest'
import { isThorough } from '../random-runs.js'
import { drawScenario } from './draw.js'
import { simulate } from './run.js'
import type { Deed, Scenario } from './scenario.js'

const only = process.env['SEED'] === undefined ? null : Number(process.env['SEED'])
const settings = { machines: 3, services: 5, busyMs: isThorough ? 1_200_000 : 300_000 }

test('a seed is the same run, whenever', { timeout: 600_000 }, async () => {
  const scenario = drawScenario({ ...settings, seed: 3 })
  const [one, two] = [await simulate(scenario), await simulate(scenario)]
  expect(two).toEqual(one)
})

test('where nothing would come of what there is to do time leaps, and all ends as it does without', {
  timeout: 600_000,
}, async () => {
  const faults = ['kill-daemon', 'power-off', 'cut', 'kill-program', 'slow-link', 'compact'] as const
  for (const seed of only === null ? (isThorough ? [1, 2] : [1]) : [only]) {
    const drawn = drawScenario({ ...settings, busyMs: 5_400_000, seed, calm: 40, faults })
    // Which of two that meet is first may hang on a millisecond, and so may what a check finds of what is about to be sick.
    const scenario = { ...drawn, deeds: drawn.deeds.filter(isAlone).map(neverSick) }
    const [leapt, played] = [await endOf(scenario, true), await endOf(scenario, false)]
    expect(leapt.report.broken, `SEED=${seed}`).toEqual([])
    expect(leapt.report.leaptMs / leapt.report.virtualMs).toBeGreaterThan(0.5)
    expect(leapt.report.steps * 2).toBeLessThan(played.report.steps)
    expect(leapt.records, `SEED=${seed}`).toEqual(played.records)
  }
})

/** Whether what came before is over by then. */
function isAlone({ atMs }: Deed, n: number, deeds: readonly Deed[]): boolean {
  return atMs - (deeds[n - 1]?.atMs ?? 0) > 30_000
}

function neverSick(deed: Deed): Deed {
  return deed.details['kind'] === 'sick' ? { ...deed, details: { ...deed.details, kind: 'good' } } : deed
}

/** What is there in the end, but for when it came about. */
async function endOf(scenario: Scenario, leaps: boolean) {
  let records: unknown = null
  const report = await simulate(scenario, {
    leaps,
    onEnd: (view) => {
      records = {
        services: [...view.services.values()].map(({ name, scale, current, rollout, blocked }) => {
          return { name, scale, ordinal: view.versions.get(current)?.ordinal, rollout, blocked }
        }),
        instances: [...view.instances.values()].map(({ name, retired, unit }) => {
          return { name, cause: retired?.cause, machine: view.placements.get(unit)?.machine }
        }),
        tasks: [...view.tasks.values()].map(({ kind, service, state }) => ({ kind, service, state })),
        waiting: [...view.waiting.keys()],
        machines: [...view.machines.keys()],
        orders: [...view.orders.values()],
      }
    },
  })
  return { report, records }
}
