// What answers may be no daemon at all: any server that speaks HTTP and JSON. That is no bug of ours, and told as what it is.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, connect } from '../../src/client/io/client.js'
import { useProgram } from './program.js'

const program = useProgram()
let answer = ''
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
})
let port = 0

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => server.close())

const follow = { follow: false }
const lists: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  machines: (client) => client.machines(),
  unreadable: (client) => client.unreadable(),
  units: (client) => client.units(),
  tasks: (client) => client.tasks('p'),
  projects: (client) => client.projects(),
  services: (client) => client.services('p'),
  versions: (client) => client.versions('p', 'a'),
  instances: (client) => client.instances('p', null),
  meta: (client) => client.meta('p'),
  schedules: (client) => client.schedules('p', undefined),
  dnsInstances: (client) => client.dnsInstances('p', undefined),
  runs: (client) => client.runs('p', undefined),
  webhooks: (client) => client.webhooks('p', undefined),
  deliveries: (client) => client.deliveries('p', {}),
}
const others: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  version: (client) => client.version(),
  use: (client) => client.use(),
  record: (client) => client.record('leader'),
  machine: (client) => client.machine('m'),
  changeMachine: (client) => client.changeMachine('m', { cordoned: true }),
  unit: (client) => client.unit('a.service'),
  task: (client) => client.task('t'),
  plan: (client) => client.plan('p', { sources: [] }),
  deploy: (client) => client.deploy('p', { sources: [] }),
  scale: (client) => client.scale('p', { targets: {} }),
  project: (client) => client.project('p'),
  service: (client) => client.service('p', 'a'),
  stop: (client) => client.stop('p', 'a', {}),
  metaKey: (client) => client.metaKey('p', 'a'),
  metaSet: (client) => client.metaSet('p', 'a', { value: '1' }),
  policy: (client) => client.policy(),
  explain: (client) => client.explain('p', 'a'),
  volumes: (client) => client.volumes({}),
  volume: (client) => client.volume('p', 'a'),
  machineImages: (client) => client.machineImages('m'),
  unknownUnits: (client) => client.unknownUnits('m', false),
  logs: (client) => all(client.logs('p', 'a', follow)),
  unitJournal: (client) => all(client.unitJournal('a.service', follow)),
  events: (client) => all(client.events(follow)),
  taskProgress: (client) => all(client.taskProgress('t')),
  drain: (client) => all(client.drain('m')),
}

async function all(stream: AsyncIterable<unknown>): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const one of stream) found.push(one)
  return found
}

describe('another server than a daemon', () => {
  it.each(Object.keys({ ...lists, ...others }))('is told from one by what it answers: %s', async (name) => {
    const client = connect({ kind: 'tcp', host: '127.0.0.1', port, secure: false, prefix: '' })
    const ask = lists[name] ?? others[name]
    for (answer of ['{}', 'null', '[null]', '[{}]', '[[]]', '"text"', ...(name in lists ? [] : ['[]'])])
      await expect(ask?.(client), answer).rejects.toMatchObject({
        code: 'client/bad-answer',
        message: `what answers at http://127.0.0.1:${port} is not a Mariposa daemon, or one of another version (HTTP 200)`,
        hint: expect.stringContaining('--endpoint') as string,
      })
  })

  it('is named by commands, which call nothing a bug of theirs', async () => {
    answer = '{}'
    for (const command of ['service list', 'machine list', 'top --once', 'events', 'meta set a 1']) {
      const endpoint = ['--endpoint', `http://127.0.0.1:${port}`]
      const { code, stderr } = await program.run([...command.split(' '), ...endpoint])
      expect([command, code, stderr.split('\n')[0]]).toEqual([
        command,
        1,
        `mariposa: what answers at http://127.0.0.1:${port} is not a Mariposa daemon, or one of another version (HTTP 200)`,
      ])
    }
  })
})
