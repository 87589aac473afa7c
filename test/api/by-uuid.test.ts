// A service, an instance, a version, a machine, a task or a project is named by its name or by its uuid, in every request.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectUuid } from '../../src/model/project.js'
import type { Registry } from '../../src/store/io/registry.js'
import { serviceKey } from '../../src/store/view.js'
import { deploy, openLocalApi } from './local-api.js'

let server: FastifyInstance
let registry: Registry

beforeEach(async () => {
  ;({ server, registry } = await openLocalApi())
  await deploy(server, ['web'])
  await deploy(server, ['db'])
})

afterEach(async () => {
  await server.close()
})

const uuidOf = (name: string): string => registry.view.services.get(serviceKey('default', name))?.uuid ?? ''

async function get(url: string): Promise<unknown> {
  const { statusCode, payload } = await server.inject(url)
  return statusCode === 200 ? JSON.parse(payload) : statusCode
}

test('a service is the same by its uuid and by the beginning that tables show', async () => {
  const uuid = uuidOf('web')
  for (const path of ['', '/versions']) {
    const byName = await get(`/v1/projects/default/services/web${path}`)
    expect(byName).toBeTypeOf('object')
    for (const word of [uuid, uuid.slice(0, 8)])
      expect(await get(`/v1/projects/default/services/${word}${path}`)).toEqual(byName)
  }
  expect(await get(`/v1/projects/default/explain/${uuid}`)).toMatchObject({ name: 'web' })
  expect(await get(`/v1/projects/default/webhooks?service=${uuid}`)).toEqual([])
  expect(await get(`/v1/projects/default/services/${uuid.slice(0, 7)}`)).toBe(404)
})

test('changes take uuids in the address and in the body', async () => {
  const url = (rest: string): string => `/v1/projects/default/${rest}`
  const post = async (path: string, payload: object) =>
    (await server.inject({ method: 'POST', url: url(path), payload })).statusCode
  expect(await post('scale', { targets: { [uuidOf('web')]: 3, db: 2 } })).toBe(200)
  const scales = ['web', 'db'].map((name) => registry.view.services.get(serviceKey('default', name))?.scale)
  expect(scales).toEqual([3, 2])
  expect(await post(`services/${uuidOf('db')}/stop`, {})).toBe(200)
  expect(registry.view.services.get(serviceKey('default', 'db'))?.scale).toBe(0)
  expect(await post('freeze', { service: uuidOf('web') })).toBe(200)
  const frozen = [...registry.view.tasks.values()].filter(({ kind }) => kind === 'freeze')
  expect(frozen.map(({ service }) => service)).toEqual(['web'])
})

test('a task is named by the beginning of its uuid', async () => {
  const [task] = [...registry.view.tasks.keys()]
  expect(await get(`/v1/tasks/${task?.slice(0, 8)}`)).toMatchObject({ uuid: task })
})

test('a name wins over the uuid of another', async () => {
  const name = uuidOf('web').slice(0, 8)
  await deploy(server, [`"${name}"`])
  expect(await get(`/v1/projects/default/services/${name}`)).toMatchObject({ name })
})

test('a project is named by its whole uuid, which is made of its name', async () => {
  const uuid = projectUuid('default')
  const byName = await get('/v1/projects/default')
  expect(byName).toMatchObject({ name: 'default', uuid })
  expect(await get(`/v1/projects/${uuid}`)).toEqual(byName)
  expect(await get(`/v1/projects/${uuid}/services/web`)).toMatchObject({ project: 'default' })
  expect(await get(`/v1/volumes?project=${uuid}`)).toEqual(await get('/v1/volumes?project=default'))
  expect(await get(`/v1/projects/${uuid.slice(0, 8)}`)).toBe(404)
  const text = 'name: new\ncompute_type: process\ncommand: /bin/x\nlabels: {of: "{{ .project.uuid }}"}'
  const payload = { sources: [{ file: 'new.yml', text }], waitForRoom: true }
  const { statusCode } = await server.inject({ method: 'POST', url: `/v1/projects/${uuid}/deploy`, payload })
  expect(statusCode).toBe(200)
  expect(await get('/v1/projects/default/services/new')).toMatchObject({ name: 'new', project: 'default' })
})
