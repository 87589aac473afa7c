// What programs of the process driver may do beside what their user may, with real processes.
import { chmodSync, chownSync, copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import { removeDir } from '../../remove-dir.js'
import { allLines, hasEnded, untilObserved } from '../driver-contract.js'
import { openProcessHost, type ProcessHost, serviceUnit } from './process-host.js'

const signal = AbortSignal.timeout(600_000)
const isRoot = process.getuid?.() === 0
const status = ['ExecStart', '/bin/grep -E "^(Uid|CapBnd|NoNewPrivs):" /proc/self/status'] as const
const none = '0000000000000000'

let host: ProcessHost
let dir: string
beforeEach(async () => {
  host = await openProcessHost({ idleExitMs: 200 })
  dir = mkdtempSync(join(tmpdir(), 'mariposa-rights-'))
})
afterEach(async () => {
  await host.dispose()
  removeDir(dir)
})

async function run(unit: UnitToRun): Promise<UnitToRun> {
  await host.driver.load(unit, signal)
  await host.driver.start(unit.name, signal)
  return unit
}

/** What the kernel says of a program that has run. */
async function rightsOf(unit: UnitToRun): Promise<Record<string, string>> {
  await untilObserved(host.driver, unit.name, hasEnded, signal)
  const lines = await allLines(host.driver, unit.name, signal)
  return Object.fromEntries(lines.map((line) => line.split(/:\s+/).slice(0, 2)))
}

it('keeps a program from getting more than it has', async () => {
  const before = await rightsOf(await run(serviceUnit('before', [...status])))
  expect(before).toMatchObject({ NoNewPrivs: '0' })
  const held = serviceUnit('held', [...status], ['NoNewPrivileges', 'yes'], ['CapabilityBoundingSet', ''])
  // Only root can make the set smaller: what others run has no capabilities, and gets none.
  expect(await rightsOf(await run(held))).toMatchObject({
    NoNewPrivs: '1',
    CapBnd: isRoot ? none : before['CapBnd'],
  })
})

it('finds programs by the PATH of the unit, and its own where they are', async () => {
  copyFileSync('/bin/grep', join(dir, 'tool'))
  chmodSync(join(dir, 'tool'), 0o755)
  chmodSync(dir, 0o755)
  const unit = serviceUnit(
    'path',
    ['ExecStart', 'tool -E "^NoNewPrivs:" /proc/self/status'],
    ['Environment', `PATH=${dir}`],
    ['NoNewPrivileges', 'yes'],
  )
  expect(await rightsOf(await run(unit))).toEqual({ NoNewPrivs: '1' })
})

it('refuses what only root could do, where it is not root', async () => {
  const unit = serviceUnit('set', [...status], ['CapabilityBoundingSet', 'CAP_CHOWN'])
  if (isRoot) expect(await rightsOf(await run(unit))).toMatchObject({ CapBnd: '0000000000000001' })
  else
    await expect(host.driver.load(unit, signal)).rejects.toMatchObject({
      code: 'process/user-not-allowed',
      permanent: true,
    })
})

it('says that a program may not be executed by its user before it is started as that user', async () => {
  copyFileSync('/bin/true', join(dir, 'closed'))
  chmodSync(join(dir, 'closed'), 0o700)
  chmodSync(dir, 0o755)
  const user = isRoot ? '65534' : String(process.getuid?.())
  if (isRoot) chownSync(dir, 65_534, 65_534)
  else chmodSync(join(dir, 'closed'), 0o600)
  const unit = serviceUnit(
    'closed',
    ['ExecStart', join(dir, 'closed')],
    ['User', user],
    ['NoNewPrivileges', 'yes'],
  )
  await expect(run(unit)).rejects.toMatchObject({ code: 'process/not-executable', permanent: true })
})
