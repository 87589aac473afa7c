import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { connectionError } from '../../src/client/io/http.js'
import { makeCertificates } from '../e2e/certificates.js'
import { removeDir } from '../remove-dir.js'
import { useProgram } from './program.js'
import { refuse, respond, startDaemon } from './speaking-daemon.js'

const program = useProgram()
const dir = mkdtempSync(join(tmpdir(), 'mariposa-failing-'))
afterAll(() => removeDir(dir))
const nobody = `unix://${join(dir, 'mariposa.sock')}`

describe('bad usage', () => {
  it.each([
    ['an unknown option', ['service', 'list', '--jsno'], /unknown option '--jsno'/, /--json/],
    ['a wrong verb', ['service', 'lits'], /unknown command 'lits'/, /list/],
    ['a wrong noun', ['servce', 'list'], /unknown command 'servce'/, /did you mean service\?/],
    ['a verb that is near to none', ['service', 'bogus'], /unknown command 'bogus'\n {2}see --help/, /./],
    ['an empty name', ['unit', 'start', ''], /<units> is empty/, /a variable of the shell/],
    ['an empty name among others', ['service', 'stop', 'web', ''], /<names> is empty/, /./],
    ['an empty option', ['queue', 'freeze', '--service', ''], /--service is empty/, /./],
    [
      'an empty option of several words',
      ['volume', 'restore', '--from-backup', ''],
      /--from-backup is empty/,
      /./,
    ],
    ['an empty project', ['service', 'list', '-j', ''], /--project is empty/, /./],
    ['an empty pair', ['machine', 'metadata', 'm', '--remove', ''], /--remove is empty/, /./],
    [
      'an option that there is not',
      ['service', 'deploy', '--plann', 'web.yml'],
      /unknown option '--plann'/,
      /--plan\b/,
    ],
    ['a missing argument', ['service', 'stop'], /missing required argument 'names'/, /./],
    ['too many arguments', ['service', 'get', 'a', 'b'], /too many arguments/, /./],
    ['no number', ['service', 'deploy', '--rolling', '0', 'x.yml'], /whole number from 1/, /./],
    ['no duration', ['service', 'stop', 'web', '--timeout', 'soon'], /duration/, /./],
    ['no scale', ['service', 'scale', 'web', 'many'], /'many' is not a scale for web/, /./],
    ['no endpoint', ['service', 'list', '--endpoint', 'ftp://x'], /'ftp:\/\/x' is not an endpoint/, /./],
    ['no time', ['service', 'logs', 'web', '--since', 'noon'], /'noon' is not a time/, /./],
    ['exec without --', ['service', 'exec', 'web-1', 'ls'], /put -- before/, /./],
    ['columns where there is no table', ['service', 'stop', 'web', '-o', 'name'], /no use for --output/, /./],
    [
      'a certificate without its key',
      ['service', 'list', '--cert-file', 'x'],
      /have to be given together/,
      /./,
    ],
  ])('is refused with exit status 2 and a way on: %s', async (_what, args, message, way) => {
    const { code, stdout, stderr } = await program.run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(way)
    expect(stderr).not.toMatch(/^ {4}at /m)
  })

  it('is refused with exit status 2, and with why, where the certificate and its key are none', async () => {
    const file = join(dir, 'no.pem')
    writeFileSync(file, 'this is no certificate\n')
    const files = ['--cert-file', file, '--key-file', file]
    const asked = ['service', 'list', '--endpoint', 'https://127.0.0.1:1', ...files]
    const { code, stdout, stderr } = await program.run(asked)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/are no PEM texts that go together: .+\n.*--key-file/)
    const { stdout: json } = await program.run([...asked, '--json'])
    expect(JSON.parse(json)).toMatchObject({ error: { code: 'client/bad-credentials' } })
    // Readers of lines get it whole, behind what was followed.
    expect(json.trimEnd()).not.toContain('\n')
  })

  it('shows help on standard error when a noun comes without a verb', async () => {
    const { code, stdout, stderr } = await program.run(['service'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('deploy')
  })

  it('leaves out nothing that was asked for: --output beside --json', async () => {
    const { code, stdout } = await program.run(['service', 'list', '--json', '-o', 'name'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { message: expect.stringContaining('--output') as string },
    })
  })

  it('is JSON on standard output with --json', async () => {
    const { code, stdout, stderr } = await program.run(['service', 'list', '--json', '--bogus'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'cli/usage', details: [] } })
    expect(stderr).toContain("unknown option '--bogus'")
  })
})

describe('help', () => {
  it.each([
    [['--help']],
    [['service', '--help']],
    [['service', 'scale', '-h']],
    [['help', 'service']],
    [['daemon', '--help']],
  ])('is printed with exit status 0: %j', async (args) => {
    const { code, stdout, stderr } = await program.run(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Usage: mariposa')
  })

  it('of a verb is what the help command shows for it', async () => {
    const { stdout } = await program.run(['help', 'service', 'deploy'])
    expect(stdout).toBe((await program.run(['service', 'deploy', '--help'])).stdout)
  })

  it('has examples for every verb', async () => {
    for (const noun of ['service', 'manifest', 'machine', 'unit']) {
      const { stdout } = await program.run([noun, '--help'])
      const commands = stdout.slice(stdout.indexOf('\nCommands:'), stdout.indexOf('\nExamples:'))
      const verbs = [...commands.matchAll(/^ {2}([a-z]+)/gm)]
        .map(([, verb = '']) => verb)
        .filter((verb) => verb !== 'help')
      expect(verbs.length).toBeGreaterThan(0)
      for (const verb of verbs) {
        expect((await program.run([noun, verb, '--help'])).stdout).toContain(
          `Examples:\n  mariposa ${noun} ${verb}`,
        )
      }
    }
  }, 120_000)
})

describe('a daemon that cannot be asked', () => {
  it('is told with what to do where none runs', async () => {
    const { code, stdout, stderr } = await program.run(['service', 'list', '--endpoint', nobody])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`mariposa: no daemon answers at ${nobody}\n  start one with: mariposa daemon\n`)
  })

  it('is told as JSON with a stable code', async () => {
    const { stdout } = await program.run(['--json', 'machine', 'list', '--endpoint', nobody])
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'client/no-daemon', details: [] } })
  })

  it('is not found where a file is no socket', async () => {
    const file = join(dir, 'file')
    writeFileSync(file, '')
    const { stderr } = await program.run(['service', 'list', '--endpoint', `unix://${file}`])
    expect(stderr).toContain('no daemon answers')
  })

  it.each([
    ['EACCES', 'client/denied', 'sudo'],
    ['ECONNREFUSED', 'client/no-daemon', 'mariposa daemon'],
    ['ENOTFOUND', 'client/unreachable', '--endpoint'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'client/tls', '--ca-file'],
  ])('has a code and a way on of its own for %s', (code, expected, hint) => {
    const error = connectionError({ kind: 'unix', path: '/s' }, Object.assign(new Error('no'), { code }))
    expect(error).toMatchObject({ code: expected, hint: expect.stringContaining(hint) as string })
  })

  it('says which scheme it wants', async () => {
    const { cert, key } = makeCertificates()
    const secure = createHttps({ cert: readFileSync(cert), key: readFileSync(key) }).listen(0, '127.0.0.1')
    // As servers do that end a connection with an alert of TLS.
    const alerting = createTcp((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 70])))
    }).listen(0, '127.0.0.1')
    const garbled = createTcp((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('SSH-2.0-x\r\n'))
    }).listen(0, '127.0.0.1')
    for (const one of [secure, alerting, garbled]) if (!one.listening) await once(one, 'listening')
    const plain = await startDaemon({}, { tcp: true })
    const told = async (endpoint: string) =>
      (await program.run(['meta', 'set', 'a', '1', '--endpoint', endpoint])).stderr
    const at = (server: Server, scheme: string) =>
      `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
    for (const server of [secure, alerting])
      expect(await told(at(server, 'http'))).toBe(
        `mariposa: what answers at ${at(server, 'http')} wants TLS\n  give --endpoint ${at(server, 'https')}\n`,
      )
    const wrong = plain.endpoint.replace('http:', 'https:')
    expect(await told(wrong)).toBe(
      `mariposa: what answers at ${wrong} speaks no TLS\n  give --endpoint ${plain.endpoint}\n`,
    )
    expect(await told(at(garbled, 'http'))).toContain('does not speak HTTP')
    for (const server of [secure, alerting, garbled]) server.close()
    await plain.close()
  })

  it('may be something else altogether', async () => {
    const daemon = await startDaemon(
      { 'GET /v1/machines': (_asked, response) => response.end('<html>') },
      { tcp: true },
    )
    const { code, stderr } = await program.run(['machine', 'list', '--endpoint', daemon.endpoint])
    await daemon.close()
    expect(code).toBe(1)
    expect(stderr).toContain("does not speak Mariposa's API")
  })

  it('may answer with an error that is none of ours', async () => {
    const daemon = await startDaemon(
      { 'GET /v1/machines': (_asked, response) => response.writeHead(431).end('{"error":"Too Large"}') },
      { tcp: true },
    )
    const { code, stderr } = await program.run(['machine', 'list', '--endpoint', daemon.endpoint])
    await daemon.close()
    expect(code).toBe(1)
    expect(stderr).toContain("does not speak Mariposa's API (HTTP 431)")
  })

  it('may hang up in the middle of an answer', async () => {
    const daemon = await startDaemon({
      'GET /v1/machines': (_asked, response) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('[')
        setImmediate(() => response.destroy())
      },
    })
    const { code, stdout } = await program.run(['--json', 'machine', 'list', '--endpoint', daemon.endpoint])
    await daemon.close()
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'client/disconnected' } })
  })

  it('may hang up on a change, which may have been made all the same', async () => {
    const daemon = await startDaemon({
      'PUT /v1/projects/default/meta/a': (_asked, response) => response.destroy(),
    })
    const { code, stderr } = await program.run(['meta', 'set', 'a', '1', '--endpoint', daemon.endpoint])
    await daemon.close()
    expect(code).toBe(1)
    expect(stderr).toMatch(/may have been made.*look with mariposa meta list -j default\n/)
  })
})

describe('a daemon that refuses', () => {
  it.each([
    [400, 2],
    [413, 2],
    [422, 2],
    [401, 1],
    [404, 1],
    [409, 1],
    [500, 1],
  ])('with HTTP status %i means exit status %i', async (status, expected) => {
    const daemon = await startDaemon({
      'DELETE /v1/projects/default/services/web': (_asked, response) =>
        refuse(response, status, {
          code: 'service/running',
          message: 'web still runs',
          hint: 'use --force',
          details: [],
        }),
    })
    const { code, stderr } = await program.run(['service', 'delete', 'web', '--endpoint', daemon.endpoint])
    await daemon.close()
    expect({ code, stderr }).toEqual({ code: expected, stderr: 'mariposa: web still runs\n  use --force\n' })
  })

  it('shows where it happened only with MARIPOSA_DEBUG=1', async () => {
    const { stderr } = await program.run(['service', 'list', '--endpoint', nobody], {
      env: { MARIPOSA_DEBUG: '1' },
    })
    expect(stderr).toMatch(/^ {4}at /m)
  })
})

describe('what is written', () => {
  it('has no colours where it is no terminal, and does not mind a reader that goes away', async () => {
    const many = Array.from({ length: 50_000 }, (_, n) => ({
      at: '',
      instance: 'web-1',
      stream: 'stdout',
      line: `line ${n}`,
    }))
    const daemon = await startDaemon({
      'GET /v1/projects/default/logs/web': (_asked, response) => {
        response.writeHead(200)
        response.end(many.map((record) => `${JSON.stringify(record)}\n`).join(''))
      },
      'GET /v1/machines': (_asked, response) => respond(response, 200, []),
    })
    const running = program.start(['service', 'logs', 'web', '--endpoint', daemon.endpoint])
    await running.saw('line 3')
    running.hangUp()
    const { code, stderr, stdout } = await running.ended
    await daemon.close()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).not.toContain('\u001b')
  })
})
