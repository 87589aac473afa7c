// The history and the audit through the real command line and daemon.
import { describe, expect, test } from 'vitest'
import type { EventBody } from '../../src/contract/contract.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

const sleeper = (version: string): string => `compute_type: process
command: [/bin/sleep, "100000"]
environment: {VERSION: "${version}", KEY: "{{ .meta.key }}"}
stop: {timeout: 1, preservestopped: "no"}
`

/** The events that a command prints as JSON lines. */
async function history(host: Host, ...words: readonly string[]): Promise<readonly EventBody[]> {
  const { stdout } = await host.done('events', '--jsonl', ...words)
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventBody)
}

const kinds = (events: readonly EventBody[]): readonly string[] => events.map(({ kind }) => kind)

describe('the history', { timeout: 120_000 }, () => {
  test('says who changed what, from which client, and why an instance is where it is', async () => {
    const host = openHost()
    await host.startDaemon()
    await host.done('meta', 'set', '--secret', 'key', 'hush-hush')
    await host.done('service', 'add', 'web', host.file('web.yml', sleeper('1')))
    await host.done('service', 'scale', 'web', '2')
    const changes = await history(host, '--kind', 'meta,deploy,scale,task-completed', '--by', '@')
    expect(kinds(changes)).toEqual(['meta', 'deploy', 'task-completed', 'scale', 'task-completed'])
    for (const { by } of changes) {
      expect(by).toMatchObject({ user: expect.stringContaining('@') as string, address: null })
      expect(by?.client).toMatch(/^mariposa\//)
    }
    const placed = await history(host, '--service', 'web-2', '--kind', 'placed')
    expect(placed).toMatchObject([
      { instance: 'web-2', by: null, data: { reason: expect.stringContaining('fewest units') as string } },
    ])
    const all = await host.done('events', '--jsonl')
    expect(all.stdout).not.toContain('hush-hush')
    const table = await host.done('service', 'events', 'web', '--kind', 'scale', '-l')
    expect(table.stdout).toMatch(/BY +CLIENT +ADDRESS/)
  })

  test('has what is done to units and machines too', async () => {
    const host = openHost()
    await host.startDaemon()
    const unit = host.file('hello.service', '[Service]\nExecStart=/bin/sleep 100000\n')
    await host.done('unit', 'start', unit)
    await host.done('unit', 'stop', 'hello.service')
    const [machine] = await history(host, '--kind', 'machine-joined')
    await host.done('machine', 'metadata', machine?.machine ?? '', 'disk=ssd')
    await host.done('machine', 'cordon', machine?.machine ?? '')
    const changes = await history(host, '--by', 'mariposa/', '--kind', 'unit,machine')
    expect(changes.map(({ message }) => message.replace(/^\S+ /, ''))).toEqual([
      'is submitted, to be launched',
      'is to be loaded; it was launched',
      'gets disk=ssd in its metadata',
      'is cordoned',
    ])
    expect(changes[0]?.data).toEqual({ unit: 'hello.service' })
  })

  test('goes on live over a restart of the daemon, each event once', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    const live = host.start('events', '-f', '--json', '--kind', 'meta')
    await host.done('meta', 'set', 'a', '1')
    await live.saw('meta: a')
    daemon.signal('SIGKILL')
    await daemon.ended
    await host.startDaemon()
    await host.done('meta', 'set', 'b', '2')
    await live.saw('meta: b')
    live.signal('SIGINT')
    const { stdout } = await live.ended
    const lines = stdout.trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as EventBody).message)).toHaveLength(2)
  })

  test('is kept as long as the daemon is told, and not longer', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('meta', 'set', 'a', '1')
    expect(await history(host, '--kind', 'meta')).toHaveLength(1)
    daemon.signal('SIGTERM')
    await daemon.ended
    await host.startDaemon('--keep-events', '1s')
    await expect.poll(() => history(host, '--kind', 'meta'), { timeout: 60_000, interval: 100 }).toEqual([])
  })
})
