// The whole path on one machine, through the real command line and daemon, with the embedded supervisor.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { InstanceBody } from '../../src/contract/contract.js'
import type { RunningProgram } from '../cli/program.js'
import { freePort } from '../free-port.js'
import { ask, type Host, hostPort, useHosts, webManifest } from './host.js'

const openHost = useHosts()

async function deployed(version = 'v1', ...args: readonly string[]): Promise<Host> {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', webManifest(version)), ...args)
  return host
}

const names = (instances: readonly InstanceBody[]): readonly string[] => instances.map((one) => one.name)

describe('a manifest becomes instances', () => {
  test('that answer, are healthy and listed in the shape of the contract', async () => {
    const host = await deployed('v1', '--scale', '3')
    const instances = await host.instances('web')
    expect(names(instances)).toEqual(['web-1', 'web-2', 'web-3'])
    for (const instance of instances) {
      expect(instance).toMatchObject({
        state: 'running',
        health: 'healthy',
        service: 'web',
        project: 'default',
        ordinal: 1,
      })
      expect(instance.unit).toBe(`default.web.v1@${instance.name.slice('web-'.length)}.service`)
      expect(await ask(hostPort(instance))).toBe(`${instance.name} v1`)
    }
    expect(await host.service('web')).toMatchObject({
      scale: 3,
      running: 3,
      healthy: 3,
      status: 'running',
      type: 'continuous',
    })
  })

  test('all of a deploy or none of it', async () => {
    const host = openHost()
    await host.startDaemon()
    host.file('a.yml', webManifest('v1'))
    host.file('b.yml', 'compute_type: process\ncommand: [x]\nreplcas: 2\n')
    const ended = await host.run('service', 'deploy', 'a.yml', 'b.yml')
    expect(ended.code).toBe(2)
    expect(ended.stderr).toMatch(/b\.yml:3:1/)
    expect(await host.service('a')).toBeUndefined()
  })

  test('the same manifest again changes nothing and says so', async () => {
    const host = await deployed()
    const before = await host.instances('web')
    const again = await host.done('service', 'deploy', join(host.dir, 'web.yml'))
    expect(again.stdout + again.stderr).toContain('unchanged')
    expect(await host.instances('web')).toEqual(before)
  })
})

describe('scale', () => {
  test('goes up and down, by number and by difference, and never uses a name again', async () => {
    const host = openHost()
    await host.startDaemon()
    // What is unhealthy, or killed because its stop took too long, is kept and listed: a machine that is busy is no reason.
    const patient = webManifest('v1', 'stop: {timeout: 120}\n', 60)
    await host.done('service', 'deploy', host.file('web.yml', patient), '--scale', '2')
    await host.done('service', 'scale', 'web', '+2')
    expect(names(await host.instances('web'))).toEqual(['web-1', 'web-2', 'web-3', 'web-4'])
    await host.done('service', 'scale', 'web', '-3')
    expect(names(await host.instances('web'))).toEqual(['web-4'])
    await host.done('service', 'scale', 'web=2')
    expect(names(await host.instances('web'))).toEqual(['web-4', 'web-5'])
  })

  test('below nothing is refused, and nothing is changed', async () => {
    const host = await deployed()
    const ended = await host.run('service', 'scale', 'web', '-2')
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('would be -1')
    expect(await host.service('web')).toMatchObject({ scale: 1 })
  })
})

describe('healing', () => {
  test('a program that is killed is started again in its place', async () => {
    const host = await deployed()
    const [before] = await host.instances('web')
    if (before?.pid == null) throw new Error('web-1 has no process')
    process.kill(before.pid, 'SIGKILL')
    await host.sawEvent('web', (event) => event.kind === 'instance-exited')
    await host.sawEvent(
      'web',
      (event) => event.kind === 'instance-started' && !event.message.includes(` ${before.pid}`),
    )
    const [after] = await host.instances('web')
    expect(after).toMatchObject({ name: 'web-1', uuid: before.uuid, state: 'running', restarts: 1 })
    expect(after?.pid).not.toBe(before.pid)
  })

  test('an instance that fails its checks is replaced by a new one', async () => {
    const host = await deployed('v1', '--scale', '2')
    const [first] = await host.instances('web')
    if (first === undefined) throw new Error('no instance')
    await ask(hostPort(first), '/break')
    await host.sawEvent(
      'web',
      (event) => event.kind === 'health' && event.message.includes('web-1 is unhealthy'),
    )
    await host.sawEvent('web', (event) => event.kind === 'instance-kept' && event.instance === 'web-1')
    await host.sawEvent(
      'web',
      (event) => event.kind === 'health' && event.message.includes('web-3 is healthy'),
    )
    const states = (await host.instances('web')).map(({ name, state }) => `${name} ${state}`)
    expect(states).toEqual(['web-1 stopped', 'web-2 running', 'web-3 running'])
  })

  test('a daemon that is killed comes back and changes nothing that runs', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')), '--scale', '2')
    const before = await host.instances('web')
    daemon.signal('SIGKILL')
    await daemon.ended
    for (const instance of before) expect(await ask(hostPort(instance))).toBe(`${instance.name} v1`)
    await host.startDaemon()
    expect(await host.instances('web')).toEqual(before)
    await host.done('service', 'scale', 'web', '3')
    expect((await host.instances('web')).slice(0, 2)).toEqual(before)
  })

  test('a program that dies while the daemon is away is started again without it', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')))
    const [before] = await host.instances('web')
    if (before?.pid == null) throw new Error('web-1 has no process')
    daemon.signal('SIGKILL')
    await daemon.ended
    process.kill(before.pid, 'SIGKILL')
    await host.startDaemon()
    await host.sawEvent(
      'web',
      (event) => event.kind === 'instance-started' && !event.message.includes(` ${before.pid}`),
    )
    const [after] = await host.instances('web')
    expect(after).toMatchObject({ name: 'web-1', state: 'running', restarts: 1 })
    expect(await ask(hostPort(after as InstanceBody))).toBe('web-1 v1')
  })
})

describe('an update', () => {
  test('replaces the instances one by one, with a new version', async () => {
    const host = await deployed('v1', '--scale', '2')
    await host.done('service', 'deploy', host.file('web.yml', webManifest('v2')))
    const instances = await host.instances('web')
    expect(instances.map((one) => [one.name, one.ordinal])).toEqual([
      ['web-3', 2],
      ['web-4', 2],
    ])
    expect(await Promise.all(instances.map((one) => ask(hostPort(one))))).toEqual(['web-3 v2', 'web-4 v2'])
  })

  // Tried again: what failed can be gone before its last lines are read.
  test('whose program ends at once fails with its last words, and the old instances go on serving', async () => {
    const host = await deployed('v1', '--scale', '2')
    const before = await host.instances('web')
    const broken = webManifest('v2').replace(
      'let broken',
      "console.error('no database'); process.exit(4); let broken",
    )
    const ended = await host.run('service', 'deploy', host.file('web.yml', broken))
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('exited with status 4')
    expect(ended.stderr).toContain('no database')
    // What failed stays to be looked at, as `stop.preservestopped: on-failure` says.
    await host.sawEvent('web', (event) => event.kind === 'instance-kept')
    expect((await host.done('service', 'logs', 'web-3')).stdout).toContain('no database')
    const live = (await host.instances('web')).filter((one) => one.state === 'running')
    expect(live.map((one) => [one.name, one.pid])).toEqual(before.map((one) => [one.name, one.pid]))
  })
})

describe('stop, start and delete', () => {
  test('stop leaves nothing running, start goes back to the scale', async () => {
    const host = await deployed('v1', '--scale', '2')
    await host.done('service', 'stop', 'web')
    expect(await host.instances('web')).toEqual([])
    expect(await host.service('web')).toMatchObject({ status: 'stopped', running: 0 })
    await host.done('service', 'start', 'web')
    expect(names(await host.instances('web'))).toEqual(['web-3', 'web-4'])
    const again = await host.run('service', 'start', 'web')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already running')])
  })

  test('delete refuses while instances run; forced, it leaves no process and no unit behind', async () => {
    const host = await deployed('v1', '--scale', '2')
    const before = await host.instances('web')
    expect((await host.run('service', 'delete', 'web')).code).toBe(1)
    await host.done('service', 'delete', 'web', '--force')
    expect(await host.service('web')).toBeUndefined()
    for (const { pid } of before) expect(() => process.kill(pid ?? 0, 0)).toThrow()
    expect(JSON.parse((await host.done('unit', 'list', '--json')).stdout)).toEqual([])
  })

  test('an event service runs once for each start, and what it did stays in its history', async () => {
    const host = openHost()
    await host.startDaemon()
    const job =
      'service_type: event\ncompute_type: process\ncommand: [/bin/sh, -c, "echo did it; sleep 1.2"]\n'
    await host.done('service', 'deploy', host.file('job.yml', job))
    expect(await host.instances('job')).toEqual([])
    await host.done('service', 'start', 'job')
    await host.sawEvent(
      'job',
      (event) => event.kind === 'instance-exited' && event.message.includes('exited with status 0'),
    )
    await host.sawEvent('job', (event) => event.kind === 'instance-removed')
    expect(await host.instances('job')).toEqual([])
  })

  test('what stopped with a failure is kept and listed, as stop.preservestopped says by default', async () => {
    const host = openHost()
    await host.startDaemon()
    const job =
      'service_type: event\ncompute_type: process\ncommand: [/bin/sh, -c, "sleep 1.2; echo bad; exit 3"]\n'
    await host.done('service', 'deploy', host.file('job.yml', job))
    await host.done('service', 'start', 'job')
    await host.sawEvent('job', (event) => event.kind === 'instance-kept')
    expect(await host.instances('job')).toMatchObject([{ name: 'job-1', state: 'failed' }])
    expect((await host.done('service', 'logs', 'job-1')).stdout).toContain('bad')
  })
})

describe('looking', () => {
  test('logs, exec, events and explain speak of the instances', async () => {
    const host = await deployed('v1', '--scale', '2')
    const logs = await host.done('service', 'logs', 'web')
    expect(logs.stdout).toMatch(/web-1.*listening on \d+/)
    expect(logs.stdout).toMatch(/web-2.*listening on \d+/)
    const inside = await host.run('service', 'exec', 'web-1', '--', '/bin/sh', '-c', 'echo "$WHO"; exit 5')
    expect([inside.code, inside.stdout]).toEqual([5, 'web-1\n'])
    const events = await host.done('service', 'events', 'web', '--json')
    expect(events.stdout).toContain('"kind": "placed"')
    const explained = await host.done('service', 'explain', 'web-2')
    expect(explained.stdout).toContain('fewest units')
  })

  test('the unit behind an instance can be read, and says what runs', async () => {
    const host = await deployed()
    const [unit] = JSON.parse((await host.done('unit', 'list', '--json')).stdout)
    expect(unit).toMatchObject({
      name: 'default.web.v1@1.service',
      desired: 'launched',
      active: 'active',
      sub: 'running',
      driver: 'process',
    })
    const status = await host.done('unit', 'status', unit.name)
    expect(status.stdout).toContain('active')
    expect((await host.done('unit', 'journal', unit.name)).stdout).toContain('listening on')
  })
})

describe('what goes wrong is said', () => {
  test('a command that does not exist', async () => {
    const host = openHost()
    await host.startDaemon()
    const ended = await host.run(
      'service',
      'deploy',
      host.file('x.yml', 'compute_type: process\ncommand: [/no/such/program]\n'),
    )
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('/no/such/program')
    expect(ended.stderr).not.toMatch(/\n {4}at /)
  })

  test('a fixed host port that another program holds', async () => {
    const host = openHost()
    await host.startDaemon()
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    try {
      const text = `compute_type: process\ncommand: [/bin/sleep, "60"]\nports: [${port}]\n`
      const deploy = ['service', 'deploy', host.file('x.yml', text)]
      // It is tried again until then: whoever holds the port may let it go.
      const ended = await host.run(...deploy, '--deadline', '10s')
      expect(ended.code).toBe(1)
      expect(ended.stderr).toContain(`host port ${port}/tcp is in use by another program`)
    } finally {
      server.close()
    }
  })

  test('a scale that no machine has room for ends with 3 and the reason, and stays in effect', async () => {
    const host = openHost()
    await host.startDaemon()
    const port = await freePort()
    const text = `compute_type: process\ncommand: [/bin/sleep, "60"]\nports: [${port}]\n`
    await host.done('service', 'deploy', host.file('x.yml', text))
    const ended = await host.run('service', 'scale', 'x', '2', '--timeout', '6s')
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain(`host port ${port}/tcp in use by`)
    expect(await host.service('x')).toMatchObject({ scale: 2, running: 1 })
    expect((await host.done('service', 'explain', 'x-2')).stdout).toContain(`host port ${port}/tcp in use by`)
  })

  test('a Docker service where no machine has Docker, before anything changes', async () => {
    const host = openHost()
    await host.startDaemon()
    const ended = await host.run('service', 'deploy', host.file('x.yml', 'image: busybox\n'))
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('docker')
    expect(await host.service('x')).toBeUndefined()
  })

  test('a second daemon on the same data directory', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    const second = await host.run(
      'daemon',
      '--data-dir',
      host.dataDir,
      '--listen',
      `unix:${join(host.dir, 'other.sock')}`,
    )
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(String(daemon.pid))
    expect(second.stderr).not.toMatch(/\n {4}at /)
  })

  test('a second daemon on the same socket', async () => {
    const host = openHost()
    await host.startDaemon()
    const second = await host.run(
      'daemon',
      '--data-dir',
      join(host.dir, 'other'),
      '--listen',
      host.endpoint.replace('unix://', 'unix:'),
    )
    expect(second.code).toBe(1)
    expect(second.stderr).toContain('another daemon answers')
  })

  test('a damaged store, and the file is kept', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done(
      'service',
      'deploy',
      host.file('x.yml', 'compute_type: process\ncommand: [/bin/sleep, "60"]\n'),
    )
    await host.done('service', 'delete', 'x', '--force')
    daemon.signal('SIGTERM')
    await daemon.ended
    const folder = join(host.dataDir, 'store')
    const [largest] = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => ({ path: join(folder, entry.name), bytes: readFileSync(join(folder, entry.name)) }))
      .sort((a, b) => b.bytes.length - a.bytes.length)
    if (largest === undefined) throw new Error('the store has no file')
    const damaged = Buffer.from(largest.bytes)
    damaged.fill(0x58, Math.floor(damaged.length / 3), Math.floor(damaged.length / 3) + 8)
    writeFileSync(largest.path, damaged)
    const ended = await host.run(
      'daemon',
      '--data-dir',
      host.dataDir,
      '--listen',
      `unix:${join(host.dir, 's2.sock')}`,
    )
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain(largest.path)
    expect(readFileSync(largest.path)).toEqual(damaged)
    writeFileSync(largest.path, largest.bytes)
  })
})

describe('the API on the loopback', () => {
  test('answers programs there, but no web page and nobody who came by another name', async () => {
    const host = openHost()
    const daemon = await host.startDaemon(...onLoopback, '--insecure-listen')
    expect(daemon.saidSoFar()).toContain('everybody who reaches these addresses')
    const port = portOf(daemon)
    expect(await statusFor(port, {})).toBe(200)
    expect(await statusFor(port, { origin: 'http://example.org' })).toBe(403)
    expect(await statusFor(port, { host: 'example.org' })).toBe(403)
  })

  test('asks for the token that the daemon has made, and showed once', async () => {
    const host = openHost()
    const first = await host.startDaemon(...onLoopback)
    const token = /created a token .* token=(\S+)/.exec(first.saidSoFar())?.[1] ?? 'none'
    const showsIt = { authorization: `Bearer ${token}` }
    expect(await statusFor(portOf(first), {})).toBe(401)
    expect(await statusFor(portOf(first), showsIt)).toBe(200)
    const file = join(host.dataDir, 'token')
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${token}\n`, 0o600])
    first.signal('SIGTERM')
    await first.ended

    const second = await host.startDaemon(...onLoopback)
    expect(await statusFor(portOf(second), showsIt)).toBe(200)
    expect(second.saidSoFar()).not.toContain(token)
    const over = ['--endpoint', `http://127.0.0.1:${portOf(second)}`]
    await host.done('machine', 'list', ...over, '--token', token)
    expect((await host.run('machine', 'list', ...over)).stderr).toContain('--token')
  })
})

const onLoopback = ['--listen', 'tcp://127.0.0.1:0']

function portOf(daemon: RunningProgram): number {
  return Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(daemon.saidSoFar())?.[1])
}

function statusFor(port: number, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/v1/version', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).on('error', reject)
  })
}
