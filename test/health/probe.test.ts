import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { describeFailure } from '../../src/health/describe.js'
import { type ExecResult, type ProbeTarget, probe } from '../../src/health/io/probe.js'
import type { CommandCheck, HttpCheck, TcpCheck, TelemetryCheck } from '../../src/model/health-check.js'
import { certificate, privateKey } from './certificate.js'
import { deferred } from './deferred.js'

const servers: { close(): unknown; closeAllConnections?(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.()
    server.close()
  }
})

async function listen(server: TcpServer): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const serve = (handler: RequestListener) => listen(createServer(handler))
const never = new AbortController().signal
const noExec = (): Promise<ExecResult> => Promise.reject(new Error('no exec'))

function check(rest: Partial<HttpCheck> = {}): HttpCheck {
  return { type: 'http', port: 80, path: '/', pollMs: 1000, timeoutMs: 5000, retries: 3, ...rest }
}

function at(port: number): ProbeTarget {
  return { portOf: () => ({ address: '127.0.0.1', port }), exec: noExec }
}

describe('a check of a connection', () => {
  const tcp = (rest: Partial<TcpCheck> = {}): TcpCheck => ({
    ...{ type: 'tcp', port: 80, pollMs: 1000, timeoutMs: 5000, retries: 3 },
    ...rest,
  })

  it('passes when it is taken, whatever is said then, and lets go of it', async () => {
    const closed = deferred()
    const port = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.on('close', () => closed.resolve())
        socket.resume()
      }),
    )
    expect(await probe(tcp(), at(port), never)).toBeNull()
    await closed.promise
  })

  it('fails when nobody listens', async () => {
    const port = await listen(createTcpServer())
    const [server] = servers.splice(0)
    await new Promise((resolve) => (server as Server).close(resolve))
    expect(await probe(tcp(), at(port), never)).toEqual({ kind: 'no-answer', code: 'ECONNREFUSED' })
    expect(describeFailure(tcp(), { kind: 'no-answer', code: 'ECONNREFUSED' })).toBe(
      'tcp port 80: connection refused',
    )
  })

  it('fails where the instance is not on the network', async () => {
    const target: ProbeTarget = { portOf: () => ({ why: 'not there' }), exec: noExec }
    expect(await probe(tcp({ network: 'back' }), target, never)).toEqual({
      kind: 'off-network',
      why: 'not there',
    })
  })
})

describe('an HTTP check', () => {
  it.each([200, 204, 301, 302, 399])('passes with status %i', async (status) => {
    const port = await serve((_, response) => response.writeHead(status, { location: '/elsewhere' }).end())
    expect(await probe(check(), at(port), never)).toBeNull()
  })

  it.each([400, 401, 404, 500, 503])('fails with status %i', async (status) => {
    const port = await serve((_, response) => response.writeHead(status).end('no'))
    expect(await probe(check(), at(port), never)).toEqual({ kind: 'status', status })
  })

  it('asks for the path, at the port that the instance was given, and follows no redirect', async () => {
    const seen: string[] = []
    const port = await serve((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.host}`)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    await probe(check({ port: 8080, path: '/ready?deep=1' }), at(port), never)
    expect(seen).toEqual([`GET /ready?deep=1 127.0.0.1:${port}`])
  })

  it('asks no proxy', async () => {
    const port = await serve((_, response) => response.end('direct'))
    process.env['http_proxy'] = 'http://127.0.0.1:9'
    try {
      expect(await probe(check(), at(port), never)).toBeNull()
    } finally {
      delete process.env['http_proxy']
    }
  })

  it('fails when nobody listens', async () => {
    const port = await serve((_, response) => response.end())
    const [server] = servers.splice(0)
    await new Promise((resolve) => (server as Server).close(resolve))
    expect(await probe(check(), at(port), never)).toEqual({ kind: 'no-answer', code: 'ECONNREFUSED' })
  })

  it('fails when the connection is closed without an answer', async () => {
    const port = await serve((request) => request.socket.destroy())
    expect(await probe(check(), at(port), never)).toEqual({ kind: 'no-answer', code: 'ECONNRESET' })
  })

  it('fails when what answers does not speak HTTP', async () => {
    const port = await listen(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n\r\n')))
    expect(await probe(check(), at(port), never)).toMatchObject({ kind: 'no-answer' })
  })

  it('fails when the program changes the protocol, which nobody asked for', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    const port = await listen(
      createTcpServer((socket) => socket.on('error', () => {}).on('data', () => socket.write(upgrade))),
    )
    const failure = await probe(check(), at(port), never)
    expect(failure).toMatchObject({ kind: 'no-answer', code: expect.stringContaining('it answers 101') })
  })

  it('fails when the program takes the connection and keeps silent', async () => {
    const port = await serve(() => {})
    expect(await probe(check({ timeoutMs: 50 }), at(port), never)).toEqual({ kind: 'timeout', afterMs: 50 })
  })

  it('fails when the header comes in drops for longer than the time-out', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {})
        socket.write('HTTP/1.1 200 OK\r\n')
        const drip = setInterval(() => socket.write('x-drop: 1\r\n'), 10)
        socket.on('close', () => clearInterval(drip))
      }),
    )
    expect(await probe(check({ timeoutMs: 100 }), at(port), never)).toEqual({ kind: 'timeout', afterMs: 100 })
  })

  it('passes without waiting for the end of a body, and lets go of one without end', async () => {
    const closed = deferred()
    const port = await serve((_, response) => {
      const chunk = 'x'.repeat(16 * 1024)
      const pump = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', pump).on('close', () => closed.resolve())
      pump()
    })
    expect(await probe(check(), at(port), never)).toBeNull()
    await closed.promise
  })

  it('lets go of a silent body when the time is over', async () => {
    const closed = deferred()
    const port = await serve((_, response) => {
      response.on('close', () => closed.resolve()).write('first')
    })
    expect(await probe(check({ timeoutMs: 1000 }), at(port), never)).toBeNull()
    await closed.promise
  })

  it('reads a short body to its end, so that the program is not cut off', async () => {
    const finished = deferred<boolean>()
    const port = await serve((_, response) => {
      response.on('close', () => finished.resolve(response.writableFinished))
      response.write('some')
      setImmediate(() => response.end('thing'))
    })
    expect(await probe(check(), at(port), never)).toBeNull()
    expect(await finished.promise).toBe(true)
  })

  it('does not doubt the certificate of an own instance', async () => {
    const port = await listen(
      createTlsServer({ key: privateKey, cert: certificate }, (_, response) => response.end('secret')),
    )
    expect(await probe(check({ type: 'https' }), at(port), never)).toBeNull()
  })

  describe('that follows redirects', () => {
    const hops: RequestListener = (request, response) => {
      const left = Number((request.url ?? '').slice(1))
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
      else response.writeHead(request.url === '/0' ? 503 : 200).end()
    }

    it('is answered by what they lead to', async () => {
      const port = await serve(hops)
      expect(await probe(check({ path: '/3', redirects: 3 }), at(port), never)).toEqual({
        kind: 'status',
        status: 503,
      })
    })

    it('fails when there are more than it follows', async () => {
      const port = await serve(hops)
      expect(await probe(check({ path: '/4', redirects: 3 }), at(port), never)).toEqual({
        kind: 'redirects',
        followed: 3,
      })
    })

    it('asks no other host', async () => {
      let asked = 0
      const other = await serve((_, response) => {
        asked += 1
        response.writeHead(500).end()
      })
      const port = await serve((_, response) =>
        response.writeHead(302, { location: `http://localhost:${other}/` }).end(),
      )
      expect(await probe(check({ redirects: 5 }), at(port), never)).toBeNull()
      expect(asked).toBe(0)
    })

    it('finds another port of the instance where it is published', async () => {
      const secure = await listen(
        createTlsServer({ key: privateKey, cert: certificate }, (_, response) =>
          response.writeHead(500).end(),
        ),
      )
      const port = await serve((_, response) =>
        response.writeHead(301, { location: 'https://127.0.0.1/' }).end(),
      )
      const target: ProbeTarget = {
        portOf: (asked) => ({ address: '127.0.0.1', port: asked === 443 ? secure : port }),
        exec: noExec,
      }
      expect(await probe(check({ redirects: 1 }), target, never)).toEqual({ kind: 'status', status: 500 })
    })
  })

  it('fails with a certificate that nobody knows when it is to check it', async () => {
    const port = await listen(createTlsServer({ key: privateKey, cert: certificate }, (_, r) => r.end()))
    expect(await probe(check({ type: 'https', verify: true }), at(port), never)).toMatchObject({
      kind: 'no-answer',
      code: expect.stringContaining('SELF_SIGNED'),
    })
  })

  it('asks for the host that it names, in the request and for the certificate', async () => {
    const names: (string | undefined)[] = []
    const port = await listen(
      createTlsServer(
        {
          key: privateKey,
          cert: certificate,
          SNICallback: (name, done) => {
            names.push(name)
            done(null)
          },
        },
        (request, response) => {
          names.push(request.headers.host)
          response.end()
        },
      ),
    )
    expect(await probe(check({ type: 'https', serverName: 'shop.example' }), at(port), never)).toBeNull()
    expect(names).toEqual(['shop.example', `shop.example:${port}`])
  })

  it('rejects when its caller gives up, and closes the connection', async () => {
    const asked = deferred()
    const closed = deferred()
    const port = await serve((request) => {
      request.socket.on('close', () => closed.resolve())
      asked.resolve()
    })
    const abort = new AbortController()
    const probed = probe(check(), at(port), abort.signal)
    await asked.promise
    abort.abort()
    await expect(probed).rejects.toThrow()
    await closed.promise
  })
})

describe('a check of what ContainerPilot says', () => {
  const pilot: TelemetryCheck = {
    type: 'containerpilot',
    port: 9090,
    pollMs: 1000,
    timeoutMs: 1000,
    retries: 3,
  }
  const answering = (body: string, status = 200) =>
    serve((request, response) => response.writeHead(request.url === '/status' ? status : 404).end(body))

  it.each([
    '{"Version":"3.8.0","Jobs":[{"Name":"main","Status":"healthy"}],"Services":null,"Watches":["backend"]}',
    '{"services":[{"name":"nginx","address":"10.0.0.5","port":80,"status":"maintenance"}]}',
    '{"Jobs":null,"Services":null,"Watches":null}',
  ])('passes with %s', async (body) => {
    expect(await probe(pilot, at(await answering(body)), never)).toBeNull()
  })

  it('fails with the jobs that are unhealthy', async () => {
    const body = '{"Jobs":[{"Name":"main","Status":"unhealthy"},{"Name":"init","Status":"completed"}]}'
    expect(await probe(pilot, at(await answering(body)), never)).toEqual({ kind: 'jobs', names: ['main'] })
  })

  it.each([
    ['not json', 'its answer is not a JSON object'],
    ['[]', 'its answer is not a JSON object'],
    ['{}', 'its answer tells neither jobs nor services'],
    ['{"Jobs":7}', 'its jobs, services or watches are no list'],
    ['{"Jobs":[{"Name":"main"}]}', 'a job in its answer has no name or status'],
  ])('says nothing of the instance when it is told %s', async (body, why) => {
    expect(await probe(pilot, at(await answering(body)), never)).toEqual({ kind: 'no-telemetry', why })
  })

  it('says nothing of the instance when nobody answers, or not in time, or with another status', async () => {
    expect(await probe(pilot, at(await answering('{}', 500)), never)).toEqual({
      kind: 'no-telemetry',
      why: 'it answered 500',
    })
    const silent = await serve(() => {})
    expect(await probe({ ...pilot, timeoutMs: 50 }, at(silent), never)).toEqual({
      kind: 'no-telemetry',
      why: 'no answer within 50 ms',
    })
    expect(await probe(pilot, at(1), never)).toEqual({ kind: 'no-telemetry', why: 'connection refused' })
  })
})

describe('a command check', () => {
  const command = (script: string, rest: Partial<CommandCheck> = {}): CommandCheck => ({
    type: 'command',
    argv: ['/bin/sh', '-c', script],
    user: null,
    pollMs: 1000,
    timeoutMs: 5000,
    retries: 3,
    ...rest,
  })

  /** Runs on this machine, as the process driver does. */
  const target: ProbeTarget = {
    portOf: (port) => ({ address: '127.0.0.1', port }),
    exec: ([file = '', ...args], _user, signal, onRunning) =>
      new Promise((resolve, reject) => {
        onRunning()
        const child = execFile(file, args, { signal, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
          if (child.exitCode === null) reject(error ?? new Error('no status'))
          else resolve({ code: child.exitCode, output: stdout + stderr })
        })
      }),
  }

  it('passes with status 0', async () => {
    expect(await probe(command('true'), target, never)).toBeNull()
  })

  it('fails with any other status, and tells the last line', async () => {
    expect(await probe(command('echo one; echo queue is full; exit 3'), target, never)).toEqual({
      kind: 'exit',
      code: 3,
      lastLine: 'queue is full',
    })
  })

  it('cuts a long line', async () => {
    const failure = await probe(command(`printf '%0500d' 7; exit 1`), target, never)
    expect(failure).toEqual({ kind: 'exit', code: 1, lastLine: '0'.repeat(200) })
  })

  it('fails and is ended when it takes too long', async () => {
    const ended = deferred()
    const watched: ProbeTarget = {
      ...target,
      exec: (argv, user, signal, onRunning) => {
        const result = target.exec(argv, user, signal, onRunning)
        result.catch(() => ended.resolve())
        return result
      },
    }
    expect(await probe(command('exec sleep 60', { timeoutMs: 50 }), watched, never)).toEqual({
      kind: 'timeout',
      afterMs: 50,
    })
    await ended.promise
  })

  it('is no word on the instance when it could not be made', async () => {
    const away: ProbeTarget = { ...target, exec: () => Promise.reject(new Error('Docker does not answer')) }
    expect(await probe(command('true'), away, never)).toEqual({
      kind: 'not-asked',
      why: 'Docker does not answer',
    })
  })

  it('waits for the word of a program that has ended in time', async () => {
    const late: ProbeTarget = {
      ...target,
      exec: (_argv, _user, _signal, onRunning) => {
        onRunning(() => false)
        return new Promise((resolve) => setTimeout(() => resolve({ code: 0, output: '' }), 200))
      },
    }
    expect(await probe(command('true', { timeoutMs: 50 }), late, never)).toBeNull()
  })

  it('fails when there is no way to run it', async () => {
    const missing = Object.assign(new Error('no such file: /bin/probe'), { permanent: true })
    const broken: ProbeTarget = { ...target, exec: () => Promise.reject(missing) }
    expect(await probe(command('true'), broken, never)).toEqual({
      kind: 'not-run',
      message: 'no such file: /bin/probe',
    })
  })
})
