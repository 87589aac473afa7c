// The log of a real daemon: its format and levels, read anew by SIGHUP, those of its supervisor, and no secret in any of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { idleManifest } from './cluster.js'
import { useHosts } from './host.js'

const openHost = useHosts()

/** Lines of JSON, as what they say; throws for any that is none. */
const parsed = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)

const heads = {
  time: expect.any(String),
  level: expect.any(String),
  part: expect.any(String),
  msg: expect.any(String),
}

test('lines are JSON, in the supervisor as well, and of the levels that were asked for', async () => {
  const host = openHost()
  const daemon = await host.startDaemon(
    '--log-format',
    'json',
    '--log-level',
    'warn,store=debug,process=info,daemon=info',
  )
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()))
  const lines = parsed(daemon.saidSoFar())
  for (const line of lines) expect(line).toMatchObject(heads)
  expect(lines).toContainEqual(expect.objectContaining({ level: 'debug', part: 'store', msg: 'written' }))
  const quiet = lines.filter(({ part }) => !['store', 'process', 'daemon'].includes(String(part)))
  expect(quiet.filter(({ level }) => level === 'debug' || level === 'info')).toEqual([])
  const supervisor = parsed(readFileSync(join(host.dataDir, 'process/supervisor.log'), 'utf8'))
  expect(supervisor[0]).toMatchObject({ ...heads, part: 'process', msg: 'supervisor started' })
})

test('the file of the configuration changes both when it is read anew; a wrong one changes nothing', async () => {
  const host = openHost()
  const config = host.file('m.yml', 'log-level: [info]\n')
  const daemon = await host.startDaemon('--config', config)
  await host.done('service', 'list')
  expect(daemon.saidSoFar()).not.toContain(' debug ')

  host.file('m.yml', 'log-format: json\nlog-level: [error, api=debug]\n')
  daemon.signal('SIGHUP')
  await daemon.said('configuration reloaded changed="log-format, log-level"')
  const before = daemon.saidSoFar().length
  await host.done('service', 'list')
  await daemon.said('"msg":"request answered"')
  for (const line of parsed(daemon.saidSoFar().slice(before)))
    expect(line).toMatchObject({ ...heads, level: 'debug', part: 'api', method: 'GET', status: 200 })

  host.file('m.yml', 'log-level: [error, motor=debug]\n')
  daemon.signal('SIGHUP')
  await daemon.said("'motor' is no part of the log")
  expect(parsed(daemon.saidSoFar().slice(before)).at(-1)).toMatchObject({ level: 'error', part: 'daemon' })
})

test('a level or a part that is none keeps a daemon from starting, with a hint', async () => {
  const host = openHost()
  const loud = await host.run('daemon', '--data-dir', host.dataDir, '--log-level', 'loud')
  expect(loud).toMatchObject({ code: 2 })
  expect(loud.stderr).toContain("--log-level: 'loud' is no level")
  expect(loud.stderr).toContain('levels: debug, info, warn, error')
  const motor = await host.run('daemon', '--data-dir', host.dataDir, '--log-level', 'motor=debug')
  expect(motor.stderr).toContain("'motor' is no part of the log")
  expect(motor.stderr).toContain('parts: agent, api,')
})

test('no secret stands in the log, at the level that tells the most, also where things fail', async () => {
  const host = openHost()
  const [meta, hook, login, token] = [
    'meta-horse/"battery',
    'hook-staple-secret',
    'login-password-1',
    'a-token-of-a-caller',
  ]
  const daemon = await host.startDaemon(
    ...['--log-level', 'debug', '--token-file', host.privateFile('tokens', `write ${token}\n`)],
    ...['--listen', 'tcp://127.0.0.1:0'],
  )
  const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(daemon.saidSoFar())?.[1] ?? ''
  expect(await statusOf(port, token)).toBe(200)
  expect(await statusOf(port, token, `?access_token=${token}`)).toBe(400)
  expect(await statusOf(port, `${token}x`)).toBe(401)
  await host.feed(login, 'registry', 'login', 'registry.example', '-u', 'u', '--password-stdin')
  await host.done('meta', 'set', 'password', '--secret', '--file', host.file('secret.txt', meta))
  const failing = `compute_type: process
command: ["/nowhere/{{ .meta.password }}"]
environment: {PASSWORD: "{{ .meta.password }}"}
memory: 16M
restart: "no"
webhooks: [{url: "http://127.0.0.1:1/?token=in-the-address", secret: ${hook}, allow_private: true}]
`
  const deployed = await host.run('service', 'deploy', host.file('web.yml', failing), '--timeout', '20s')
  expect(deployed.code).not.toBe(0)
  daemon.signal('SIGTERM')
  await daemon.ended
  const written = daemon.saidSoFar() + readFileSync(join(host.dataDir, 'process/supervisor.log'), 'utf8')
  expect(written).toContain(' debug agent: ')
  for (const secret of [meta, 'battery', hook, login, token, 'in-the-address'])
    expect(written).not.toContain(secret)
})

async function statusOf(port: string, token: string, query = ''): Promise<number> {
  const url = `http://127.0.0.1:${port}/v1/projects/default/services${query}`
  return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status
}
