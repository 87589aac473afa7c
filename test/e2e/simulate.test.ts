// `mariposa store export`, and `mariposa simulate` on what it has written, with no daemon there.
import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SimulationBody } from '../../src/contract/contract.js'
import { useHosts } from './host.js'

const openHost = useHosts()

const web = `compute_type: process
command: [/bin/sh, "-c", "exec sleep 100000"]
memory: 16M
stop: {timeout: 1, preservestopped: "no"}
`

test('an export is simulated where no daemon is, and is refused where it is not whole', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', web))
  const file = `${host.dir}/cluster.export`
  const told = JSON.parse((await host.done('store', 'export', file, '--json')).stdout) as { records: number }
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(told.records + 2)
  const again = await host.run('store', 'export', file)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('EEXIST') as string])
  const printed = await host.done('store', 'export', '-')
  expect(printed.stdout.split('\n')[0]).toContain('"mariposaExport":1')
  daemon.signal('SIGTERM')
  await daemon.ended
  const lost = await host.run('simulate', file, '--lose', 'nowhere')
  expect([lost.code, lost.stderr]).toEqual([
    1,
    expect.stringContaining('there is no machine "nowhere"') as string,
  ])
  const scaled = await host.done('simulate', file, '--scale', 'web=2', '--json')
  expect(JSON.parse(scaled.stdout) as SimulationBody).toMatchObject({
    outcome: 'placed',
    services: [{ service: 'web', serving: { from: 1, to: 2 } }],
  })
  const fed = await host.feed(lines.join('\n'), 'simulate', '-', '--scale', 'web=1000000')
  expect([fed.code, fed.stderr]).toEqual([2, expect.stringMatching(/1000000/) as string])
  const twice = await host.feed(lines.join('\n'), 'simulate', '-', '--deploy', '-')
  expect([twice.code, twice.stdout, twice.stderr]).toEqual([
    2,
    '',
    expect.stringContaining("standard input is given twice with '-'") as string,
  ])
  const lint = await host.feed(web, 'manifest', 'lint', '-', '-')
  expect([lint.code, lint.stderr]).toEqual([2, expect.stringContaining("twice with '-'") as string])
  const cut = await host.run(
    'simulate',
    host.file('cut.export', lines.slice(0, -1).join('\n')),
    '--scale',
    'web=2',
  )
  expect(cut.code).toBe(2)
  expect(cut.stderr).toContain('it is truncated: its end is missing')
  expect(cut.stderr).toContain('mariposa store export FILE')
  const later = (lines[0] ?? '').replace('"mariposaExport":1', '"mariposaExport":2')
  const newer = await host.run(
    'simulate',
    host.file('newer.export', [later, ...lines.slice(1)].join('\n')),
    '--lose',
    'x',
  )
  expect([newer.code, newer.stderr]).toEqual([2, expect.stringContaining('in a later format') as string])
  const none = await host.run('simulate', 'no-such.export', '--lose', 'x')
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('cannot be read') as string])
}, 120_000)
