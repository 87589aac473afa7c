import { mkdtempSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { removeDir } from '../remove-dir.js'
import { aLogRecord } from './bodies.js'
import { useProgram } from './program.js'
import type { Answer, SpeakingDaemon } from './speaking-daemon.js'
import { beginEvents, jsonLines, startDaemon } from './speaking-daemon.js'

const program = useProgram()
const open: SpeakingDaemon[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((daemon) => daemon.close()))
})

async function daemonWith(answers: Readonly<Record<string, Answer>>): Promise<SpeakingDaemon> {
  const daemon = await startDaemon(answers)
  open.push(daemon)
  return daemon
}

describe('service logs', () => {
  const records = [aLogRecord(), aLogRecord({ instance: 'web-10', line: 'grüß  Gott ' })]

  it('says whose a line is when asked for a service', async () => {
    const { endpoint } = await daemonWith({ 'GET /v1/projects/default/logs/web': jsonLines(...records) })
    const { stdout } = await program.run(['service', 'logs', 'web', '--endpoint', endpoint])
    expect(stdout).toBe('web-1 | hello\nweb-10 | grüß  Gott \n')
  })

  it('prints the lines alone when asked for an instance', async () => {
    const { endpoint } = await daemonWith({ 'GET /v1/projects/default/logs/web-1': jsonLines(aLogRecord()) })
    expect((await program.run(['service', 'logs', 'web-1', '--endpoint', endpoint])).stdout).toBe('hello\n')
  })

  it('passes on how much is wanted', async () => {
    const daemon = await daemonWith({ 'GET /v1/projects/default/logs/web': jsonLines() })
    const args = [
      'service',
      'logs',
      'web',
      '-f',
      '--tail',
      '5',
      '--since',
      '2026-01-02T03:04:05Z',
      '--endpoint',
      daemon.endpoint,
    ]
    await program.run(args)
    expect(Object.fromEntries(daemon.asked[0]?.query ?? [])).toEqual({
      follow: 'true',
      tail: '5',
      since: '2026-01-02T03:04:05.000Z',
    })
  })

  it('is a JSON array, or with -f a JSON value per line', async () => {
    const { endpoint } = await daemonWith({ 'GET /v1/projects/default/logs/web': jsonLines(...records) })
    const whole = await program.run(['--json', 'service', 'logs', 'web', '--endpoint', endpoint])
    expect(JSON.parse(whole.stdout)).toEqual(records)
    const lines = await program.run(['--json', 'service', 'logs', 'web', '-f', '--endpoint', endpoint])
    expect(
      lines.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(records)
  })

  it('follows until Ctrl-C, exit status 130', async () => {
    const { endpoint } = await daemonWith({
      'GET /v1/units/web%401.service/journal': (_asked, response) => {
        response.writeHead(200)
        response.write(`${JSON.stringify(aLogRecord())}\n`)
      },
    })
    const running = program.start(['unit', 'journal', 'web@1.service', '-f', '--endpoint', endpoint])
    await running.saw('hello')
    running.signal('SIGINT')
    expect(await running.ended).toEqual({ code: 130, stdout: 'hello\n', stderr: '' })
  })
})

describe('service exec', () => {
  const path = 'POST /v1/projects/default/exec/web-1'
  const frame = (stream: 'stdout' | 'stderr', text: string) => ({
    stream,
    base64: Buffer.from(text).toString('base64'),
  })

  it('hands the words on as they are, joins the streams and ends as the program did', async () => {
    const daemon = await daemonWith({
      [path]: jsonLines(frame('stdout', 'out\n'), frame('stderr', 'err\n'), { exit: 7 }),
    })
    const args = [
      'service',
      'exec',
      'web-1',
      '--user',
      'app',
      '--endpoint',
      daemon.endpoint,
      '--',
      'ls',
      '-l',
      '--json',
      'a b&c',
    ]
    expect(await program.run(args)).toEqual({ code: 7, stdout: 'out\n', stderr: 'err\n' })
    expect(daemon.asked[0]?.query.getAll('argv')).toEqual(['ls', '-l', '--json', 'a b&c'])
    expect(daemon.asked[0]?.query.get('user')).toBe('app')
  })

  it('sends standard input while output comes in', async () => {
    const { endpoint } = await daemonWith({
      [path]: (_asked, response, request) => {
        response.writeHead(200)
        request.on('data', (chunk: Buffer) =>
          response.write(`${JSON.stringify(frame('stdout', `<${chunk.toString()}>`))}\n`),
        )
        request.on('end', () => response.end(`${JSON.stringify({ exit: 0 })}\n`))
      },
    })
    const { code, stdout } = await program.run(
      ['service', 'exec', 'web-1', '--endpoint', endpoint, '--', 'cat'],
      { stdin: 'hello' },
    )
    expect({ code, stdout }).toEqual({ code: 0, stdout: '<hello>' })
  })

  it('fails when the program could not be run', async () => {
    const error = { code: 'driver/exec', message: 'there is no program "nope"', details: [] }
    const { endpoint } = await daemonWith({ [path]: jsonLines({ error }) })
    const { code, stderr } = await program.run([
      'service',
      'exec',
      'web-1',
      '--endpoint',
      endpoint,
      '--',
      'nope',
    ])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'mariposa: there is no program "nope"\n' })
  })

  it.each([
    ['process/not-found', 127],
    ['process/not-executable', 126],
  ])('ends as a shell does where the program cannot be run: %s', async (code, status) => {
    const error = { code, message: '/bin/nope is none', details: [] }
    const { endpoint } = await daemonWith({ [path]: jsonLines({ error }) })
    const ended = await program.run(['service', 'exec', 'web-1', '--endpoint', endpoint, '--', '/bin/nope'])
    expect(ended).toMatchObject({ code: status, stderr: 'mariposa: /bin/nope is none\n' })
  })

  it('fails when the connection ends before the program', async () => {
    const { endpoint } = await daemonWith({ [path]: jsonLines(frame('stdout', 'half')) })
    const { code, stderr } = await program.run([
      'service',
      'exec',
      'web-1',
      '--endpoint',
      endpoint,
      '--',
      'x',
    ])
    expect(code).toBe(1)
    expect(stderr).toContain('ended the connection before the program ended')
  })
})

/** Answers what follows; the look before it, at whether there is such a service, finds nothing wrong. */
const followed =
  (answer: (response: ServerResponse) => void): Answer =>
  ({ query }, response) =>
    query.get('follow') === 'false' ? beginEvents(response).end() : answer(response)

describe('service events', () => {
  const event = {
    id: '1',
    at: '2026-01-01T00:00:00.000Z',
    kind: 'deploy',
    project: 'default',
    service: 'web',
    instance: null,
    machine: null,
    message: 'version 2 was deployed',
  }
  const answer: Answer = (_asked, response) => {
    const events = beginEvents(response)
    events.send(event)
    events.end()
  }

  it('prints the history as a table or as JSON', async () => {
    const daemon = await daemonWith({ 'GET /v1/events': answer })
    const table = await program.run(['service', 'events', 'web', '-H', '--endpoint', daemon.endpoint])
    expect(table.stdout).toBe('2026-01-01T00:00:00.000Z  deploy  web  version 2 was deployed\n')
    const json = await program.run(['service', 'events', '--json', '--endpoint', daemon.endpoint])
    expect(JSON.parse(json.stdout)).toEqual([event])
    expect(Object.fromEntries(daemon.asked[0]?.query ?? [])).toEqual({
      project: 'default',
      service: 'web',
      follow: 'false',
    })
  })

  it('prints what happens as it happens with -f', async () => {
    const { endpoint } = await daemonWith({
      'GET /v1/events': followed((response) => beginEvents(response).send(event)),
    })
    const running = program.start(['service', 'events', '-f', '--json', '--endpoint', endpoint])
    await running.saw('version 2')
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(130)
  })

  it('goes on after a lost connection with what came after the last one', async () => {
    let times = 0
    const daemon = await daemonWith({
      'GET /v1/events': followed((response) => {
        times += 1
        const events = beginEvents(response)
        events.send({ ...event, id: String(times), message: `number ${times}` })
        if (times === 1) setImmediate(events.cut)
      }),
    })
    const { endpoint } = daemon
    const running = program.start(['events', '-f', '--tail', '5', '--endpoint', endpoint])
    await running.saw('number 2')
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(130)
    const queries = daemon.asked.slice(1).map(({ query }) => Object.fromEntries(query))
    expect(queries).toEqual([
      { follow: 'true', tail: '5' },
      { follow: 'true', since: '1' },
    ])
  })

  it('hands on what is to be shown, of every project unless one is named', async () => {
    const daemon = await daemonWith({ 'GET /v1/events': answer })
    const { endpoint } = daemon
    const words = ['--kind', 'deploy,scale', '--by', 'alice', '--machine', 'a1', '--until', '2026-01-01']
    const lines = await program.run(['events', ...words, '--jsonl', '--endpoint', endpoint])
    expect(lines.stdout).toBe(`${JSON.stringify(event)}\n`)
    await program.run(['events', '-j', 'shop', '--service', 'web', '--endpoint', endpoint])
    expect(daemon.asked.map(({ query }) => Object.fromEntries(query))).toEqual([
      {
        kind: 'deploy,scale',
        by: 'alice',
        machine: 'a1',
        until: '2026-01-01T00:00:00.000Z',
        follow: 'false',
      },
      { project: 'shop', service: 'web', follow: 'false' },
    ])
    const both = await program.run(['events', '--jsonl', '-q', '--endpoint', endpoint])
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--jsonl prints whole events')])
  })
})

describe('discovery render', () => {
  it('says at once that the template fails while the program of --exec is still running', async () => {
    const body = { project: 'default', services: [], machines: [], meta: { color: 'red' } }
    let change = (): void => {}
    const { endpoint } = await daemonWith({
      'GET /v1/projects/default/discovery': (_asked, response) => {
        const looks = beginEvents(response)
        looks.send(body)
        change = () => looks.send({ ...body, meta: {} })
      },
    })
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-render-'))
    const template = join(dir, 't.hbs')
    writeFileSync(template, '{{meta.color}}')
    const exec = 'sh -c "echo begun; exec sleep 1000"'
    const words = ['discovery', 'render', template, join(dir, 'out'), '--exec', exec]
    const renders = program.start([...words, '--quiet', '0s', '--endpoint', endpoint])
    await renders.saw('begun')
    change()
    await renders.said('sh is still running, and the file is unchanged until it has ended')
    expect(renders.saidSoFar()).toContain("uses 'color', which does not exist; sh is")
    renders.signal('SIGINT')
    await renders.ended
    removeDir(dir)
  })
})
