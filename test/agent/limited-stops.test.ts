// The limit of a stop over a restart of the daemon.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { LimitedStops } from '../../src/agent/io/limited-stops.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { DesiredUnit, UnitName } from '../../src/model/unit.js'
import { asUnitName } from '../../src/unit/name.js'
import { removeDir } from '../remove-dir.js'

const name = asUnitName('web@1.service')
const unit: DesiredUnit = {
  ...{ name, hash: 'h', desired: 'loaded', instance: null, createdAt: 0 },
  stopWithinMs: 10_000,
}

const dir = mkdtempSync(join(tmpdir(), 'mariposa-limited-stops-'))
afterEach(() => removeDir(dir))

test('counts from its begin, unless the instance was to run again meanwhile', async () => {
  const killed: UnitName[] = []
  const driver = { kill: async (one: UnitName) => void killed.push(one) } as unknown as Driver
  let at = 50_000
  let steady = 0
  const daemon = async (): Promise<LimitedStops> => {
    // Each process has a steady clock of its own.
    steady += 1_000_000
    const begin = steady - at
    const stops = new LimitedStops({
      ...{ log: silentLog, driverOf: () => driver, isBegun: () => true, file: join(dir, 'stops.json') },
      clock: { ...systemClock, steady: () => begin + at },
      uptimeMs: () => at,
    })
    await stops.open()
    return stops
  }

  const first = await daemon()
  expect(first.look([unit], 0)).toBe(10_000)
  await first.stop()
  at += 9_000
  const second = await daemon()
  expect(second.look([unit], 0)).toBe(1000)
  expect(killed).toEqual([])
  await second.stop()
  at += 1_000
  const third = await daemon()
  third.look([unit], 0)
  expect(killed).toEqual([name])
  await third.stop()
  const fourth = await daemon()
  fourth.look([], 0)
  expect(fourth.look([unit], 0)).toBe(10_000)
  await fourth.stop()
})
