// fleet's API v1 on the real daemon, with the requests that fleetctl makes. Names are the sentences of the seeds.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Answer, type FleetClient, fleetClient } from '../fleet/client.js'
import { type Host, useHosts, webManifest } from './host.js'

const openHost = useHosts()

async function started(): Promise<{ host: Host; fleet: FleetClient }> {
  const host = openHost()
  await host.startDaemon('--metadata', 'region=north,disk=ssd')
  return { host, fleet: fleetClient(join(host.dir, 'mariposa.sock')) }
}

const sleeper = [{ section: 'Service', name: 'ExecStart', value: '/bin/sleep 3000' }]
const url = (name: string) => `/units/${name.replace('@', '%40')}?alt=json`
const messageOf = ({ json }: Answer) => (json as { error: { code: number; message: string } }).error

/** What fleetctl waits for: it asks again until the unit is in the state. */
async function reaches(fleet: FleetClient, name: string, state: string): Promise<void> {
  for (;;) {
    const { json } = await fleet.ask('GET', url(name))
    if ((json as { currentState?: string }).currentState === state) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('the verbs of fleetctl', () => {
  test('submit, load, start, stop, unload and destroy lead a unit through its states', async () => {
    const { fleet } = await started()
    const set = (desiredState: string) =>
      fleet.ask('PUT', url('a.service'), { name: 'a.service', desiredState })
    expect((await fleet.ask('GET', url('a.service'))).status).toBe(404)
    const created = await fleet.ask('PUT', url('a.service'), { name: 'a.service', options: sleeper })
    expect([created.status, created.text]).toEqual([201, ''])
    await reaches(fleet, 'a.service', 'inactive')
    expect((await fleet.ask('GET', '/state?alt=json')).json).toEqual({})
    expect((await set('loaded')).status).toBe(204)
    await reaches(fleet, 'a.service', 'loaded')
    expect((await fleet.ask('GET', '/state')).json).toMatchObject({
      states: [{ name: 'a.service', systemdLoadState: 'loaded', systemdActiveState: 'inactive' }],
    })
    expect((await set('launched')).status).toBe(204)
    await reaches(fleet, 'a.service', 'launched')
    const { json } = await fleet.ask('GET', '/state?unitName=a.service')
    expect(json).toMatchObject({
      states: [
        {
          systemdActiveState: 'active',
          systemdSubState: 'running',
          hash: expect.stringMatching(/^[0-9a-f]{40}$/),
        },
      ],
    })
    await set('loaded')
    await reaches(fleet, 'a.service', 'loaded')
    await set('inactive')
    await reaches(fleet, 'a.service', 'inactive')
    await set('launched')
    await reaches(fleet, 'a.service', 'launched')
    const destroyed = await fleet.ask('DELETE', url('a.service'))
    expect([destroyed.status, destroyed.text]).toEqual([204, ''])
    expect((await fleet.ask('GET', '/state')).json).toEqual({})
    expect((await fleet.ask('GET', '/units')).json).toEqual({})
  })

  test('list-machines shows id, address and metadata; changed metadata is over that of the daemon', async () => {
    const { fleet } = await started()
    const machines = async () =>
      (
        (await fleet.ask('GET', '/machines?alt=json')).json as {
          machines: { id: string; metadata?: object }[]
        }
      ).machines
    const [machine] = await machines()
    expect(machine).toMatchObject({
      primaryIP: expect.any(String),
      metadata: { region: 'north', disk: 'ssd' },
    })
    const path = (key: string) => `/${machine?.id ?? ''}/metadata/${key}`
    const patched = await fleet.ask('PATCH', '/machines', [
      { op: 'add', path: path('role'), value: { value: 'db' } },
      { op: 'replace', path: path('region'), value: 'south' },
      { op: 'remove', path: path('disk') },
    ])
    expect(patched.status).toBe(204)
    expect((await machines())[0]?.metadata).toEqual({ region: 'south', role: 'db' })
  })

  test('a wrong patch of metadata is refused whole', async () => {
    const { fleet } = await started()
    const wrong = [
      [[{ op: 'move', path: '/m/metadata/a' }], 'invalid op: expect add, remove, or replace'],
      [[{ op: 'add', path: '/m/a', value: 'x' }], 'machine metadata path invalid'],
      [[{ op: 'add', path: '/m/metadata/a' }], 'invalid value: add and replace require a value'],
      [
        [{ op: 'add', path: '/m/metadata/network.a', value: 'here' }],
        'invalid value: "here" is not an IPv4 or IPv6 address, which network.a has to be',
      ],
      [
        [{ op: 'add', path: '/m/metadata/__proto__', value: 'x' }],
        'invalid value: the key __proto__ cannot be sent',
      ],
    ] as const
    for (const [patch, message] of wrong) {
      expect(messageOf(await fleet.ask('PATCH', '/machines', patch))).toEqual({ code: 400, message })
    }
  })
})

describe('PUT of a unit', () => {
  test('reads keys as Go does, without regard to case, and answers without a body as Go does', async () => {
    const { fleet } = await started()
    const options = sleeper.map(({ section, name, value }) => ({
      Section: section,
      NAME: name,
      Value: value,
    }))
    const created = await fleet.ask('PUT', url('a.service'), { DesiredState: 'inactive', OPTIONS: options })
    const changed = await fleet.ask('PUT', url('a.service'), { desiredstate: 'loaded' })
    expect([created, changed].map(({ status, headers }) => [status, headers['content-type']])).toEqual([
      [201, 'text/plain; charset=utf-8'],
      [204, 'text/plain; charset=utf-8'],
    ])
    const { json } = await fleet.ask('GET', url('a.service'))
    expect(json).toMatchObject({ options: sleeper, desiredState: 'loaded' })
  })

  test('takes the last of what is given several times, as Go does', async () => {
    const { host, fleet } = await started()
    const option = (value: string, more = '') =>
      `{"section":"Service","name":"ExecStart","value":"${value}"${more}}`
    const body = `{"desiredState":"launched","options":[${option('/bin/false')}],
      "desiredstate":"inactive","OPTIONS":[${option('/bin/true', ',"VALUE":"/bin/sleep 1"')}],"name":null}`
    const put = await fleet.ask('PUT', url('a.service'), body)
    expect(put.status).toBe(201)
    expect((await host.done('unit', 'cat', 'a.service')).stdout).toBe('[Service]\nExecStart=/bin/sleep 1\n')
    const { json } = await fleet.ask('GET', url('a.service'))
    expect(json).toMatchObject({ desiredState: 'inactive' })
  })

  test('takes names as long as systemd does, and our own commands reach them', async () => {
    const { host, fleet } = await started()
    const name = `${'a'.repeat(240)}.service`
    expect((await fleet.ask('PUT', url(name), { options: sleeper })).status).toBe(201)
    expect((await host.done('unit', 'cat', name)).stdout).toContain('/bin/sleep 3000')
    const { code, stderr } = await host.run('unit', 'cat', `${'b'.repeat(3000)}.service`)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/no unit|unit name|unknown/)])
  })

  test('refuses what is wrong with volumes and files of ours, whatever blanks are around it', async () => {
    const { fleet } = await started()
    for (const [name, value] of [
      ['Volume', '../../victim:/y'],
      ['Volume', ' /etc:/y'],
      ['SlotVolume', '../x'],
    ] as const) {
      const options = [...sleeper, { section: 'X-Mariposa', name, value }]
      const put = await fleet.ask('PUT', url('a.service'), { options })
      expect([put.status, value]).toEqual([400, value])
    }
  })

  test('refuses what no file could hold, and sections that are named like properties of objects', async () => {
    const { host, fleet } = await started()
    for (const value of ['/bin/true \\\n', '/bin/true \\ ', '#\nExecStartPre=/bin/false']) {
      const options = [{ section: 'Service', name: 'ExecStart', value }]
      expect((await fleet.ask('PUT', url('a.service'), { options })).status, value).toBe(400)
    }
    const file = host.file('b.service', '[Service]\nExecStart=/bin/true \\\n\n[toString]\n__proto__=1\n')
    const { stderr, code } = await host.run('unit', 'submit', file)
    expect([code, stderr]).toEqual([2, expect.stringContaining('ends in a backslash')])
    for (const section of ['__proto__', 'constructor', 'toString']) {
      const options = [...sleeper, { section, name: section, value: section }]
      const refused = await fleet.ask('PUT', url('c.service'), { options })
      expect([refused.status, messageOf(refused).message.replace(/^.*: /, '')]).toEqual([
        400,
        `no program knows a section [${section}]`,
      ])
      const text = host.file('d.service', `[Service]\nExecStart=/bin/true\n\n[${section}]\nA=1\n`)
      const { stderr, code } = await host.run('unit', 'submit', text)
      expect([code, stderr]).toEqual([2, expect.stringContaining('unit/odd-section')])
    }
    // What is no section may be called anything.
    const names = ['__proto__', 'constructor', 'toString']
    for (const name of names) {
      const options = [...sleeper, { section: 'X-Own', name, value: name }]
      expect((await fleet.ask('PUT', url(`${name}.service`), { options })).status).toBe(201)
    }
    const { json } = await fleet.ask('GET', '/units')
    expect((json as { units: { name: string }[] }).units.map((unit) => unit.name)).toEqual(
      names.map((name) => `${name}.service`),
    )
  })

  test('is judged in the order of fleet, and in its words', async () => {
    const { fleet } = await started()
    const put = (path: string, body: unknown, headers?: Record<string, string>) =>
      fleet.ask('PUT', path, body, headers)
    const refusal = async (answer: Promise<Answer>) => {
      const { code, message } = messageOf(await answer)
      return `${code} ${message}`
    }
    expect(await refusal(put('/units/-', '{', { 'content-type': 'text/plain' }))).toBe(
      '415 only acceptable Content-Type is application/json',
    )
    expect(await refusal(put('/units/-', '{'))).toMatch(/^400 unable to decode body: /)
    expect(await refusal(put('/units/a.service', { name: 'b.service' }))).toBe(
      '400 name in URL "a.service" differs from unit name in request body "b.service"',
    )
    expect(await refusal(put('/units/a', {}))).toBe('400 unit name must contain "."')
    expect(await refusal(put('/units/a.service', { desiredState: 'launched' }))).toBe(
      '409 unit does not exist and options field empty',
    )
    const global = [...sleeper, { section: 'X-Fleet', name: 'Global', value: 'true' }]
    const bound = [...global, { section: 'X-Fleet', name: 'MachineOf', value: 'b.service' }]
    expect(await refusal(put('/units/a.service', { options: bound }))).toBe(
      '400 Global cannot be used with Peers',
    )
    expect(await refusal(put('/units/a.service', { options: sleeper, desiredState: 'gone' }))).toBe(
      '400 invalid desiredState: "gone"',
    )
    expect((await put('/units/a%40.service', { options: sleeper })).status).toBe(201)
    expect(await refusal(put('/units/a%40.service', {}))).toBe(
      '409 must provide DesiredState to update existing unit',
    )
    expect(await refusal(put('/units/a%40.service', { desiredState: 'loaded' }))).toBe(
      '400 cannot activate template "a@.service"',
    )
  })

  test('keeps the options as they were sent, order and empty values too; others take their place', async () => {
    const { fleet } = await started()
    const options = [
      { section: 'Unit', name: 'Description', value: 'one' },
      { section: 'Service', name: 'ExecStart' },
      { section: 'Service', name: 'ExecStart', value: '/bin/sleep 1' },
      { section: 'Unit', name: 'After', value: 'b.service' },
    ]
    await fleet.ask('PUT', url('a.service'), { options })
    expect((await fleet.ask('GET', url('a.service'))).json).toEqual({
      currentState: 'inactive',
      desiredState: 'inactive',
      name: 'a.service',
      options,
    })
    expect((await fleet.ask('PUT', url('a.service'), { options, desiredState: 'inactive' })).status).toBe(204)
    expect(
      (await fleet.ask('PUT', url('a.service'), { options: sleeper, desiredState: 'inactive' })).status,
    ).toBe(201)
    expect((await fleet.ask('GET', url('a.service'))).json).toMatchObject({ options: sleeper })
  })
})

describe('the rest of the API', () => {
  test('pages are read until no token comes; an entity is where the list says', async () => {
    const { fleet } = await started()
    const names = Array.from({ length: 101 }, (_, n) => `u${String(n).padStart(3, '0')}.service`)
    await Promise.all(names.map((name) => fleet.ask('PUT', url(name), { options: sleeper })))
    type Page = { units: { name: string }[]; nextPageToken?: string }
    const first = (await fleet.ask('GET', '/units?alt=json')).json as Page
    const second = (await fleet.ask('GET', `/units?alt=json&nextPageToken=${first.nextPageToken}`))
      .json as Page
    expect(first.nextPageToken).toBe('ZAACAA==')
    expect([...first.units, ...second.units].map(({ name }) => name)).toEqual(names)
    expect(second.nextPageToken).toBeUndefined()
    expect(messageOf(await fleet.ask('GET', '/units?nextPageToken=ZQACAA=='))).toEqual({
      code: 400,
      message: 'token limit must be 100',
    })
  })

  test('what does not exist or is not supported is answered with an error entity', async () => {
    const { host, fleet } = await started()
    const requests = [
      ['POST', '/units', 405, 'only GET supported against this resource'],
      ['POST', '/units/a.service', 405, 'only GET, PUT and DELETE supported against this resource'],
      ['PUT', '/machines', 405, 'only GET and PATCH supported against this resource'],
      ['POST', '/discovery', 400, 'only HTTP GET supported against this resource'],
      ['DELETE', '/units/a.service', 404, 'unit does not exist'],
      ['GET', '/state/a.service', 404, 'unit state does not exist'],
      ['GET', '/units/', 404, ''],
      ['GET', '/units/a/b', 404, ''],
      ['GET', '/nothing', 404, ''],
      ['GET', '', 405, ''],
    ] as const
    for (const [method, path, code, message] of requests) {
      const answer = await fleet.ask(method, path)
      expect([method, path, answer.status, messageOf(answer)]).toEqual([
        method,
        path,
        code,
        { code, message },
      ])
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      expect(answer.headers['server']).toMatch(/^fleetd\//)
    }
    const top = await fleetClient(join(host.dir, 'mariposa.sock'), '').ask('GET', '/')
    expect([top.status, messageOf(top)]).toEqual([405, { code: 405, message: '' }])
  })

  test('the discovery document is served, also under the older mount', async () => {
    const { host, fleet } = await started()
    const older = fleetClient(join(host.dir, 'mariposa.sock'), '/v1-alpha')
    const { json } = await fleet.ask('GET', '/discovery')
    expect(json).toMatchObject({ id: 'fleet:v1', rootUrl: '$ENDPOINT/', servicePath: 'fleet/v1/' })
    expect((await older.ask('GET', '/discovery')).json).toEqual(json)
  })

  test('instances of services are listed, and changed by their service alone', async () => {
    const { host, fleet } = await started()
    await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')))
    const name = 'default.web.v1@1.service'
    expect((await fleet.ask('GET', url(name))).json).toMatchObject({ name, currentState: 'launched' })
    expect((await fleet.ask('DELETE', url(name))).status).toBe(403)
    expect((await fleet.ask('PUT', url(name), { desiredState: 'inactive' })).status).toBe(403)
  })
})
