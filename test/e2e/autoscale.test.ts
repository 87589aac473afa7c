// A service that follows its load, and what it is measured by, through the real command line and daemon.
import { EventEmitter, once } from 'node:events'
import { get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EventBody, ServiceDetails } from '../../src/contract/contract.js'
import { ask, type Host, hostPort, useHosts } from './host.js'

const openHost = useHosts()

/** Counts its requests and tells of them as ContainerPilot's telemetry does. */
const counting = [
  'let requests = 0',
  "const metrics = () => '# TYPE shop_web_requests counter\\nshop_web_requests ' + requests + '\\n'",
  "const status = JSON.stringify({ Version: '3.8.0', Jobs: [{ Name: 'web', Status: 'healthy' }], Services: null })",
  "const pages = { '/status': () => status, '/metrics': metrics, '/work': () => String(++requests) }",
  "const page = ({ url }, answer) => answer.end((pages[url] || (() => ''))())",
  "require('http').createServer(page).listen(Number(process.env.PORT))",
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

const manifest = (autoscale: string): string => `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(counting)}]
ports: ["0:8080"]
containerpilot: {port: 8080}
healthchecks: [{type: http, port: 8080, poll: 1, timeout: 1, retries: 3}]
autoscale: ${autoscale}
triggers:
  - busy: {source: containerpilot.requests, operator: ">", value: 8, time: 4, action: incr}
  - idle: {source: containerpilot.requests, operator: "<", value: 1, time: 4, action: decr}
`

/** So many requests a second in all, shared by the instances that run, until it is told to stop. */
function generateLoad(
  host: Host,
  perSecond: number,
): {
  /** Resolves when all these ports have answered it. */
  reaches(ports: readonly number[]): Promise<void>
  stop(): Promise<void>
} {
  const answered = new EventEmitter()
  let ports: readonly number[] = []
  let turn = 0
  let stopped = false
  const look = async (): Promise<void> => {
    while (!stopped) {
      const running = (await host.instances('web')).filter(({ state }) => state === 'running')
      ports = running.map(hostPort)
    }
  }
  const looking = look().catch(() => {})
  const sending = setInterval(() => {
    const port = ports[turn++ % Math.max(1, ports.length)]
    if (port === undefined) return
    ask(port, '/work').then(
      () => answered.emit(String(port)),
      () => {},
    )
  }, 1000 / perSecond)
  return {
    reaches: async (all) => void (await Promise.all(all.map((port) => once(answered, String(port))))),
    stop: async () => {
      stopped = true
      clearInterval(sending)
      await looking
    },
  }
}

const page = (host: Host, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get({ socketPath: join(host.dir, 'mariposa.sock'), path }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      answer.on('end', () => resolve(text))
    }).on('error', reject)
  })

describe('a service with triggers', () => {
  test('is scaled up to its max under load and back to its min without, and says why', async () => {
    const host = openHost()
    await host.startDaemon()
    const policy = '{enable: true, min: 1, max: 3, retrigger_delay: 1}'
    await host.done('service', 'deploy', host.file('web.yml', manifest(policy)))
    const load = generateLoad(host, 40)
    const up = await host.sawEvent(
      'web',
      ({ kind, message }) => kind === 'autoscale' && message.endsWith('→ 3'),
    )
    expect(up.message).toMatch(
      /^busy: the avg of containerpilot\.requests over \d instances? was [\d.]+( to [\d.]+)? for 4 s, > 8; scale 2 → 3$/,
    )
    await host.sawEvent(
      'web',
      ({ kind, instance, message }) =>
        kind === 'health' && instance === 'web-3' && message.endsWith('is healthy'),
    )
    const atMax = await host.instances('web')
    expect(atMax.map(({ state, health }) => [state, health])).toEqual(Array(3).fill(['running', 'healthy']))
    await load.reaches(atMax.map(hostPort))
    const { triggers } = JSON.parse(
      (await host.done('service', 'get', 'web', '--json')).stdout,
    ) as ServiceDetails
    expect(triggers).toMatchObject([
      { name: 'busy', metric: 'containerpilot.requests', operator: '>', threshold: 8, windowMs: 4000 },
      { name: 'idle', metric: 'containerpilot.requests', operator: '<', threshold: 1 },
    ])
    // What the last look saw: it may be older than the newest instance.
    expect((await host.done('service', 'get', 'web')).stdout).toMatch(
      /^Trigger: +busy: avg of containerpilot\.requests is [\d.]+ \((?:\d instances|\d of \d instances without)\), (?:not known whether |not )?> 8 since \S+Z \(\d+s ago\); after 4s of > 8 it adds 1$/m,
    )
    await load.stop()
    const down = await host.sawEvent(
      'web',
      ({ kind, message }) => kind === 'autoscale' && message.endsWith('→ 1'),
    )
    expect(down.message).toMatch(/^idle: .* over 2 instances was 0 for 4 s, < 1; scale 2 → 1$/)
    const told = (await host.done('service', 'events', 'web')).stdout
    expect([...told.matchAll(/; scale (\d → \d)$/gm)].map(([, change]) => change)).toEqual([
      '1 → 2',
      '2 → 3',
      '3 → 2',
      '2 → 1',
    ])
    await host.sawEvent('web', ({ kind, instance }) => kind === 'instance-removed' && instance === 'web-2')
    expect(await host.service('web')).toMatchObject({ scale: 1, running: 1, healthy: 1 })
  }, 180_000)

  test('is left alone, and nothing is told of it, while it or its project is frozen', async () => {
    const host = openHost()
    await host.startDaemon()
    const always = `compute_type: process
command: [/bin/sleep, "100000"]
stop: {timeout: 0}
triggers: {always: {source: containermonitor.plugin_uptime_seconds, operator: ">", value: 0, time: 8, action: incr}}
`
    const deploy = (name: string, project: string, policy: string) =>
      host.done(
        'service',
        'deploy',
        host.file(`${name}.yml`, `${always}autoscale: ${policy}\n`),
        '--project',
        project,
      )
    await deploy('held', 'one', '{enable: true, max: 9, retrigger_delay: 1}')
    await host.done('queue', 'freeze', '--project', 'one', '--service', 'held')
    await deploy('grown', 'all', '{enable: true, max: 9, retrigger_delay: 1}')
    await deploy('told', 'all', '{enable: notify}')
    await host.done('queue', 'freeze', '--project', 'all')
    // One that is not frozen, and was made later, is acted on twice meanwhile.
    await deploy('free', 'default', '{enable: true, max: 9, retrigger_delay: 1}')
    const isScaling = ({ kind }: EventBody): boolean => kind === 'autoscale'
    await host.sawEvent('free', (event) => isScaling(event) && event.message.endsWith('→ 3'))
    const frozen = [
      ['held', 'one'],
      ['grown', 'all'],
      ['told', 'all'],
    ] as const
    for (const [name, project] of frozen) {
      const { stdout } = await host.done('service', 'events', name, '--project', project, '--json')
      expect([name, (JSON.parse(stdout) as EventBody[]).filter(isScaling)]).toEqual([name, []])
    }
    await host.done('queue', 'unfreeze', '--project', 'one', '--service', 'held')
    await host.done('queue', 'unfreeze', '--project', 'all')
    for (const [name, project] of frozen) await host.sawEvent(name, isScaling, project)
  }, 180_000)

  test('is brought within its bounds at once', async () => {
    const host = openHost()
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', manifest('{enable: true, min: 2, max: 3}')))
    const event = await host.sawEvent('web', ({ kind }) => kind === 'autoscale')
    expect(event.message).toBe('at least 2 instances are required; scale 1 → 2')
  })

  test('is measured in the words of Container Monitor', async () => {
    const host = openHost()
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', manifest('{enable: false}')))
    const [instance] = await host.instances('web')
    const all = await page(host, '/metrics')
    expect(all).toContain('# TYPE mem_agg_usage gauge\n')
    expect(all).toMatch(
      new RegExp(
        `^cpu_user_usage\\{project="default",service="web",instance="web-1",uuid="${instance?.uuid}",.*\\} \\d+$`,
        'm',
      ),
    )
    const memory = Number(/^mem_agg_usage\{.*\} (\d+)$/m.exec(all)?.[1])
    expect(memory).toBeGreaterThan(1024 ** 2)
    expect(await page(host, `/v1/${instance?.uuid}/metrics`)).toMatch(
      /^plugin_uptime_seconds\{.*instance="web-1"/m,
    )
    expect(await page(host, '/v1/00000000-0000-0000-0000-000000000000/metrics')).toContain('metrics/not-here')
  })
})
