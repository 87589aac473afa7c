// Trigger URLs of two daemons that share an etcd: whichever is called, a call takes effect once.
import { createHmac } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceDetails, TriggerCallResponse } from '../../src/contract/contract.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { programOf } from './cluster.js'
import { type Host, hostsOf } from './host.js'

let etcd: EtcdHost
beforeAll(async () => {
  etcd = await startEtcd()
})
afterAll(() => etcd.stop())

const openOn = (id: string) =>
  hostsOf(programOf(id), () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-triggers-'))
    return {
      driver: 'process',
      env: { MARIPOSA_STORE: `etcd://${etcd.options.endpoints.join(',')}/triggers` },
      makeDir: () => ({ inside: dir, outside: dir }),
    }
  })
const openA = openOn('a'.repeat(32))
const openB = openOn('b'.repeat(32))

const secret = 'a-secret-of-the-operator'
const manifest = `compute_type: process
command: [/bin/sleep, "3000"]
triggers: {more: {secret: "{{ .meta.trigger_secret }}", action: scale, instances: 1}}
`

const details = async (here: Host): Promise<ServiceDetails> =>
  JSON.parse((await here.done('service', 'get', 'web', '--json')).stdout) as ServiceDetails

const urlAt = async (here: Host): Promise<string> => (await details(here)).triggerUrls?.[0]?.url ?? ''

async function call(url: string, id: string): Promise<TriggerCallResponse> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.`).digest('base64')
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  })
  expect(answer.status).toBe(202)
  return (await answer.json()) as TriggerCallResponse
}

test('a call that several members of a cluster get at once takes effect on one of them', async () => {
  const [a, b] = [openA(), openB()]
  const keyFile = join(a.dir, 'secret.key')
  const served = ['--trigger-listen', 'tcp://127.0.0.1:0', '--secret-key-file', keyFile]
  await a.startDaemon(...served)
  await b.startDaemon(...served)
  await a.done('meta', 'set', '--secret', 'trigger_secret', secret)
  await a.done('service', 'deploy', a.file('web.yml', manifest))
  const urls = [await urlAt(a), await urlAt(b)]
  expect(new Set(urls).size).toBe(2)

  const answers = await Promise.all([...urls, ...urls].map((url) => call(url, 'build-7')))
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
  await b.done('queue', 'watch', answers[0]?.task ?? '')
  expect(await details(b)).toMatchObject({ scale: 2, triggerUrls: [{ calls: 1 }] })
})
