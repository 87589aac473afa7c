// HAProxy as a child process, one for each port: started, told who serves, and ended.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyClock } from '../../lib/io/clock.js'
import { errorCode } from '../../lib/io/error-code.js'
import {
  haproxyConfig,
  isDone,
  pidIn,
  readServers,
  type ShownServer,
  serverCommands,
  showServers,
  type TcpListen,
  type TcpServer,
  tcpSocket,
} from '../haproxy.js'
import { openSocketPath } from './ask-socket.js'
import { haproxyPath } from './find-haproxy.js'
import { hasSix } from './has-six.js'
import { endWithinMs, lookEveryMs, ProxyProcess } from './proxy-process.js'

const answersWithinMs = 5000
/** More threads than that one port has no use for. */
const threadsAtMost = 4

export class HaProxy {
  readonly listen: TcpListen
  readonly #dir: string
  readonly #process: ProxyProcess
  /** All that may have a connection, as far as was last known. */
  #names: readonly string[]

  private constructor(dir: string, listen: TcpListen, servers: readonly TcpServer[], process: ProxyProcess) {
    this.#dir = dir
    this.listen = listen
    this.#names = servers.map(({ name }) => name)
    this.#process = process
  }

  /** Starts it, and resolves when it takes commands. `onEnd` is called when it has ended, for whatever reason. */
  static async start(
    dir: string,
    listen: TcpListen,
    servers: readonly TcpServer[],
    onEnd: () => void,
  ): Promise<HaProxy> {
    const { port } = listen
    rmSync(join(dir, tcpSocket(port)), { force: true })
    const file = `tcp-${port}.cfg`
    const threads = Math.min(threadsAtMost, availableParallelism())
    const config = haproxyConfig(listen, servers, { hasSix: hasSix(), threads })
    writeFileSync(join(dir, file), config, { mode: 0o600 })
    const program = {
      ...{ name: 'haproxy', words: ['-db', '-f', file], dir, env: { PATH: haproxyPath() } },
      missing: 'there is no program haproxy on this machine: apt-get install haproxy',
      // It tells of everybody who comes and goes for as long as it runs: only the end of that may be of use.
      whyOf: alertIn,
    }
    const started = new ProxyProcess(program, onEnd)
    await started.untilUp(async () => {
      const pid = await pidAt(dir, port)
      return pid !== null && pid === started.pid
    })
    return new HaProxy(dir, listen, servers, started)
  }

  get hasEnded(): boolean {
    return this.#process.hasEnded
  }

  /** Those that may have connections while nobody can be asked: one that is retired takes no commands. */
  get names(): readonly string[] {
    return this.hasEnded ? [] : this.#names
  }

  /** Those whom it knows, with how many connections each has. */
  async servers(): Promise<readonly ShownServer[]> {
    const text = await tell(this.#dir, this.listen.port, showServers)
    const servers = readServers(text)
    if (servers === null) throw new Error(`haproxy does not tell whom it leads to: ${text.trim()}`)
    return servers
  }

  /** Has it lead to these from now on; connections that are open go on. */
  async leadTo(servers: readonly TcpServer[]): Promise<void> {
    const known = await this.servers()
    this.#names = [...new Set([...known, ...servers].map(({ name }) => name))]
    for (const command of serverCommands(known, servers)) {
      const said = await tell(this.#dir, this.listen.port, command)
      if (!isDone(command, said)) throw new Error(`haproxy says to '${command}': ${said.trim()}`)
    }
  }

  /** It listens no more at once; connections that are open have a minute. */
  retire(): void {
    this.#process.signal('SIGUSR1')
  }

  async end(): Promise<void> {
    await this.#process.end()
  }
}

function alertIn(said: string): string {
  const found = /\[ALERT\][^:]*: (.*)/.exec(said)?.[1]
  return found === undefined ? '' : `: ${found}`
}

/** Ends those that run in the folder though whoever started them is gone: their ports are needed. */
export async function endOrphanProxies(dir: string): Promise<void> {
  for (const name of readdirSync(dir)) {
    const [, digits] = /^tcp-(\d+)\.sock$/.exec(name) ?? []
    if (digits === undefined) continue
    const pid = await pidAt(dir, Number(digits))
    if (pid !== null) await endProcess(dir, Number(digits), pid)
    rmSync(join(dir, name), { force: true })
  }
}

async function endProcess(dir: string, port: number, pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM')
  for (const until = steadyClock.now() + endWithinMs; steadyClock.now() < until; await sleep(lookEveryMs))
    if ((await pidAt(dir, port)) !== pid) return
  throw new Error(`a haproxy of before does not end: process ${pid}`)
}

async function pidAt(dir: string, port: number): Promise<number | null> {
  try {
    return pidIn(await tell(dir, port, 'show info'))
  } catch {
    return null
  }
}

/** One command to the socket of a port, and all that is said to it. */
async function tell(dir: string, port: number, command: string): Promise<string> {
  const at = openSocketPath(dir, tcpSocket(port))
  try {
    return await new Promise<string>((resolve, reject) => {
      const socket = connect({ path: at.path, signal: AbortSignal.timeout(answersWithinMs) })
      let said = ''
      socket.setEncoding('utf8')
      socket.on('error', reject)
      socket.on('data', (text: string) => {
        said += text
      })
      socket.on('end', () => resolve(said))
      socket.write(`${command}\n`)
    })
  } catch (error) {
    if (errorCode(error) !== 'ABORT_ERR') throw error
    throw new Error(`haproxy does not answer within ${answersWithinMs / 1000} s`, { cause: error })
  } finally {
    at.close()
  }
}
