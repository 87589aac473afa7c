import { afterEach, describe, expect, it } from 'vitest'
import { aMachine, anInstance, aService, aUnit, machineId } from './bodies.js'
import { useProgram } from './program.js'
import type { Answer, SpeakingDaemon } from './speaking-daemon.js'
import { startDaemon } from './speaking-daemon.js'

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
      'NAME  STATUS   SCALE  RUNNING  HEALTHY  ORDINAL  IMAGE       REASON',
      'web   running      3        3        3        2  nginx:1.27  -',
      'db    failing      3        0        0        2  nginx:1.27  exits at once',
      '',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
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

  it('lists machines and units, and shows one unit', async () => {
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
