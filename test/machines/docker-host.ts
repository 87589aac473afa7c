// A Docker of our own for the machine tests: containerd and dockerd with their own directories, socket and bridge, so
// that a Docker that the host may have is never touched, and two runs at once do not meet.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Docker from 'dockerode'
import { removeDir } from '../remove-dir.js'
import { freeSubnet } from './subnet.js'

export interface DockerHost {
  readonly socketPath: string
  /** Kills the Docker daemon alone, as a crash would. Idempotent. */
  readonly crash: () => Promise<void>
  /** Ends the Docker daemon as an upgrade of it does: it stops its containers first, unless they are to live on. */
  readonly shutDown: () => Promise<void>
  /** Holds up one of its daemons: it keeps its connections, takes new ones and says nothing, until it is let go on. */
  readonly freeze: (which?: 'dockerd' | 'containerd') => void
  readonly thaw: (which?: 'dockerd' | 'containerd') => void
  /** Ends all of it at once as a loss of power does: daemons, shims, programs, and what was kept for this boot alone. */
  readonly powerLoss: () => Promise<void>
  /** Starts again what was ended, and resolves when it answers. */
  readonly recover: () => Promise<void>
  /** Ends everything and removes every trace: containers, daemons, mounts, bridge, directory. */
  readonly stop: () => Promise<void>
}

/** The image that every test uses: Debian's busybox with its applets linked, and nothing else. */
export const testImage = 'mariposa-test:latest'

/** The same, with a volume of its own at `/data`. */
export const volumeImage = 'mariposa-volume:latest'

const prefix = 'mariposa-docker-'
const readyWithinMs = 60_000

export interface DockerWish {
  /** Containers live on while the daemon is away. */
  readonly liveRestore?: boolean
  /** A machine that it is the Docker of. */
  readonly machine?: DockerMachine
}

export interface DockerMachine {
  /** A process of the machine, as the host counts: Docker has its bridge, and publishes ports, in the network of that one. */
  readonly process: () => number
  /** Where it listens as well: a file on the machine's disk, seen from the host. */
  readonly socket: string
}

/**
 * Starts a Docker that answers and holds `testImage` and `volumeImage`. Throws with the end of the daemon's log where it
 * cannot.
 */
export async function startDocker({ liveRestore = false, machine }: DockerWish = {}): Promise<DockerHost> {
  sweepDeadRuns()
  const run = layOutRun(liveRestore, machine ?? null)
  addBridge(run)
  try {
    let containerd = await startContainerd(run)
    let dockerd = await startDockerd(run)
    await importTestImage(run)
    return {
      socketPath: run.socket,
      crash: async () => await end(dockerd, 'SIGKILL'),
      shutDown: async () => await end(dockerd, 'SIGTERM'),
      freeze: (which = 'dockerd') => void { dockerd, containerd }[which].kill('SIGSTOP'),
      thaw: (which = 'dockerd') => void { dockerd, containerd }[which].kill('SIGCONT'),
      powerLoss: async () => {
        await Promise.all([end(dockerd, 'SIGKILL'), end(containerd, 'SIGKILL')])
        // A shim that ends its own program on the way is not to outlive it: until nothing is found.
        while (processesOf(run.dir).length > 0) {
          for (const pid of processesOf(run.dir)) killNow(pid)
          await delay(20)
        }
        for (const mount of mountsUnder(run.dir))
          execFileSync('umount', ['--lazy', mount], { stdio: 'ignore' })
        for (const gone of ['exec', 'cd-state', 'docker.sock', 'containerd.sock', 'docker.pid'])
          removeDir(join(run.dir, gone))
      },
      recover: async () => {
        if (hasEnded(containerd)) containerd = await startContainerd(run)
        addBridge(run)
        dockerd = await startDockerd(run)
      },
      stop: async () => {
        for (const daemon of [containerd, dockerd]) daemon.kill('SIGCONT')
        await removeContainers(run).catch(() => {})
        await end(dockerd, 'SIGTERM')
        await end(containerd, 'SIGTERM')
        removeRun(run.dir)
      },
    }
  } catch (error) {
    removeRun(run.dir)
    throw error
  }
}

interface Run {
  readonly dir: string
  readonly socket: string
  readonly containerdSocket: string
  readonly bridge: string
  /** Address of the bridge, with prefix length. */
  readonly address: string
  readonly liveRestore: boolean
  readonly machine: DockerMachine | null
}

/** One directory per run, named after this process: its leftovers can be told from a run that is alive. */
function layOutRun(liveRestore: boolean, machine: DockerMachine | null): Run {
  const [dir, ordinal] = makeRunDir()
  const netOf = (subnet: number): string => `10.${128 + (subnet >> 8)}.${subnet & 255}`
  const net = netOf(freeSubnet(64 * 256, process.pid * 4 + ordinal, netOf))
  return {
    dir,
    socket: join(dir, 'docker.sock'),
    containerdSocket: join(dir, 'containerd.sock'),
    bridge: bridgeOf(dir),
    address: `${net}.1/24`,
    ...{ liveRestore, machine },
  }
}

function makeRunDir(): readonly [string, number] {
  for (let ordinal = 0; ordinal < 4; ordinal++) {
    const dir = join(tmpdir(), `${prefix}${process.pid}-${ordinal}`)
    try {
      mkdirSync(dir)
      return [dir, ordinal]
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  throw new Error('four Docker hosts are running in this process already')
}

/** `mpd` and the numbers in the directory's name: at most 15 characters, as the kernel wants it. */
function bridgeOf(dir: string): string {
  return `mpd${dir.slice(dir.lastIndexOf(prefix) + prefix.length)}`
}

/** Where there is none: that of a machine goes with its power. */
function addBridge(run: Run): void {
  const { bridge, address } = run
  if (attempts(run, 'ip', 'link', 'show', bridge)) return
  const ip = (...args: readonly string[]): void => {
    const [program = '', ...rest] = inNetworkOf(run, ['ip', ...args])
    execFileSync(program, rest)
  }
  // With one of its own, as Docker's bridges have: else it is the lowest of its ports and changes with them, and containers go on sending
  // to the one before for seconds.
  const hardware = address
    .replace(/\/.*/, '')
    .split('.')
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
  ip('link', 'add', bridge, 'address', `02:42:${hardware.join(':')}`, 'type', 'bridge')
  ip('addr', 'add', address, 'dev', bridge)
  ip('link', 'set', bridge, 'up')
}

function attempts(run: Run, ...argv: readonly string[]): boolean {
  const [program = '', ...args] = inNetworkOf(run, argv)
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

function inNetworkOf({ machine }: Run, argv: readonly string[]): readonly string[] {
  return machine === null ? argv : ['nsenter', `--net=/proc/${machine.process()}/ns/net`, '--', ...argv]
}

async function startContainerd(run: Run): Promise<ChildProcess> {
  const config = join(run.dir, 'containerd.toml')
  writeFileSync(config, 'version = 2\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n')
  const args = ['--config', config, '--root', join(run.dir, 'cd-root'), '--state', join(run.dir, 'cd-state')]
  return await startDaemon(run, 'containerd', [...args, '--address', run.containerdSocket], async () => {
    execFileSync('ctr', ['--address', run.containerdSocket, 'version'], { stdio: 'ignore' })
  })
}

/** Ports are published by docker-proxy alone, so that the host's firewall rules stay as they are. */
const unfiltered = { iptables: 'false', 'ip-forward': 'false', 'ip-masq': 'false' }

/** A container of a machine weighs as much as one of its processes, which are in no group here; all of Docker's own weigh as much as one. */
const besideProcesses = { 'cgroup-parent': '/' }

async function startDockerd(run: Run): Promise<ChildProcess> {
  const args = {
    host: `unix://${run.socket}`,
    containerd: run.containerdSocket,
    'data-root': join(run.dir, 'root'),
    'exec-root': join(run.dir, 'exec'),
    pidfile: join(run.dir, 'docker.pid'),
    'config-file': join(run.dir, 'daemon.json'),
    'storage-driver': 'overlay2',
    bridge: run.bridge,
    ...(run.machine === null ? unfiltered : besideProcesses),
  }
  writeFileSync(args['config-file'], JSON.stringify({ 'live-restore': run.liveRestore }))
  const flags = Object.entries(args).map(([name, value]) => `--${name}=${value}`)
  if (run.machine !== null) flags.push(`--host=unix://${run.machine.socket}`)
  return await startDaemon(run, 'dockerd', flags, async () => await ping(run.socket))
}

/** Starts a daemon and waits until `probe` passes; fails with its log when it ends or takes too long. */
async function startDaemon(
  run: Run,
  name: string,
  args: string[],
  probe: () => Promise<void>,
): Promise<ChildProcess> {
  const logFile = join(run.dir, `${name}.log`)
  appendFileSync(logFile, '')
  const log = openSync(logFile, 'a')
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` }
  const [program = '', ...words] = inNetworkOf(run, [name, ...args])
  const child = spawn(program, words, { stdio: ['ignore', log, log], env })
  child.on('error', (error) => appendFileSync(logFile, `${error.message}\n`))
  const giveUpAt = Date.now() + readyWithinMs
  for (;;) {
    try {
      await probe()
      return child
    } catch (error) {
      if (hasEnded(child) || child.pid === undefined || Date.now() > giveUpAt) {
        child.kill('SIGKILL')
        const tail = readFileSync(logFile, 'utf8').slice(-4000)
        throw new Error(`${name} did not start (as root? is docker.io installed?):\n${tail}`, {
          cause: error,
        })
      }
      await delay(50)
    }
  }
}

function ping(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const ask = request({ socketPath, path: '/_ping', timeout: 5000 }, (response) => {
      response.resume()
      response.statusCode === 200 ? resolve() : reject(new Error(`ping: ${response.statusCode}`))
    })
    ask.on('timeout', () => ask.destroy(new Error('ping: no answer')))
    ask.on('error', reject)
    ask.end()
  })
}

async function importTestImage(run: Run): Promise<void> {
  const root = join(run.dir, 'image')
  for (const dir of ['bin', 'tmp', 'www', 'etc']) mkdirSync(join(root, dir), { recursive: true })
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'))
  const applets = execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).split('\n')
  for (const applet of applets)
    if (applet && applet !== 'busybox') symlinkSync('busybox', join(root, 'bin', applet))
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n')
  const archive = join(run.dir, 'image.tar')
  execFileSync('tar', ['-C', root, '-cf', archive, '.'])
  const docker = new Docker({ socketPath: run.socket })
  for (const [image, changes] of [[testImage], [volumeImage, 'VOLUME /data']] as const) {
    const [repo, tag] = image.split(':')
    const progress = await docker.importImage(archive, { repo, tag, ...(changes && { changes }) })
    progress.resume()
    await once(progress, 'end')
    await docker.getImage(image).inspect()
  }
}

/** A program that ignores SIGTERM would hold up the daemon's end for ten seconds. */
async function removeContainers(run: Run): Promise<void> {
  const docker = new Docker({ socketPath: run.socket })
  const containers = await docker.listContainers({ all: true })
  await Promise.all(containers.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })))
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  const exited = once(child, 'exit')
  child.kill(signal)
  child.kill('SIGCONT')
  await exited
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Cleans up after runs that were killed: their directories name a process that is no longer there. */
function sweepDeadRuns(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    // Hosts of tests have names that begin so, too, and no number behind it.
    const pid = Number(/^(\d+)-\d+$/.exec(name.slice(prefix.length))?.[1] ?? process.pid)
    if (pid !== process.pid && !isAlive(pid)) removeRun(join(tmpdir(), name))
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
  for (const mount of mountsUnder(dir)) execFileSync('umount', ['--lazy', mount], { stdio: 'ignore' })
  removeDir(dir)
  try {
    execFileSync('ip', ['link', 'del', bridgeOf(dir)], { stdio: 'ignore' })
  } catch {
    // It was never made, or is gone already.
  }
}

/** The daemons and shims of a run, and what runs in its containers: they name the directory, or hold it as root. */
function processesOf(dir: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        if (/^[^\0]*(dockerd|containerd|containerd-shim[^\0]*)\0/.test(args) && args.includes(`${dir}/`))
          return true
        return (
          readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
            .split('\n', 1)[0]
            ?.includes(`${dir}/root/overlay2`) ?? false
        )
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

/** Deepest first. */
function mountsUnder(dir: string): readonly string[] {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  return mounts
    .flatMap((line) => line.split(' ')[1] ?? [])
    .filter((path) => path.startsWith(`${dir}/`))
    .sort()
    .reverse()
}
