// The entry for what is not HTTP, with a real HAProxy: connections while instances and daemons come and go.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EntryBody } from '../../src/contract/contract.js'
import { pidIn } from '../../src/entry/haproxy.js'
import { stateOfKeeper, tellUpstreams } from '../../src/entry/io/keeper-client.js'
import { TcpProxies } from '../../src/entry/io/tcp-proxies.js'
import { silentLog } from '../../src/lib/io/log.js'
import { until } from '../e2e/cluster.js'
import { type Host, useHosts } from '../e2e/host.js'
import { freePort } from '../free-port.js'
import { removeDir } from '../remove-dir.js'

const openHost = useHosts()

/** Says who it is to each line; it ends at once when it is told to, whatever is open. */
const program = [
  "const server = require('net').createServer((socket) => { socket.on('error', () => {}); socket.on('data', () => socket.write(process.env.WHO + '\\n')) })",
  'server.listen(Number(process.env.PORT))',
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

const manifest = (who: string, entry: string): string => `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(program)}]
environment: {WHO: "${who}"}
ports: ["0:5432"]
stop: {timeout: 1, preservestopped: "no"}
cns: {ttl: 0}
healthchecks: [{type: tcp, port: 5432, poll: 0.2, timeout: 0.2}]
entry: ${entry}
`

class Connection {
  readonly #socket: Socket
  readonly #said: string[] = []
  #waiting: { readonly resolve: (said: string) => void; readonly reject: (why: Error) => void } | null = null

  constructor(port: number, host = '127.0.0.1') {
    this.#socket = connect({ host, port })
    this.#socket.setEncoding('utf8').on('data', (text: string) => {
      this.#waiting?.resolve(text.trim())
      this.#said.push(text)
    })
    this.#socket.on('error', (error) => this.#waiting?.reject(error))
    this.#socket.on('close', () => this.#waiting?.reject(new Error('it was closed')))
  }

  /** Who answers. */
  ask(): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('it is closed'))
      this.#waiting = { resolve, reject }
      this.#socket.write('who\n')
    })
  }

  end(): void {
    this.#socket.destroy()
  }
}

async function once(port: number, host?: string): Promise<string> {
  const connection = new Connection(port, host)
  try {
    return await connection.ask()
  } finally {
    connection.end()
  }
}

/** One connection after the other from each of several clients. */
function startLoad(port: number, clients = 8) {
  const answers = new Map<string, number>()
  const failures: string[] = []
  let isOver = false
  const all = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isOver) {
        try {
          const who = await once(port)
          answers.set(who, (answers.get(who) ?? 0) + 1)
        } catch (error) {
          failures.push(String(error))
        }
      }
    }),
  )
  return {
    answers,
    answered: async (who: string): Promise<void> => {
      const before = answers.get(who) ?? 0
      await until(async () => expect(answers.get(who) ?? 0).toBeGreaterThan(before))
    },
    end: async (): Promise<readonly string[]> => {
      isOver = true
      await all
      return failures
    },
  }
}

const listed = async (host: Host): Promise<readonly EntryBody[]> =>
  JSON.parse((await host.done('entry', 'list', '--json')).stdout) as EntryBody[]

test('loses no connection in rollouts, keeps those that are open, and comes back with what it served', {
  timeout: 180_000,
}, async () => {
  const host = openHost()
  const [http, https, tcp] = [await freePort(), await freePort(), await freePort()]
  const at = ['--entry-http', `127.0.0.1:${http}`, '--entry-https', `127.0.0.1:${https}`]
  const options = ['--entry', ...at, '--public-ip', '127.0.0.1', '--dns', 'none']
  const entryDir = join(host.dataDir, 'entry')
  let daemon = await host.startDaemon(...options)
  const route = `[{tcp: ${tcp}, drain: 60}]`
  const deploy = async (who: string, ...more: string[]) =>
    await host.done('service', 'deploy', host.file('db.yml', manifest(who, route)), ...more)

  // What has the port is named, and the port is served once it is free.
  const other = createServer().listen(tcp, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { stderr } = await deploy('one', '--scale', '2')
  expect(stderr).toContain(`tcp:${tcp} is not served yet by the entry of`)
  await until(async () => {
    expect((await listed(host))[0]?.problem).toMatch(`127.0.0.1:${tcp} is taken`)
  })
  await new Promise((resolve) => other.close(resolve))
  await until(async () => {
    expect(await once(tcp)).toBe('one')
  })
  // No Caddy runs for it.
  expect((await stateOfKeeper(entryDir))?.caddy).toBeNull()

  const load = startLoad(tcp)
  const kept = new Connection(tcp)
  expect(await kept.ask()).toBe('one')
  const rollout = deploy('two', '--rolling', '2', '--timeout', '50s')
  await load.answered('two')
  // It goes on, and holds up the end of its instance.
  for (let n = 0; n < 100; n++) {
    expect(await kept.ask()).toBe('one')
    await load.answered('two')
  }
  kept.end()
  // The drain alone is longer than what this may take.
  await rollout

  daemon.signal('SIGTERM')
  const overRestart = new Connection(tcp)
  expect(await overRestart.ask()).toBe('two')
  await daemon.ended
  await load.answered('two')
  daemon = await host.startDaemon(...options)
  expect(await overRestart.ask()).toBe('two')
  overRestart.end()
  await deploy('three')
  await load.answered('three')
  expect(await load.end()).toEqual([])

  const [entry] = await listed(host)
  expect(entry).toMatchObject({ host: null, path: null, tcp, tls: 'off', problem: null })
  expect(entry?.upstreams.filter(({ state }) => state === 'serving')).toHaveLength(2)
  const table = (await host.done('entry', 'list')).stdout
  expect(table).toContain(`tcp:${tcp}`)
  const refused = await host.run('service', 'deploy', host.file('two.yml', manifest('x', route)))
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`cannot have tcp:${tcp} of the entry: default/db has it`)

  process.kill((await pidOfHaproxy(entryDir, tcp)) ?? 0, 'SIGKILL')
  await until(async () => {
    expect(await once(tcp)).toBe('three')
  })
  // The keeper that comes next takes it over, with the connections that are open.
  const overKill = new Connection(tcp)
  expect(await overKill.ask()).toBe('three')
  const before = await pidOfHaproxy(entryDir, tcp)
  process.kill((await stateOfKeeper(entryDir))?.pid ?? 0, 'SIGKILL')
  const next = deploy('four', '--timeout', '50s')
  await until(async () => {
    expect(await once(tcp)).toBe('four')
  })
  expect(await overKill.ask()).toBe('three')
  overKill.end()
  await next
  expect(await pidOfHaproxy(entryDir, tcp)).toBe(before)
  process.kill(before ?? 0, 'SIGKILL')
  await until(async () => {
    expect(await once(tcp)).toBe('four')
  })

  await host.done('service', 'delete', 'db', '--force')
  await until(async () => {
    await expect(once(tcp)).rejects.toThrow('ECONNREFUSED')
  })
  expect(readdirSync(entryDir).filter((name) => name.startsWith('tcp-'))).toEqual([])
  daemon.signal('SIGTERM')
  await daemon.ended
  await host.startDaemon('--dns', 'none')
  await until(async () => {
    expect(await stateOfKeeper(entryDir)).toBeNull()
    // It hangs up before its socket is gone.
    expect(readdirSync(entryDir).filter((name) => name.endsWith('.sock'))).toEqual([])
  })
})

test('serves over IPv6, and a proxy of another port that hangs holds up no change', {
  timeout: 180_000,
}, async () => {
  const host = openHost()
  const [http, https, tcp, hung] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const at = ['--entry-http', `[::1]:${http}`, '--entry-https', `[::1]:${https}`]
  const daemon = await host.startDaemon('--entry', ...at, '--public-ip', '127.0.0.1', '--dns', 'none')
  const entryDir = join(host.dataDir, 'entry')
  const deploy = async (name: string, who: string, port: number) =>
    await host.done(
      ...['service', 'deploy', host.file(`${name}.yml`, manifest(who, `[{tcp: ${port}, drain: 0}]`))],
      ...['--timeout', '50s'],
    )
  await deploy('db', 'one', tcp)
  await deploy('other', 'other', hung)
  for (const [port, who] of [
    [tcp, 'one'],
    [hung, 'other'],
  ] as const)
    await until(async () => {
      expect(await once(port, '::1')).toBe(who)
    })
  // Only there.
  await expect(once(tcp)).rejects.toThrow('ECONNREFUSED')

  const pid = (await pidOfHaproxy(entryDir, hung)) ?? 0
  process.kill(pid, 'SIGSTOP')
  try {
    const table = readFileSync(join(entryDir, 'upstreams.json'), 'utf8')
    for (let n = 0; n < 3; n++) {
      const before = performance.now()
      await tellUpstreams(entryDir, '{}')
      await until(async () => {
        await expect(once(tcp, '::1')).rejects.toThrow()
      })
      await tellUpstreams(entryDir, table)
      await until(async () => {
        expect(await once(tcp, '::1')).toBe('one')
      })
      // One that waits for the other port's proxy waits for five seconds.
      expect(performance.now() - before).toBeLessThan(3000)
    }
    await until(async () => {
      const problems = (await listed(host)).map(({ problem }) => problem ?? '')
      expect(problems).toContainEqual(expect.stringContaining('haproxy does not answer within 5 s'))
    })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  daemon.signal('SIGTERM')
  await daemon.ended
  // It goes on without the daemon and the keeper, until a daemon has no entry any more.
  process.kill((await stateOfKeeper(entryDir))?.pid ?? 0, 'SIGKILL')
  expect(await once(tcp, '::1')).toBe('one')
  await host.startDaemon('--dns', 'none')
  await until(async () => {
    expect(await stateOfKeeper(entryDir)).toBeNull()
    for (const port of [tcp, hung]) await expect(once(port, '::1')).rejects.toThrow('ECONNREFUSED')
  })
})

test('a proxy that does not answer the next keeper has its port taken away', {
  timeout: 180_000,
}, async () => {
  const host = openHost()
  const [http, https, tcp] = [await freePort(), await freePort(), await freePort()]
  const at = ['--entry-http', `127.0.0.1:${http}`, '--entry-https', `127.0.0.1:${https}`]
  const daemon = await host.startDaemon('--entry', ...at, '--public-ip', '127.0.0.1', '--dns', 'none')
  const entryDir = join(host.dataDir, 'entry')
  const deploy = async (who: string) =>
    await host.done('service', 'deploy', host.file('db.yml', manifest(who, `[{tcp: ${tcp}, drain: 0}]`)))
  await deploy('one')
  const hung = (await pidOfHaproxy(entryDir, tcp)) ?? 0
  process.kill(hung, 'SIGSTOP')
  process.kill((await stateOfKeeper(entryDir))?.pid ?? 0, 'SIGKILL')
  // Else it would have the port for ever, and lead to those who served then.
  await until(async () => expect(() => process.kill(hung, 0)).toThrow('ESRCH'))
  await deploy('two')
  await until(async () => expect(await once(tcp)).toBe('two'))

  daemon.signal('SIGTERM')
  await daemon.ended
  process.kill((await stateOfKeeper(entryDir))?.pid ?? 0, 'SIGKILL')
  const next = (await pidOfHaproxy(entryDir, tcp)) ?? 0
  process.kill(next, 'SIGSTOP')
  // Nor does it outlive the entry.
  await host.startDaemon('--dns', 'none')
  await until(async () => expect(() => process.kill(next, 0)).toThrow('ESRCH'))
  expect(readdirSync(entryDir).filter((name) => name.startsWith('tcp-'))).toEqual([])
})

test('a port that nobody wants any more has no problem while its proxy ends', {
  timeout: 60_000,
}, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-tcp-'))
  const warnings: string[] = []
  let looked = (): void => {}
  const proxies = new TcpProxies({
    dir,
    log: { ...silentLog, warn: (_, text) => void warnings.push(text) },
    table: () => {
      looked()
      return {}
    },
    kept: { write: () => {} },
  })
  const port = await freePort()
  proxies.serve(JSON.stringify([{ host: '127.0.0.1', port, group: 'db' }]))
  // It answers before it counts as up.
  await until(async () => expect(proxies.served()).toEqual({ [port]: 'db' }))
  const pid = (await pidOfHaproxy(dir, port)) ?? 0
  process.kill(pid, 'SIGSTOP')
  try {
    const isAsked = new Promise<void>((resolve) => {
      looked = resolve
    })
    proxies.changed()
    await isAsked
    proxies.serve('[]')
  } finally {
    // Which waits for what is being done.
    await proxies.close()
    removeDir(dir)
  }
  expect([warnings, proxies.problems()]).toEqual([[], {}])
})

/** Counts what comes until the other end sends no more, and only then answers: a megabyte, and how much came. */
const halfOpen = [
  "const answer = (socket, count) => { socket.write(Buffer.alloc(2 ** 20, 'y')); socket.end(String(count)) }",
  "const count = (socket) => { let n = 0; socket.on('error', () => {}); socket.on('data', (text) => { n += text.length }); socket.on('end', () => setTimeout(answer, 100, socket, n)) }",
  "require('net').createServer({ allowHalfOpen: true }, count).listen(Number(process.env.PORT))",
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

/** Sends so much and then no more, and reads on until the end: how much came, and the last of it. */
function sendAll(port: number, bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    let said = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      said += text
    })
    socket.on('error', reject)
    socket.on('end', () => resolve(`${said.length} ${said.slice(2 ** 20)}`))
    socket.end(Buffer.alloc(bytes))
  })
}

test('who sends no more gets the whole answer', {
  timeout: 180_000,
}, async () => {
  const host = openHost()
  const [http, https, tcp] = [await freePort(), await freePort(), await freePort()]
  const at = ['--entry-http', `127.0.0.1:${http}`, '--entry-https', `127.0.0.1:${https}`]
  const options = ['--entry', ...at, '--public-ip', '127.0.0.1', '--dns', 'none']
  const daemon = await host.startDaemon(...options)
  const text = manifest('one', `[{tcp: ${tcp}}]`).replace(JSON.stringify(program), JSON.stringify(halfOpen))
  await host.done('service', 'deploy', host.file('db.yml', text), '--timeout', '50s')
  const whole = (bytes: number) => `${2 ** 20 + `${bytes}`.length} ${bytes}`
  await until(async () => {
    expect(await sendAll(tcp, 1)).toBe(whole(1))
  })
  // Who sends nothing at all has gone for HAProxy, where that comes before its connection to the server.
  const sizes = [1, 1000, 1_000_000]
  expect(await Promise.all(sizes.map((bytes) => sendAll(tcp, bytes)))).toEqual(sizes.map(whole))
  daemon.signal('SIGTERM')
  await daemon.ended
  await host.startDaemon('--dns', 'none')
  await until(async () => {
    await expect(sendAll(tcp, 1)).rejects.toThrow('ECONNREFUSED')
  })
})

function pidOfHaproxy(dir: string, port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(join(dir, `tcp-${port}.sock`))
    let said = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    socket.on('error', reject)
    socket.on('end', () => resolve(pidIn(said)))
    socket.write('show info\n')
  })
}
