// Finds the process that keeps the proxy, or starts it, and tells it what to serve.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyClock } from '../../lib/io/clock.js'
import { type KeeperState, keeperProtocol, keeperSocket, protocolFor } from '../keeper-protocol.js'
import { askSocket, type SocketAnswer, type SocketRequest } from './ask-socket.js'

const startWithinMs = 20_000
const answersWithinMs = 10_000
const lookEveryMs = 20
/** Its log is begun anew by a keeper that finds more. */
const logAtMost = 1024 ** 2

/** How the keeper of a folder is; null where there is none. */
export async function stateOfKeeper(dir: string): Promise<KeeperState | null> {
  try {
    const { status, text } = await ask(dir, 'GET', '/state')
    return status === 200 ? (JSON.parse(text) as KeeperState) : null
  } catch {
    return null
  }
}

/** The keeper of a folder, which is started by its command where there is none, or one that does not understand what it is to do. */
export async function findOrStartKeeper(
  dir: string,
  command: readonly string[],
  needsTcp: boolean,
  withinMs = startWithinMs,
): Promise<KeeperState> {
  let starting: ChildProcess | null = null
  for (const until = steadyClock.now() + withinMs; steadyClock.now() < until; await sleep(lookEveryMs)) {
    const found = await stateOfKeeper(dir)
    const protocol = found?.protocol ?? 0
    if (found !== null && protocol >= protocolFor(needsTcp) && protocol <= keeperProtocol) return found
    if (found !== null) await endKeeper(dir)
    // One that found another at work has ended: start the next.
    else if (starting === null || starting.exitCode !== null || starting.signalCode !== null)
      starting = startKeeper(dir, command)
  }
  const still = starting?.exitCode === null && starting.signalCode === null
  const how = still ? `has not come up within ${withinMs / 1000} s` : 'ends when it is started'
  throw new Error(`the process that keeps the proxy ${how}; trying again: see ${join(dir, 'keeper.log')}`)
}

/** Tells the keeper who serves what: it takes effect at once. */
export async function tellUpstreams(dir: string, table: string): Promise<void> {
  await told(dir, '/upstreams', table)
}

/** Tells the keeper what is to be served. */
export async function tellConfig(dir: string, config: string): Promise<void> {
  await told(dir, '/config', config)
}

/** Tells the keeper which ports to serve for what is not HTTP. */
export async function tellTcp(dir: string, listens: string): Promise<void> {
  await told(dir, '/tcp', listens)
}

/** How many connections that are not HTTP each target has, in the words of Caddy. */
export async function tcpUnderWay(dir: string): Promise<SocketAnswer> {
  return ask(dir, 'GET', '/tcp/under-way')
}

/** Ends the keeper of a folder and its proxies, and resolves to whether there was one. */
export async function endKeeper(dir: string): Promise<boolean> {
  const found = await stateOfKeeper(dir)
  if (found === null) return false
  await ask(dir, 'POST', '/end').catch(() => {})
  for (const until = steadyClock.now() + startWithinMs; steadyClock.now() < until; await sleep(lookEveryMs)) {
    if ((await stateOfKeeper(dir))?.pid !== found.pid) return true
  }
  throw new Error(`the proxy of process ${found.pid} does not end`)
}

async function told(dir: string, path: string, body: string): Promise<void> {
  const { status, text } = await ask(dir, 'PUT', path, body)
  if (status !== 200) throw new Error(`the process that keeps the proxy answers ${status} ${text}`)
}

function ask(dir: string, method: SocketRequest['method'], path: string, body?: string) {
  const asked = { dir, socket: keeperSocket, method, path, withinMs: answersWithinMs }
  return askSocket({ ...asked, ...(body !== undefined && { body }) })
}

function startKeeper(dir: string, command: readonly string[]): ChildProcess {
  const [program = '', ...words] = command
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const file = join(dir, 'keeper.log')
  const isLong = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logAtMost
  const log = openSync(file, isLong ? 'w' : 'a', 0o600)
  try {
    const { PATH, LANG, TZ } = process.env
    const child = spawn(program, [...words, dir], {
      cwd: '/',
      detached: true,
      env: { PATH, LANG, TZ },
      stdio: ['ignore', log, log],
    })
    child.on('error', () => {})
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}
