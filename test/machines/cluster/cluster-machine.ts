// One machine of a cluster for tests: real systemd with the built daemon as one of its services, to be cut off, paused,
// killed and returned.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { staleHeader } from '../../../src/contract/contract.js'
import type { MachineId } from '../../../src/model/machine.js'
import type { Certificates } from '../../e2e/certificates.js'
import { type DockerHost, startDocker } from '../docker-host.js'
import { insideMachine, type Machine, runInside, startMachine } from '../nspawn.js'
import { type Bridge, plug, removeCable, unplug } from './bridge.js'

export interface ClusterMachine {
  readonly id: MachineId
  readonly name: string
  /** Without prefix length. */
  readonly address: string
  /** The socket of its daemon, as the host sees it. Throws while it has no power. */
  readonly socket: string
  /** Whether it has power and is plugged in. */
  readonly isThere: boolean
  /** The process ids of its programs are its own: which name space of the host's that is, or null without power. */
  readonly processSpace: string | null
  readonly daemon: Daemon
  /** Null where the cluster was not asked for one. */
  readonly docker: DockerHost | null
  /** Asks the API of its daemon. Rejects where there is no answer. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  /** Runs a program inside that has to succeed; resolves to what it printed. */
  run(...argv: readonly string[]): Promise<string>
  /** Runs the command line inside. */
  cli(...words: readonly string[]): Promise<string>
  /** The units that are on it, whoever wants them, with systemd's own word on each. */
  units(): Promise<ReadonlyMap<string, string>>
  /** Sets the daemon's clock off by so much; only where the cluster was asked for such clocks. */
  setClockOff(ms: number): void
  cutPower(): Promise<void>
  /** Gives it power again; resolves when its daemon answers. */
  boot(): Promise<void>
  /** The same where its daemon cannot be ready: resolves when it serves. */
  bootAlone(): Promise<void>
  cutOff(): void
  plugIn(): void
  pause(): void
  resume(): void
  /** Undoes all of the above that is in force; resolves when its daemon answers. */
  heal(): Promise<void>
  remove(): Promise<void>
}

export interface Daemon {
  /** As the host counts. */
  readonly pid: number
  /** Ends it as a crash would; nothing starts it again. What it runs goes on running. */
  kill(): Promise<void>
  /** Stops it in order; resolves to what systemd says of that: `success`, or `timeout` where it had to be killed. */
  stop(): Promise<string>
  /** Resolves when it answers. */
  start(): Promise<void>
  /** Resolves when it serves, whatever it says of its readiness. */
  startAlone(): Promise<void>
  pause(): Promise<void>
  resume(): Promise<void>
  /** All that it has said since the machine was made. */
  log(): string
  /** What it has used. */
  cost(): { readonly cpuSeconds: number; readonly rssMb: number }
}

export interface Answer {
  readonly status: number
  readonly text: string
  /** Since when what it says may be stale, where the daemon says so. */
  readonly stale: string | null
}

export interface ClusterMachineOptions {
  readonly n: number
  readonly bridge: Bridge
  /** Options of the daemon. */
  readonly daemon: readonly string[]
  /** The daemon's clock can be set off. */
  readonly jumpingClock: boolean
  /** With them the daemon listens for those of other machines. */
  readonly certificates: Certificates | null
  /** It has a Docker of its own. */
  readonly docker: boolean
  /** Files of the host that it sees, and where. */
  readonly binds: Readonly<Record<string, string>>
}

/** Boots a machine; resolves when its daemon answers. */
export async function startClusterMachine(options: ClusterMachineOptions): Promise<ClusterMachine> {
  const name = `m${options.n + 1}`
  const address = options.bridge.addressOf(options.n)
  const ip = address.replace(/\/\d+$/, '')
  const machine = await startMachine({
    name,
    bridge: options.bridge.name,
    binds: options.binds,
    furnish: (disk) => {
      furnish(disk, 'network.service', networkUnit(address))
      if (options.certificates !== null) copyCertificates(disk, options.certificates)
      furnish(disk, daemonUnit, daemonService(options, ip))
    },
  })
  let docker: DockerHost | null = null
  try {
    if (options.docker)
      docker = await startDocker({
        machine: { process: () => machine.leader, socket: join(machine.disk, dockerSocket) },
      })
    const opened = openClusterMachine(machine, docker, ip)
    await answers(opened)
    return opened
  } catch (error) {
    await docker?.stop()
    await machine.remove()
    throw error
  }
}

const daemonUnit = 'mariposa.service'
const logFile = '/var/log/mariposa.log'
const clockFile = '/run/clock-off-by'
const certificateDir = '/etc/mariposa'
/** Not in /run, which systemd mounts anew with each boot. */
const dockerSocket = '/var/lib/docker.sock'
/** A machine that boots beside others on a busy host, and then waits for the lease of a leader that is lost. */
const answersWithinMs = 90_000

function openClusterMachine(machine: Machine, docker: DockerHost | null, address: string): ClusterMachine {
  let power = true
  let cable = true
  const inside = (path: string): string => `/proc/${machine.leader}/root${path}`
  const run = async (...argv: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runInside(machine, argv)
    if (code !== 0) throw new Error(`${machine.name}: ${argv.join(' ')}: exit ${code}\n${stdout}\n${stderr}`)
    return stdout
  }
  const signal = async (name: string): Promise<void> => {
    await run('systemctl', 'kill', '--kill-whom=main', `--signal=${name}`, daemonUnit)
  }
  const boot = async (): Promise<void> => {
    removeCable(machine.cable)
    await machine.boot()
    await docker?.recover()
    power = true
  }
  const opened: ClusterMachine = {
    id: machine.id as MachineId,
    name: machine.name,
    address,
    get socket() {
      return inside('/run/mariposa/mariposa.sock')
    },
    get isThere() {
      return power && cable
    },
    get processSpace() {
      try {
        return readlinkSync(`/proc/${machine.leader}/ns/pid`)
      } catch {
        return null
      }
    },
    daemon: {
      get pid() {
        return daemonOf(machine)
      },
      kill: async () => {
        await signal('KILL')
        await run('sh', '-c', `while systemctl --quiet is-active ${daemonUnit}; do sleep 0.05; done`)
      },
      stop: async () => {
        await run('systemctl', 'stop', daemonUnit)
        return (await run('systemctl', 'show', '--property=Result', '--value', daemonUnit)).trim()
      },
      start: async () => {
        await run('systemctl', 'start', daemonUnit)
        await answers(opened)
      },
      startAlone: async () => {
        await run('systemctl', 'start', daemonUnit)
        await answers(opened, servesAlone)
      },
      pause: () => signal('STOP'),
      resume: () => signal('CONT'),
      log: () => readFileSync(join(machine.disk, logFile), 'utf8'),
      cost: () => costOf(machine),
    },
    docker,
    ask: (method, path, body) => ask(opened.socket, method, path, body),
    run,
    cli: (...words) => run(insideMachine.node, join(insideMachine.project, 'dist/mariposa.js'), ...words),
    units: () => unitsOf(machine, inside('/run/mariposa')),
    setClockOff: (ms) => writeFileSync(inside(clockFile), String(ms)),
    cutPower: async () => {
      power = false
      await Promise.all([machine.cutPower(), docker?.powerLoss()])
    },
    boot: async () => {
      await boot()
      await answers(opened)
    },
    bootAlone: async () => {
      await boot()
      await answers(opened, servesAlone)
    },
    cutOff: () => {
      cable = false
      unplug(machine.cable)
    },
    plugIn: () => {
      plug(machine.cable)
      cable = true
    },
    pause: machine.pause,
    resume: machine.resume,
    heal: async () => {
      machine.resume()
      if (!power) await opened.boot()
      if (!cable) opened.plugIn()
      opened.setClockOff(0)
      await opened.daemon.start()
    },
    remove: async () => {
      // First whoever would start the containers again that Docker is to be rid of.
      await machine.cutPower()
      await docker?.stop()
      await machine.remove()
    },
  }
  return opened
}

/** Puts a service on a disk so that it starts with the machine. */
function furnish(disk: string, unit: string, text: string): void {
  const dir = join(disk, 'etc/systemd/system')
  mkdirSync(join(dir, 'multi-user.target.wants'), { recursive: true })
  writeFileSync(join(dir, unit), text)
  symlinkSync(`../${unit}`, join(dir, 'multi-user.target.wants', unit))
}

function copyCertificates(disk: string, { ca, cert, key }: Certificates): void {
  const dir = join(disk, certificateDir)
  mkdirSync(dir, { recursive: true })
  for (const file of [ca, cert, key]) copyFileSync(file, join(dir, basename(file)))
}

function networkUnit(address: string): string {
  return `[Unit]
Description=Address of the machine

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/ip link set host0 up
ExecStart=/usr/sbin/ip address add ${address} dev host0
`
}

/** How long systemd lets the daemon take to end: 5 s as it is to, and the rest for a busy host. */
const endsWithinSeconds = 20

/** Unlike in earnest nothing restarts the daemon: when it comes back is up to the tests. */
function daemonService(
  { daemon, jumpingClock, certificates, docker }: ClusterMachineOptions,
  ip: string,
): string {
  const program = join(insideMachine.project, 'dist/mariposa.js')
  const clock = join(insideMachine.project, 'test/machines/cluster/jumping-clock.cjs')
  const words = [
    insideMachine.node,
    ...(jumpingClock ? ['--require', clock] : []),
    program,
    'daemon',
    ...daemon,
    ...['--public-ip', ip],
    ...(certificates === null ? [] : listening(certificates, ip)),
  ]
  const environment = [
    ...(certificates === null ? [] : [`Environment=NODE_EXTRA_CA_CERTS=${inDir(certificates.ca)}\n`]),
    ...(docker ? [`Environment=DOCKER_HOST=unix://${dockerSocket}\n`] : []),
  ].join('')
  // What runs as processes, and the proxy of the entry, outlive the daemon.
  const killing = docker ? 'KillMode=process\n' : ''
  return `[Unit]
Description=Mariposa
Wants=network.service
After=network.service

[Service]
${environment}ExecStart=${words.join(' ')}
Restart=no
${killing}TimeoutStopSec=${endsWithinSeconds}
StandardOutput=append:${logFile}
StandardError=append:${logFile}
`
}

function listening({ ca, cert, key }: Certificates, ip: string): readonly string[] {
  const files = ['--tls-ca-file', inDir(ca), '--tls-cert-file', inDir(cert), '--tls-key-file', inDir(key)]
  return ['--listen', 'unix:/run/mariposa/mariposa.sock', '--listen', `tcp://${ip}:7443`, ...files]
}

/** Where a machine has a certificate. */
function inDir(file: string): string {
  return join(certificateDir, basename(file))
}

/** Whether a daemon serves what it knows without its store; before that it tells everybody what it waits for. */
function servesAlone({ status, stale }: Answer): boolean {
  return status === 200 || stale !== null
}

/** Asks until the daemon answers as wanted: that it is ready, unless told otherwise. */
async function answers(
  machine: ClusterMachine,
  isWanted = ({ status }: Answer): boolean => status === 200,
): Promise<void> {
  const giveUpAt = Date.now() + answersWithinMs
  while (Date.now() < giveUpAt) {
    const answer = await machine.ask('GET', '/readyz').catch(() => null)
    if (answer !== null && isWanted(answer)) return
    await delay(20)
  }
  const network = await machine
    .run('sh', '-c', 'ip address; ip neighbour; systemctl status network')
    .catch(String)
  const log = machine.daemon.log().slice(-4000)
  throw new Error(`the daemon of ${machine.name} does not answer:\n${log}\n${network}`)
}

function ask(socketPath: string, method: string, path: string, body: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request({ socketPath, method, path, headers, timeout: 60_000 }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        const stale = response.headers[staleHeader]
        resolve({ status: response.statusCode ?? 0, text, stale: typeof stale === 'string' ? stale : null })
      })
      response.on('error', reject)
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path}`)))
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Every unit that a daemon has put on the machine, by its file; what systemd does not list was never started. */
async function unitsOf(machine: Machine, runtimeDir: string): Promise<ReadonlyMap<string, string>> {
  const args = ['--all', '--plain', '--no-legend', '--no-pager', '--full']
  const { stdout } = await runInside(machine, ['systemctl', 'list-units', ...args])
  const active = new Map(
    stdout.split('\n').map((line) => {
      const [name = '', , state = ''] = line.trim().split(/\s+/)
      return [name, state] as const
    }),
  )
  const files = directories(runtimeDir).flatMap((owner) => directories(join(runtimeDir, owner, 'units')))
  const ours = files.filter((name) => !name.endsWith('#'))
  return new Map(ours.map((name) => [name, active.get(name) ?? 'inactive']))
}

function directories(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function costOf(machine: Machine): { readonly cpuSeconds: number; readonly rssMb: number } {
  const fields = readFileSync(`/proc/${daemonOf(machine)}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return { cpuSeconds: ticks / 100, rssMb: (Number(fields[21]) * 4096) / 1024 ** 2 }
}

/** The process id of a machine's daemon, as the host counts. */
function daemonOf(machine: Machine): number {
  const pid = readdirSync('/proc').find((one) => {
    try {
      return (
        readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('mariposa.js\0daemon\0') &&
        readFileSync(`/proc/${one}/cgroup`, 'utf8').includes(daemonUnit) &&
        sameNamespace(one, String(machine.leader))
      )
    } catch {
      return false
    }
  })
  if (pid === undefined) throw new Error(`no daemon runs on ${machine.name}`)
  return Number(pid)
}

function sameNamespace(one: string, other: string): boolean {
  const read = (pid: string): string => readlinkSync(`/proc/${pid}/ns/pid`)
  return read(one) === read(other)
}
