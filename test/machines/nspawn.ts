// Machines for tests: Debian booted by real systemd in systemd-nspawn, each over a base that is made once, with a disk of
// its own that outlasts a loss of power. Nothing of the host's own systemd is touched, two runs at once do not meet, and
// what a killed run left behind is swept up.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { removeDir } from '../remove-dir.js'
import { insideGroups, makeGroups, removeGroups, takesControllers } from './cgroup.js'

export interface Machine {
  /** What the machine calls itself. */
  readonly name: string
  /** 32 hexadecimal digits, as in its /etc/machine-id. */
  readonly id: string
  /** The host's end of its network cable; means nothing without a bridge. */
  readonly cable: string
  /** Its disk, seen from the host, also while it has no power. */
  readonly disk: string
  /** The process id of its systemd, as the host counts. Throws while it has no power. */
  readonly leader: number
  /** Put before an argument vector, it runs inside the machine. */
  readonly enter: readonly string[]
  /** Ends it in the middle of everything; what is on its disk stays. Idempotent. */
  cutPower(): Promise<void>
  /** Boots it again; resolves when its systemd has come up. */
  boot(): Promise<void>
  /** Stops every process in it where it is, as a host does that pauses a virtual machine. */
  pause(): void
  resume(): void
  /** Ends it and removes every trace of it. Idempotent. */
  remove(): Promise<void>
}

export interface MachineOptions {
  /** A word; the machine's host name. */
  readonly name: string
  /** A bridge of the host that it is plugged into; without one it shares the host's network. */
  readonly bridge?: string
  /** Writes to its disk before the first boot. */
  readonly furnish?: (disk: string) => void
  /** Directories of the host, and where it sees them. */
  readonly binds?: Readonly<Record<string, string>>
  /** Its systemd holds limits; without it, it passes over them where the host has control groups of version 1. */
  readonly limits?: boolean
}

/** Where a machine sees the project and the host's Node. */
export const insideMachine = { project: '/opt/mariposa', node: '/usr/bin/node' } as const

const cache = '/var/tmp/mariposa-machines'
const suite = 'bookworm'
/** What the daemon needs, for backups too, and the databases whose data are followed through faults. */
const packages = 'systemd,systemd-sysv,dbus,iproute2,procps,zstd,sqlite3,postgresql-15'
/** The cluster that Debian makes of itself at the installation would run on every machine. */
const notOfDebian = [
  'etc/postgresql/15',
  'var/lib/postgresql/15',
  'lib/systemd/system-generators/postgresql-generator',
  'etc/systemd/system/multi-user.target.wants/postgresql.service',
]
/** Counts up whenever one of these changes, so that an older base is not taken for it. */
const baseName = `${suite}-2`
const readyWithinMs = 60_000

const inotifyFile = '/proc/sys/fs/inotify/max_user_instances'
/** To the kernel the programs of all machines are the same user's. Each has several for its systemd, and one per follower. */
const inotifyInstances = 4096

/** Starts a machine and resolves when its systemd has come up. Throws with the end of its journal where it does not. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  sweepDeadRuns()
  if (Number(readFileSync(inotifyFile, 'utf8')) < inotifyInstances)
    writeFileSync(inotifyFile, String(inotifyInstances))
  const label = `${options.name}-${randomUUID().slice(0, 4)}`
  const dir = layOutMachine(await ensureBase(), options.name, label)
  const disk = join(dir, 'root')
  options.furnish?.(disk)
  let running: Running | null = null
  const leader = (): number => {
    if (running === null) throw new Error(`${options.name} has no power`)
    return running.leader
  }
  const cutPower = async (): Promise<void> => {
    const ending = running
    running = null
    if (ending !== null) await end(ending.nspawn)
  }
  const machine: Machine = {
    name: options.name,
    id: readFileSync(join(disk, 'etc/machine-id'), 'utf8').trim(),
    cable: `vb-${label}`,
    disk,
    get leader() {
      return leader()
    },
    get enter() {
      return enterOf(leader())
    },
    cutPower,
    boot: async () => {
      running = await boot(dir, label, options)
    },
    pause: () => signalAll(dir, 'SIGSTOP'),
    resume: () => signalAll(dir, 'SIGCONT'),
    remove: async () => {
      await cutPower()
      removeRun(dir)
    },
  }
  try {
    await machine.boot()
    return machine
  } catch (error) {
    removeRun(dir)
    throw error
  }
}

/** Runs a program inside a machine. */
export async function runInside(
  machine: Pick<Machine, 'enter'>,
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
export const insideEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C.UTF-8',
}

/** Makes the base where there is none yet. What boots several machines at once asks for it first. */
export async function ensureBase(): Promise<string> {
  const base = join(cache, baseName)
  if (existsSync(base)) return base
  mkdirSync(cache, { recursive: true })
  const draft = join(cache, `draft-${process.pid}`)
  try {
    await promisify(execFile)('mmdebstrap', ['--variant=minbase', `--include=${packages}`, suite, draft])
    for (const path of notOfDebian) removeDir(join(draft, path))
  } catch (error) {
    removeDir(draft)
    throw new Error('the base of the machines could not be made (as root? is mmdebstrap installed?)', {
      cause: error,
    })
  }
  // Somebody else may have been faster; theirs is as good.
  if (existsSync(base)) removeDir(draft)
  else renameSync(draft, base)
  return base
}

/** The machine's directory: a small file system in memory over the base. Its name tells which process it belongs to. */
function layOutMachine(base: string, name: string, label: string): string {
  const dir = join(cache, `run-${process.pid}-${label}-${randomUUID().slice(0, 8)}`)
  mkdirSync(dir)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', dir])
  for (const part of ['upper', 'work', 'root']) mkdirSync(join(dir, part))
  const layers = `lowerdir=${base},upperdir=${dir}/upper,workdir=${dir}/work`
  execFileSync('mount', ['-t', 'overlay', '-o', layers, 'overlay', join(dir, 'root')])
  writeFileSync(join(dir, 'root/etc/machine-id'), `${randomUUID().replaceAll('-', '')}\n`)
  writeFileSync(join(dir, 'root/etc/hostname'), `${name}\n`)
  return dir
}

interface Running {
  readonly nspawn: ChildProcess
  readonly leader: number
}

async function boot(dir: string, label: string, options: MachineOptions): Promise<Running> {
  const nspawn = startNspawn(dir, label, options)
  try {
    const leader = await untilReady(dir, nspawn)
    if (options.limits === true) await takeControllers(leader)
    return { nspawn, leader }
  } catch (error) {
    await end(nspawn)
    throw error
  }
}

async function takeControllers(leader: number): Promise<void> {
  const { code, stderr } = await runInside({ enter: enterOf(leader) }, takesControllers)
  if (code !== 0) throw new Error(`the machine has no controllers: ${stderr}`)
}

function startNspawn(
  dir: string,
  label: string,
  { name, bridge, binds = {}, limits = false }: MachineOptions,
): ChildProcess {
  const args = ['--quiet', '--directory', join(dir, 'root'), '--register=no', '--keep-unit', '--boot']
  args.push(`--machine=${label}`, `--hostname=${name}`, '--kill-signal=SIGRTMIN+3')
  args.push(`--bind-ro=${process.execPath}:${insideMachine.node}`, ...projectBinds())
  args.push(...Object.entries(binds).map(([outside, inside]) => `--bind=${outside}:${inside}`))
  if (bridge !== undefined) args.push(`--network-bridge=${bridge}`)
  const log = openSync(join(dir, 'console.log'), 'a')
  const groups = makeGroups(basename(dir), limits)
  const [program = '', ...rest] = insideGroups(groups, ['systemd-nspawn', ...args])
  const nspawn = spawn(program, rest, {
    stdio: ['ignore', log, log],
    env: insideEnv,
    detached: true,
  })
  closeSync(log)
  return nspawn
}

/** The project, and its modules where they lie elsewhere and the project has a link to them. */
function projectBinds(): readonly string[] {
  const root = projectRoot()
  const modules = realpathSync(join(root, 'node_modules'))
  const linked = modules === join(root, 'node_modules') ? [] : [`--bind-ro=${modules}`]
  return [`--bind-ro=${root}:${insideMachine.project}`, ...linked]
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
    `a machine did not start (as root? is systemd-container installed?) ${problem}\n${text}\n${journal}`,
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

function enterOf(leader: number): readonly string[] {
  return ['nsenter', '--target', String(leader), '--all', '--']
}

async function journalTail(leader: number): Promise<string> {
  const answer = await runInside({ enter: enterOf(leader) }, ['journalctl', '--no-pager', '--lines=30'])
  return answer.stdout
}

async function end(nspawn: ChildProcess): Promise<void> {
  if (nspawn.pid === undefined || hasEnded(nspawn)) return
  const exited = once(nspawn, 'exit')
  const leader = leaderOf(nspawn.pid)
  if (leader !== null) signal(leader, 'SIGKILL')
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
  signalAll(dir, 'SIGKILL')
  for (const mount of [join(dir, 'root'), dir]) {
    try {
      execFileSync('umount', ['--lazy', mount], { stdio: 'ignore' })
    } catch {
      // It was never mounted, or is no longer.
    }
  }
  removeDir(dir)
  removeGroups(basename(dir))
}

/** Signals nspawn and all that runs in its machine; again, until what had just been started has it too. */
function signalAll(dir: string, name: NodeJS.Signals): void {
  const signalled = new Set<number>()
  for (;;) {
    const fresh = processesOf(dir).filter((pid) => !signalled.has(pid))
    if (fresh.length === 0) return
    for (const pid of fresh) {
      signalled.add(pid)
      signal(pid, name)
    }
  }
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself.
  }
}
