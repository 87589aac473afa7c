// The kernel's own files about a control group or a process, as figures: of version 2 and of version 1.
import type { BlockIo, InterfaceUse } from './figures.js'

/** `cpu.stat` (version 2) or `cpuacct.stat` (version 1, in hundredths of a second); null for neither. */
export function readCpuTimes(text: string): { readonly userNs: number; readonly systemNs: number } | null {
  const [user, system] = [fieldOf(text, 'user_usec'), fieldOf(text, 'system_usec')]
  if (user !== null && system !== null) return { userNs: user * 1000, systemNs: system * 1000 }
  const [userTicks, systemTicks] = [fieldOf(text, 'user'), fieldOf(text, 'system')]
  if (userTicks === null || systemTicks === null) return null
  return { userNs: userTicks * nsPerTick, systemNs: systemTicks * nsPerTick }
}

const nsPerTick = 10_000_000

function fieldOf(text: string, name: string): number | null {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]
  return value === undefined ? null : Number(value)
}

/** `io.stat` of version 2, summed over devices. */
export function readIoStat(text: string): BlockIo {
  const sum = (field: string): number =>
    [...text.matchAll(new RegExp(`\\b${field}=(\\d+)`, 'g'))].reduce((total, [, n]) => total + Number(n), 0)
  return { readBytes: sum('rbytes'), writtenBytes: sum('wbytes'), reads: sum('rios'), writes: sum('wios') }
}

/** `blkio.throttle.io_service_bytes` and `io_serviced` of version 1, summed over devices. */
export function readBlkio(bytes: string, operations: string): BlockIo {
  const sum = (text: string, verb: string): number =>
    [...text.matchAll(new RegExp(`^\\d+:\\d+ ${verb} (\\d+)$`, 'gm'))].reduce(
      (total, [, n]) => total + Number(n),
      0,
    )
  return {
    readBytes: sum(bytes, 'Read'),
    writtenBytes: sum(bytes, 'Write'),
    reads: sum(operations, 'Read'),
    writes: sum(operations, 'Write'),
  }
}

/** `/proc/<pid>/io` of several processes, added up: what went to and came from devices. */
export function readProcIo(texts: readonly string[]): BlockIo {
  const sum = (name: string): number =>
    texts.reduce(
      (total, text) => total + Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0),
      0,
    )
  return {
    readBytes: sum('read_bytes'),
    writtenBytes: sum('write_bytes'),
    reads: sum('syscr'),
    writes: sum('syscw'),
  }
}

/** `/proc/<pid>/net/dev`, without the loopback. */
export function readInterfaces(text: string): readonly InterfaceUse[] {
  return text.split('\n').flatMap((line): InterfaceUse[] => {
    const [, name, rest] = /^\s*([^:\s]+):(.*)$/.exec(line) ?? []
    if (name === undefined || rest === undefined || name === 'lo') return []
    const counts = rest.trim().split(/\s+/).map(Number)
    const [bytesIn = 0, packetsIn = 0] = counts
    const [bytesOut = 0, packetsOut = 0] = counts.slice(8)
    return [{ name, bytesIn, packetsIn, bytesOut, packetsOut }]
  })
}

/** The `Tcp` lines of `/proc/<pid>/net/snmp`, by the names of Container Monitor. */
export function readTcp(text: string): Readonly<Record<string, number>> {
  const [names = [], values = []] = text
    .split('\n')
    .filter((line) => line.startsWith('Tcp: '))
    .map((line) => line.split(/\s+/).slice(1))
  return Object.fromEntries(
    names.flatMap((name, at) => {
      const known = tcpNames[name]
      return known === undefined ? [] : [[known, Number(values[at])]]
    }),
  )
}

const tcpNames: Readonly<Record<string, string | undefined>> = {
  ActiveOpens: 'tcp_active_open_count',
  PassiveOpens: 'tcp_passive_open_count',
  AttemptFails: 'tcp_failed_connection_attempt_count',
  RetransSegs: 'tcp_retransmitted_segment_count',
  CurrEstab: 'tcp_current_established_connections_total',
}

/** `/proc/<pid>/net/netstat`: what of TCP the other file does not count. */
export function readTcpDrops(text: string): Readonly<Record<string, number>> {
  const [names = [], values = []] = text
    .split('\n')
    .filter((line) => line.startsWith('TcpExt:'))
    .map((line) => line.trim().split(/\s+/))
  return Object.fromEntries(
    names.flatMap((name, at) => {
      const known = tcpDropNames[name]
      return known === undefined ? [] : [[known, Number(values[at])]]
    }),
  )
}

/** A full queue of connections to be accepted, a full queue of half-open ones, and what was given up after resending. */
const tcpDropNames: Readonly<Record<string, string | undefined>> = {
  ListenOverflows: 'tcp_listen_drop_count',
  TCPReqQFullDrop: 'tcp_listen_drop_Qzero_count',
  TCPAbortOnTimeout: 'tcp_retransmit_timeout_drop_count',
}

/** `memory.events` of version 2, or `memory.failcnt` of version 1: how often the limit was in the way. */
export function readMemoryFails(text: string): number | null {
  return fieldOf(text, 'max') ?? readNumber(text)
}

/** A file of one number; null for `max`, and for the number by which version 1 says that there is no limit. */
export function readNumber(text: string): number | null {
  const value = Number(text.trim() === '' ? Number.NaN : text)
  return Number.isFinite(value) && value < 2 ** 62 ? value : null
}
