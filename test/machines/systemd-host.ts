// Real systemd machines for tests: Debian booted in systemd-nspawn, each over a base that is made once. Nothing of the
// host's own systemd is touched, two runs at once do not meet, and what a killed run left behind is swept up.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** How to reach into a machine; plain data, so that it can be handed from the set-up to the tests. */
export interface MachineHandle {
  readonly name: string
  /** The process id of its systemd, as the host counts. */
  readonly leader: number
  /** Where its files are, seen from the host. */
  readonly root: string
  /** systemd's private socket, brought out of the machine: systemd refuses peers that it cannot see. */
  readonly socketPath: string
  /** Put before an argument vector, it runs inside the machine. */
  readonly enter: readonly string[]
}

export interface SystemdHost {
  readonly handle: MachineHandle
  /** Ends the machine as a loss of power would, and removes every trace of it. Idempotent. */
  readonly stop: () => Promise<void>
}

export interface MachineOptions {
  /** A word; the machine's host name. */
  readonly name: string
  /** A bridge of the host that it is plugged into; without one it shares the host's network. */
  readonly bridge?: string
}

/** Where a machine sees the project and the host's Node. */
export const insideMachine = { project: '/opt/mariposa', node: '/usr/bin/node' } as const

const cache = '/var/tmp/mariposa-machines'
const suite = 'bookworm'
const packages = 'systemd,systemd-sysv,dbus,iproute2,procps'
/** Counts up whenever `packages` changes, so that an older base is not taken for it. */
const baseName = `${suite}-1`
const readyWithinMs = 60_000

/** Starts one machine on the host's network. */
export async function startSystemd(): Promise<SystemdHost> {
  return await startMachine({ name: 'alone' })
}

/** Starts a machine and resolves when its systemd has come up. Throws with the end of its journal where it does not. */
export async function startMachine(options: MachineOptions): Promise<SystemdHost> {
  sweepDeadRuns()
  const base = await ensureBase()
  const dir = layOutMachine(base, options.name)
  const nspawn = boot(dir, options)
  try {
    const leader = await untilReady(dir, nspawn)
    const relay = await startRelay(leader)
    const handle = handleOf(options.name, leader)
    return {
      handle,
      stop: async () => {
        relay.kill('SIGKILL')
        await end(nspawn)
        removeRun(dir)
      },
    }
  } catch (error) {
    await end(nspawn)
    removeRun(dir)
    throw error
  }
}

/** Runs a program inside a machine. */
export async function runInside(
  machine: Pick<MachineHandle, 'enter'>,
  argv: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const [program = '', ...args] = [...machine.enter, ...argv]
  try {
    return {
      code: 0,
      ...(await promisify(execFile)(program, args, { env: insideEnv, maxBuffer: 64 * 1024 ** 2 })),
    }
  } catch (error) {
    const failed = error as { code?: unknown; stdout?: string; stderr?: string }
    if (typeof failed.code !== 'number') throw error
    return { code: failed.code, stdout: failed.stdout ?? '', stderr: failed.stderr ?? '' }
  }
}

/** The host's own variables (proxies, certificates) mean nothing inside. */
const insideEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
}

function enterOf(leader: number): readonly string[] {
  return ['nsenter', '--target', String(leader), '--all', '--']
}

function handleOf(name: string, leader: number): MachineHandle {
  const root = `/proc/${leader}/root`
  return { name, leader, root, socketPath: root + relaySocket, enter: enterOf(leader) }
}

async function ensureBase(): Promise<string> {
  const base = join(cache, baseName)
  if (existsSync(base)) return base
  mkdirSync(cache, { recursive: true })
  const draft = join(cache, `draft-${process.pid}`)
  try {
    await promisify(execFile)('mmdebstrap', ['--variant=minbase', `--include=${packages}`, suite, draft])
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw new Error(
      'the base of the systemd machines could not be made (as root? is mmdebstrap installed?)',
      {
        cause: error,
      },
    )
  }
  // Somebody else may have been faster; theirs is as good.
  if (existsSync(base)) rmSync(draft, { recursive: true, force: true })
  else renameSync(draft, base)
  return base
}

/** The machine's directory: a small file system in memory over the base. Its name tells which process it belongs to. */
function layOutMachine(base: string, name: string): string {
  const dir = join(cache, `run-${process.pid}-${name}-${randomUUID().slice(0, 8)}`)
  mkdirSync(dir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', dir])
  for (const part of ['upper', 'work', 'root']) mkdirSync(join(dir, part))
  const layers = `lowerdir=${base},upperdir=${dir}/upper,workdir=${dir}/work`
  execFileSync('mount', ['-t', 'overlay', '-o', layers, 'overlay', join(dir, 'root')])
  writeFileSync(join(dir, 'root/etc/machine-id'), `${randomUUID().replaceAll('-', '')}\n`)
  writeFileSync(join(dir, 'root/etc/hostname'), `${name}\n`)
  return dir
}

function boot(dir: string, { name, bridge }: MachineOptions): ChildProcess {
  const log = openSync(join(dir, 'console.log'), 'a')
  const args = [
    '--quiet',
    '--directory',
    join(dir, 'root'),
    `--machine=${name}`,
    '--register=no',
    '--keep-unit',
  ]
  args.push('--kill-signal=SIGRTMIN+3', `--bind-ro=${process.execPath}:${insideMachine.node}`)
  args.push(`--bind-ro=${projectRoot()}:${insideMachine.project}`)
  if (bridge !== undefined) args.push(`--network-bridge=${bridge}`)
  return spawn('systemd-nspawn', [...args, '--boot'], {
    stdio: ['ignore', log, log],
    env: insideEnv,
    detached: true,
  })
}

/** The nearest directory above this file with a package.json; a bundle of it may lie deeper than the file itself. */
function projectRoot(): string {
  let dir = import.meta.dirname
  while (!existsSync(join(dir, 'package.json'))) dir = dirname(dir)
  return dir
}

/** Waits until systemd inside has done its start-up, and gives its process id. */
async function untilReady(dir: string, nspawn: ChildProcess): Promise<number> {
  let problem = ''
  nspawn.on('error', (error) => {
    problem = error.message
  })
  const giveUpAt = Date.now() + readyWithinMs
  let leader: number | null = null
  while (Date.now() < giveUpAt && nspawn.pid !== undefined && !hasEnded(nspawn)) {
    leader = leaderOf(nspawn.pid)
    if (leader !== null && (await isUp(leader))) return leader
    await delay(100)
  }
  const journal = leader === null ? '' : await journalTail(leader)
  const text = readFileSync(join(dir, 'console.log'), 'utf8').slice(-4000)
  throw new Error(
    `a systemd machine did not start (as root? is systemd-container installed?) ${problem}\n${text}\n${journal}`,
  )
}

function leaderOf(nspawnPid: number): number | null {
  try {
    const [first] = readFileSync(`/proc/${nspawnPid}/task/${nspawnPid}/children`, 'utf8').split(' ')
    return first ? Number(first) : null
  } catch {
    return null
  }
}

async function isUp(leader: number): Promise<boolean> {
  const answer = await runInside({ enter: enterOf(leader) }, ['systemctl', 'is-system-running'])
  // A part of Debian that cannot work in a container does not matter here.
  return ['running', 'degraded'].includes(answer.stdout.trim())
}

async function journalTail(leader: number): Promise<string> {
  const answer = await runInside({ enter: enterOf(leader) }, ['journalctl', '--no-pager', '--lines=30'])
  return answer.stdout
}

const relaySocket = '/run/private-relay'

/** Passes connections on to systemd's private socket from inside the machine. Either end's close closes the other. */
const relayProgram = `
  const net = require('node:net')
  net.createServer({ allowHalfOpen: false }, (client) => {
    const systemd = net.connect('/run/systemd/private')
    client.pipe(systemd).pipe(client)
    for (const [one, other] of [[client, systemd], [systemd, client]]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }).listen('${relaySocket}', () => console.log('ready'))
`

async function startRelay(leader: number): Promise<ChildProcess> {
  const [program = '', ...args] = [...enterOf(leader), insideMachine.node, '--eval', relayProgram]
  const relay = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: insideEnv })
  const started = once(relay.stdout, 'data')
  const ended = once(relay, 'exit').then(() => Promise.reject(new Error('the relay to systemd ended')))
  await Promise.race([started, ended])
  ended.catch(() => {})
  relay.stdout.destroy()
  return relay
}

async function end(nspawn: ChildProcess): Promise<void> {
  if (nspawn.pid === undefined || hasEnded(nspawn)) return
  const exited = once(nspawn, 'exit')
  const leader = leaderOf(nspawn.pid)
  if (leader !== null) killNow(leader)
  nspawn.kill('SIGKILL')
  await exited
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Cleans up after runs that were killed: their directories name a process that is no longer there. */
function sweepDeadRuns(): void {
  if (!existsSync(cache)) return
  for (const name of readdirSync(cache)) {
    const [, pid] = /^(?:run|draft)-(\d+)/.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) removeRun(join(cache, name))
  }
}

function isAlive(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`).includes('node')
  } catch {
    return false
  }
}

function removeRun(dir: string): void {
  for (const pid of processesOf(dir)) killNow(pid)
  for (const mount of [join(dir, 'root'), dir]) {
    try {
      execFileSync('umount', ['--lazy', mount], { stdio: 'ignore' })
    } catch {
      // It was never mounted, or is no longer.
    }
  }
  rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** What runs in a machine has its overlay as root; nspawn itself names the directory. */
function processesOf(dir: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('systemd-nspawn\0')) {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${dir}/root\0`)
        }
        return readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
          .split('\n')
          .some((line) => line.split(' ')[4] === '/' && line.includes(`upperdir=${dir}/upper`))
      } catch {
        return false
      }
    })
    .map(Number)
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
