// HAProxy as a process, one for each port: started or found, told who serves, and ended.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isListening } from '../../dns/io/port-holder.js'
import { steadyClock } from '../../lib/io/clock.js'
import { errorCode } from '../../lib/io/error-code.js'
import { readTextFile } from '../../lib/io/text-file.js'
import {
  haproxyConfig,
  isDone,
  listensAt,
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
import {
  endWithinMs,
  FoundProxy,
  lookEveryMs,
  ProxyProcess,
  proxiesIn,
  type RunningProxy,
  signalIn,
} from './proxy-process.js'

const program = 'haproxy'
const answersWithinMs = 5000
/** More threads than that one port has no use for. */
const threadsAtMost = 4

export class HaProxy {
  readonly listen: TcpListen
  readonly #dir: string
  readonly #process: RunningProxy
  /** All that may have a connection, as far as was last known. */
  #names: readonly string[]

  private constructor(dir: string, listen: TcpListen, names: readonly string[], process: RunningProxy) {
    this.#dir = dir
    this.listen = listen
    this.#names = names
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
    const file = configFile(port)
    const threads = Math.min(threadsAtMost, availableParallelism())
    const config = haproxyConfig(listen, servers, { hasSix: hasSix(), threads })
    writeFileSync(join(dir, file), config, { mode: 0o600 })
    const how = {
      ...{ name: program, words: ['-db', '-f', file], dir, env: { PATH: haproxyPath() } },
      missing: 'there is no program haproxy on this machine: apt-get install haproxy',
      // It tells of everybody who comes and goes for as long as it runs: only the end of that may be of use.
      whyOf: alertIn,
    }
    const started = new ProxyProcess(how, onEnd)
    await started.untilUp(async () => {
      const pid = await pidAt(dir, port)
      return pid !== null && pid === started.pid
    })
    const names = servers.map(({ name }) => name)
    return new HaProxy(dir, listen, names, started)
  }

  /** Takes over the one that listens there though whoever started it is gone; null where there is none that answers. */
  static async takeOver(dir: string, listen: TcpListen, onEnd: () => void): Promise<HaProxy | null> {
    const { port } = listen
    const file = join(dir, configFile(port))
    if (!existsSync(file) || !listensAt(readTextFile(file), listen, hasSix())) return null
    const pid = await pidAt(dir, port)
    const known = pid === null ? null : readServers(await tell(dir, port, showServers))
    if (pid === null || known === null) return null
    const names = known.map(({ name }) => name)
    return new HaProxy(dir, listen, names, FoundProxy.of(pid, program, dir, onEnd))
  }

  get pid(): number | null {
    return this.#process.pid
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
    if (servers === null) throw new Error(`haproxy does not list its servers: ${text.trim()}`)
    return servers
  }

  /** Has it lead to these from now on; connections that are open go on. */
  async leadTo(servers: readonly TcpServer[]): Promise<void> {
    const known = await this.servers()
    this.#names = [...new Set([...known, ...servers].map(({ name }) => name))]
    for (const command of serverCommands(known, servers)) {
      const said = await tell(this.#dir, this.listen.port, command)
      if (!isDone(command, said)) throw new Error(`haproxy answered '${command}' with: ${said.trim()}`)
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

function configFile(port: number): string {
  return `tcp-${port}.cfg`
}

/** Removes what a port that is not served any more has in the folder. */
export function removeFiles(dir: string, port: number): void {
  for (const file of [tcpSocket(port), configFile(port)]) rmSync(join(dir, file), { force: true })
}

/** The ports that have files in the folder. */
export function portsIn(dir: string): ReadonlySet<number> {
  const ports = readdirSync(dir).map((name) => /^tcp-(\d+)\.(?:sock|cfg)$/.exec(name)?.[1])
  return new Set(ports.filter((port) => port !== undefined).map(Number))
}

/** The numbers of those that run in the folder, by port, whether they answer or not: one may have nothing but connections. */
export function proxiesByPort(dir: string): ReadonlyMap<number, readonly number[]> {
  const pids = new Map<number, number[]>()
  for (const pid of proxiesIn(dir, program)) {
    const port = portOf(pid)
    if (port !== null) pids.set(port, [...(pids.get(port) ?? []), pid])
  }
  return pids
}

function portOf(pid: number): number | null {
  try {
    const [, digits] = /\0tcp-(\d+)\.cfg\0/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? []
    return digits === undefined ? null : Number(digits)
  } catch {
    return null
  }
}

/** Has one listen no more, whose connections have a minute, and ends it where it goes on: its port may be needed. */
export async function closeOrphan(dir: string, pid: number): Promise<void> {
  for (const signal of ['SIGUSR1', 'SIGKILL'] as const) {
    signalIn(dir, program, pid, signal)
    for (const until = steadyClock.now() + endWithinMs; steadyClock.now() < until; await sleep(lookEveryMs))
      if (!(await isListening(pid))) return
  }
}

/** Ends all that run in the folder though whoever started them is gone. Resolves to how many there were. */
export async function endOrphanProxies(dir: string): Promise<number> {
  const pids = proxiesIn(dir, program)
  await Promise.all(pids.map((pid) => FoundProxy.of(pid, program, dir, () => {}).end()))
  for (const port of portsIn(dir)) removeFiles(dir, port)
  return pids.length
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
