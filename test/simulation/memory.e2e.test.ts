// Hours of a daemon, in which it holds no more in memory than before. A whole month: `npm run simulate -- --seed 2 --days 30
// --services 6 --profile month --memory --faults cut,kill-program`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { simulate } from './run.js'
import { parseScenario } from './scenario.js'

test('six quiet hours leave no more in memory', { timeout: 600_000 }, async () => {
  const scenario = parseScenario(readFileSync(join(import.meta.dirname, 'six-hours.scn'), 'utf8'))
  const report = await simulate(scenario, { countsMemory: true })
  expect(report.broken).toEqual([])
  expect(report.memory, 'daemons that were judged').toHaveLength(1)
})
