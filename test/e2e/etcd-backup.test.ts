// Backup and restore of both stores by the commands of docs/cluster.md, as they stand there.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandsOf } from '../docs/pages.js'
import { startEtcd } from '../machines/etcd-host.js'
import { type Host, useHosts, webManifest } from './host.js'

const newHost = useHosts()
const documented = commandsOf('docs/cluster.md')

/** Runs a documented command in the host's directory. */
function run(host: Host, line: string, env: Readonly<Record<string, string>> = {}): void {
  const text = line.replaceAll('/var/lib/mariposa', host.dataDir)
  execFileSync('sh', ['-c', text], { cwd: host.dir, env: { ...process.env, ...env }, stdio: 'pipe' })
}

function only(pattern: RegExp): string {
  const [line, ...more] = documented.filter((one) => pattern.test(one))
  if (line === undefined || more.length > 0) throw new Error(`docs/cluster.md has not one ${pattern}`)
  return line
}

const namesOf = async (host: Host, service: string): Promise<readonly string[]> =>
  (await host.instances(service)).map(({ name, state }) => `${name} ${state}`)

test('etcd: what is in the snapshot is there again, and what was made after it is gone', async () => {
  const etcd = await startEtcd()
  const [member] = etcd.members
  const host = newHost()
  const store = ['--store', `etcd://${etcd.options.endpoints.join(',')}`] as const
  const env = { ETCDCTL_API: '3', ETCDCTL_ENDPOINTS: `http://${member?.address ?? ''}` }
  try {
    const daemon = await host.startDaemon(...store)
    await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')), '--scale', '2')
    run(host, only(/^etcdctl snapshot save/), env)
    await host.done('service', 'deploy', host.file('late.yml', webManifest('v1')))
    await host.done('service', 'delete', 'web', '--force')

    await member?.kill()
    run(host, only(/^etcdctl snapshot restore/), env)
    member?.start(`${host.dir}/restored`)
    await etcd.answers()
    await daemon.said('another etcd')
    await expect
      .poll(() => namesOf(host, 'web'), { timeout: 30_000 })
      .toEqual(['web-1 running', 'web-2 running'])
    expect(await host.service('late')).toBeUndefined()
    await expect.poll(() => daemon.saidSoFar().split('is ready')).toHaveLength(3)
    // While there is an etcd to do it with: what runs outlives the daemon.
    await host.done('service', 'delete', 'web', '--force')
  } finally {
    await etcd.stop()
  }
})

/** A server that is well once a file of its instance's name is there. */
function gatedManifest(dir: string, version: string): string {
  const source = [
    "const { existsSync } = require('fs')",
    `const gate = ${JSON.stringify(dir)} + '/go-' + process.env.WHO`,
    "const server = require('http').createServer((request, answer) => {",
    '  answer.statusCode = existsSync(gate) ? 200 : 500',
    '  answer.end()',
    '})',
    'server.listen(Number(process.env.PORT))',
  ].join('; ')
  return `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(source)}]
environment: {WHO: "{{ .instance.name }}", VERSION: "${version}"}
ports: ["0:8080"]
restart: "no"
healthchecks:
  - {type: http, port: 8080, path: /, poll: 1, timeout: 1, retries: 1000}
stop: {timeout: 5, preservestopped: "always"}
`
}

test('etcd: a rollout that a snapshot brings back does not fail by what was stopped since', async () => {
  const etcd = await startEtcd()
  const [member] = etcd.members
  const host = newHost()
  const env = { ETCDCTL_API: '3', ETCDCTL_ENDPOINTS: `http://${member?.address ?? ''}` }
  const open = (...names: readonly string[]): void => {
    for (const name of names) host.file(`go-${name}`, '')
  }
  try {
    const daemon = await host.startDaemon('--store', `etcd://${etcd.options.endpoints.join(',')}`)
    open('web-1', 'web-2', 'web-3')
    const [v1, v2] = ['1', '2'].map((version) =>
      host.file(`web${version}.yml`, `name: web\n${gatedManifest(host.dir, version)}`),
    )
    await host.done('service', 'deploy', v1 ?? '', '--scale', '2')
    const { stdout } = await host.done('service', 'deploy', v2 ?? '', '--detach', '--json')
    const [{ task }] = JSON.parse(stdout) as readonly [{ task: string }]
    // web-3 is up, web-4 waits for its gate.
    await expect
      .poll(() => namesOf(host, 'web'), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['web-3 running', 'web-4 running']))
    run(host, only(/^etcdctl snapshot save/), env)
    open('web-5', 'web-6')
    await host.done('service', 'revert', 'web', '1')
    await expect
      .poll(() => namesOf(host, 'web'), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['web-3 stopped', 'web-4 stopped']))

    await member?.kill()
    run(host, only(/^etcdctl snapshot restore/), env)
    member?.start(`${host.dir}/restored`)
    await etcd.answers()
    await daemon.said('another etcd')
    await expect.poll(() => daemon.saidSoFar().split('is ready').length, { timeout: 60_000 }).toBe(3)
    open('web-4')
    const watched = await host.run('queue', 'watch', task)
    expect([watched.code, watched.stderr], daemon.saidSoFar()).toEqual([0, ''])
    await host.done('service', 'delete', 'web', '--force')
  } finally {
    await etcd.stop()
  }
})

test('embedded: what is in the copy is there again, and what was made after it is stopped', async () => {
  const host = newHost()
  const stop = async (daemon: Awaited<ReturnType<Host['startDaemon']>>): Promise<void> => {
    daemon.signal('SIGTERM')
    await daemon.ended
  }
  const [copy, away, back] = documented.filter((line) => /^(cp|mv) .*mariposa/.test(line))
  const first = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')), '--scale', '2')
  const before = await host.instances('web')
  await stop(first)
  run(host, copy ?? '')

  const second = await host.startDaemon()
  expect((await host.instances('web')).map(({ pid }) => pid)).toEqual(before.map(({ pid }) => pid))
  await host.done('service', 'scale', 'web', '1')
  await host.done('service', 'deploy', host.file('late.yml', webManifest('v1')))
  const [late] = await host.instances('late')
  await stop(second)
  run(host, away ?? '')
  run(host, back ?? '')

  await host.startDaemon()
  await expect
    .poll(() => namesOf(host, 'web'), { timeout: 30_000 })
    .toEqual(['web-1 running', 'web-2 running'])
  expect(await host.service('late')).toBeUndefined()
  await expect.poll(() => isAlive(late?.pid ?? 0), { timeout: 30_000 }).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
