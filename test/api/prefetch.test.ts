// Images that machines have before something needs them: who is asked, what is told of it, and what holds a deploy.
import { EventEmitter, once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { ApiContext } from '../../src/api/io/context.js'
import { machineHeader, PeerError, type Peers } from '../../src/api/io/peers.js'
import { type PrefetchBody, paths } from '../../src/contract/contract.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { ownTurn } from '../../src/lib/io/turns.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { Machine } from '../../src/model/machine.js'
import type { Policy } from '../../src/model/policy.js'
import { keys, putOf } from '../../src/store/records.js'
import { machineRecord } from '../interleaving/cluster.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { idOf } from '../world/world.js'
import { type LocalApi, openLocalApi } from './local-api.js'

type FetchImage = NonNullable<Driver['fetchImage']>

let open: FastifyInstance | null = null
afterEach(async () => {
  await open?.close()
  open = null
  vi.useRealTimers()
})

/** What a machine with Docker says of itself. */
function machine(name: string, more: Partial<Machine> = {}): Machine {
  const put = machineRecord(idOf(name))
  if (put.op !== 'put') throw new Error('no record')
  return { ...(JSON.parse(put.value) as Machine), hostname: name, drivers: ['docker'], ...more }
}

async function openApi(
  others: readonly string[],
  fetchImage: FetchImage,
  ask: Peers['ask'] = () => Promise.reject(new PeerError('nobody')),
  besides: Partial<ApiContext> = {},
): Promise<LocalApi> {
  const more: Partial<ApiContext> = {
    ...besides,
    imageFetcher: () => fetchImage,
    peers: {
      knows: () => true,
      // Nobody else knows what the tag means.
      ask: (id, request, signal) =>
        request.path.startsWith(paths.imageMeaning)
          ? Promise.reject(new PeerError('nobody'))
          : ask(id, request, signal),
    },
  }
  const api = await openLocalApi(systemClock, more)
  open = api.server
  await api.registry.commit(
    [],
    ['a', ...others].map((name) => putOf('machine', machine(name))),
  )
  return api
}

const manifest = (more = ''): string => `name: web\nimage: hub.example/web:1\n${more}`

async function prefetch({ server }: LocalApi, payload: object): Promise<readonly PrefetchBody[]> {
  const answer = await server.inject({ method: 'POST', url: '/v1/projects/default/prefetch', payload })
  expect(answer.statusCode, answer.payload).toBe(200)
  return answer.payload
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as PrefetchBody)
}

const ofDeploy = (more = ''): object => ({
  deploy: { sources: [{ file: 'web.yml', text: manifest(more) }], waitForRoom: true },
})
const fetched: FetchImage = async (image, _pull, _signal, onPull = () => {}) => {
  onPull({ image, since: 0, layers: 2, layersDone: 1, bytes: 10, totalBytes: 20 })
  return 'fetched'
}
/** What another daemon answers, as lines. */
const answering = (...lines: readonly object[]): Awaited<ReturnType<Peers['ask']>> => {
  const body = Readable.from(lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)))
  return Object.assign(body, { headers: {} }) as Awaited<ReturnType<Peers['ask']>>
}

describe('before a deploy', () => {
  it('the machines that would take an instance fetch the image, and say how far that is; nothing is deployed', async () => {
    const asked: string[] = []
    const api = await openApi(['b', 'c'], fetched, (id, { method, path }) => {
      asked.push(`${method} ${id === idOf('b') ? 'b' : id} ${path.split('?')[1] ?? ''}`)
      return Promise.resolve(
        answering({ state: 'present', layers: 0, layersDone: 0, bytes: 0, totalBytes: 0, reason: '' }),
      )
    })
    const url = `/v1/machines/${idOf('c')}`
    await api.server.inject({ method: 'PATCH', url, payload: { cordoned: true } })
    const told = await prefetch(api, ofDeploy('pull: always\n'))
    const of = (name: string) =>
      told.flatMap(({ hostname, state, layers }) => (hostname === name ? [`${state} ${layers}`] : []))
    expect([of('a'), of('b'), of('c')]).toEqual([['pulling 2', 'fetched 2'], ['present 0'], []])
    expect(told.find(({ state }) => state === 'pulling')).toMatchObject({
      image: 'hub.example/web:1',
      layersDone: 1,
      bytes: 10,
      totalBytes: 20,
    })
    expect(asked).toEqual(['POST b name=hub.example%2Fweb%3A1&pull=always&deadline_ms=600000'])
    expect(api.registry.view.services.size).toBe(0)
  })

  it('says of each machine why it has not the image', async () => {
    const refused: FetchImage = () => Promise.reject(new DriverError('docker/image-missing', 'no such tag'))
    const api = await openApi(['b', 'c'], refused, (id) =>
      Promise.reject(
        id === idOf('b')
          ? new PeerError('refuses', { refusal: { status: 404, code: 'api/unknown-path' } })
          : new PeerError('the daemon of c cannot be reached'),
      ),
    )
    const told = await prefetch(api, ofDeploy())
    expect(
      Object.fromEntries(told.map(({ hostname, state, reason }) => [hostname, `${state}: ${reason}`])),
    ).toEqual({
      a: expect.stringMatching(/^failed: .*no such tag/),
      b: expect.stringMatching(/^failed: .*has a version that cannot prefetch images: upgrade it/),
      c: expect.stringMatching(/^failed: .*cannot be reached/),
    })
  })

  it('takes a daemon that ends in the middle for one that has not the image', async () => {
    const pulling = { state: 'pulling', layers: 1, layersDone: 0, bytes: 0, totalBytes: 0, reason: '' }
    const api = await openApi(['b'], fetched, () => Promise.resolve(answering(pulling)))
    const told = await prefetch(api, ofDeploy())
    expect(told.filter(({ hostname }) => hostname === 'b').at(-1)).toMatchObject({
      state: 'failed',
      reason: 'its daemon ended before it was fetched',
    })
  })

  it('gives up a machine that is silent in the middle', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pulling = { state: 'pulling', layers: 1, layersDone: 0, bytes: 0, totalBytes: 0, reason: '' }
    const silent = Object.assign(new PassThrough(), { headers: {} })
    const asked = new EventEmitter()
    const api = await openApi(['b'], fetched, () => {
      silent.write(`${JSON.stringify(pulling)}\n`)
      asked.emit('asked')
      return Promise.resolve(silent as unknown as Awaited<ReturnType<Peers['ask']>>)
    })
    const begun = once(asked, 'asked')
    const told = prefetch(api, ofDeploy())
    await begun
    while (vi.getTimerCount() === 0) await ownTurn()
    await vi.advanceTimersByTimeAsync(29_000)
    expect(silent.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(30_000)
    expect((await told).filter(({ hostname }) => hostname === 'b').at(-1)).toMatchObject({
      state: 'failed',
      reason: 'its daemon has not answered for 30 s',
    })
  })

  it('fetches nothing that the policy of its machine does not allow, whoever asks', async () => {
    const images: string[] = []
    const fetchImage: FetchImage = (image) => {
      images.push(image)
      return Promise.resolve('fetched')
    }
    const policy: Policy = {
      ...{ root: true, hostPaths: null, hostNetwork: true, capabilities: null, devices: null },
      ...{ drivers: null, images: ['registry.example/'] },
    }
    const manifests = { ...defaultSettings, policy: { policy, asRoot: true } }
    const { server } = await openApi([], fetchImage, undefined, { manifests })
    const ask = async (name: string) => {
      const url = `${paths.machineImages(idOf('a'))}?${new URLSearchParams({ name }).toString()}`
      const { payload } = await server.inject({
        method: 'POST',
        url,
        headers: { [machineHeader]: idOf('a') },
      })
      return JSON.parse(payload) as PrefetchBody
    }
    expect(await ask('hub.example/web:1')).toMatchObject({
      state: 'failed',
      reason: 'the policy does not allow the image hub.example/web:1: it allows registry.example/',
    })
    expect(await ask('registry.example/web:1')).toMatchObject({ state: 'fetched' })
    expect(images).toEqual(['registry.example/web:1'])
  })

  it('skips machines that are away, or whose Docker is, and says so', async () => {
    const api = await openApi(['b'], fetched)
    await api.registry.commit(
      [],
      [putOf('machine', machine('b', { driversAway: ['docker'] })), putOf('knownMachine', machine('gone'))],
    )
    const told = await prefetch(api, ofDeploy())
    expect(told.map(({ hostname, state, reason }) => [hostname, state, reason])).toEqual(
      expect.arrayContaining([
        ['b', 'skipped', 'its Docker does not answer'],
        ['gone', 'skipped', 'it is away'],
        ['a', 'fetched', ''],
      ]),
    )
  })

  it('gives a pull up that takes too long', async () => {
    const never: FetchImage = (_image, _pull, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    const api = await openApi([], never)
    const told = await prefetch(api, { ...ofDeploy(), deadlineMs: 1000 })
    expect(told.map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', 'it was not fetched in 1 s'],
    ])
  })

  it('fetches nothing for a program without an image, and refuses what is wrong as a deploy does', async () => {
    const api = await openApi([], fetched)
    await api.registry.commit([], [putOf('machine', machine('p', { drivers: ['process'] }))])
    const text = 'name: web\ncompute_type: process\ncommand: [/bin/x]\n'
    expect(await prefetch(api, { deploy: { sources: [{ file: 'w', text }], waitForRoom: true } })).toEqual([])
    for (const payload of [{}, { service: 'web', ...ofDeploy() }, { service: 'nobody' }]) {
      const url = '/v1/projects/default/prefetch'
      const answer = await api.server.inject({ method: 'POST', url, payload })
      expect(answer.statusCode).toBe('service' in payload && !('deploy' in payload) ? 404 : 400)
    }
  })
})

describe('of a service that is there', () => {
  it('the image of its current version is fetched', async () => {
    const images: string[] = []
    const api = await openApi([], (image, pull) => {
      images.push(`${image} ${pull}`)
      return Promise.resolve('present')
    })
    const payload = { sources: [{ file: 'web.yml', text: manifest() }], waitForRoom: true }
    const url = '/v1/projects/default/deploy'
    expect((await api.server.inject({ method: 'POST', url, payload })).statusCode).toBe(200)
    expect((await prefetch(api, { service: 'web' })).map(({ state }) => state)).toEqual(['present'])
    // A deploy of the same file would make nothing new.
    expect((await prefetch(api, ofDeploy())).map(({ state }) => state)).toEqual(['present'])
    expect(images).toEqual(['hub.example/web:1 missing', 'hub.example/web:1 missing'])
    expect(api.registry.view.unreadable.has(keys.service('default', 'web'))).toBe(false)
  })
})
