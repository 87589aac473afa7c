// Programs that are given secrets, and operators who log in to registries.
import { expect, test } from 'vitest'
import { drawScenario } from './draw.js'
import { simulate } from './run.js'

test('secrets that programs are given come to nobody else', { timeout: 300_000 }, async () => {
  const report = await simulate(
    drawScenario({ seed: 3, machines: 2, services: 4, busyMs: 240_000, hasRequests: true, faults: [] }),
  )
  expect(report.broken).toEqual([])
  const seen = (what: string): boolean => Object.keys(report.counts).some((one) => one.startsWith(what))
  expect(seen('secret given as')).toBe(true)
  expect(seen('act looked at /v1/')).toBe(true)
  expect(seen('act looked with a wrong token')).toBe(true)
})
