// A program that writes as fast as it can: its log stays bounded, and nothing else waits for it.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import type { Driver, LogLine } from '../../../src/agent/driver.js'
import type { UnitName } from '../../../src/model/unit.js'
import { untilTrue } from '../driver-contract.js'
import { openProcessHost, type ProcessHost } from './process-host.js'

const mebibyte = 1024 * 1024
/**
 * Three files of 10 MiB for each stream, and what the program writes while a busy machine lets nobody look: far below the
 * tens of gigabytes that it writes in all.
 */
const mostBytes = 1500 * mebibyte
const floodMs = 30_000

let host: ProcessHost
afterEach(() => host.dispose())

it('keeps the log of a program that never stops writing bounded, and serves other units meanwhile', async () => {
  host = await openProcessHost()
  const { driver } = host
  const signal = AbortSignal.timeout(100_000)
  // As fast as nobody else needs the machine: else it writes gigabytes before the supervisor has its turn.
  const argv = ['/usr/bin/nice', '-n', '19', '/usr/bin/yes', 'a line of the flood']
  const flood = host.makeUnit({ name: 'flood', argv })
  const other = host.makeUnit({ name: 'other', argv: ['/bin/sleep', '1000'] })
  for (const unit of [flood, other]) await driver.load(unit, signal)
  await driver.start(flood.name, signal)

  let largest = 0
  let slowestMs = 0
  const until = performance.now() + floodMs
  while (performance.now() < until) {
    const began = performance.now()
    await driver.start(other.name, signal)
    await driver.stop(other.name, signal)
    slowestMs = Math.max(slowestMs, performance.now() - began)
    largest = Math.max(largest, bytesUnder(join(host.dir, 'logs')))
    await delay(20)
  }
  expect(largest).toBeLessThan(mostBytes)
  // It was 40 s that nothing else was done.
  expect(slowestMs).toBeLessThan(10_000)

  await driver.stop(flood.name, signal)
  // Its file may still be in the middle of being cut, and then have nothing for a moment.
  let last: readonly LogLine[] = []
  const hasWholeLines = async (): Promise<boolean> => {
    last = await lastLines(driver, flood.name, signal)
    return last.filter(({ line }) => line === 'a line of the flood').length >= 2
  }
  await untilTrue(hasWholeLines, signal).catch(() => expect(last).toBe('the last lines of the flood'))
}, 120_000)

async function lastLines(driver: Driver, name: UnitName, signal: AbortSignal): Promise<readonly LogLine[]> {
  const last: LogLine[] = []
  for await (const some of driver.logs(name, { follow: false, since: null, tail: 3 }, signal))
    last.push(...some)
  return last
}

function bytesUnder(dir: string): number {
  return readdirSync(dir).reduce(
    (sum, name) => sum + (statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
