// A policy at every door of the API: what breaks it is refused before it is wanted.
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AdmissionSettings } from '../../src/manifest/settings.js'
import type { PolicyHere } from '../../src/model/policy.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { type LocalApi, openLocalApi } from './local-api.js'

let api: LocalApi
let policy: PolicyHere | null
beforeEach(async () => {
  policy = strict
  const manifests: AdmissionSettings = {
    ...defaultSettings,
    get policy() {
      return policy
    },
  }
  api = await openLocalApi(undefined, { manifests })
})
afterEach(() => api.server.close())

const strict: PolicyHere = {
  policy: {
    ...{ drivers: null, root: false, hostPaths: ['/srv'], hostNetwork: false },
    ...{ capabilities: [], devices: [], images: null },
  },
  asRoot: true,
}

async function ask(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) {
  const { statusCode, body } = await api.server.inject({
    ...{ method, url },
    ...(payload !== undefined && { payload }),
  })
  return { status: statusCode, body: body === '' ? null : (JSON.parse(body) as object) }
}

const manifest = (user: string) => `name: web\ncompute_type: process\ncommand: [/bin/x]\n${user}`
const sources = (user: string) => ({
  sources: [{ file: 'web.yml', text: manifest(user) }],
  waitForRoom: true,
})
const refusal = { error: { details: [{ code: 'policy/root', file: 'web.yml' }] } }

it('refuses deploys, and plans of them', async () => {
  for (const route of ['plan', 'deploy', 'compile']) {
    const refused = await ask('POST', `/v1/projects/default/${route}`, withoutRoom(route, sources('')))
    expect([route, refused.status, refused.body]).toMatchObject([route, 422, refusal])
  }
  expect(api.registry.view.services.size).toBe(0)
  expect(await ask('POST', '/v1/projects/default/deploy', sources('user: app\n'))).toMatchObject({
    status: 200,
  })
})

const withoutRoom = (route: string, { sources: texts }: ReturnType<typeof sources>) =>
  route === 'compile' ? { sources: texts } : { sources: texts, waitForRoom: true }

it('refuses units, also those of fleet, and lets go what is there', async () => {
  const text = (more: string) => `[Service]\nExecStart=/bin/x\n${more}`
  const submit = (more: string) => ({
    verb: 'start',
    units: [{ name: 'a.service', source: { file: 'a.service', text: text(more) } }],
  })
  expect(await ask('POST', '/v1/unit-changes', submit(''))).toMatchObject({
    status: 422,
    body: { error: { details: [{ code: 'policy/root' }] } },
  })
  const put = (...users: readonly string[]) => ({
    desiredState: 'launched',
    options: [
      { section: 'Service', name: 'ExecStart', value: '/bin/x' },
      ...users.map((value) => ({ section: 'Service', name: 'User', value })),
    ],
  })
  expect(await ask('PUT', '/fleet/v1/units/b.service', put())).toMatchObject({
    status: 403,
    body: { error: { message: 'the policy lets nothing run as root' } },
  })
  expect(api.registry.view.units.size).toBe(0)
  expect(await ask('PUT', '/fleet/v1/units/b.service', put('app'))).toMatchObject({ status: 201 })
  policy = null
  expect(await ask('PUT', '/fleet/v1/units/c.service', put())).toMatchObject({ status: 201 })
  policy = strict
  expect(await ask('PUT', '/fleet/v1/units/c.service', { desiredState: 'inactive' })).toMatchObject({
    status: 204,
  })
})

it('says what it is, and nothing where there is none', async () => {
  expect(await ask('GET', '/v1/policy')).toEqual({ status: 200, body: strict })
  policy = null
  expect(await ask('GET', '/v1/policy')).toMatchObject({ status: 200, body: { policy: null } })
})

it('tells what it refuses of limits and rights with the line of the manifest, and so do drivers', async () => {
  const details = async (text: string): Promise<readonly string[]> => {
    const change = { sources: [{ file: 'web.yml', text }], waitForRoom: true }
    const { status, body } = await ask('POST', '/v1/projects/default/deploy', change)
    expect(status).toBe(422)
    const { error } = body as { error: { details: readonly { code: string; line?: number }[] } }
    return error.details.map(({ code, line }) => `${code} ${line}`)
  }
  const container = `name: web
image: app:1
user: "1000"
privileged: true
cap_add: [SYS_ADMIN]
devices: [/dev/kvm]
gpus: all
cpu: 1
`
  expect(await details(container)).toEqual(
    expect.arrayContaining([
      'policy/privileged 4',
      'policy/capability 5',
      'policy/device 6',
      'policy/device 7',
    ]),
  )
  expect(await details(manifest('user: app\nulimits: {nofile: 64}\nread_only: true\npids: 5\n'))).toEqual([
    'process/unsupported-option 6',
  ])
})

it.each([
  ['PodmanArgs=--privileged', 'privileged'],
  ['AddCapability=SYS_ADMIN', 'SYS_ADMIN'],
  ['AddDevice=/dev/kvm', '/dev/kvm'],
])('refuses a unit of fleet with %s', async (line, why) => {
  const options = ['Image=app:1', 'User=1000', line].map((one) => {
    const [name = '', ...value] = one.split('=')
    return { section: 'Container', name, value: value.join('=') }
  })
  const unit = { desiredState: 'inactive', options }
  expect(await ask('PUT', '/fleet/v1/units/out.service', unit)).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining(why) as string } },
  })
})
