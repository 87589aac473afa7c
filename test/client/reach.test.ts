// Whatever the API can do, the client can ask for: each operation of the description, by a method of its own.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, ClientError, connect, inPages } from '../../src/client/io/index.js'
import { operations } from '../../src/contract/operations.js'
import { deploy, openLocalApi } from '../api/local-api.js'
import { removeDir } from '../remove-dir.js'

const dir = mkdtempSync(join(tmpdir(), 'client-'))
const socket = join(dir, 's')
const client = connect(`unix://${socket}`)
let server: FastifyInstance
let asked: string[] = []

beforeAll(async () => {
  ;({ server } = await openLocalApi())
  server.addHook('onRequest', (request, _reply, done) => {
    asked.push(`${request.method} ${request.routeOptions.url ?? request.url}`)
    done()
  })
  await deploy(server, ['web', 'db'])
  await server.listen({ path: socket })
})

afterAll(async () => {
  await server.close()
  removeDir(dir)
})

async function all<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const seen: T[] = []
  for await (const one of stream) seen.push(one)
  return seen
}

const once = { follow: false }
const source = { file: 'web.yml', text: 'compute_type: process\ncommand: [/bin/y]\n' }
const deployed = { sources: [source], waitForRoom: true }

/** By `operationId`. What is not there is asked for under a name that nobody has. */
const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  health: (to) => to.health(),
  ready: (to) => to.ready(),
  metrics: (to) => to.metrics(),
  instanceMetrics: (to) => to.instanceMetrics('nobody'),
  openapi: (to) => to.openapi(),
  version: (to) => to.version(),
  imageMeaning: (to) => to.imageMeaning('nginx'),
  events: (to) => all(to.events({ ...once, tail: 1 })),
  use: (to) => to.use(),
  volumes: (to) => to.volumes({}),
  volume: (to) => to.volume('default', 'data'),
  volumeBackups: (to) => to.volumeBackups('default'),
  backUpVolume: (to) => to.backUpVolume('default', 'data', { consistency: 'live' }),
  readVolumeBackup: (to) => to.readVolumeBackup('default', 'nothing'),
  restoreVolume: (to) =>
    to.restoreVolume('default', 'data', { force: false, sha256: null }, Readable.from([])),
  cloneVolume: (to) => to.cloneVolume('default', 'data', { to: 'more', consistency: 'live' }),
  moveVolume: (to) => to.moveVolume('default', 'data', {}),
  exportVolume: (to) => to.exportVolume('nothing', 'none'),
  deleteVolume: (to) => to.deleteVolume('default', 'data', true),
  machines: (to) => to.machines(),
  machine: (to) => to.machine('nobody'),
  changeMachine: (to) => to.changeMachine('nobody', { cordoned: true }),
  removeMachine: (to) => to.removeMachine('nobody'),
  drain: (to) => all(to.drain('nobody')),
  machineImages: (to) => to.machineImages('nobody'),
  fetchImage: (to) => all(to.fetchImage('nobody', { name: 'nginx', pull: 'missing', deadlineMs: 1000 })),
  prefetch: (to) => all(to.prefetch('default', { service: 'web' })),
  machineAdopt: (to) => to.unknownUnits('nobody', false),
  machineAdoptStop: (to) => to.unknownUnits('nobody', true),
  unreadable: (to) => to.unreadable(),
  record: (to) => to.record('services/default/web'),
  exportRecords: (to) => all(to.exportRecords(false)),
  removeRecord: (to) => to.removeRecord({ key: 'services/default/nobody', revision: 1 }),
  units: (to) => to.units(),
  unit: (to) => to.unit('nobody.service'),
  unitExplain: (to) => to.explainUnit('nobody.service'),
  unitJournal: (to) => all(to.unitJournal('nobody.service', once)),
  unitKill: (to) => to.killUnit('nobody.service', 'SIGTERM'),
  changeUnits: (to) => to.changeUnits({ verb: 'stop', units: [{ name: 'nobody.service' }] }),
  unitProgress: (to) => all(to.unitProgress(['nobody.service'], null)),
  tasks: (to) => to.tasks(),
  task: (to) => to.task('nobody'),
  taskProgress: (to) => all(to.taskProgress('nobody')),
  terminate: (to) => to.terminate('nobody', {}),
  projects: (to) => to.projects(),
  project: (to) => to.project('default'),
  deleteProject: (to) => to.deleteProject('nobody', true),
  stopProject: (to) => to.stopProject('nobody'),
  startProject: (to) => to.startProject('nobody'),
  freeze: (to) => to.changeScope('default', 'freeze', { service: 'db' }),
  unfreeze: (to) => to.changeScope('default', 'unfreeze', { service: 'db' }),
  release: (to) => to.changeScope('default', 'release', {}),
  compile: (to) => to.compile('default', { sources: [source] }),
  plan: (to) => to.plan('default', deployed),
  deploy: (to) => to.deploy('default', deployed),
  scale: (to) => to.scale('default', { targets: { web: 2 } }),
  services: (to) => to.services('default'),
  service: (to) => to.service('default', 'web'),
  deleteService: (to) => to.delete('default', 'nobody', { force: true }),
  stop: (to) => to.stop('default', 'nobody', {}),
  start: (to) => to.start('default', 'nobody', {}),
  revert: (to) => to.revert('default', 'nobody', { version: '1' }),
  reprovision: (to) => to.reprovision('default', 'nobody', {}),
  versions: (to) => to.versions('default', 'web'),
  serviceVersion: (to) => to.serviceVersion('default', 'web@1'),
  instances: (to) => to.instances('default', 'web'),
  explain: (to) => to.explain('default', 'web'),
  logs: (to) => all(to.logs('default', 'web', once)),
  exec: (to) => all(to.exec('default', 'web-1', { argv: ['true'] }, Readable.from([]))),
  run: (to) => all(to.run('default', 'nobody', { argv: ['true'] }, Readable.from([]))),
  detach: (to) => to.detach('default', 'web-1', 'nobody'),
  meta: (to) => to.meta('default'),
  metaKey: (to) => to.metaKey('default', 'color'),
  setMeta: (to) => to.metaSet('default', 'color', { value: 'red' }),
  removeMeta: (to) => to.metaRemove('default', 'color', undefined),
  incrMeta: (to) => to.metaCount('default', 'count', 'incr', { by: 2 }),
  decrMeta: (to) => to.metaCount('default', 'count', 'decr', {}),
  importMeta: (to) => to.metaImport('default', { values: { size: '3' } }),
  policy: (to) => to.policy(),
  rotateSecrets: (to) => to.rotateSecrets({}),
  webhooks: (to) => to.webhooks('default', undefined),
  deliveries: (to) => to.deliveries('default', { state: 'dead' }),
  webhookTest: (to) => to.webhookTest('default', { service: 'web' }),
  webhookRetry: (to) => to.webhookRetry('default', { service: 'web' }),
  entry: (to) => to.entry('default'),
  dnsLookup: (to) => to.dnsLookup('web.svc.default.cns.mariposa.internal', 'A'),
  discoveryPrometheus: (to) => to.prometheusTargets(undefined),
  discovery: (to) => all(to.discovery('default', false)),
  registries: (to) => to.registries(),
  logInToRegistry: (to) => to.logInToRegistry('registry.example', { username: 'u', password: 'p' }),
  logOutOfRegistry: (to) => to.logOutOfRegistry('registry.example'),
  discoveryTraefik: (to) => to.traefikConfiguration(undefined),
  dnsInstances: (to) => to.dnsInstances('default', undefined),
  schedules: (to) => to.schedules('default', 'web'),
  runs: (to) => to.runs('default', 'web'),
}

test('every operation has a method', () => {
  expect(Object.keys(calls).sort()).toEqual(
    Object.values(operations)
      .map(({ id }) => id)
      .sort(),
  )
})

test.each(Object.entries(operations))('%s is asked for as it is described', async (route, { id }) => {
  asked = []
  const refused = await calls[id]?.(client).then(
    () => null,
    (error: unknown) => error,
  )
  expect([id, asked]).toEqual([id, [route]])
  // Whoever refuses it has understood what is asked for.
  if (refused === null) return
  expect(refused).toBeInstanceOf(ClientError)
  expect(['api/bad-request', 'api/internal', 'client/bad-answer']).not.toContain(
    (refused as ClientError).code,
  )
})

test('a list is read a page at a time, or whole', async () => {
  const whole = await client.services('default')
  expect(whole.next).toBeNull()
  expect(whole.length).toBeGreaterThan(1)
  const first = await client.services('default', undefined, { limit: 1 })
  expect(first.map(({ name }) => name)).toEqual(['db'])
  expect(JSON.stringify(first)).toBe(JSON.stringify(whole.slice(0, 1)))
  const rest = await client.services('default', undefined, { after: first.next ?? undefined })
  expect([rest.map(({ name }) => name), rest.next]).toEqual([['web'], null])
  asked = []
  const entries = await all(inPages((page) => client.services('default', undefined, page), 1))
  expect(entries.map(({ name }) => name)).toEqual(['db', 'web'])
  expect(asked).toHaveLength(2)
  const { volumes, next } = await client.volumes({}, undefined, { limit: 1 })
  expect([volumes, next]).toEqual([[], null])
})

test('what is refused is thrown, with a code and the status', async () => {
  const refused = client.service('default', 'wbe')
  await expect(refused).rejects.toThrow(ClientError)
  await expect(refused).rejects.toMatchObject({ code: 'service/unknown', status: 404, details: [] })
  expect(() => connect('ftp://x')).toThrow(ClientError)
  expect(() => connect('ftp://x')).toThrow('"ftp://x" is not an endpoint')
})
