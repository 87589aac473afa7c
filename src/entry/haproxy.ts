// What HAProxy (2.6) is told of one port: its configuration, which never changes while it runs, and the commands that have it lead
// connections to those who serve now (docs/decisions/0068-plain-tcp.md).
import { byKeys } from '../lib/sort.js'
import type { EntryAddress } from './caddy.js'
import type { ServedTcp } from './routes.js'
import { targetOf } from './target.js'
import { hostPort, type Upstream } from './upstreams.js'

/** A port that is listened on, and the group that is led to. */
export interface TcpListen extends EntryAddress {
  readonly group: string
}

/** The ports that a machine needs itself, with what each is for. */
export type OwnPorts = Readonly<Record<string, string>>

/**
 * The ports of all routes that are served, on the address of HTTP. Those that the machine needs itself are never among them: whoever has
 * the port of etcd while that starts anew keeps the store away for good.
 */
export function tcpListens(
  routes: readonly ServedTcp[],
  host: string,
  own: OwnPorts = {},
): readonly TcpListen[] {
  const listens = routes
    .filter(({ takenBy }) => takenBy === null)
    .map(({ route, group }) => ({ host, port: route.tcp, group }))
    .sort(byKeys(({ port }) => port))
  return withoutOwn(listens, own)
}

function withoutOwn(listens: readonly TcpListen[], own: OwnPorts): readonly TcpListen[] {
  return listens.filter(({ port }) => whyOwn(port, own) === null)
}

/** Why a port is not the entry's to listen on; null where it is. */
export function whyOwn(port: number, own: OwnPorts): string | null {
  const use = Object.hasOwn(own, port) ? own[port] : undefined
  return use === undefined ? null : `this machine needs port ${port} for ${use}`
}

/** What a keeper was told to listen on, without what it is not to have; null where it may have all. */
export function keptWithoutOwn(listens: readonly TcpListen[], own: OwnPorts): string | null {
  const left = withoutOwn(listens, own)
  return left.length === listens.length ? null : JSON.stringify(left)
}

/** Somebody whom connections are led to; its name says where it is. */
export interface TcpServer {
  readonly name: string
  /** `ADDRESS:PORT`. */
  readonly at: string
  readonly weight: number
}

/** HAProxy knows no larger share. */
const weightAtMost = 256

/** Those that serve a group, as HAProxy has them, in the order of their names. */
export function tcpServers(upstreams: readonly Upstream[]): readonly TcpServer[] {
  const largest = Math.max(...upstreams.map(({ copies }) => copies))
  const scale = largest > weightAtMost ? weightAtMost / largest : 1
  return upstreams
    .flatMap((upstream) => {
      const target = targetOf(upstream.address)
      if (target === null) return []
      const weight = Math.max(1, Math.round(upstream.copies * scale))
      return [{ name: `${target}:${upstream.port}`, at: hostPort(upstream), weight }]
    })
    .sort(byKeys(({ name }) => name))
}

/** What the parts of its configuration are called. */
const backend = 'out'

/** Its own socket, in the folder of the entry. */
export function tcpSocket(port: number): string {
  return `tcp-${port}.sock`
}

/** Where it listens, as its configuration says that. */
function bindLine({ host, port }: EntryAddress, hasSix: boolean): string {
  const every = hasSix ? `:::${port} v4v6` : `0.0.0.0:${port}`
  return `  bind ${host === '' ? every : hostPort({ address: host, port })} tcp-ut 120s`
}

/** Whether a configuration, perhaps one of another version, has it listen there. */
export function listensAt(config: string, at: EntryAddress, hasSix: boolean): boolean {
  return config.split('\n').includes(bindLine(at, hasSix))
}

/** Deterministic. `hasSix`: whether the machine knows IPv6. */
export function haproxyConfig(
  { host, port }: EntryAddress,
  servers: readonly TcpServer[],
  { hasSix, threads }: { readonly hasSix: boolean; readonly threads: number },
): string {
  return `global
  nbthread ${threads}
  fd-hard-limit 100000
  hard-stop-after 60s
  stats socket unix@${tcpSocket(port)} mode 600 level admin
defaults
  mode tcp
  timeout connect 2s
  timeout client 24d
  timeout server 24d
  option clitcpka
  clitcpka-idle 60s
  clitcpka-intvl 10s
  clitcpka-cnt 6
  option srvtcpka
  srvtcpka-idle 60s
  srvtcpka-intvl 10s
  srvtcpka-cnt 6
  retries 3
  option redispatch 1
frontend in
${bindLine({ host, port }, hasSix)}
  default_backend ${backend}
backend ${backend}
  balance roundrobin
${servers.map(({ name, at, weight }) => `  server ${name} ${at} weight ${weight}\n`).join('')}`
}

/** Somebody whom it knows. */
export interface ShownServer {
  readonly name: string
  /** Whether it gets no new connections. */
  readonly isOut: boolean
  readonly weight: number
  /** Connections that are open. */
  readonly open: number
}

/** Asks for those whom it knows. */
export const showServers = `show stat ${backend} 4 -1`

/** Its answer to that; null for what is none. */
export function readServers(text: string): readonly ShownServer[] | null {
  const [head = '', ...lines] = text.split('\n').filter((line) => line !== '')
  if (!head.startsWith('# pxname,')) return null
  const columns = head.slice('# '.length).split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    const cell = (column: string): string => cells[columns.indexOf(column)] ?? ''
    return {
      name: cell('svname'),
      isOut: cell('status').startsWith('MAINT'),
      weight: Number(cell('uweight')),
      open: Number(cell('scur')),
    }
  })
}

/**
 * What it is told, one after the other, so that it leads to those who serve now: first who is new, then who gets nothing new any
 * more. Who has gone is forgotten once the last connection is closed.
 */
export function serverCommands(
  known: readonly ShownServer[],
  wanted: readonly TcpServer[],
): readonly string[] {
  const [byName, serving] = [
    new Map(known.map((one) => [one.name, one])),
    new Set(wanted.map(({ name }) => name)),
  ]
  const come = wanted.flatMap(({ name, at, weight }) => {
    const shown = byName.get(name)
    const ready = `set server ${backend}/${name} state ready`
    if (shown === undefined) return [`add server ${backend}/${name} ${at} weight ${weight}`, ready]
    const share = shown.weight === weight ? [] : [`set weight ${backend}/${name} ${weight}`]
    return shown.isOut ? [...share, ready] : share
  })
  const gone = known.filter(({ name }) => !serving.has(name))
  return [
    ...come,
    ...gone.flatMap(({ name, isOut }) => (isOut ? [] : [`set server ${backend}/${name} state maint`])),
    ...gone.flatMap(({ name, isOut, open }) =>
      isOut && open === 0 ? [`del server ${backend}/${name}`] : [],
    ),
  ]
}

/** Whether what it says to a command is that it has done so. */
export function isDone(command: string, said: string): boolean {
  const text = said.trim()
  // One that has a connection after all is forgotten later.
  if (command.startsWith('del ')) return true
  return text === '' || text === 'New server registered.'
}

/** Its own number, from its answer to `show info`; null for what is none. */
export function pidIn(text: string): number | null {
  const [, digits] = /^Pid: ([1-9]\d*)$/m.exec(text) ?? []
  return digits === undefined ? null : Number(digits)
}
