// Secrets through the API of daemons with and without the key in use, and the change to another key.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ApiContext } from '../../src/api/io/context.js'
import { metaRoutes } from '../../src/api/io/meta-routes.js'
import type { SecretRotateResponse } from '../../src/contract/contract.js'
import type { Log } from '../../src/lib/io/log.js'
import { openClusterBox, watchSecretKeys } from '../../src/main/secret-keys.js'
import type { SecretKeysHere } from '../../src/model/machine.js'
import { resolveDeferred } from '../../src/store/io/deferred-text.js'
import { putOf, secretKeyKey } from '../../src/store/records.js'
import { sealedIn } from '../../src/store/sealed.js'
import { removeDir } from '../remove-dir.js'
import { idOf } from '../world/world.js'
import { type LocalApi, openLocalApi } from './local-api.js'

let dir = ''
let api: LocalApi
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-rotate-'))
  api = await openLocalApi()
})
afterEach(async () => {
  await api.server.close()
  removeDir(dir)
})

const newKey = () => randomBytes(32).toString('base64')
const file = (name: string) => join(dir, name)
const write = (name: string, ...keys: readonly string[]) =>
  writeFileSync(file(name), `${keys.join('\n')}\n`, { mode: 0o600 })
const quiet: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** From here on the daemon of the API has the keys of a file. */
function use(name: string): void {
  const box = openClusterBox(api.registry, file(name))
  Object.assign(api.context.secrets, {
    seal: box.seal.bind(box),
    open: box.open.bind(box),
    keyState: box.keyState.bind(box),
    inUse: box.inUse.bind(box),
    opens: box.opens.bind(box),
    derive: box.derive.bind(box),
    reread: box.reread.bind(box),
  })
}

async function ask(method: 'PUT' | 'POST', url: string, payload: object) {
  const { statusCode, body } = await api.server.inject({ method, url, payload })
  return { status: statusCode, body: JSON.parse(body) as object }
}
const setSecret = (value: string) => ask('PUT', '/v1/projects/default/meta/password', { value, secret: true })
const rotate = (payload = {}) => ask('POST', '/v1/secrets/rotate', payload)
const opened = (name: string) => {
  const box = openClusterBox(api.registry, file(name))
  return resolveDeferred([{ meta: 'password' }], api.registry.view, 'default', box)
}

async function announce(name: string, secretKeys: SecretKeysHere): Promise<void> {
  const machine = api.registry.view.machines.get(idOf(name)) ?? api.registry.view.machines.get(idOf('a'))
  if (machine === undefined) throw new Error('a machine')
  await api.registry.commit(
    [],
    [putOf('machine', { ...machine, id: idOf(name), hostname: name, secretKeys })],
  )
}

const manifest = `name: web
compute_type: process
command: [/bin/x]
webhooks: [{url: "https://example.com/", events: [start]}]
triggers: {nightly: {url: true, action: start}}
`
async function deploy(label = 'none'): Promise<readonly string[]> {
  const { body } = await ask('POST', '/v1/projects/default/deploy', {
    sources: [{ file: 'web.yml', text: `${manifest}labels: {version: ${label}}\n` }],
    waitForRoom: true,
  })
  const { services } = body as { services: readonly { secrets?: readonly { of: string }[] }[] }
  return (services[0]?.secrets ?? []).map(({ of }) => of).sort()
}

describe('a daemon', () => {
  it('names the key that it seals the first secret with, and another with a key of its own seals nothing', async () => {
    write('a', newKey())
    write('b', newKey())
    use('a')
    expect(await setSecret('one')).toMatchObject({ status: 200 })
    expect(api.registry.entryAt(secretKeyKey)?.value).toMatch(/^[0-9a-f]{16}$/)
    use('b')
    expect(await setSecret('two')).toMatchObject({
      status: 503,
      body: { error: { code: 'secret/wrong-key' } },
    })
    const values = { values: { other: 'x' }, secret: true }
    const imported = await ask('POST', '/v1/projects/default/meta/import', values)
    expect(imported).toMatchObject({ status: 503, body: { error: { code: 'secret/wrong-key' } } })
    use('none')
    expect(await setSecret('two')).toMatchObject({ status: 503, body: { error: { code: 'secret/no-key' } } })
    expect(opened('a')).toBe('one')
    expect(await ask('PUT', '/v1/projects/default/meta/host', { value: 'x' })).toMatchObject({ status: 200 })
  })

  it('decides anew where somebody else has named a key meanwhile', async () => {
    write('a', newKey())
    write('b', newKey())
    use('a')
    const fingerprint = openClusterBox(api.registry, file('b')).inUse()
    // Told by the other daemon while this one decides.
    let isFirst = true
    const decide: ApiContext['registry']['decide'] = async (decideOn, fence) => {
      if (!isFirst) return api.registry.decide(decideOn, fence)
      isFirst = false
      const decision = decideOn(api.registry.view)
      await api.registry.commit([], [{ op: 'put', key: secretKeyKey, value: fingerprint }])
      const { committed } = await api.registry.decide(
        () => ({ ...decision, decidedOn: [] }),
        [{ key: secretKeyKey, modRevision: 0 }],
      )
      return { decision, committed }
    }
    const registry = new Proxy(api.registry, {
      get: (of, name) => {
        const found: unknown = Reflect.get(of, name)
        if (name === 'decide') return decide
        return typeof found === 'function' ? found.bind(of) : found
      },
    })
    const server = fastify()
    metaRoutes(server, { ...api.context, registry })
    const refused = await server.inject({
      method: 'PUT',
      url: '/v1/projects/default/meta/password',
      payload: { value: 'one', secret: true },
    })
    expect(refused.payload).toContain('is not the one that the secrets of this cluster are sealed with')
    expect(api.registry.view.hasSecrets()).toBe(false)
    await server.close()
  })
})

describe('the key of a machine', () => {
  it('is compared at the start and whenever a key is named, told in the log, and to the cluster', async () => {
    write('a', newKey())
    write('b', newKey())
    const warned: string[] = []
    const told: SecretKeysHere[] = []
    const watch = watchSecretKeys({
      registry: api.registry,
      secrets: openClusterBox(api.registry, file('b')),
      log: { ...quiet, warn: (_, message) => void warned.push(message) },
      onChange: () => void told.push(watch.now()),
    })
    expect(watch.now()).toMatchObject({ fingerprints: [expect.any(String)] })
    expect(warned).toEqual([])
    use('a')
    await setSecret('one')
    expect(warned).toEqual([expect.stringContaining('has another key')])
    expect(told.at(-1)).toMatchObject({ problem: 'wrong-key' })
    rmSync(file('b'))
    write('b', readFileSync(file('a'), 'utf8').trim())
    watch.look()
    expect(watch.now().problem).toBeUndefined()
    expect(warned).toHaveLength(1)
    watch.stop()
  })

  it('is not looked at again for metadata that is no secret', async () => {
    write('a', newKey())
    const box = openClusterBox(api.registry, file('a'))
    let looks = 0
    const keyState = (): ReturnType<typeof box.keyState> => {
      looks += 1
      return box.keyState()
    }
    const secrets = Object.assign(Object.create(box) as typeof box, { keyState })
    const watch = watchSecretKeys({ registry: api.registry, secrets, log: quiet, onChange: () => {} })
    const before = looks
    await ask('PUT', '/v1/projects/default/meta/color', { value: 'blue' })
    expect(looks).toBe(before)
    use('a')
    await setSecret('one')
    expect(looks).toBeGreaterThan(before)
    watch.stop()
  })

  it('is named by a daemon that opens what one of before has sealed', async () => {
    write('a', newKey())
    use('a')
    await setSecret('one')
    const named = api.registry.entryAt(secretKeyKey)?.value
    await api.registry.commit([], [{ op: 'delete', key: secretKeyKey }])
    write('b', newKey())
    const watches = ['b', 'a'].map((name) =>
      watchSecretKeys({
        registry: api.registry,
        secrets: openClusterBox(api.registry, file(name)),
        log: quiet,
        onChange: () => {},
      }),
    )
    expect(watches[0]?.now().problem).toBe('wrong-key')
    await new Promise<void>((resolve) => {
      const look = () => {
        if (api.registry.entryAt(secretKeyKey)?.value === named) resolve()
      }
      api.registry.onChange(look)
      look()
    })
    for (const watch of watches) watch.stop()
  })
})

describe('another key', () => {
  it('seals everything anew: metadata, and what was made for webhooks and trigger URLs', async () => {
    const [old, next] = [newKey(), newKey()]
    write('a', old)
    use('a')
    await setSecret('one')
    expect(await deploy()).toEqual(['trigger', 'webhook'])
    const casId = api.registry.view.metaOf('default').get('password')?.casId
    write('a', old, next)
    write('new', next)
    await announce('a', { fingerprints: openClusterBox(api.registry, file('a')).keyState().fingerprints })
    const { status, body } = await rotate()
    expect({ status, ...(body as SecretRotateResponse) }).toMatchObject({
      status: 200,
      resealed: 3,
      lost: [],
    })
    const box = openClusterBox(api.registry, file('new'))
    const all = [...sealedIn(api.registry.view)]
    expect(all.map((one) => box.opens(one))).toEqual([true, true, true])
    expect(opened('new')).toBe('one')
    expect(api.registry.view.metaOf('default').get('password')?.casId).toBe(casId)
    use('new')
    expect(await deploy()).toEqual([])
    expect(await rotate()).toMatchObject({ status: 200, body: { resealed: 0 } })
  })

  it('waits until all machines that open secrets have it, and names those that do not', async () => {
    const [old, next] = [newKey(), newKey()]
    write('a', old, next)
    use('a')
    const [first = '', second = ''] = openClusterBox(api.registry, file('a')).keyState().fingerprints
    await api.registry.commit([], [{ op: 'put', key: secretKeyKey, value: first }])
    await announce('a', { fingerprints: [first, second] })
    await announce('b', { fingerprints: [first] })
    await announce('c', { fingerprints: [], problem: 'no-key' })
    expect(await rotate()).toMatchObject({
      status: 409,
      body: {
        error: { code: 'secret/not-everywhere', message: expect.stringMatching(/is not known to be on b$/) },
      },
    })
    await announce('b', { fingerprints: [first, second] })
    expect(await rotate()).toMatchObject({ status: 200, body: { fingerprint: second } })
  })

  it('takes the place of one that is lost: what it sealed is named, set again, and made anew', async () => {
    write('a', newKey())
    use('a')
    await setSecret('one')
    await deploy()
    write('b', newKey())
    use('b')
    const [gone = ''] = openClusterBox(api.registry, file('a')).keyState().fingerprints
    const [here = ''] = openClusterBox(api.registry, file('b')).keyState().fingerprints
    expect(await rotate()).toMatchObject({ status: 409, body: { error: { code: 'secret/wrong-key' } } })
    await announce('a', { fingerprints: [gone] })
    expect(await rotate({ lost: true })).toMatchObject({
      status: 409,
      body: { error: { code: 'secret/not-lost' } },
    })
    await announce('a', { fingerprints: [here], problem: 'wrong-key' })
    // Nothing is made anew by who merely lacks the key.
    expect(await deploy()).toEqual([])
    expect(await rotate({ lost: true })).toMatchObject({
      status: 200,
      body: {
        resealed: 0,
        made: [
          { of: 'webhook default/web https://example.com/', secret: expect.stringMatching(/^whsec_/) },
          { of: 'trigger default/web/nightly', secret: expect.stringMatching(/^whsec_/) },
        ],
        lost: ['meta default/password'],
      },
    })
    expect(await setSecret('two')).toMatchObject({ status: 200 })
    expect(opened('b')).toBe('two')
    expect([...sealedIn(api.registry.view)].every((one) => api.context.secrets.opens(one))).toBe(true)
  })

  it('tells the secrets that it has made again, as the first answer may not have arrived, until the key changes', async () => {
    write('a', newKey())
    use('a')
    await deploy()
    const next = newKey()
    write('b', next)
    use('b')
    const told = await rotate({ lost: true })
    const { made } = told.body as SecretRotateResponse
    expect(made.map(({ of }) => of)).toEqual([
      'webhook default/web https://example.com/',
      'trigger default/web/nightly',
    ])
    const stored = [...sealedIn(api.registry.view)].map(({ text, place }) =>
      api.context.secrets.open(text, place),
    )
    expect(made.map(({ secret }) => secret)).toEqual(stored)
    expect(new Set(stored).size).toBe(2)
    expect(await rotate({ lost: true })).toEqual(told)
    expect(await rotate()).toMatchObject({ status: 200, body: { made: [] } })
    write('b', next, newKey())
    await announce('a', { fingerprints: openClusterBox(api.registry, file('b')).keyState().fingerprints })
    expect(await rotate()).toMatchObject({ status: 200, body: { resealed: 2, made: [] } })
    expect(await rotate({ lost: true })).toMatchObject({
      status: 409,
      body: { error: { code: 'secret/not-lost' } },
    })
  })

  it('gives what was made and cannot be opened another secret with the next version that is deployed', async () => {
    write('a', newKey())
    use('a')
    await deploy()
    write('b', newKey())
    use('b')
    const [here = ''] = api.context.secrets.keyState().fingerprints
    expect(await deploy('one')).toEqual([])
    await api.registry.commit([], [{ op: 'put', key: secretKeyKey, value: here }])
    expect(await deploy('two')).toEqual(['trigger', 'webhook'])
    expect(await deploy('three')).toEqual([])
  })

  it('is refused where there is none', async () => {
    use('none')
    expect(await rotate()).toMatchObject({ status: 409, body: { error: { code: 'secret/no-key' } } })
  })
})
