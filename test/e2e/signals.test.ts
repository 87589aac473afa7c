// What the daemon does on signals that are no end: SIGHUP reads its configuration anew, SIGUSR1 logs its state.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MachineBody } from '../../src/contract/contract.js'
import { useProgram } from '../cli/program.js'
import { removeDir } from '../remove-dir.js'
import { idleManifest, until } from './cluster.js'
import { useHosts } from './host.js'

const openHost = useHosts()
const program = useProgram()

/** Whether a process listens on the port of Node's debugger. */
function isDebugged(pid: number): boolean {
  const inodes = readFileSync(`/proc/${pid}/net/tcp`, 'latin1')
  return / 0100007F:240D 00000000:0000 0A /.test(inodes)
}

test('SIGUSR1 logs the state of the daemon as one line of JSON, and opens no debugger', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()))
  const before = isDebugged(daemon.pid)
  daemon.signal('SIGUSR1')
  await daemon.said('"state":')
  const line =
    daemon
      .saidSoFar()
      .split('\n')
      .find((one) => one.startsWith('{"state":')) ?? ''
  const { state } = JSON.parse(line) as { state: object }
  expect(state).toMatchObject({
    ready: true,
    notReady: null,
    pid: daemon.pid,
    machines: 1,
    services: 1,
    instances: 1,
    units: { here: 1 },
    tasks: { open: 0 },
    listen: [`unix://${host.socketPath}`],
  })
  await host.done('service', 'list')
  expect(daemon.saidSoFar()).not.toContain('Debugger')
  expect(isDebugged(daemon.pid)).toBe(before)
})

test('a command that changes something goes on when nobody reads what it says', async () => {
  const host = openHost()
  await host.startDaemon()
  const fails = 'compute_type: process\ncommand: ["/bin/sh", "-c", "exit 3"]\nrestart: "no"\n'
  for (const [file, code] of [
    [host.file('bad.yml', fails), 1],
    [host.file('web.yml', idleManifest()), 0],
  ] as const) {
    const command = host.start('service', 'deploy', file)
    command.hangUp()
    expect((await command.ended).code).toBe(code)
  }
  expect(await host.service('web')).toMatchObject({ running: 1 })
})

test('SIGUSR1 opens no debugger in the supervisor, nor in a command that waits', async () => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()))
  const command = host.start('events', '-f')
  await command.saw('web')
  command.signal('SIGUSR1')
  await host.done('service', 'scale', 'web', '2')
  await command.saw('scale is done')
  expect(command.saidSoFar()).toBe('')
  command.signal('SIGINT')
  await command.ended
})

test('SIGHUP takes what has changed in the configuration, restarts nothing, and says what needs a restart', async () => {
  const host = openHost()
  const config = host.file('m.yml', 'metadata: region=north\n')
  const daemon = await host.startDaemon('--config', config)
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()))
  const pids = async () => (await host.instances('web')).map(({ pid }) => pid)
  const before = await pids()
  const machine = async (): Promise<MachineBody | undefined> =>
    (JSON.parse((await host.done('machine', 'list', '--json')).stdout) as readonly MachineBody[])[0]
  expect((await machine())?.metadata).toEqual({ region: 'north' })

  host.file('m.yml', 'metadata: region=south\nagent-ttl: 45s\n')
  daemon.signal('SIGHUP')
  await daemon.said('configuration reloaded changed=metadata')
  expect(daemon.saidSoFar()).toContain('changed settings need a restart settings=agent-ttl')
  await until(async () => expect((await machine())?.metadata).toEqual({ region: 'south' }))

  host.file('m.yml', 'metadata: nonsense\n')
  daemon.signal('SIGHUP')
  await daemon.said('keeping the current configuration; the new one is invalid')
  expect((await machine())?.metadata).toEqual({ region: 'south' })

  // As whoever writes it leaves it for a moment.
  host.file('m.yml', '')
  daemon.signal('SIGHUP')
  await daemon.said('the file is empty')
  expect((await machine())?.metadata).toEqual({ region: 'south' })
  expect(await pids()).toEqual(before)
})

/** Sends SIGHUP to the program that it is loaded into, as soon as that has begun: long before it has loaded everything. */
const hangUpEarly = `
  process.on('newListener', (name) => {
    if (name === 'SIGUSR1') setImmediate(() => process.kill(process.pid, 'SIGHUP'))
  })`
const early = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hangUpEarly)}` }

test('SIGHUP while the daemon still starts does not end it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-hup-'))
  const words = ['--data-dir', join(dir, 'data'), '--listen', `unix:${dir}/s`, '--driver', 'process']
  const daemon = program.start(['daemon', ...words], { env: early })
  await daemon.said('is ready')
  daemon.signal('SIGTERM')
  expect(await daemon.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('configuration reloaded changed=nothing'),
  })
  removeDir(dir)
})

test('SIGHUP ends a command, also one in which a word is that of the daemon', async () => {
  const host = openHost()
  const env = { ...early, MARIPOSA_ENDPOINT: host.endpoint }
  for (const words of [
    ['version', '--json'],
    ['version', '-j', 'daemon'],
  ])
    expect(await program.run(words, { env })).toMatchObject({ code: null })
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()), '-j', 'daemon')
  const command = host.start('events', '-f', '-j', 'daemon')
  await command.saw('web')
  command.signal('SIGHUP')
  expect((await command.ended).code).toBe(null)
  expect(daemon.saidSoFar()).not.toContain('anew')
})
