// A registry that lets in only who is logged in, and the Docker of a machine that asks it.
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { hostsOf } from '../e2e/host.js'
import { onDocker } from './docker-place.js'
import { startRegistry } from './docker-registry.js'

const openHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('registry-login', () => inject('dockerSocket')),
)

describe('a login', { timeout: 120_000 }, () => {
  test('is what images are fetched with; a wrong one is refused, and without one nothing is fetched', async () => {
    const registry = await startRegistry({ password: 'right' })
    const host = openHost()
    await host.startDaemon()
    const login = (password: string) =>
      host.feed(password, 'registry', 'login', registry.host, '-u', 'deploy', '--password-stdin')
    const file = host.file(
      'login.yml',
      `image: ${registry.image}\ncommand: [/bin/sh, "-c", "exec busybox sleep 1000"]\nstop: {timeout: 1, preservestopped: "no"}\n`,
    )
    expect((await host.run('service', 'deploy', file, '--timeout', '60s')).code).toBe(1)
    const wrong = await login('wrong')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('refuses deploy')])
    const right = await login('right')
    expect([right.code, right.stderr]).toEqual([0, ''])
    await host.done('service', 'deploy', file)
    expect((await host.instances('login')).map(({ state }) => state)).toEqual(['running'])
    await registry.stop()
  })
})
