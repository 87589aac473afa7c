// Units that waited for something when their supervisor ended, and are taken up where the clock says something else.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { openHome } from '../../src/supervisor/io/home.js'
import { logPathsOf, makeLogs } from '../../src/supervisor/io/unit-logs.js'
import { UnitRunner } from '../../src/supervisor/io/unit-runner.js'
import { withinReach } from '../../src/supervisor/recovery.js'
import { type Service, serviceDefaults } from '../../src/supervisor/service.js'
import { initialState } from '../../src/supervisor/state.js'
import { step } from '../../src/supervisor/unit-state-machine.js'
import { asUnitName } from '../../src/unit/name.js'
import { removeDir } from '../remove-dir.js'

const name = asUnitName('web.service')
const command = {
  ...{ path: '/bin/true', argv: ['/bin/true'], ignoreFailure: false },
  ...{ expandVariables: true, privileges: 'normal' as const },
}
const commands = { 'start-pre': [], start: [command], 'start-post': [], stop: [], 'stop-post': [] }
const service: Service = { ...serviceDefaults, type: 'simple', commands }
const day = 86_400_000

test('a restart that the clock has put off by a day comes after its own wait', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-recovery-'))
  onTestFinished(() => removeDir(dir))
  const home = openHome(dir)
  await makeLogs(logPathsOf(home.paths, name))
  let isStarted: () => void = () => {}
  const started = new Promise<void>((resolve) => (isStarted = resolve))
  const restarting: Service = { ...service, restart: { kind: 'systemd', when: 'always', waitMs: 1 } }
  const waits = { ...initialState, sub: 'auto-restart' as const, run: 1, deadlineAt: Date.now() + day }
  const runner: UnitRunner = new UnitRunner(
    {
      ...{ home, clock: systemClock, log: silentLog, write: () => {}, cgroup: () => null },
      hasKilled: () => false,
      onChange: ({ state }) => {
        if (state.run === 2) isStarted()
      },
    },
    { name, hash: '0', service: restarting, placed: {} },
    waits,
  )
  onTestFinished(() => runner.close())
  runner.recover([])
  await started
})

test('what is waited for is no further off than it can be, and no nearer than it was', () => {
  const docker: Service = { ...service, restart: { kind: 'docker', when: 'always', max: null } }
  const restarting = { ...initialState, sub: 'auto-restart' as const, attempt: 4 }
  const deadlineOf = (of: Service, state: Parameters<typeof withinReach>[1]) =>
    withinReach(of, state, 1000).deadlineAt
  expect(deadlineOf(docker, { ...restarting, deadlineAt: day })).toBe(1000 + 800)
  expect(deadlineOf(docker, { ...restarting, deadlineAt: 1500 })).toBe(1500)
  expect(deadlineOf(service, { ...initialState, sub: 'start', deadlineAt: day * 2 })).toBe(91_000)
  expect(deadlineOf(service, { ...initialState, sub: 'stop-sigterm', deadlineAt: 5 })).toBe(5)
  const patient: Service = { ...service, timeoutStopMs: null }
  expect(deadlineOf(patient, { ...initialState, sub: 'stop', deadlineAt: null })).toBe(null)
})

test('starts of a time that is yet to come, as the clock was set back, count for no limit', () => {
  const starts = [1, 2, 3, 4, 5].map((n) => day + n)
  const { state } = step(service, { ...initialState, starts }, { kind: 'start' }, 1000)
  expect(state.sub).toBe('start')
})
