// What each command of fleetctl asks of a daemon and needs of its answers, in the order of its source. The commands are
// written out here, over the requests as they stand on the wire (fleetctl.ts); fleetctl itself does not run.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Dialect,
  type Fleetctl,
  goRequest,
  type Option,
  openFleetctl,
  refusalIn,
} from '../fleet/fleetctl.js'
import { type Host, useHosts, webManifest } from './host.js'

const openHost = useHosts()
const clients: Fleetctl[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

async function started(...args: readonly string[]): Promise<Host> {
  const host = openHost()
  await host.startDaemon('--metadata', 'region=north', ...args)
  return host
}

async function clientOf(host: Host, dialect: Dialect = 'whole URL'): Promise<Fleetctl> {
  const client = await openFleetctl({ path: join(host.dir, 'mariposa.sock') }, dialect)
  clients.push(client)
  return client
}

/** The same with a client of each dialect, each with units of its own, on one daemon. */
async function asEach(run: (ctl: Fleetctl, own: string) => Promise<void>): Promise<void> {
  const host = await started()
  await run(await clientOf(host, 'whole URL'), 'older')
  await run(await clientOf(host, 'path'), 'newer')
}

const programOf = (value: string): readonly Option[] => [{ name: 'ExecStart', section: 'Service', value }]
const sleeper = programOf('/bin/sleep 3000')
const globalSleeper: readonly Option[] = [...sleeper, { name: 'Global', section: 'X-Fleet', value: 'true' }]
/** What is left of an answer without a body. */
const bare = (status: number) => ({ status, text: '' })

/** `submit`: looks whether the unit is there, creates it, and waits until it is inactive. */
async function submitted(ctl: Fleetctl, name: string, options = sleeper): Promise<void> {
  expect(await ctl.unit(name)).toBeNull()
  expect(await ctl.create(name, options)).toMatchObject(bare(201))
  await reaches(ctl, name, 'inactive')
}

/** `load` and `start` once the unit is there: its desired state is read, set where it is another, and waited for. */
async function led(ctl: Fleetctl, name: string, state: 'loaded' | 'launched'): Promise<void> {
  const unit = await ctl.unit(name)
  expect(unit?.desiredState).not.toBe(state)
  expect(await ctl.want(name, state)).toMatchObject(bare(204))
  await reaches(ctl, name, state)
}

/** Asks for the unit until its current state is the one that is waited for; fleetctl does so every half second. */
async function reaches(ctl: Fleetctl, name: string, state: string): Promise<void> {
  while ((await ctl.unit(name))?.currentState !== state) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** What `start` waits for in the end: the unit's state, once it is loaded and active. */
async function runs(ctl: Fleetctl, name: string) {
  for (;;) {
    const state = (await ctl.states()).find((one) => one.name === name)
    if (state?.systemdLoadState === 'loaded' && state.systemdActiveState === 'active') return state
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** What `stop`, `unload`, `destroy`, `restart` and `status` begin with: the unit, out of the list of all. */
async function listed(ctl: Fleetctl, name: string) {
  const unit = (await ctl.units()).find((one) => one.name === name)
  if (unit === undefined) throw new Error(`${name} is not in the list`)
  return unit
}

describe('the requests of fleetctl', () => {
  const body = { name: 'a@.service', options: programOf('/bin/sh -c "a && b > c"') }
  const created = [
    'PUT http://domain-sock/fleet/v1/units/a%40.service?alt=json HTTP/1.1',
    'Host: domain-sock',
    'User-Agent: google-api-go-client/0.5',
    'Content-Length: 126',
    'Content-Type: application/json',
    'Accept-Encoding: gzip',
    '',
    '{"name":"a@.service","options":[{"name":"ExecStart","section":"Service",' +
      '"value":"/bin/sh -c \\"a \\u0026\\u0026 b \\u003e c\\""}]}\n',
  ].join('\r\n')

  test('are written here as Go writes them', () => {
    expect(goRequest('whole URL', 'PUT', 'units/a%40.service?alt=json', body)).toBe(created)
    expect(goRequest('path', 'GET', 'machines?alt=json')).toBe(
      'GET /fleet/v1/machines?alt=json HTTP/1.1\r\nHost: domain-sock\r\n' +
        'User-Agent: google-api-go-client/0.5\r\nAccept-Encoding: gzip\r\n\r\n',
    )
  })

  test('are answered alike with the whole URL in their first line and with the path alone', async () => {
    const ctl = await clientOf(await started())
    expect(await ctl.send(created)).toMatchObject(bare(201))
    const paths = [
      'units?alt=json',
      'units/a%40.service?alt=json',
      'units/gone.service?alt=json',
      'state?alt=json',
      'machines?alt=json',
      'machines?alt=json&nextPageToken=ZAACAA%3D%3D',
      'discovery?alt=json',
    ]
    for (const path of paths) {
      const [whole, short] = [
        await ctl.send(goRequest('whole URL', 'GET', path)),
        await ctl.send(goRequest('path', 'GET', path)),
      ]
      expect([path, whole.status, whole.text]).toEqual([path, short.status, short.text])
      expect(whole.status).toBe(path.includes('gone') ? 404 : 200)
    }
    expect(JSON.parse((await ctl.send(goRequest('whole URL', 'GET', paths[1] ?? ''))).text)).toMatchObject(
      body,
    )
    expect(await ctl.send(goRequest('whole URL', 'DELETE', 'units/a%40.service?alt=json'))).toMatchObject(
      bare(204),
    )
  })

  test('go over one connection, whose answers say how long they are and are not compressed', async () => {
    const ctl = await clientOf(await started())
    await ctl.create('a.service', sleeper)
    for (const path of ['units', 'units/a.service', 'units/gone.service', 'state', 'machines']) {
      const { headers, text } = await ctl.send(goRequest('whole URL', 'GET', `${path}?alt=json`))
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
      expect(headers.get('content-type')).toMatch(/^application\/json/)
      expect(headers.has('content-encoding')).toBe(false)
      expect(headers.get('connection')).not.toBe('close')
    }
  })

  test('reach the daemon over TCP too, with the address that --endpoint names', async () => {
    const host = openHost()
    const daemon = await host.startDaemon('--insecure-listen', '--listen', 'tcp://127.0.0.1:0')
    const port = Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(daemon.saidSoFar())?.[1])
    const ctl = await openFleetctl({ host: '127.0.0.1', port }, 'whole URL')
    clients.push(ctl)
    const request = goRequest('whole URL', 'GET', 'units?alt=json').replaceAll(
      'domain-sock',
      `127.0.0.1:${port}`,
    )
    expect(await ctl.send(request)).toMatchObject({ status: 200, text: '{}' })
  })

  test('carry names with an @, a colon and a backslash, and texts of any script', async () => {
    await asEach(async (ctl, own) => {
      for (const name of [`${own}@b:c.service`, `${own}-\\x2d.service`]) {
        const options = [
          { name: 'Description', section: 'Unit', value: 'grün & <größer> \u2028 日本' },
          { name: 'ExecStart', section: 'Service', value: '' },
          ...sleeper,
        ]
        await submitted(ctl, name, options)
        const [description, empty, ...rest] = options
        expect(await ctl.unit(name)).toMatchObject({
          name,
          options: [description, { name: empty?.name, section: 'Service' }, ...rest],
        })
        expect(await ctl.destroy(name)).toMatchObject(bare(204))
      }
    })
  })
})

describe('fleetctl', () => {
  test('submit creates a unit that is inactive and nowhere, and finds it there the next time', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      expect(ctl.sent.map((line) => line.replace('http://domain-sock', ''))).toEqual([
        `GET /fleet/v1/units/${name}?alt=json`,
        `PUT /fleet/v1/units/${name}?alt=json`,
        `GET /fleet/v1/units/${name}?alt=json`,
      ])
      expect(await ctl.unit(name)).toEqual({
        currentState: 'inactive',
        desiredState: 'inactive',
        name,
        options: sleeper,
      })
    })
  })

  test('submit makes an instance out of the template that the cluster has', async () => {
    await asEach(async (ctl, own) => {
      await submitted(ctl, `${own}@.service`)
      expect(await ctl.unit(`${own}@1.service`)).toBeNull()
      const template = await ctl.unit(`${own}@.service`)
      expect(await ctl.create(`${own}@1.service`, template?.options ?? [])).toMatchObject(bare(201))
      await led(ctl, `${own}@1.service`, 'launched')
    })
  })

  test('load brings a unit onto a machine that list-machines knows, without starting it', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'loaded')
      const { machineID } = (await ctl.unit(name)) ?? {}
      expect((await ctl.machines()).map(({ id }) => id)).toEqual([machineID])
      expect((await ctl.states()).find((one) => one.name === name)?.systemdActiveState).toBe('inactive')
    })
  })

  test('start waits until the unit is launched, and then until it is loaded and active', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'launched')
      expect(await runs(ctl, name)).toMatchObject({ hash: fleetHash(sleeper) })
    })
  })

  test('start --replace sends other options without a state, waits for inactive, and starts anew', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'launched')
      const other = programOf('/bin/sleep 4000')
      expect((await ctl.unit(name))?.options).not.toEqual(other)
      expect(await ctl.create(name, other)).toMatchObject(bare(201))
      await reaches(ctl, name, 'inactive')
      await led(ctl, name, 'launched')
      expect((await ctl.unit(name))?.options).toEqual(other)
      expect(await runs(ctl, name)).toMatchObject({ hash: fleetHash(other) })
    })
  })

  test('stop finds a launched unit in the list and leaves it loaded, on its machine', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'launched')
      const { currentState, machineID } = await listed(ctl, name)
      expect(currentState).toBe('launched')
      expect(await ctl.want(name, 'loaded')).toMatchObject(bare(204))
      await reaches(ctl, name, 'loaded')
      expect(await ctl.unit(name)).toMatchObject({ desiredState: 'loaded', machineID })
    })
  })

  test('restart stops a launched unit, waits, and starts it again', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'launched')
      expect((await listed(ctl, name)).currentState).toBe('launched')
      for (const state of ['loaded', 'launched']) {
        expect(await ctl.want(name, state)).toMatchObject(bare(204))
        await reaches(ctl, name, state)
      }
    })
  })

  test('restart comes to its end, with another process, where it waits for launched after loaded', async () => {
    const host = await started()
    const ctl = await clientOf(host)
    await submitted(ctl, 'a.service')
    await led(ctl, 'a.service', 'launched')
    const pidOf = async (): Promise<number | null> =>
      (
        JSON.parse((await host.done('unit', 'status', 'a.service', '--json')).stdout) as {
          pid: number | null
        }
      ).pid
    const before = await pidOf()
    expect(before).not.toBeNull()
    expect(await ctl.want('a.service', 'loaded')).toMatchObject(bare(204))
    expect((await listed(ctl, 'a.service')).currentState).toBe('launched')
    await reaches(ctl, 'a.service', 'launched')
    expect(await ctl.want('a.service', 'launched')).toMatchObject(bare(204))
    await reaches(ctl, 'a.service', 'launched')
    const after = await pidOf()
    expect(after).not.toBeNull()
    expect(after).not.toBe(before)
  })

  test('unload takes a launched unit off its machine, and out of list-units', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'launched')
      expect((await listed(ctl, name)).currentState).toBe('launched')
      expect(await ctl.want(name, 'inactive')).toMatchObject(bare(204))
      await reaches(ctl, name, 'inactive')
      expect(await ctl.unit(name)).not.toHaveProperty('machineID')
    })
  })

  test('destroy finds the unit gone once it is answered, and takes one that is gone already for destroyed', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'launched')
      await listed(ctl, name)
      expect(await ctl.destroy(name)).toMatchObject(bare(204))
      expect(await ctl.unit(name)).toBeNull()
      expect(refusalIn(await ctl.destroy(name))).toEqual({ code: 404, message: 'unit does not exist' })
      expect((await ctl.units()).map((one) => one.name)).not.toContain(name)
    })
  })

  test('list-units shows hash, machine and the three states of systemd', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'launched')
      const [machine] = await ctl.machines()
      expect(await runs(ctl, name)).toEqual({
        hash: fleetHash(sleeper),
        machineID: machine?.id,
        name,
        systemdActiveState: 'active',
        systemdLoadState: 'loaded',
        systemdSubState: 'running',
      })
      await ctl.destroy(name)
    })
  })

  test('list-unit-files shows both states and the machine; of a global unit none but the desired state', async () => {
    await asEach(async (ctl, own) => {
      await submitted(ctl, `${own}-submitted.service`)
      await submitted(ctl, `${own}.service`)
      await led(ctl, `${own}.service`, 'launched')
      expect(await ctl.create(`${own}-global.service`, globalSleeper)).toMatchObject(bare(201))
      expect(await ctl.want(`${own}-global.service`, 'launched')).toMatchObject(bare(204))
      const [machine] = await ctl.machines()
      expect((await ctl.units()).filter(({ name }) => name?.startsWith(own))).toEqual([
        { desiredState: 'launched', name: `${own}-global.service`, options: globalSleeper },
        {
          currentState: 'inactive',
          desiredState: 'inactive',
          name: `${own}-submitted.service`,
          options: sleeper,
        },
        {
          currentState: 'launched',
          desiredState: 'launched',
          machineID: machine?.id,
          name: `${own}.service`,
          options: sleeper,
        },
      ])
    })
  })

  test('list-machines shows the id, the address and the metadata', async () => {
    const host = await started()
    for (const dialect of ['whole URL', 'path'] as const) {
      expect(await (await clientOf(host, dialect)).machines()).toEqual([
        {
          id: expect.stringMatching(/^[0-9a-f]{32}$/),
          metadata: { region: 'north' },
          primaryIP: expect.stringMatching(/^[0-9a-f.:]+$/),
        },
      ])
    }
  })

  test('cat has the options in the order in which they were submitted', async () => {
    await asEach(async (ctl, own) => {
      const options = [
        { name: 'After', section: 'Unit', value: 'b.service' },
        { name: 'ExecStart', section: 'Service', value: '/bin/sh -c \\\n  true' },
        { name: 'After', section: 'Unit', value: 'a.service' },
      ]
      await submitted(ctl, `${own}.service`, options)
      expect((await ctl.unit(`${own}.service`))?.options).toEqual(options)
    })
  })

  test('status, journal and ssh learn the machine of a unit, and its address', async () => {
    await asEach(async (ctl, own) => {
      const name = `${own}.service`
      await submitted(ctl, name)
      await led(ctl, name, 'launched')
      const { machineID, currentState } = await listed(ctl, name)
      expect(currentState).toBe('launched')
      expect(await ctl.unit(name)).toMatchObject({ machineID })
      const machine = (await ctl.machines()).find(({ id }) => id === machineID)
      expect(machine?.primaryIP).toMatch(/^[0-9a-f.:]+$/)
    })
  })

  test('reads a list page by page, also one that ends with a full page', async () => {
    const ctl = await clientOf(await started())
    const names = Array.from({ length: 100 }, (_, n) => `u${String(n).padStart(3, '0')}.service`)
    for (const name of names) expect(await ctl.create(name, sleeper)).toMatchObject(bare(201))
    const before = ctl.sent.length
    expect((await ctl.units()).map(({ name }) => name)).toEqual(names)
    expect(ctl.sent.slice(before)).toEqual([
      'GET http://domain-sock/fleet/v1/units?alt=json',
      'GET http://domain-sock/fleet/v1/units?alt=json&nextPageToken=ZAACAA%3D%3D',
    ])
    await ctl.create('u100.service', sleeper)
    expect((await ctl.units()).map(({ name }) => name)).toEqual([...names, 'u100.service'])
  })

  test('is told in an error entity why a request is refused', async () => {
    const host = await started()
    await host.done('service', 'deploy', host.file('web.yml', webManifest('v1')))
    await Promise.all(
      (['whole URL', 'path'] as const).map(async (dialect) => {
        const ctl = await clientOf(host, dialect)
        const instance = 'default.web.v1@1.service'
        expect(refusalIn(await ctl.want('gone.service', 'launched'))).toEqual({
          code: 409,
          message: 'unit does not exist and options field empty',
        })
        await ctl.create(`${dialect.length}@.service`, sleeper)
        expect(refusalIn(await ctl.want(`${dialect.length}@.service`, 'launched'))?.code).toBe(400)
        expect(refusalIn(await ctl.destroy(instance))?.code).toBe(403)
        expect(refusalIn(await ctl.want(instance, 'inactive'))?.message).toContain('belongs to a service')
      }),
    )
  })
})

/** The hash that fleetctl makes of options in one section or in several that do not come again. */
function fleetHash(options: readonly Option[]): string {
  const sections = [...new Set(options.map(({ section }) => section))]
  const text = sections.map((section) => {
    const own = options.filter((option) => option.section === section)
    return `[${section}]\n${own.map(({ name, value = '' }) => `${name}=${value}\n`).join('')}`
  })
  return createHash('sha1').update(text.join('\n')).digest('hex')
}
