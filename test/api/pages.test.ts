// Lists in pages, as HTTP tells them: the body stays the list, and the header `link` leads to what comes after it.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DeliveryBody, RunBody } from '../../src/contract/contract.js'
import type { Run } from '../../src/model/schedule.js'
import type { Instance } from '../../src/model/service.js'
import type { UnitName } from '../../src/model/unit.js'
import type { Delivery } from '../../src/model/webhook.js'
import type { Registry } from '../../src/store/io/registry.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { machineRecord } from '../interleaving/cluster.js'
import { idOf } from '../world/world.js'
import { deploy, openLocalApi } from './local-api.js'

let server: FastifyInstance
let registry: Registry

beforeEach(async () => {
  ;({ server, registry } = await openLocalApi())
})

afterEach(async () => {
  await server.close()
})

interface Parameter {
  readonly name: string
}
interface Described {
  readonly parameters: readonly Parameter[]
  readonly responses: {
    readonly 200: {
      readonly headers?: object
      readonly content: Readonly<Record<string, { readonly schema: { readonly type?: string } }>>
    }
  }
}

test('every list can be had in pages, and says so in the description of the API', async () => {
  const { paths } = (await server.inject('/v1/openapi.json')).json<{
    readonly paths: Readonly<Record<string, { readonly get?: Described }>>
  }>()
  const isList = ({ responses }: Described): boolean =>
    responses[200].content['application/json']?.schema.type === 'array'
  const paged = ({ parameters, responses }: Described): boolean =>
    responses[200].headers !== undefined &&
    ['limit', 'after'].every((name) => parameters.some((one) => one.name === name))
  const gets = Object.entries(paths).flatMap(([path, { get }]) => (get === undefined ? [] : [{ path, get }]))
  const lists = gets.filter(({ get }) => isList(get))
  expect(lists.length).toBeGreaterThan(13)
  // That one is asked by Prometheus, which knows of no pages.
  expect(lists.filter(({ get }) => !paged(get)).map(({ path }) => path)).toEqual(['/v1/discovery/prometheus'])
  expect(gets.filter(({ get }) => paged(get) && !isList(get)).map(({ path }) => path)).toEqual([
    '/v1/volumes',
  ])
})

/** A page, and the address of the next one. */
async function page<T>(
  url: string,
): Promise<{ readonly entries: readonly T[]; readonly next: string | null }> {
  const answer = await server.inject(url)
  expect([url, answer.statusCode, answer.payload]).toEqual([url, 200, answer.payload])
  const link = /^<(.*)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1]
  const next = link === undefined ? null : new URL(link, `http://x${url}`)
  return { entries: answer.json<readonly T[]>(), next: next && `${next.pathname}${next.search}` }
}

async function pagesOf<T>(url: string): Promise<readonly (readonly T[])[]> {
  const pages: (readonly T[])[] = []
  for (let at: string | null = url; at !== null; ) {
    const { entries, next }: { readonly entries: readonly T[]; readonly next: string | null } =
      await page<T>(at)
    pages.push(entries)
    at = next
  }
  return pages
}

const hook =
  'webhooks:\n  - {url: "https://a.example/x", events: [start]}\n  - {url: "https://b.example/x", events: [start]}\n'

test.each([
  'projects',
  'machines',
  'units',
  'tasks?project=default',
  'tasks',
  'projects/default/services',
  'projects/default/services/web/versions',
  'projects/default/instances',
  'projects/default/instances?service=web',
  'projects/default/meta',
  'projects/default/webhooks',
  'projects/default/webhooks?service=web',
  'projects/default/webhooks/deliveries',
  'projects/default/schedules/runs',
])('%s is what its pages say together, in the same order', async (url) => {
  await fill()
  const whole = await page(`/v1/${url}`)
  expect(whole.next).toBeNull()
  expect(whole.entries.length).toBeGreaterThan(1)
  const question = url.includes('?') ? '&' : '?'
  for (const limit of [1, 2, whole.entries.length]) {
    const pages = await pagesOf(`/v1/${url}${question}limit=${limit}`)
    expect(pages.flat()).toEqual(whole.entries)
    expect(pages.slice(0, -1).every((entries) => entries.length === limit)).toBe(true)
    expect(pages).toHaveLength(Math.ceil(whole.entries.length / limit))
  }
})

/** Two or more of everything, as far as the API says it without a pass that makes more of it. */
async function fill(): Promise<void> {
  await deploy(server, ['web', 'db'], hook)
  await deploy(server, ['web', 'db'], `${hook}# again\n`)
  const values = { a: '1', 'b.c': '2', d: '3' }
  for (const project of ['default', 'other'])
    await server.inject({ method: 'POST', url: `/v1/projects/${project}/meta/import`, payload: { values } })
  const source = { file: 'x.service', text: '[Service]\nExecStart=/bin/x\n' }
  const units = ['x@1.service', 'y.service', 'z.service'].map((name) => ({ name, source }))
  await server.inject({ method: 'POST', url: '/v1/unit-changes', payload: { verb: 'submit', units } })
  const receivers = [...registry.view.receivers.keys()]
  const instances = ['db', 'web'].flatMap((service) =>
    [1, 2, 10].map((n) => putOf('instance', instanceOf(service, n))),
  )
  const deliveries = receivers.flatMap((receiver) =>
    ['0001-0', '0002-0'].map((sequence) => putOf('delivery', { ...delivery, receiver, sequence })),
  )
  const runs = ['db', 'web'].flatMap((service) =>
    [1000, 2000].flatMap((dueAt) =>
      ['1', '2'].map((n) => putOf('run', { ...run, service, dueAt, instance: `${service}-${n}` })),
    ),
  )
  expect(receivers).toHaveLength(4)
  const ops = [machineRecord(idOf('b')), ...instances, ...deliveries, ...runs]
  for (const op of ops) await registry.overrule([], [op])
}

function instanceOf(service: string, n: number): Instance {
  const name = `${service}-${n}`
  const version = registry.view.services.get(serviceKey('default', service))?.current ?? ''
  return {
    ...{ project: 'default', service, n, name, uuid: `${service}-uuid-${n}`, version, ordinal: 2 },
    ...{ unit: `${service}@${n}.service` as UnitName, createdAt: 1000, retired: null, lost: null },
  }
}

const delivery: Delivery = {
  receiver: '',
  sequence: '',
  id: 'd',
  event: 'start',
  subject: 'web-1',
  body: null,
  createdAt: 1000,
  state: 'delivered',
  attempts: [],
  attemptCount: 0,
  firstAttemptAt: null,
  nextAt: null,
}

const run: Run = {
  project: 'default',
  service: '',
  serviceUuid: 'u',
  by: 'schedule',
  dueAt: 0,
  decidedAt: 0,
  outcome: 'started',
  count: 1,
  instance: null,
  endedAt: null,
  exit: null,
}

test('the newest deliveries, runs and versions come first, page by page', async () => {
  await fill()
  const deliveries = await pagesOf<DeliveryBody>('/v1/projects/default/webhooks/deliveries?limit=3')
  expect(deliveries.map((entries) => entries.length)).toEqual([3, 3, 2])
  const runs = await pagesOf<RunBody>('/v1/projects/default/schedules/runs?service=web&limit=3')
  expect(runs.map((entries) => entries.map(({ dueAt }) => Date.parse(dueAt)))).toEqual([
    [2000, 2000, 1000],
    [1000],
  ])
  const [first] = await pagesOf<{ readonly ordinal: number }>(
    '/v1/projects/default/services/web/versions?limit=1',
  )
  expect(first).toMatchObject([{ ordinal: 2 }])
})

test('what comes and goes between two pages makes nothing else be missed or told twice', async () => {
  const names = ['a', 'c', 'e', 'g']
  await deploy(server, names)
  const list = '/v1/projects/default/services'
  const first = await page<{ readonly name: string }>(`${list}?limit=2`)
  expect(first.entries.map(({ name }) => name)).toEqual(['a', 'c'])
  await server.inject({ method: 'DELETE', url: `${list}/c?force=true` })
  await server.inject({ method: 'DELETE', url: `${list}/a?force=true` })
  await deploy(server, ['b', 'f'])
  const rest = await pagesOf<{ readonly name: string }>(first.next ?? '')
  expect(rest.map((entries) => entries.map(({ name }) => name))).toEqual([['e', 'f'], ['g']])
})

test('who has a page as it is gets no other, until it or whether there is more has changed', async () => {
  await deploy(server, ['a', 'b'])
  const url = '/v1/projects/default/services?limit=2'
  const first = await server.inject(url)
  const headers = { 'if-none-match': String(first.headers['etag']) }
  expect((await server.inject({ url, headers })).statusCode).toBe(304)
  expect((await server.inject({ url: '/v1/projects/default/services?limit=1', headers })).statusCode).toBe(
    200,
  )
  await deploy(server, ['c'])
  const more = await server.inject({ url, headers })
  expect([more.statusCode, more.payload]).toEqual([200, first.payload])
  expect(more.headers['link']).toMatch(/^<\?limit=2&after=[\w-]+>; rel="next"$/)
  const again = await server.inject({ url, headers: { 'if-none-match': String(more.headers['etag']) } })
  expect([again.statusCode, again.headers['link']]).toEqual([304, more.headers['link']])
})

test.each([
  ['limit=0', 'limit has to be a whole number from 1 on'],
  ['limit=-1', 'limit has to be a whole number from 1 on'],
  ['limit=', 'limit has to be a whole number from 1 on'],
  ['limit=1e3', 'limit has to be a whole number from 1 on'],
  ['limit=9999999999', 'limit has to be a whole number from 1 on'],
  ['after=', 'after is not a position in this list'],
  ['after=web', 'after is not a position in this list'],
  [`after=${Buffer.from('["tasks",1,"x"]').toString('base64url')}`, 'after is not a position in this list'],
])('%s is refused, and says why', async (query, message) => {
  for (const list of ['projects/default/services', 'projects/default/instances', 'machines', 'volumes']) {
    const answer = await server.inject(`/v1/${list}?${query}`)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      400,
      { error: { code: 'api/bad-request', message } },
    ])
  }
})
