// The examples of the manifest's specification on a real daemon: as they are written there, but for the names that stand
// for something of one's own, and for times that would take minutes.
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { EventBody } from '../../src/contract/contract.js'
import { certificate, privateKey } from '../health/certificate.js'
import { seedText, triggersInYaml } from '../manifest/seed-text.js'
import { startReceiver, type TestReceiver, testSecret } from '../notify/receiver.js'
import { type Host, hostPort, useHosts } from './host.js'

const openHost = useHosts()
const receivers: TestReceiver[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.close()))
})

/** The manifest of a program for Node, which gets its source in the environment, so that it can be written as it is. */
const program = (source: string, more: string): string => `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", "eval(process.env.SOURCE)"]
environment:
  SOURCE: ${JSON.stringify(source)}
${more}`

const sawHealth = (host: Host, instance: string, ending: string): Promise<EventBody> =>
  host.sawEvent(
    'web',
    (event) => event.kind === 'health' && event.instance === instance && event.message.endsWith(ending),
  )

const sawScale = (host: Host, ending: string): Promise<EventBody> =>
  host.sawEvent('web', ({ kind, message }) => kind === 'autoscale' && message.endsWith(ending))

/** Answers over TLS at the path of the example, until it is told to be broken. */
const secureServer = (certificates: { readonly key: string; readonly cert: string }): string => `
  let broken = false
  const page = ({ url }, answer) => {
    if (url === '/break') broken = true
    answer.statusCode = url === '/some/path/on/container' && !broken ? 200 : 500
    answer.end()
  }
  require('https').createServer(${JSON.stringify(certificates)}, page).listen(Number(process.env.PORT))
  process.on('SIGTERM', () => process.exit(0))
`

/** Publishes, on one network alone, what the files of a directory say; where one says so it holds on to memory. */
const measured = (dir: string): string => `
  const { existsSync, readFileSync } = require('fs')
  const held = []
  const say = (name) => existsSync(${JSON.stringify(dir)} + '/' + name) ? readFileSync(${JSON.stringify(dir)} + '/' + name, 'utf8') : '1'
  const page = ({ url }, answer) => {
    if (url === '/status') return answer.end(JSON.stringify({ Version: '3.8.0', Jobs: [], Services: null }))
    if (existsSync(${JSON.stringify(dir)} + '/eat') && held.length === 0) held.push(Buffer.alloc(190 * 1024 ** 2, 1))
    answer.end(['tps', 'dblatency'].map((name) => '# TYPE ' + name + ' gauge\\n' + name + ' ' + say(name) + '\\n').join(''))
  }
  require('http').createServer(page).listen(Number(process.env.PORT), '127.0.0.2')
  process.on('SIGTERM', () => process.exit(0))
`

describe('the example of', { timeout: 180_000 }, () => {
  test('healthchecks: an instance that fails one of them is stopped, replaced and told of', async () => {
    const host = openHost()
    await host.startDaemon('--metadata', 'network.fabric-1=127.0.0.1')
    const executable = join(host.dir, 'some_executable')
    const failing = join(host.dir, 'failing')
    writeFileSync(executable, `#!/bin/sh\n[ ! -e ${failing} ]\n`)
    chmodSync(executable, 0o755)
    const hook = await startReceiver()
    receivers.push(hook)
    const checks = seedText.healthchecks
      .replace('network name/uuid', 'fabric-1')
      .replace('/usr/sbin/some_executable', executable)
      .replace('user: root', `user: ${userInfo().username}`)
      .replaceAll('poll: 30', 'poll: 1')
      .replaceAll('timeout: 10', 'timeout: 1')
    const webhooks = `webhooks:
  - url: ${hook.url}
    events: [start, stop, health]
    secret: ${testSecret}
    allow_private: true
`
    const source = secureServer({ key: privateKey, cert: certificate })
    const more = `ports: ["0:443"]\nstop: {preservestopped: "no"}\nhealthchecks:\n${checks}${webhooks}`
    await host.done('service', 'deploy', host.file('web.yml', program(source, more)))
    const [first] = await host.instances('web')
    if (first === undefined) throw new Error('there is no instance')
    expect(first).toMatchObject({ name: 'web-1', health: 'healthy' })

    await askToBreak(hostPort(first))
    await sawHealth(
      host,
      'web-1',
      'https port 443 on fabric-1 /some/path/on/container: answered 500; 3 failures in a row',
    )
    await sawHealth(host, 'web-2', 'is healthy')
    writeFileSync(failing, '')
    await sawHealth(host, 'web-2', `command ${executable}: exit status 1; 3 failures in a row`)
    rmSync(failing)
    await host.sawEvent('web', ({ kind, instance }) => kind === 'instance-removed' && instance === 'web-2')

    const told = (name: string): readonly string[] =>
      hook.received
        .filter(({ event }) => event.data.instance.name === name)
        .map(({ event }) => event.data.event as string)
    await hook.until(() => told('web-2').includes('stop'))
    // Of each instance in order; every one of them verified before it was taken.
    for (const name of ['web-1', 'web-2'])
      expect([name, told(name)]).toEqual([name, ['start', 'health', 'stop']])
  })

  test('containerpilot and triggers: memory, throughput and the latency of another service change the scale', async () => {
    const host = openHost()
    await host.startDaemon('--metadata', 'network.fabric-1=127.0.0.2')
    const triggers = triggersInYaml.replace('another_servicename', 'db').replace(/\d minutes/g, '3 seconds')
    const say = (name: string, value: number): void => writeFileSync(join(host.dir, name), String(value))
    const telemetry = seedText.containerpilot.replace('<network name|uuid>', 'fabric-1')
    const pilot = `ports: ["0:9090"]\nmemory: 256\ncontainerpilot:\n${telemetry}`
    const scaled = `autoscale: {enable: true, max: 3, retrigger_delay: 1}\ntriggers:\n${triggers}`
    await host.done('service', 'deploy', host.file('db.yml', program(measured(host.dir), pilot)))
    await host.done('service', 'deploy', host.file('web.yml', program(measured(host.dir), pilot + scaled)))

    say('eat', 1)
    expect((await sawScale(host, '1 → 2')).message).toMatch(
      /^highram: the avg of containermonitor\.mem_agg_usage over 1 instance was .*% for 3 s, > 80%/,
    )
    rmSync(join(host.dir, 'eat'))
    await host.sawEvent('web', ({ kind, instance }) => kind === 'instance-started' && instance === 'web-2')
    say('dblatency', 95)
    expect((await sawScale(host, '2 → 3')).message).toMatch(
      /^highlatency: the avg of service\.db\.containerpilot\|containermonitor\.dblatency over 1 instance was 95 for 3 s, > 90/,
    )
    say('dblatency', 10)
    say('tps', 0.1)
    expect((await sawScale(host, '3 → 2')).message).toMatch(
      /^lowutilization: the avg of containerpilot\.tps over 3 instances was 0\.1 for 3 s, < 0\.3/,
    )
    await sawScale(host, '2 → 1')
  })

  test('stop: an instance has all the time that it takes, and is kept', async () => {
    const host = openHost()
    await host.startDaemon()
    const file = host.file(
      'web.yml',
      // Longer than the time that instances have where the manifest says nothing.
      program(
        "process.on('SIGTERM', () => setTimeout(() => process.exit(0), 11_000)); setInterval(() => {}, 1000)",
        `stop:\n${seedText.stop}`,
      ),
    )
    await host.done('service', 'deploy', file)
    await host.done('service', 'stop', 'web')
    await host.sawEvent('web', ({ kind, instance }) => kind === 'instance-kept' && instance === 'web-1')
    // Killed it would have failed.
    expect(await host.instances('web')).toMatchObject([{ name: 'web-1', state: 'stopped' }])
  })
})

function askToBreak(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/break', rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve())
    }).on('error', reject)
  })
}
