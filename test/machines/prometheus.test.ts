// A real Prometheus that finds what to scrape by asking a daemon.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { until } from '../e2e/cluster.js'
import { useHosts } from '../e2e/host.js'
import { freePort } from '../free-port.js'

const openHost = useHosts()

let prometheus: ChildProcess | null = null
afterEach(async () => {
  const ended = prometheus
  prometheus = null
  if (ended === null || ended.exitCode !== null) return
  const over = new Promise((resolve) => ended.once('exit', resolve))
  ended.kill('SIGKILL')
  await over
})

const page = [
  "const page = (_, answer) => answer.end('shop_up ' + process.env.VALUE + '\\n')",
  "require('http').createServer(page).listen(Number(process.env.PORT))",
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

const manifest = (value: number): string => `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(page)}]
environment: {VALUE: "${value}"}
ports: ["0:8080"]
labels: {prometheus.port: "8080", tier: front}
healthchecks: [{type: tcp, port: 8080, poll: 0.5, timeout: 0.5}]
stop: {timeout: 1, preservestopped: "no"}
`

const config = (api: number): string => `global: {scrape_interval: 1s}
scrape_configs:
  - job_name: mariposa
    http_sd_configs:
      - url: http://127.0.0.1:${api}/v1/discovery/prometheus
        refresh_interval: 1s
        authorization: {type: Bearer, credentials: ${'r'.repeat(16)}}
    relabel_configs:
      - {source_labels: [__meta_mariposa_instance], target_label: instance}
      - {source_labels: [__meta_mariposa_version], target_label: version}
      - {source_labels: [__meta_mariposa_label_tier], target_label: tier}
`

interface Answer {
  readonly data: {
    readonly result: readonly { readonly metric: object; readonly value: readonly [number, string] }[]
  }
}

test('scrapes every instance, and follows a rollout', async () => {
  const host = openHost()
  const [api, own] = [await freePort(), await freePort()]
  const tokens = host.privateFile('tokens', `read ${'r'.repeat(16)}\n`)
  await host.startDaemon(
    ...['--listen', `tcp://127.0.0.1:${api}`, '--token-file', tokens, '--public-ip', '127.0.0.1'],
  )
  const data = join(host.dir, 'prometheus')
  mkdirSync(data)
  prometheus = spawn(
    'prometheus',
    [
      `--config.file=${host.privateFile('prometheus.yml', config(api))}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${own}`,
    ],
    { stdio: 'ignore' },
  )
  const scraped = async (): Promise<readonly object[]> => {
    const answer = await fetch(`http://127.0.0.1:${own}/api/v1/query?query=sort_desc(shop_up)`)
    const { data: found } = (await answer.json()) as Answer
    return found.result.map(({ metric, value }) => ({ ...metric, value: value[1] }))
  }
  const told = (instance: string, version: string, value: string) =>
    expect.objectContaining({ instance, version, value, tier: 'front', job: 'mariposa' }) as object
  await host.done('service', 'deploy', host.file('web.yml', manifest(1)), '--scale', '2')
  await until(async () => {
    const found = await scraped()
    expect(found).toHaveLength(2)
    expect(found).toEqual(expect.arrayContaining([told('web-1', '1', '1'), told('web-2', '1', '1')]))
  })
  await host.done('service', 'deploy', host.file('web.yml', manifest(2)))
  await until(async () => {
    const found = await scraped()
    expect(found).toHaveLength(2)
    expect(found).toEqual(expect.arrayContaining([told('web-3', '2', '2'), told('web-4', '2', '2')]))
  })
})
