// What runs uses, as the daemon reads it from the kernel, once and live on a terminal.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useHosts } from './host.js'
import { openTerminal } from './terminal.js'

const openHost = useHosts()

test('top shows what an instance uses, and goes on on a terminal until Ctrl-C', async () => {
  const host = openHost()
  await host.startDaemon()
  const file = host.file('web.yml', 'compute_type: process\ncommand: [sh, -c, "while :; do :; done"]\n')
  expect((await host.run('service', 'deploy', file)).code).toBe(0)
  const { code, stdout, stderr } = await host.run('top', '--json')
  expect([code, stderr]).toEqual([0, ''])
  const { instances, machines } = JSON.parse(stdout) as {
    instances: readonly { name: string; cpu: number; memoryBytes: number }[]
    machines: readonly { units: number; cpu: number }[]
  }
  expect(instances).toHaveLength(1)
  expect(instances[0]?.name).toBe('web-1')
  expect(instances[0]?.cpu).toBeGreaterThan(0)
  expect(instances[0]?.memoryBytes).toBeGreaterThan(0)
  expect(machines).toMatchObject([{ units: 1 }])

  const program = join(import.meta.dirname, '../../dist/mariposa.js')
  const words = [process.execPath, program, '--endpoint', host.endpoint, 'top', '--interval', '100ms']
  const terminal = openTerminal(words)
  // A figure of cores takes a second look.
  await terminal.shows(/web-1 .* \d+\.\d%/)
  terminal.type('\u0003')
  expect(await terminal.ended).toBe(130)
}, 60_000)
