// A program in a container, with a Docker that takes its time at the worst moment.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExecRequest, TerminalSize } from '../../../src/agent/driver.js'
import { execIn } from '../../../src/drivers/docker/io/container-exec.js'
import { removeDir } from '../../remove-dir.js'

/** One that takes execs, and says of them what the test wants. */
interface FakeDocker {
  readonly docker: Docker
  readonly sizes: string[]
  /** What was asked to be run. */
  readonly created: Record<string, unknown>[]
  /** The stream of the program, once it has begun. */
  readonly stream: Promise<Socket>
  /** What is said of the program, one after the other; the last for ever. */
  inspected: Record<string, unknown>[]
  /** Whether the next size is answered. */
  resized: () => Promise<unknown>
}

let fake: FakeDocker
let server: Server
let dir: string

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mariposa-exec-'))
  let begun = (_: Socket): void => {}
  fake = {
    docker: new Docker({ socketPath: join(dir, 'docker.sock') }),
    sizes: [],
    created: [],
    stream: new Promise((resolve) => {
      begun = resolve
    }),
    inspected: [{ Running: false, ExitCode: 0, Pid: 0 }],
    resized: () => Promise.resolve(),
  }
  server = createServer((request, response) => {
    answer(request).then(
      (text) => response.end(text),
      () => response.destroy(),
    )
  })
  server.on('upgrade', (_request, socket: Socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    begun(socket)
  })
  await new Promise<void>((resolve) => server.listen(join(dir, 'docker.sock'), resolve))
})

/** What Docker says to a request; only an exec that is created has a body. */
async function answer(request: IncomingMessage): Promise<string> {
  const url = new URL(request.url ?? '', 'http://docker')
  if (url.pathname.endsWith('/json')) {
    const [first] = fake.inspected.length > 1 ? fake.inspected.splice(0, 1) : fake.inspected
    return JSON.stringify(first)
  }
  if (url.pathname.endsWith('/resize')) {
    fake.sizes.push(`${url.searchParams.get('w')}x${url.searchParams.get('h')}`)
    await fake.resized()
    return ''
  }
  let body = ''
  for await (const chunk of request) body += String(chunk)
  fake.created.push(JSON.parse(body) as Record<string, unknown>)
  return '{"Id":"one"}'
}

afterEach(() => {
  server.closeAllConnections()
  server.close()
  removeDir(dir)
})

const size = { columns: 80, rows: 24 }
const request = (more: Partial<ExecRequest> = {}): ExecRequest => ({
  ...{ argv: ['sh'], user: null, stdin: null, onOutput: () => {}, ...more },
})
const never = new AbortController().signal

describe('in a terminal', () => {
  test('sizes are asked for one after the other, so that the newest is the last', async () => {
    let resize = (_: TerminalSize): void => {}
    const terminal = {
      ...{ type: 'xterm', size },
      onResize: (call: (newer: TerminalSize) => void) => {
        resize = call
      },
    }
    const answers: (() => void)[] = []
    fake.resized = () => new Promise<void>((resolve) => answers.push(resolve))
    const code = execIn(fake.docker, 'container', request({ terminal }), never)
    await expect.poll(() => fake.sizes).toEqual(['80x24'])
    for (const columns of [90, 100, 110]) resize({ columns, rows: 40 })
    answers[0]?.()
    await expect.poll(() => fake.sizes).toEqual(['80x24', '110x40'])
    answers[1]?.()
    ;(await fake.stream).end()
    expect(await code).toEqual({ code: 0 })
    expect(fake.sizes).toHaveLength(2)
  })

  test('sizes that have come before are asked for after the first one', async () => {
    const onResize = (call: (newer: TerminalSize) => void): void => {
      for (const columns of [90, 100, 110]) call({ columns, rows: 40 })
    }
    const code = execIn(
      fake.docker,
      'container',
      request({ terminal: { type: 'xterm', size, onResize } }),
      never,
    )
    await expect.poll(() => fake.sizes).toEqual(['80x24', '110x40'])
    ;(await fake.stream).end()
    expect(await code).toEqual({ code: 0 })
  })

  test('the end of what is typed is Ctrl-D, and the stream stays: Docker would let go of the program', async () => {
    const terminal = { type: 'xterm', size, onResize: () => {} }
    const stdin = (async function* () {
      yield Buffer.from('last words')
    })()
    let written = ''
    const onOutput = (_: string, chunk: Uint8Array): void => {
      written += Buffer.from(chunk).toString()
    }
    const code = execIn(fake.docker, 'container', request({ terminal, stdin, onOutput }), never)
    const stream = await fake.stream
    let typed = ''
    stream.on('data', (chunk: Buffer) => {
      typed += chunk.toString()
    })
    await expect.poll(() => typed).toBe('last words\u0004')
    stream.end('and its answer')
    expect(await code).toEqual({ code: 0 })
    expect(written).toBe('and its answer')
    // Nobody's keys leave it: those that do are the caller's own.
    expect(fake.created).toMatchObject([
      { Tty: true, DetachKeys: expect.stringContaining('ctrl-^') as string },
    ])
  })

  test('a caller who leaves while Docker has not set the size ends the program', async () => {
    const program = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
    fake.inspected = [{ Running: true, ExitCode: null, Pid: program.pid }]
    fake.resized = () => new Promise(() => {})
    const caller = new AbortController()
    const terminal = { type: 'xterm', size, onResize: () => {} }
    // Every process is of the container without a name.
    const code = execIn(fake.docker, '', request({ terminal }), caller.signal)
    await expect.poll(() => fake.sizes).toHaveLength(1)
    await endsWith(program, async () => {
      caller.abort()
      await expect(code).rejects.toThrow('aborted')
    })
    await streamEnds(await fake.stream)
  })
})

test('the exit status is the one that Docker notes after the end of the output', async () => {
  const running = { Running: true, ExitCode: null, Pid: 1 }
  fake.inspected = [running, running, { Running: false, ExitCode: 3, Pid: 0 }]
  const code = execIn(fake.docker, 'container', request(), never)
  ;(await fake.stream).end()
  expect(await code).toEqual({ code: 3 })
})

test('input that breaks off ends the program', async () => {
  const program = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
  fake.inspected = [{ Running: true, ExitCode: null, Pid: program.pid }]
  const stdin = (async function* (): AsyncGenerator<Uint8Array> {
    await fake.stream
    yield Buffer.from('half a ')
    throw new Error('unreadable')
  })()
  await endsWith(program, async () => {
    await expect(execIn(fake.docker, '', request({ stdin }), never)).rejects.toThrow(
      'the program was not run',
    )
  })
})

/** Runs the work, and awaits the end of a program that it has to bring about. */
async function endsWith(program: ChildProcess, work: () => Promise<void>): Promise<void> {
  const ended = once(program, 'exit')
  try {
    await work()
    expect(await ended).toEqual([null, 'SIGKILL'])
  } finally {
    program.kill('SIGKILL')
  }
}

async function streamEnds(stream: Socket): Promise<void> {
  stream.resume()
  if (!stream.readableEnded) await once(stream, 'end')
}
