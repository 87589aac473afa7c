// A unit that the supervisor is to forget, and whose end it cannot write down.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { openHome } from '../../src/supervisor/io/home.js'
import { JournalFile } from '../../src/supervisor/io/journal-file.js'
import { defaultLogLimits } from '../../src/supervisor/io/log-keeper.js'
import { Supervisor } from '../../src/supervisor/io/supervisor.js'
import { serviceDefaults } from '../../src/supervisor/service.js'
import { asUnitName } from '../../src/unit/name.js'
import { removeDir } from '../remove-dir.js'

const name = asUnitName('web.service')
const command = {
  ...{ path: '/bin/true', argv: ['/bin/true'], ignoreFailure: false },
  ...{ expandVariables: true, privileges: 'normal' as const },
}
const commands = { 'start-pre': [], start: [command], 'start-post': [], stop: [], 'stop-post': [] }

test('is there as before: it can be started again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-unloading-'))
  onTestFinished(() => removeDir(dir))
  const supervisor = new Supervisor({
    ...{ home: openHome(dir), clock: systemClock, log: silentLog, logLimits: defaultLogLimits },
    ...{ onChange: () => {}, cgroups: null },
  })
  onTestFinished(() => supervisor.close())
  supervisor.recover()
  await supervisor.load({
    ...{ name, hash: '0', placed: {} },
    service: { ...serviceDefaults, type: 'oneshot', commands },
  })
  const append = vi.spyOn(JournalFile.prototype, 'append').mockImplementation(() => {
    throw new Error('no space left')
  })
  onTestFinished(() => append.mockRestore())
  await expect(supervisor.unload(name)).rejects.toThrow('no space left')
  append.mockRestore()
  await supervisor.start(name)
  expect(supervisor.describe(name)?.run).toBe(1)
  await supervisor.unload(name)
  expect(supervisor.list()).toEqual([])
})
