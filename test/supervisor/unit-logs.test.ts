import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UnitName } from '../../src/model/unit.js'
import { openHome } from '../../src/supervisor/io/home.js'
import { defaultLogLimits } from '../../src/supervisor/io/log-keeper.js'
import { logPathsOf, makeLogs, removeLogs, sweepLogs } from '../../src/supervisor/io/unit-logs.js'
import { removeDir } from '../remove-dir.js'

describe('log files of units', () => {
  const web = 'web@1.service' as UnitName
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'mariposa-logs-'))
  })
  afterEach(() => {
    removeDir(dir)
  })

  it('are not made ahead any more: those of former versions go', () => {
    mkdirSync(join(dir, 'spares'))
    writeFileSync(join(dir, 'spares', '1-1'), '')
    openHome(dir)
    expect(readdirSync(dir)).not.toContain('spares')
  })

  it('are removed with everything that rotation made of them', async () => {
    const { paths } = openHome(dir)
    const logs = logPathsOf(paths, web)
    await makeLogs(logs)
    for (const suffix of ['.1', '.2', '.marks', '.1.marks', '.rotating'])
      writeFileSync(`${logs.stdout}${suffix}`, '')
    removeLogs(logs, defaultLogLimits)
    expect(readdirSync(paths.logs)).toEqual([])
  })

  it('are swept when their unit is gone, and kept when it is not', async () => {
    const { paths } = openHome(dir)
    await makeLogs(logPathsOf(paths, web))
    await makeLogs(logPathsOf(paths, 'web@10.service' as UnitName))
    writeFileSync(join(paths.logs, 'web@10.service.stderr.log.1.marks'), '')
    sweepLogs(paths, [web])
    expect(readdirSync(paths.logs).sort()).toEqual(['web@1.service.stderr.log', 'web@1.service.stdout.log'])
  })

  it('have names that a file system takes, and different ones, for units with the longest names', async () => {
    const { paths } = openHome(dir)
    const long = (end: string) => `${'x'.repeat(240)}-${end}.service` as UnitName
    await makeLogs(logPathsOf(paths, long('a')))
    await makeLogs(logPathsOf(paths, long('b')))
    expect(readdirSync(paths.logs)).toHaveLength(4)
    sweepLogs(paths, [long('a'), long('b')])
    expect(readdirSync(paths.logs)).toHaveLength(4)
  })
})
