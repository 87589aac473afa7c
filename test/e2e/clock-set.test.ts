// The clock of a machine is set forward by an hour and back, under the real daemon and its supervisor.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { EventBody, RunBody } from '../../src/contract/contract.js'
import { useProgram } from '../cli/program.js'
import { hostsOf } from './host.js'

const hourMs = 3_600_000
const dir = mkdtempSync(join(tmpdir(), 'mariposa-clock-'))
const offBy = join(dir, 'off-by')
const clock = join(import.meta.dirname, '../machines/cluster/jumping-clock.cjs')
const host = hostsOf(useProgram(), () => ({
  driver: 'process',
  env: { NODE_OPTIONS: `--require ${clock}`, CLOCK_OFF_BY: offBy },
  makeDir: () => ({ inside: dir, outside: dir }),
}))

it('goes on with schedules, restarts and leases, starts no firing twice and tells of none as missed that comes', async () => {
  const here = host()
  const daemon = await here.startDaemon('--agent-ttl', '10s')
  const set = async (byMs: number): Promise<void> => {
    writeFileSync(offBy, String(byMs))
    await daemon.said(`system clock changed byMs=${byMs > 0 ? '3' : '-3'}`)
  }
  const runs = async (): Promise<readonly RunBody[]> =>
    JSON.parse((await here.done('schedule', 'runs', 'job', '--json')).stdout) as readonly RunBody[]
  const started = async (atLeast: number, due: (at: number) => boolean): Promise<readonly RunBody[]> => {
    for (;;) {
      const all = await runs()
      if (all.filter((run) => run.outcome === 'started' && due(Date.parse(run.dueAt))).length >= atLeast)
        return all
    }
  }
  const program = 'compute_type: process\ncommand: [/bin/sleep, "4"]\nrestart: always\n'
  await here.done('service', 'deploy', here.file('web.yml', program))
  const job = `compute_type: process
service_type: scheduled
schedule: {interval: R/2026-01-01T00:00:00Z/PT4S, epsilon: 10, overlap: allow}
command: [/bin/true]
restart: "no"
`
  await here.done('service', 'deploy', here.file('job.yml', job))
  await started(1, () => true)

  const from = Date.now()
  await set(hourMs)
  await started(2, (at) => at > from + hourMs / 2)
  await set(0)
  const back = Date.now()
  // A program that ends is started again as soon as ever.
  const restarts = async (): Promise<number> => (await here.instances('web'))[0]?.restarts ?? 0
  const before = await restarts()
  while ((await restarts()) < before + 2);
  const all = await started(2, (at) => at > back && at < back + hourMs / 2)

  const dues = all.filter(({ outcome }) => outcome === 'started').map(({ dueAt }) => dueAt)
  expect(new Set(dues).size).toBe(dues.length)
  const missed = all.filter(({ outcome }) => outcome === 'missed').reduce((sum, { count }) => sum + count, 0)
  expect(missed).toBeLessThanOrEqual((Date.now() - from) / 4000 + 2)
  const told = (await here.done('events', '--json')).stdout
  const events = JSON.parse(told) as readonly EventBody[]
  expect(events.some(({ message }) => /the clock was set back: \d+ firings of job/.test(message))).toBe(true)
  expect(
    events.filter(
      ({ kind, service }) =>
        service !== 'job' && ['machine-lost', 'instance-lost', 'instance-retired'].includes(kind),
    ),
  ).toEqual([])
}, 120_000)
