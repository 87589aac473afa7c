import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { DeployRequest } from '../../src/contract/contract.js'
import { removeDir } from '../remove-dir.js'
import { aDeployed, aLogRecord, aLook, anInstance, aTask } from './bodies.js'
import { useProgram } from './program.js'
import type { Answer, SpeakingDaemon } from './speaking-daemon.js'
import { beginEvents, progress, refuse, startDaemon } from './speaking-daemon.js'

const program = useProgram()
const dir = mkdtempSync(join(tmpdir(), 'mariposa-deploy-'))
const web = join(dir, 'web.yml')
writeFileSync(web, 'image: nginx\n')
afterAll(() => removeDir(dir))

const open: SpeakingDaemon[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((daemon) => daemon.close()))
})

async function daemonWith(answers: Readonly<Record<string, Answer>>): Promise<SpeakingDaemon> {
  const daemon = await startDaemon(answers)
  open.push(daemon)
  return daemon
}

const deployPath = 'POST /v1/projects/default/deploy'
const progressPath = 'GET /v1/tasks/task-1/progress'
const instancesPath = 'GET /v1/projects/default/instances'
const starting = anInstance({ state: 'starting' })
const completed = progress(
  aLook({ task: 'deploy' }, { instances: [anInstance({ state: 'pending', reason: 'no machine yet' })] }),
  aLook({ task: 'deploy' }, { instances: [starting] }),
  aLook({ task: 'deploy', state: 'completed' }, { done: 1, instances: [anInstance()] }),
)

describe('service deploy', () => {
  it('sends what the file says, byte for byte, under its base name, and prints one line per change', async () => {
    const daemon = await daemonWith({
      [deployPath]: { services: [aDeployed()], warnings: [] },
      [progressPath]: completed,
    })
    const { code, stdout, stderr } = await program.run([
      'service',
      'deploy',
      web,
      '--endpoint',
      daemon.endpoint,
    ])
    expect(daemon.asked[0]?.body).toEqual({ sources: [{ file: web, text: 'image: nginx\n', name: 'web' }] })
    expect(stdout.split('\n')).toEqual([
      'web: created, now version 1',
      'web-1: pending: no machine yet',
      'web: deploy active, 0 of 1',
      'web-1: starting',
      'web-1: running',
      'web: deploy completed, 1 of 1',
      '',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('sends scale, rolling and previous only when they are given', async () => {
    const daemon = await daemonWith({ [deployPath]: { services: [aDeployed({ task: null })], warnings: [] } })
    await program.run([
      'svc',
      'deploy',
      '--scale',
      '0',
      '--rolling',
      '2',
      '--previous',
      'v1',
      web,
      '--endpoint',
      daemon.endpoint,
    ])
    expect(daemon.asked[0]?.body).toMatchObject({ scale: 0, rolling: 2, previous: 'v1' })
  })

  it('says what an unchanged service was made of that is another value by now, and what to do', async () => {
    const services = [
      aDeployed({ outcome: 'unchanged', ordinal: 4, task: null, drifted: ['meta.color'] }),
      aDeployed({ service: 'db', outcome: 'unchanged', task: null }),
    ]
    const { endpoint } = await daemonWith({ [deployPath]: { services, warnings: [] } })
    const { code, stdout, stderr } = await program.run(['service', 'deploy', web, '--endpoint', endpoint])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'web: unchanged, still version 4; drifted: meta.color\ndb: unchanged, still version 1\n',
    })
    expect(stderr).toBe(
      'hint: deploy with --refresh to replace instances by ones with the present metadata\n',
    )
  })

  it('says that an unchanged service is unchanged and waits for nothing', async () => {
    const services = [aDeployed({ outcome: 'unchanged', ordinal: 4, task: null })]
    const { endpoint } = await daemonWith({ [deployPath]: { services, warnings: [] } })
    const { code, stdout } = await program.run(['svc', 'deploy', web, '--endpoint', endpoint])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'web: unchanged, still version 4\n' })
  })

  it('follows a hundred deploys at once, and Node has nothing to warn of', async () => {
    const names = Array.from({ length: 100 }, (_, n) => `web-${n}`)
    const held: (() => void)[] = []
    const answers = names.map((name) => {
      const looks = [aLook({ uuid: `task-${name}`, task: 'deploy', state: 'completed' }, { done: 1 })]
      const answer: Answer = (_asked, response) => {
        const events = beginEvents(response)
        held.push(() => {
          for (const look of looks) events.send(look)
          events.end()
        })
        // None has ended while another has not been asked for.
        if (held.length === names.length) for (const end of held) end()
      }
      return [`GET /v1/tasks/task-${name}/progress`, answer] as const
    })
    const services = names.map((service) => aDeployed({ service, task: `task-${service}` }))
    const { endpoint } = await daemonWith({
      [deployPath]: { services, warnings: [] },
      ...Object.fromEntries(answers),
    })
    const { code, stderr } = await program.run(['service', 'deploy', web, '--endpoint', endpoint])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('takes the manifests of a directory in order, and standard input without a name', async () => {
    const shop = join(dir, 'shop')
    mkdirSync(shop)
    for (const name of ['b.yaml', 'a.mariposa.yml', 'c.json', 'notes.txt', '.hidden.yml'])
      writeFileSync(join(shop, name), '{}')
    const daemon = await daemonWith({ [deployPath]: { services: [], warnings: [] } })
    await program.run(['svc', 'deploy', shop, '-', '--endpoint', daemon.endpoint], { stdin: 'name: x\n' })
    const sources = (daemon.asked[0]?.body as DeployRequest | undefined)?.sources ?? []
    expect(sources.map(({ file, name }) => [file.slice(file.lastIndexOf('/') + 1), name])).toEqual([
      ['a.mariposa.yml', 'a'],
      ['b.yaml', 'b'],
      ['c.json', 'c'],
      ['<stdin>', undefined],
    ])
    expect(sources[3]?.text).toBe('name: x\n')
  })

  it('prints the services with their instances as the only JSON on standard output', async () => {
    const { endpoint } = await daemonWith({
      [deployPath]: { services: [aDeployed()], warnings: [] },
      [progressPath]: completed,
      [instancesPath]: [anInstance(), anInstance({ name: 'db-1', service: 'db' })],
    })
    const { stdout, stderr } = await program.run(['svc', 'deploy', web, '--json', '--endpoint', endpoint])
    expect(JSON.parse(stdout)).toEqual([{ ...aDeployed(), instances: [anInstance()] }])
    expect(stderr).toBe('')
  })

  it('returns at once with the task when detached', async () => {
    const { endpoint } = await daemonWith({ [deployPath]: { services: [aDeployed()], warnings: [] } })
    const { code, stdout } = await program.run(['svc', 'deploy', '-d', web, '--endpoint', endpoint])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'task-1\n' })
  })

  it('shows where in the file the daemon found a problem, and exits with 2', async () => {
    const details = [
      {
        code: 'manifest/unknown-key',
        severity: 'error' as const,
        message: 'unknown key "image"',
        file: web,
        line: 1,
        column: 1,
        hint: 'leave it out',
      },
    ]
    const { endpoint } = await daemonWith({
      [deployPath]: (_asked, response) =>
        refuse(response, 422, { code: 'manifest/invalid', message: 'nothing was deployed', details }),
    })
    const { code, stdout, stderr } = await program.run(['svc', 'deploy', web, '--endpoint', endpoint])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`${web}:1:1 error unknown key "image"`)
    expect(stderr).toContain('image: nginx')
    const json = await program.run(['svc', 'deploy', web, '--json', '--endpoint', endpoint])
    expect(JSON.parse(json.stdout)).toMatchObject({
      error: {
        code: 'manifest/invalid',
        details: [{ path: null, line: 1, column: 1, message: 'unknown key "image"', hint: 'leave it out' }],
      },
    })
    expect(json.code).toBe(2)
  })

  it.each([
    ['a file that is not there', ['nowhere.yml'], 'cli/unreadable'],
    ['a directory without manifests', [join(dir, 'empty')], 'cli/no-manifests'],
    ['a file that is no text', [join(dir, 'binary.yml')], 'cli/not-text'],
    ['a file of 10 MB', [join(dir, 'huge.yml')], 'cli/too-large'],
  ])('refuses %s with exit status 2 and asks the daemon nothing', async (_what, files, expected) => {
    mkdirSync(join(dir, 'empty'), { recursive: true })
    writeFileSync(join(dir, 'binary.yml'), Buffer.from([0xc3, 0x28]))
    writeFileSync(join(dir, 'huge.yml'), 'a'.repeat(10_000_000))
    const daemon = await daemonWith({})
    const { code, stdout } = await program.run([
      'svc',
      'deploy',
      ...files,
      '--json',
      '--endpoint',
      daemon.endpoint,
    ])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: expected } })
    expect(daemon.asked).toEqual([])
  })
})

describe('waiting for a change', () => {
  const scalePath = 'POST /v1/projects/default/scale'
  const begun = { [scalePath]: { tasks: [aTask()] } }
  const scale = ['service', 'scale', 'web', '3', '--endpoint']

  it.each([
    [['web', '3'], { web: 3 }],
    [['web', '+2'], { web: '+2' }],
    [['web', '-1'], { web: '-1' }],
    [['web=3', 'db=-1'], { web: 3, db: '-1' }],
  ])('scales by %j', async (words, targets) => {
    const daemon = await daemonWith(begun)
    const { code } = await program.run(['service', 'scale', ...words, '-d', '--endpoint', daemon.endpoint])
    expect(code).toBe(0)
    expect(daemon.asked[0]?.body).toEqual({ targets })
  })

  it('warns of what the daemon says about a scale', async () => {
    const notes = ['web is autoscaled, not above its autoscale.max of 2']
    const { endpoint } = await daemonWith({ [scalePath]: { tasks: [aTask()], notes } })
    const { code, stderr } = await program.run([...scale, endpoint, '-d'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: `warning: ${notes[0]}\n` })
  })

  it('takes up a connection that is cut, and one that ends too early', async () => {
    let looks = 0
    const { endpoint } = await daemonWith({
      ...begun,
      [progressPath]: (_asked, response) => {
        const events = beginEvents(response)
        looks += 1
        if (looks < 3) events.send(aLook({}, { instances: [starting] }))
        if (looks === 1) setImmediate(events.cut)
        else if (looks === 2) events.end()
        else events.send(aLook({ state: 'completed' }, { done: 1, instances: [anInstance()] }))
      },
    })
    const { code, stdout } = await program.run([...scale, endpoint])
    expect({ code, looks }).toEqual({ code: 0, looks: 3 })
    expect(stdout.match(/starting/g)).toHaveLength(1)
  })

  it('exits with 3 when time is up, and says what is missing and why', async () => {
    const { endpoint } = await daemonWith({
      ...begun,
      [progressPath]: (_asked, response) => {
        const waiting = anInstance({
          name: 'web-3',
          state: 'pending',
          reason: 'no machine has 4096 MiB left',
        })
        beginEvents(response).send(aLook({}, { done: 1, total: 3, instances: [anInstance(), waiting] }))
      },
    })
    const { code, stderr } = await program.run([...scale, endpoint, '--timeout', '5s'])
    expect(code).toBe(3)
    expect(stderr).toContain('not done after 5s')
    expect(stderr).toContain('web-3 is pending: no machine has 4096 MiB left')
    expect(stderr).toContain('1 more of web to come')
  })

  it('exits with 1 when the task failed, with the reason and the last lines written', async () => {
    const failed = aLook(
      { state: 'failed', error: 'web-3 exits at once' },
      { logs: [aLogRecord({ instance: 'web-3', line: 'no such port' })] },
    )
    const { endpoint } = await daemonWith({ ...begun, [progressPath]: progress(failed) })
    const { code, stdout, stderr } = await program.run([...scale, endpoint, '--json'])
    expect(code).toBe(1)
    expect(stderr).toContain('web: scale failed: web-3 exits at once\n  web-3 | no such port')
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'cli/task-failed' } })
  })

  it('tells the reason in its lines as well, for who keeps those alone', async () => {
    const failed = aLook({ state: 'failed', error: 'web-3 exits at once' })
    const { endpoint } = await daemonWith({ ...begun, [progressPath]: progress(failed) })
    const { stdout } = await program.run([...scale, endpoint])
    expect(stdout).toMatch(/^web: scale failed, .*: web-3 exits at once$/m)
  })

  it('refuses to wait for no time at all, and names what does not wait', async () => {
    const { endpoint, asked } = await daemonWith({ ...begun })
    const { code, stderr } = await program.run([...scale, endpoint, '--timeout', '0'])
    expect([code, stderr, asked]).toEqual([2, expect.stringContaining('--detach') as string, []])
  })

  it('exits with 130 on Ctrl-C and says that the change goes on', async () => {
    const { endpoint } = await daemonWith({
      ...begun,
      [progressPath]: (_asked, response) => beginEvents(response).send(aLook({}, { instances: [starting] })),
    })
    const running = program.start([...scale, endpoint])
    await running.saw('web-1: starting')
    running.signal('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toContain('the change continues')
  })

  it('waits for all tasks and prints them with their instances as JSON', async () => {
    const second = aTask({ uuid: 'task-2', scope: 'default/db' })
    const { endpoint } = await daemonWith({
      [scalePath]: { tasks: [aTask(), second] },
      [progressPath]: progress(aLook({ state: 'completed' }, { instances: [anInstance()] })),
      'GET /v1/tasks/task-2/progress': progress({ ...aLook({}), task: { ...second, state: 'completed' } }),
    })
    const { stdout } = await program.run(['svc', 'scale', 'web=1', 'db=1', '--json', '--endpoint', endpoint])
    expect(JSON.parse(stdout)).toMatchObject([
      { uuid: 'task-1', state: 'completed', instances: [{ name: 'web-1' }] },
      { uuid: 'task-2', state: 'completed', instances: [] },
    ])
  })

  it('stops, starts and deletes', async () => {
    const done = { tasks: [aTask()] }
    const daemon = await daemonWith({
      'POST /v1/projects/default/services/web/stop': done,
      'POST /v1/projects/default/services/web/start': done,
      'DELETE /v1/projects/default/services/web': done,
    })
    const end = ['-d', '--endpoint', daemon.endpoint]
    await program.run(['svc', 'stop', 'web', '--version', 'v1', ...end])
    await program.run(['svc', 'start', 'web', ...end])
    await program.run(['svc', 'rm', 'web', '--force', ...end])
    await program.run(['svc', 'rm', 'web', '--volumes', ...end])
    expect(daemon.asked.map(({ body, query }) => [body, query.get('force'), query.get('volumes')])).toEqual([
      [{ version: 'v1' }, null, null],
      [{}, null, null],
      [undefined, 'true', null],
      [undefined, null, 'true'],
    ])
  })

  describe('of several services', () => {
    const gone = {
      code: 'service/unknown',
      message: 'there is no service "nope" in project "default"',
      hint: 'look',
    }
    const path = (name: string, verb: string) => `POST /v1/projects/default/services/${name}/${verb}`
    const over: Answer = (asked, response) => {
      const uuid = asked.path.split('/')[3] ?? ''
      const events = beginEvents(response)
      events.send(aLook({ uuid, scope: `default/${uuid}`, state: 'completed' }, { done: 1 }))
      events.end()
    }
    const answers = {
      [path('web', 'stop')]: { tasks: [aTask({ uuid: 'web' })] },
      [path('db', 'stop')]: { tasks: [aTask({ uuid: 'db' })] },
      [path('nope', 'stop')]: (_asked: unknown, response: ServerResponse) =>
        refuse(response, 404, { ...gone, details: [] }),
      'GET /v1/tasks/web/progress': over,
      'GET /v1/tasks/db/progress': over,
    }

    it('asks for each, once, and waits for all', async () => {
      const daemon = await daemonWith(answers)
      const words = ['svc', 'stop', 'web', 'db', 'web', '--endpoint', daemon.endpoint]
      const { code, stdout } = await program.run(words)
      expect(code).toBe(0)
      expect(stdout.trim().split('\n').sort()).toEqual([
        'db: scale completed, 1 of 1',
        'web: scale completed, 1 of 1',
      ])
      expect(daemon.asked.filter(({ method }) => method === 'POST').length).toBe(2)
    })

    it('goes on with the others where one is refused, tells of it, and fails', async () => {
      const daemon = await daemonWith(answers)
      const words = ['svc', 'stop', 'web', 'nope', 'db', '--endpoint', daemon.endpoint]
      const { code, stdout, stderr } = await program.run(words)
      expect(code).toBe(1)
      expect(stdout).toContain('db: scale completed')
      expect(stderr).toBe(
        'mariposa: 1 of the services was left as it is\n  there is no service "nope" in project "default"; look\n',
      )
      const json = await program.run([...words, '--json'])
      expect(JSON.parse(json.stdout)).toMatchObject({
        error: { code: 'service/unknown', details: [{ code: 'service/unknown' }] },
      })
    })

    it('fails also without waiting', async () => {
      const daemon = await daemonWith(answers)
      const { code, stdout } = await program.run([
        'svc',
        'stop',
        'nope',
        'db',
        '-d',
        '--endpoint',
        daemon.endpoint,
      ])
      expect([code, stdout]).toEqual([1, 'db\n'])
    })

    it('asks nobody any more who does not answer', async () => {
      const daemon = await daemonWith({
        ...answers,
        [path('dead', 'stop')]: (_asked, response) => void response.destroy(),
      })
      const words = ['svc', 'stop', 'web', 'dead', 'db', '-d', '--endpoint', daemon.endpoint]
      const { code, stderr } = await program.run(words)
      expect(code).toBe(1)
      expect(stderr).toContain('2 of the services were left as they are')
      expect(stderr).toContain('db: not requested any more')
      expect(daemon.asked.map(({ path: asked }) => asked)).not.toContain(
        '/v1/projects/default/services/db/stop',
      )
    })
  })
})

describe('many services at a time', () => {
  it('are waited for without a word of Node about it', async () => {
    const uuids = Array.from({ length: 120 }, (_, n) => `task-${n + 1}`)
    const ofTask = (uuid: string): readonly [string, Answer] => [
      `GET /v1/tasks/${uuid}/progress`,
      progress(aLook({ uuid, state: 'active' }), aLook({ uuid, state: 'completed' }, { done: 1 })),
    ]
    const { endpoint } = await daemonWith({
      'POST /v1/projects/default/stop': { tasks: uuids.map((uuid) => aTask({ uuid, task: 'stop' })) },
      ...Object.fromEntries(uuids.map(ofTask)),
    })
    const { code, stderr } = await program.run(['project', 'stop', '--endpoint', endpoint])
    expect([code, stderr]).toEqual([0, ''])
  })
})
