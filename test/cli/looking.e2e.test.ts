import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { aLogRecord, aMachine, anInstance, aProject, aService, aUnit, machineId } from './bodies.js'
import { useProgram } from './program.js'
import type { Answer, SpeakingDaemon } from './speaking-daemon.js'
import { refuse, respond, startDaemon } from './speaking-daemon.js'

const program = useProgram()
const open: SpeakingDaemon[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((daemon) => daemon.close()))
})

async function daemonWith(
  answers: Readonly<Record<string, Answer>>,
  listen: { tcp?: true } = {},
): Promise<SpeakingDaemon> {
  const daemon = await startDaemon(answers, listen)
  open.push(daemon)
  return daemon
}

const twoServices = {
  'GET /v1/projects/default/services': [
    aService(),
    aService({ name: 'db', status: 'failing', running: 0, healthy: 0, reason: 'exits at once' }),
  ],
}

describe('service list', () => {
  it('prints an aligned table without borders', async () => {
    const { endpoint } = await daemonWith(twoServices)
    const { code, stdout, stderr } = await program.run(['service', 'list', '--endpoint', endpoint])
    expect(stdout.split('\n')).toEqual([
      'NAME  STATUS   SCALE  RUNNING  HEALTHY  ORDINAL  MODE  IMAGE       REASON',
      'web   running      3        3        3        2  -     nginx:1.27  -',
      'db    failing      3        0        0        2  -     nginx:1.27  exits at once',
      '',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('shows what is frozen, and what is scaled by triggers', async () => {
    const services = [
      aService({ frozen: true }),
      aService({ autoscaled: true }),
      aService({ frozen: true, autoscaled: true }),
    ]
    const { endpoint } = await daemonWith({ 'GET /v1/projects/default/services': services })
    const { stdout } = await program.run(['svc', 'ls', '-H', '-o', 'mode', '--endpoint', endpoint])
    expect(stdout).toBe('frozen\nautoscaled\nfrozen,autoscaled\n')
  })

  it('shows what was made from other values of metadata, beside the reason where there is one', async () => {
    const drifted = ['meta.color', 'meta.size']
    const services = [aService({ drifted }), aService({ drifted, reason: 'exits at once' })]
    const { endpoint } = await daemonWith({ 'GET /v1/projects/default/services': services })
    const { stdout } = await program.run(['svc', 'ls', '-H', '-o', 'reason', '--endpoint', endpoint])
    expect(stdout).toBe('drifted: meta.color, meta.size\nexits at once; drifted: meta.color, meta.size\n')
    const keys = await program.run(['svc', 'ls', '-H', '-o', 'drifted', '--endpoint', endpoint])
    expect(keys.stdout).toBe('meta.color,meta.size\nmeta.color,meta.size\n')
  })

  it('takes every spelling of the noun and the verb, and global options before and after both', async () => {
    const { endpoint } = await daemonWith(twoServices)
    for (const noun of ['service', 'services', 'svc', 'svcs']) {
      for (const args of [
        ['-q', '--endpoint', endpoint, noun, 'ls'],
        [noun, '-q', 'list', '--endpoint', endpoint],
      ]) {
        expect((await program.run(args)).stdout).toBe('web\ndb\n')
      }
    }
  })

  it('prints the chosen columns, without a header when asked', async () => {
    const { endpoint } = await daemonWith(twoServices)
    const { stdout } = await program.run(['svc', 'ls', '-H', '-o', 'status,NAME', '--endpoint', endpoint])
    expect(stdout).toBe('running  web\nfailing  db\n')
  })

  it('shows the first eight characters of identifiers, and all of them with --long', async () => {
    const { endpoint } = await daemonWith(twoServices)
    const short = await program.run(['svc', 'ls', '-o', 'uuid', '--endpoint', endpoint])
    expect(short.stdout.split('\n')[1]).toBe('aaaaaaaa')
    const long = await program.run(['svc', 'ls', '-l', '--endpoint', endpoint])
    expect(long.stdout).toContain('aaaaaaaa-bbbb-5ccc-8ddd-eeeeeeeeeeee')
  })

  it('prints a JSON array and nothing else with --json', async () => {
    const { endpoint } = await daemonWith(twoServices)
    const { stdout, stderr } = await program.run(['--json', 'svc', 'ls', '--endpoint', endpoint])
    expect(JSON.parse(stdout)).toEqual(twoServices['GET /v1/projects/default/services'])
    expect(stderr).toBe('')
  })

  it('asks for the project of -j, else of MARIPOSA_PROJECT', async () => {
    const daemon = await daemonWith({
      'GET /v1/projects/shop/services': [],
      'GET /v1/projects/lab/services': [],
    })
    const env = { MARIPOSA_PROJECT: 'lab', MARIPOSA_ENDPOINT: daemon.endpoint }
    await program.run(['svc', 'ls'], { env })
    await program.run(['svc', 'ls', '-j', 'shop'], { env })
    expect(daemon.asked.map(({ path }) => path)).toEqual([
      '/v1/projects/lab/services',
      '/v1/projects/shop/services',
    ])
  })

  it('refuses a column that does not exist and names those that do', async () => {
    const { endpoint } = await daemonWith(twoServices)
    const { code, stderr } = await program.run(['svc', 'ls', '-o', 'nmae', '--endpoint', endpoint])
    expect(code).toBe(2)
    expect(stderr).toContain('name, status, scale')
  })

  it('sends the token over TCP', async () => {
    const daemon = await daemonWith(twoServices, { tcp: true })
    const { code } = await program.run(['svc', 'ls', '--endpoint', daemon.endpoint, '--token', 's3cret'])
    expect(code).toBe(0)
    expect(daemon.asked[0]?.headers.authorization).toBe('Bearer s3cret')
  })
})

it('an export without a name for its file is wrong usage', async () => {
  const daemon = await daemonWith({})
  const { code, stderr } = await program.run(['store', 'export', '', '--endpoint', daemon.endpoint])
  expect(code).toBe(2)
  expect(stderr).toContain('<file> is empty')
})

describe('lists of all projects', () => {
  const refusal = (_asked: unknown, response: ServerResponse) =>
    refuse(response, 404, { code: 'service/unknown', message: 'there is no service "web"', details: [] })
  const projects = [aProject({ name: 'lab' }), aProject({ name: 'shop' })]

  it('are one list, each row with its project', async () => {
    const daemon = await daemonWith({
      'GET /v1/projects': projects,
      'GET /v1/projects/lab/services': [aService({ project: 'lab' })],
      'GET /v1/projects/shop/services': [aService({ project: 'shop', name: 'db' })],
      'GET /v1/projects/lab/meta': [{ key: 'a', value: '1', casId: 'x', secret: false, updatedAt: '' }],
      'GET /v1/projects/shop/meta': [],
    })
    const run = (...words: readonly string[]) =>
      program.run([...words, '-A', '--endpoint', daemon.endpoint, '-j', 'lab'])
    const table = await run('service', 'list', '-o', 'project,name', '-H')
    expect(table.stdout).toBe('lab   web\nshop  db\n')
    expect((await run('service', 'list')).stdout).toMatch(/^PROJECT {2}NAME {2}STATUS /)
    expect((await run('service', 'list', '-q')).stdout).toBe('lab/web\nshop/db\n')
    expect(JSON.parse((await run('meta', 'list', '--json')).stdout)).toMatchObject([
      { project: 'lab', key: 'a' },
    ])
  })

  it('fail where --project names one that nobody has heard of, and one that is known makes no difference', async () => {
    const unknown = { code: 'project/unknown', message: 'there is no project "nope"' }
    const daemon = await daemonWith({
      'GET /v1/projects': projects,
      'GET /v1/projects/lab/services': [],
      'GET /v1/projects/shop/services': [aService()],
      'GET /v1/projects/nope/services': (_asked, response) =>
        refuse(response, 404, { ...unknown, details: [] }),
    })
    const run = (project: string) =>
      program.run(['service', 'ls', '-A', '-q', '-j', project, '--endpoint', daemon.endpoint])
    expect(await run('nope')).toMatchObject({ code: 1, stderr: expect.stringContaining('no project "nope"') })
    expect(await run('lab')).toMatchObject({ code: 0, stdout: `shop/${aService().name}\n` })
  })

  it('leave out what a project does not have, and fail where none has it', async () => {
    const instances = [anInstance({ project: 'shop' })]
    const daemon = await daemonWith({
      'GET /v1/projects': projects,
      'GET /v1/projects/lab/instances': refusal,
      'GET /v1/projects/shop/instances': (asked, response) =>
        asked.query.get('service') === 'web' ? respond(response, 200, instances) : refusal(asked, response),
    })
    const run = (name: string) =>
      program.run(['service', 'ps', name, '--all-projects', '-q', '--endpoint', daemon.endpoint])
    expect(await run('web')).toMatchObject({ code: 0, stdout: `shop/${instances[0]?.name}\n` })
    expect(await run('db')).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no service') })
  })
})

describe('single things', () => {
  const details = {
    ...aService(),
    createdAt: '2026-01-01T00:00:00.000Z',
    manifest: '# mine\nimage: nginx\n',
    file: 'web.yml',
    versions: [],
    instances: [anInstance()],
  }

  it('shows a service, and its manifest byte for byte with --manifest', async () => {
    const { endpoint } = await daemonWith({ 'GET /v1/projects/default/services/web': details })
    const shown = await program.run(['service', 'show', 'web', '--endpoint', endpoint])
    expect(shown.stdout).toMatch(/^Service: {2}web \(continuous\)\n/)
    expect(shown.stdout).toContain('web-1  running')
    const manifest = await program.run(['service', 'get', 'web', '--manifest', '--endpoint', endpoint])
    expect(manifest.stdout).toBe('# mine\nimage: nginx\n')
  })

  it('lists instances of one service', async () => {
    const daemon = await daemonWith({ 'GET /v1/projects/default/instances': [anInstance()] })
    const { stdout } = await program.run([
      'svc',
      'ps',
      'web',
      '-o',
      'name,machine,ports',
      '--endpoint',
      daemon.endpoint,
    ])
    expect(stdout).toBe('NAME   MACHINE   PORTS\nweb-1  01234567  32768:8080/tcp\n')
    expect(daemon.asked[0]?.query.get('service')).toBe('web')
  })

  const unit = {
    ...aUnit(),
    text: '',
    pid: 12,
    container: null,
    since: null,
    restarts: 0,
    nextTryAt: null,
    reason: '',
    memoryBytes: 1048576,
    cpuNs: null,
    processes: null,
  }

  it('asks for the last lines of several units at the same time, and shows them in the order of their names', async () => {
    const names = ['c.service', 'a.service', 'b.service']
    const asked: (() => void)[] = []
    const lines = (name: string) => (_: unknown, response: ServerResponse) => {
      asked.push(() => response.end(`${JSON.stringify(aLogRecord({ line: `said by ${name}` }))}\n`))
      if (asked.length === names.length) for (const answer of asked.reverse()) answer()
    }
    const { endpoint } = await daemonWith(
      Object.fromEntries(
        names.flatMap((name) => [
          [`GET /v1/units/${name}`, { ...unit, name }],
          [`GET /v1/units/${name}/journal`, lines(name)],
        ]),
      ),
    )
    const { stdout } = await program.run(['unit', 'status', ...names, '--endpoint', endpoint])
    expect(stdout.match(/said by .*/g)).toEqual(names.map((name) => `said by ${name}`))
  })

  it('lists machines and units, and shows one unit', async () => {
    const { endpoint } = await daemonWith({
      'GET /v1/machines': [aMachine()],
      'GET /v1/units': [aUnit()],
      'GET /v1/units/default.web.v2%401.service': unit,
    })
    expect((await program.run(['machines', '-q', 'ls', '--endpoint', endpoint])).stdout).toBe(
      `${machineId}\n`,
    )
    expect((await program.run(['unit', 'list', '-H', '--endpoint', endpoint])).stdout).toBe(
      'default.web.v2@1.service  01234567  active  running\n',
    )
    expect(
      (await program.run(['unit', 'status', 'default.web.v2@1.service', '--endpoint', endpoint])).stdout,
    ).toContain('Memory:   1.0M')
  })

  it('explains machine by machine', async () => {
    const { endpoint } = await daemonWith({
      'GET /v1/projects/default/explain/web': {
        name: 'web',
        because: [],
        instances: [
          {
            name: 'web-1',
            state: 'pending',
            machine: null,
            because: ['no machine has 4096 MiB left'],
            machines: [
              {
                machine: machineId,
                hostname: 'north-1',
                accepted: false,
                reason: 'memory',
                reasons: ['memory', 'port 80'],
              },
            ],
          },
        ],
      },
    })
    const { stdout } = await program.run(['service', 'explain', 'web', '--endpoint', endpoint])
    expect(stdout).toBe(
      'web-1: pending\n  no machine has 4096 MiB left\n' +
        '  no   north-1 (01234567)  memory\n                           port 80\n',
    )
  })

  it('prints its own version, and why the daemon cannot be asked, where its host cannot be reached', async () => {
    const args = ['version', '--endpoint', 'http://nowhere.invalid:7070']
    const text = await program.run(args)
    expect([text.code, text.stdout]).toEqual([
      0,
      expect.stringMatching(/^mariposa \S+\ndaemon {3}cannot be asked\n$/),
    ])
    expect(text.stderr).toContain('http://nowhere.invalid:7070 cannot be reached')
    const json = await program.run([...args, '--json'])
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      0,
      { version: expect.any(String) as string, daemon: null },
    ])
  })

  it('prints its own version also where no daemon answers', async () => {
    const { code, stdout } = await program.run([
      'version',
      '--json',
      '--endpoint',
      'unix:///nonexistent/mariposa.sock',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      daemon: null,
    })
  })
})
