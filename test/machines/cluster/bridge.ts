// The network of a cluster for tests: a bridge of the host that machines are plugged into, with the host on it too.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { freeSubnet } from '../subnet.js'

export interface Bridge {
  readonly name: string
  /** The host's own address on it. */
  readonly host: string
  /** The address of machine number `n`, from 0, with prefix length. */
  addressOf(n: number): string
  remove(): void
}

/** The names of these bridges: whose they are, and which of his. At most 15 characters, as the kernel wants it. */
const prefix = 'mpc'
const mostPerProcess = 4

/** Makes a bridge; one that a killed run has left behind is removed. */
export function addBridge(): Bridge {
  sweepDeadRuns()
  for (let ordinal = 0; ordinal < mostPerProcess; ordinal++) {
    const name = `${prefix}${process.pid}-${ordinal}`
    if (existsSync(`/sys/class/net/${name}`)) continue
    const subnet = freeSubnet(32 * 256, process.pid * mostPerProcess + ordinal, netOf)
    const net = netOf(subnet)
    // With an address of its own: else it takes the lowest of its ports', and those who knew another no longer reach it.
    ip('link', 'add', name, 'address', `02:00:${hexBytes(subnet)}:00:01`, 'type', 'bridge')
    ip('addr', 'add', `${net}.1/24`, 'dev', name)
    ip('link', 'set', name, 'up')
    // Docker, where one runs, lets the host forward nothing that it does not know; that goes for bridges too.
    forwarding('--insert', name)
    return {
      name,
      host: `${net}.1`,
      addressOf: (n) => `${net}.${11 + n}/24`,
      remove: () => removeBridge(name),
    }
  }
  throw new Error(`${mostPerProcess} clusters are running in this process already`)
}

function netOf(subnet: number): string {
  return `10.${192 + (subnet >> 8)}.${subnet & 255}`
}

/** Unplugs a machine by the host's end of its cable. */
export function unplug(cable: string): void {
  ip('link', 'set', cable, 'down')
}

export function plug(cable: string): void {
  ip('link', 'set', cable, 'up')
}

/** Removes a cable that a machine without power has left behind, if it has. */
export function removeCable(cable: string): void {
  if (existsSync(`/sys/class/net/${cable}`)) attempt(() => ip('link', 'delete', cable))
}

function sweepDeadRuns(): void {
  for (const name of readdirSync('/sys/class/net')) {
    const [, pid] = /^mpc(\d+)-\d$/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removeBridge(name)
  }
}

function removeBridge(name: string): void {
  attempt(() => forwarding('--delete', name))
  attempt(() => ip('link', 'delete', name))
}

/** Two bytes, as in a hardware address. */
function hexBytes(number: number): string {
  return [number >> 8, number & 255].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
}

function forwarding(action: '--insert' | '--delete', name: string): void {
  const rule = ['FORWARD', '--in-interface', name, '--out-interface', name, '--jump', 'ACCEPT']
  execFileSync('iptables', ['--wait', action, ...rule], { stdio: 'ignore' })
}

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // It is gone already.
  }
}
