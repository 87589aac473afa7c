// Days of a cluster, in which no kind of record becomes more than is kept. A whole month: `npm run simulate -- --seed 2
// --days 30 --services 6 --profile month`.
import { expect, test } from 'vitest'
import { drawScenario } from './draw.js'
import { simulate } from './run.js'

test('two days leave no more records than are kept', { timeout: 600_000 }, async () => {
  const seed = process.env['SEED'] === undefined ? 2 : Number(process.env['SEED'])
  const lines: string[] = []
  const scenario = drawScenario({
    ...{ seed, machines: 3, services: 6, busyMs: 2 * 86_400_000, calm: 200 },
    ...{ isDeployed: true, hasScaling: true, hasNetwork: true, isSteady: true },
  })
  const report = await simulate(scenario, { trace: (line) => lines.push(line) })
  expect(report.broken, `SEED=${seed}\n${lines.slice(-40).join('\n')}`).toEqual([])
  expect(report.days, 'days whose records were counted').toHaveLength(2)
  expect(report.days[1]?.['event'], 'events of the last hours').toBeLessThan(1000)
})
