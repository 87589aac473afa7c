// A service is renamed, and the new name keeps its routes: requests go on all the while.
import { expect, test } from 'vitest'
import type { EntryBody, PlanResponse } from '../../src/contract/contract.js'
import { until } from '../e2e/cluster.js'
import { type Host, useHosts } from '../e2e/host.js'
import { freePort } from '../free-port.js'
import { send, startLoad } from './entry-load.js'

const openHost = useHosts()

/** It ends at once when it is told to, whatever is under way. */
const program = [
  "const page = ({ url }, answer) => setTimeout(() => answer.end(process.env.WHO), url.includes('/slow') ? 700 : 0)",
  "require('http').createServer(page).listen(Number(process.env.PORT))",
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

test('loses no request, keeps the old one where the new one does not come up, and says so', {
  timeout: 180_000,
}, async () => {
  const host = openHost()
  const [http, https, tcp] = [await freePort(), await freePort(), await freePort()]
  const at = ['--entry-http', `127.0.0.1:${http}`, '--entry-https', `127.0.0.1:${https}`]
  await host.startDaemon('--entry', ...at, '--public-ip', '127.0.0.1', '--dns', 'none')
  const service = (name: string, port = 8080): string => `  ${name}:
    compute_type: process
    command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(program)}]
    environment: {WHO: "${name}"}
    ports: ["0:8080"]
    stop: {timeout: 1, preservestopped: "no"}
    cns: {ttl: 0}
    healthchecks: [{type: tcp, port: ${port}, poll: 0.2, timeout: 0.2}]
    entry: [{host: shop.example, tls: off, drain: 5}, {tcp: ${tcp}, drain: 5}]
`
  const file = (text: string): string => host.file('shop.yml', `services:\n${text}`)
  const asked = [
    { port: http, host: 'shop.example' },
    { port: tcp, host: 'anything' },
  ]
  await host.done('project', 'deploy', file(service('old')))
  for (const one of asked)
    await until(async () => {
      expect(await send(one)).toMatchObject({ status: 200, text: 'old' })
    })
  const loads = asked.map((one) => startLoad(one, 10, false))
  const answered = (text: string) => Promise.all(loads.map((load) => load.answered(text)))
  await answered('old')

  const refused = await host.run('project', 'deploy', file(service('new')))
  expect(refused.stderr).toContain('if new takes the place of old, deploy the whole project without old')

  // Nothing listens where it is checked.
  const bad = file(service('new', await freePort()))
  const failed = await host.run('project', 'deploy', bad, '--prune', '--deadline', '4s')
  expect(failed.code).toBe(1)
  expect(failed.stdout).toContain(`old: to be removed once new serves shop.example/, new serves tcp:${tcp}\n`)
  expect(failed.stderr).toContain('old goes on serving: the deploy of new failed')
  await answered('old')
  expect(await holders(host)).toEqual(['old', 'old'])
  for (const load of loads) expect(load.answers.get('new')).toBeUndefined()

  const plan = JSON.parse(
    (await host.done('project', 'deploy', file(service('new')), '--prune', '--plan', '--json')).stdout,
  ) as PlanResponse
  expect(plan.services[1]).toMatchObject({
    outcome: 'removed',
    handsOver: [
      { route: 'shop.example/', service: 'new' },
      { route: `tcp:${tcp}`, service: 'new' },
    ],
  })
  await host.done('project', 'deploy', file(service('new')), '--prune')
  await answered('new')
  const before = loads.map(({ answers }) => answers.get('old'))
  await answered('new')
  expect(loads.map(({ answers }) => answers.get('old'))).toEqual(before)
  expect(await Promise.all(loads.map((load) => load.end()))).toEqual([[], []])
  expect(await holders(host)).toEqual(['new', 'new'])
  const services = JSON.parse((await host.done('service', 'list', '--json')).stdout) as { name: string }[]
  expect(services.map(({ name }) => name)).toEqual(['new'])
  await host.done('service', 'delete', 'new', '--force')
})

/** Who has each route that is served. */
async function holders(host: Host): Promise<readonly string[]> {
  const all = JSON.parse((await host.done('entry', 'list', '--json')).stdout) as EntryBody[]
  return all.filter(({ problem }) => problem === null).map(({ service }) => service)
}
