// Variables that are set for one run of a service, with real programs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunBody, TaskBody } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

const job = (notes: string, more = ''): string => `name: job
compute_type: process
service_type: event
environment: {WORD: always, OTHER: kept}
command: [sh, "-c", 'echo "$WORD $OTHER $NEW" >> ${notes}']
${more}
`

const runsOf = async (host: Host): Promise<readonly RunBody[]> => await host.client.runs('default', 'job')

async function ended(host: Host, count: number): Promise<readonly RunBody[]> {
  let runs: readonly RunBody[] = []
  await until(async () => {
    runs = await runsOf(host)
    expect(runs.filter(({ endedAt }) => endedAt !== null)).toHaveLength(count)
  })
  return runs.toReversed()
}

const notes = (host: Host): readonly string[] =>
  readFileSync(join(host.dir, 'notes'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

const deployed = async (more = ''): Promise<Host> => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('job.yml', job(host.file('notes', ''), more)))
  return host
}

describe('variables of a run', { timeout: 120_000 }, () => {
  test('hold for that run alone, over those of the manifest, and are seen in the runs', async () => {
    const host = await deployed()
    await host.done('service', 'start', 'job', '--set', 'WORD=once=only', '--set', 'NEW=a "b" $HOME %n')
    await ended(host, 1)
    await host.done('service', 'start', 'job')
    const runs = await ended(host, 2)
    expect(notes(host)).toEqual(['once=only kept a "b" $HOME %n', 'always kept '])
    expect(runs.map(({ instance, set }) => [instance, set])).toEqual([
      ['job-1', { WORD: 'once=only', NEW: 'a "b" $HOME %n' }],
      ['job-2', undefined],
    ])
    const { stdout } = await host.done('service', 'events', 'job', '--json')
    expect(stdout).not.toContain('once=only')
  })

  test('are kept for a run that waits, over a daemon that is killed', async () => {
    const host = openHost()
    let daemon = await host.startDaemon()
    const file = host.file('notes', '')
    const waits = `command: [sh, "-c", 'echo "$WORD" >> ${file}; until grep -q go ${file}; do sleep 0.1; done']`
    const text = job(file, 'concurrency: 1').replace(/command: .*/, () => waits)
    await host.done('service', 'deploy', host.file('job.yml', text))
    for (const word of ['first', 'second'])
      await host.done('service', 'start', 'job', '--detach', '--set', `WORD=${word}`)
    await expect.poll(() => notes(host), { timeout: 20_000 }).toEqual(['first'])
    daemon.signal('SIGKILL')
    await daemon.ended
    daemon = await host.startDaemon()
    host.file('notes', 'first\ngo\n')
    const runs = await ended(host, 2)
    expect(notes(host)).toEqual(['first', 'go', 'second'])
    expect(runs.map(({ set }) => set)).toEqual([{ WORD: 'first' }, { WORD: 'second' }])
  })

  test('that wait are dropped with a stop, and the next run does not get them', async () => {
    const host = openHost()
    await host.startDaemon()
    const file = host.file('notes', '')
    const text = job(file, 'concurrency: 1\nstop: {timeout: 1}').replace(
      /command: .*/,
      () => `command: [sh, "-c", 'echo "$WORD" >> ${file}; exec sleep 1000']`,
    )
    await host.done('service', 'deploy', host.file('job.yml', text))
    await host.done('service', 'start', 'job', '--set', 'WORD=first')
    await host.done('service', 'start', 'job', '--detach', '--set', 'WORD=second')
    await host.done('service', 'stop', 'job')
    await host.done('service', 'start', 'job')
    await expect.poll(() => notes(host), { timeout: 20_000 }).toEqual(['first', 'always'])
  })

  test.each([
    [['--set', 'A-B=c'], 2, 'cannot name a variable'],
    [['--set', 'nothing'], 2, '--set has to be of the form KEY=VALUE'],
    [['--set', `A=${'x'.repeat(32_769)}`], 2, 'at most 32768 are allowed'],
    [Array.from({ length: 65 }, (_, n) => ['--set', `A${n}=x`]).flat(), 2, '65 variables are set'],
    [['--set', 'TOKEN=x'], 1, 'TOKEN is filled in from a secret'],
  ])('%#: are refused with the reason, and nothing runs', async (words, code, message) => {
    const host = openHost()
    await host.startDaemon()
    await host.done('meta', 'set', '--secret', 'token', 'hidden')
    const text = job(host.file('notes', '')).replace('WORD: always', 'TOKEN: "{{ .meta.token }}"')
    await host.done('service', 'deploy', host.file('job.yml', text))
    const refused = await host.run('service', 'start', 'job', ...words)
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(message)])
    expect(await runsOf(host)).toEqual([])
  })

  test('are refused for a continuous service', async () => {
    const host = openHost()
    await host.startDaemon()
    const text = 'name: web\ncompute_type: process\ncommand: [sleep, "1000"]\n'
    await host.done('service', 'deploy', host.file('web.yml', text))
    await host.done('service', 'stop', 'web')
    const refused = await host.run('service', 'start', 'web', '--set', 'A=b')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('web is continuous')])
  })
})

test('who starts a run is told of that run alone, whatever becomes of others', async () => {
  const host = openHost()
  await host.startDaemon()
  const text = 'compute_type: process\nservice_type: event\ncommand: [sleep, "1000"]\n'
  await host.done('service', 'deploy', host.file('job.yml', text))
  const start = async (): Promise<readonly TaskBody[]> =>
    JSON.parse((await host.done('service', 'start', 'job', '--json')).stdout) as readonly TaskBody[]
  const tasks = [await start(), await start()].flat()
  const told = tasks.map(async ({ uuid }) => {
    const names = new Set<string>()
    for await (const { instances } of host.client.taskProgress(uuid))
      for (const { name } of instances) names.add(name)
    return [...names]
  })
  expect(await Promise.all(told)).toEqual([['job-1'], ['job-2']])
})
