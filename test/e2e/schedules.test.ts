// Schedules through the real command line and a real daemon.
import { describe, expect, it } from 'vitest'
import type { EventBody, RunBody, ScheduleBody } from '../../src/contract/contract.js'
import { type Host, useHosts } from './host.js'

const host = useHosts()

/** A job that says that it ran and ends with a status. */
const job = (schedule: string, source: string, more = ''): string => `compute_type: process
service_type: scheduled
schedule: ${schedule}
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(source)}]
restart: "no"
stop: {preservestopped: always}
${more}`

const json = async <T>(here: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await here.done(...args, '--json')).stdout) as T
const runs = (here: Host) => json<readonly RunBody[]>(here, 'schedule', 'runs', 'job')

/** Reads the runs anew with every event until they are as wanted. */
async function until(here: Host, wanted: (all: readonly RunBody[]) => boolean): Promise<readonly RunBody[]> {
  for (;;) {
    const all = await runs(here)
    if (wanted(all)) return all
  }
}

describe('schedules', () => {
  it('start one instance for each firing, however the daemon dies, and keep how it ended', async () => {
    const here = host()
    const first = await here.startDaemon()
    const source = "console.log('ran'); process.exit(3)"
    const file = (interval: string): string =>
      here.file('job.yml', job(`{interval: "${interval}", epsilon: 60}`, source))
    await here.done('service', 'deploy', file('R/2026-01-01T00:00:00Z/PT3S'))
    await until(here, (list) => list.length > 0)
    first.signal('SIGKILL')
    await first.ended
    await here.startDaemon()
    await until(here, (list) => list.filter(({ outcome }) => outcome === 'started').length > 2)
    const [running] = await json<readonly ScheduleBody[]>(here, 'schedule', 'list')
    expect(running).toMatchObject({ service: 'job', next: expect.any(String) as string })
    expect(running?.started).toBeGreaterThan(1)
    // However long all of that took: from now on it does not fire any more. A run that began just before may fail the deploy, as
    // its program ends with 3.
    await here.done('service', 'deploy', '--detach', file('R0//PT3S'))
    const all = await until(here, (list) =>
      list.every(({ outcome, result }) => outcome !== 'started' || result !== ''),
    )
    expect(new Set(all.map(({ dueAt }) => dueAt)).size).toBe(all.length)
    const started = all.filter(({ outcome }) => outcome === 'started')
    expect(started.length).toBeGreaterThan(1)
    for (const run of started) expect(run).toMatchObject({ exitCode: 3, result: 'exited with status 3' })
    // The first instance is that of the first firing: a deploy makes none.
    const names = started.map(({ instance }) => instance)
    expect([...names].reverse()).toEqual(started.map((_, index) => `job-${index + 1}`))
    expect((await here.done('service', 'logs', 'job-1')).stdout).toContain('ran')
    // Another expression is another schedule, which has started nothing.
    await expect
      .poll(() => json<readonly ScheduleBody[]>(here, 'schedule', 'list'), { timeout: 30_000 })
      .toMatchObject([{ service: 'job', next: null, started: 0 }])
  }, 90_000)

  it('leave a firing out while an instance runs, or stop that first', async () => {
    const here = host()
    await here.startDaemon()
    const waits = "setInterval(() => {}, 1000); process.on('SIGTERM', () => process.exit(0))"
    const file = (overlap: string): string =>
      here.file('job.yml', job(`{cron: "* * * * * *", overlap: ${overlap}}`, waits))
    await here.done('service', 'deploy', file('skip'))
    const skipped = await until(here, (all) => all.filter(({ outcome }) => outcome === 'skipped').length > 1)
    expect(skipped.filter(({ outcome }) => outcome === 'started')).toHaveLength(1)
    await here.done('service', 'deploy', '--detach', file('replace'))
    await until(here, (all) => all.filter(({ outcome }) => outcome === 'started').length > 2)
    const alive = (await here.instances('job')).filter(({ state }) => state === 'running')
    expect(alive.length).toBeLessThanOrEqual(1)
  }, 90_000)

  it('keep how each run ended, and what it wrote last, when its instance is gone; so do event services', async () => {
    const here = host()
    await here.startDaemon()
    const source = "for (let n = 1; n <= 150; n += 1) console.log('line ' + n); process.exit(7)"
    const event = `compute_type: process
service_type: event
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(source)}]
restart: "no"
stop: {preservestopped: "no"}
`
    await here.done('service', 'deploy', here.file('job.yml', event))
    await here.done('service', 'start', 'job', '--detach')
    const [run] = await until(here, (all) => all.length === 1 && all[0]?.endedAt !== null)
    expect(run).toMatchObject({ by: 'start', outcome: 'started', instance: 'job-1', exitCode: 7 })
    await here.sawEvent('job', ({ kind }) => kind === 'instance-removed')
    expect(await here.instances('job')).toEqual([])
    const lines = (await here.done('service', 'logs', 'job-1')).stdout.trim().split('\n')
    expect(lines).toHaveLength(100)
    expect(lines.at(-1)).toContain('line 150')
    expect((await here.done('service', 'logs', 'job', '--tail', '1')).stdout).toContain('line 150')
    expect((await here.run('service', 'logs', 'job-2')).code).toBe(1)
  }, 60_000)

  it('tell of an end once, however often the daemon is started again beside an instance that is kept', async () => {
    const here = host()
    let daemon = await here.startDaemon()
    const event = (source: string): string => `compute_type: process
service_type: event
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(source)}]
restart: "no"
stop: {preservestopped: always}
`
    await here.done('service', 'deploy', here.file('job.yml', event('process.exit(7)')))
    await here.done('service', 'start', 'job', '--detach')
    await until(here, (all) => all[0]?.endedAt != null)
    await here.done('service', 'deploy', here.file('long.yml', event('setInterval(() => {}, 1000)')))
    await here.done('service', 'start', 'long')
    await here.done('service', 'stop', 'long')
    const exits = async (service: string): Promise<number> =>
      (await json<readonly EventBody[]>(here, 'service', 'events', service)).filter(
        ({ kind }) => kind === 'instance-exited',
      ).length
    for (let times = 0; times < 2; times += 1) {
      daemon.signal('SIGKILL')
      await daemon.ended
      daemon = await here.startDaemon()
      await here.done('service', 'start', 'job', '--detach')
      await until(here, (all) => all.every(({ endedAt }) => endedAt !== null))
      expect([await exits('job'), await exits('long')]).toEqual([times + 2, 1])
    }
  }, 90_000)
})
