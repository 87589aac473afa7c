// How many runs there may be at a time, how long one may take and how often it is tried, with real programs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunBody } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

const job = (program: string, more: string): string => `name: job
compute_type: process
service_type: event
command: [sh, "-c", ${JSON.stringify(program)}]
${more}
`

/** The runs, the oldest first, once all of so many have ended. */
async function ended(host: Host, count: number): Promise<readonly RunBody[]> {
  let runs: readonly RunBody[] = []
  await until(async () => {
    runs = await host.client.runs('default', 'job')
    expect(runs.filter(({ endedAt }) => endedAt !== null)).toHaveLength(count)
  })
  return runs.toReversed()
}

const notes = (host: Host): readonly string[] =>
  readFileSync(join(host.dir, 'notes'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

describe('runs', { timeout: 120_000 }, () => {
  test('wait for each other where concurrency says so', async () => {
    const host = openHost()
    await host.startDaemon()
    const file = host.file('notes', '')
    const program = `echo begins >> ${file}; while ! grep -q go ${file}; do sleep 0.1; done; echo ends >> ${file}`
    await host.done('service', 'deploy', host.file('job.yml', job(program, 'concurrency: 1')))
    await host.done('service', 'start', 'job')
    await host.done('service', 'start', 'job', '--detach')
    await host.sawEvent('job', ({ message }) => message.includes('concurrency allows no more than 1'))
    expect(notes(host)).toEqual(['begins'])
    host.file('notes', 'begins\ngo\n')
    const runs = await ended(host, 2)
    expect(runs.map(({ instance, exitCode }) => [instance, exitCode])).toEqual([
      ['job-1', 0],
      ['job-2', 0],
    ])
    expect(notes(host)).toEqual(['begins', 'go', 'ends', 'begins', 'ends'])
  })

  test('end when they have taken as long as they may', async () => {
    const host = openHost()
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('job.yml', job('exec sleep 1000', 'timeout: 2')))
    await host.run('service', 'start', 'job')
    await host.sawEvent('job', ({ message }) => message.includes('it ran longer than its timeout of 2 s'))
    const result = 'it ran longer than its timeout of 2 s'
    expect(await ended(host, 1)).toMatchObject([{ instance: 'job-1', signal: 'SIGTERM', result }])
  })

  test('are tried again as often as retries says', async () => {
    const host = openHost()
    await host.startDaemon()
    const file = host.file('notes', '')
    const program = `echo tried >> ${file}; exit 5`
    await host.done('service', 'deploy', host.file('job.yml', job(program, 'retries: 2')))
    await host.run('service', 'start', 'job')
    expect(await ended(host, 1)).toMatchObject([{ instance: 'job-1', exitCode: 5 }])
    expect(notes(host)).toEqual(['tried', 'tried', 'tried'])
  })
})
