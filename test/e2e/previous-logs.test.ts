// What instances wrote, once they are gone: under the embedded supervisor.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './cluster.js'
import { useHosts } from './host.js'
import { keepsWhatWasWritten } from './previous-logs.js'

const openHost = useHosts()

test('what instances wrote can be read once they are removed, also after the daemon was killed', async () => {
  await keepsWhatWasWritten(openHost(), 'compute_type: process')
})

test('of what is kept the oldest goes where it is too much', async () => {
  const host = openHost()
  await host.startDaemon('--keep-logs', '1d,60K')
  const manifest = (name: string): string => `compute_type: process
command: [/bin/sh, "-c", "i=0; while [ $i -lt 400 ]; do echo ${name} $i ${'x'.repeat(80)}; i=$((i+1)); done; exec sleep 1000"]
stop: {timeout: 1, preservestopped: "no"}
`
  for (const name of ['first', 'second']) {
    await host.done('service', 'deploy', host.file(`${name}.yml`, manifest(name)))
    await until(async () =>
      expect((await host.done('service', 'logs', name)).stdout).toContain(`${name} 399 `),
    )
    await host.done('service', 'delete', name, '--force')
    await until(async () =>
      expect((await host.run('service', 'logs', name, '--previous')).stdout).toContain(`${name} 399 `),
    )
  }
  await until(async () => expect((await host.run('service', 'logs', 'first', '--previous')).code).toBe(1))
  expect((await host.done('service', 'logs', 'second', '--previous')).stdout).toContain('second 0 ')
  const kept = execFileSync('ls', [join(host.dataDir, 'kept-logs')], { encoding: 'utf8' })
  expect(kept.trim().split('\n')).toHaveLength(2)
})
