// Reads what a running unit uses: what its driver tells, and from the kernel's files what no driver does.
import { readFile, readlink } from 'node:fs/promises'
import type { Time } from '../../../lib/time.js'
import type { ObservedUnit } from '../../../model/unit.js'
import type { Driver, UnitStats } from '../../driver.js'
import { filesOf } from '../../metrics/cgroup.js'
import type { BlockIo, InstanceUse } from '../../metrics/figures.js'
import {
  readBlkio,
  readCpuTimes,
  readInterfaces,
  readIoStat,
  readMemoryFails,
  readNumber,
  readProcIo,
  readTcp,
  readTcpDrops,
} from '../../metrics/kernel-files.js'

/** What the unit may use, where its driver sets no limit of its own. */
interface UnitLimits {
  readonly memoryMb: number | null
  /** Hundredths of a core. */
  readonly cpu: number | null
}

/** What the kernel says in files and links below `/proc` and `/sys/fs/cgroup`; null for what is not there. */
export interface KernelFiles {
  text(path: string): Promise<string | null>
  link(path: string): Promise<string | null>
}

/** Those of the machine that this runs on. */
export const ownKernelFiles: KernelFiles = {
  text: (path) => readFile(path, 'utf8').catch(() => null),
  link: (path) => readlink(path).catch(() => null),
}

/** What a running unit uses now. Rejects where its driver does not tell, or `signal` aborts. */
export async function readUse(
  { driver, files }: { readonly driver: Driver; readonly files: KernelFiles },
  unit: ObservedUnit,
  limits: UnitLimits,
  clock: Pick<Time, 'now' | 'steady'>,
  signal: AbortSignal,
): Promise<InstanceUse> {
  const stats = await driver.stats(unit.name, signal)
  const kernel = await kernelFigures(files, stats, unit.pid)
  const memoryLimit = limits.memoryMb === null ? null : limits.memoryMb * 1024 ** 2
  const systemNs =
    stats.cpuNs === null || stats.cpuUserNs === undefined ? null : stats.cpuNs - stats.cpuUserNs
  return {
    at: clock.now(),
    steadyAt: clock.steady(),
    startedAt: unit.since,
    restarts: unit.restarts,
    cpuNs: stats.cpuNs,
    cpuUserNs: stats.cpuUserNs ?? kernel.cpu?.userNs ?? null,
    cpuSystemNs: systemNs ?? kernel.cpu?.systemNs ?? null,
    cpuLimit: limits.cpu === null ? null : limits.cpu / 100,
    memoryBytes: stats.memoryBytes,
    memoryLimitBytes: stats.memoryLimitBytes ?? memoryLimit,
    swapBytes: kernel.swapBytes,
    swapLimitBytes: kernel.swapLimitBytes,
    memoryFails: kernel.memoryFails,
    io: kernel.io,
    ...(await networkFigures(files, unit.pid)),
  }
}

interface KernelFigures {
  readonly cpu: { readonly userNs: number; readonly systemNs: number } | null
  readonly swapBytes: number | null
  readonly swapLimitBytes: number | null
  readonly memoryFails: number | null
  readonly io: BlockIo | null
}

/** Of the unit's own control group; where it has none, of its processes. */
async function kernelFigures(
  from: KernelFiles,
  { pids }: UnitStats,
  pid: number | null,
): Promise<KernelFigures> {
  const none = { cpu: null, swapBytes: null, swapLimitBytes: null, memoryFails: null, io: null }
  if (pids !== undefined) {
    const texts = await Promise.all(pids.map((one) => textOf(from, [`/proc/${one}/io`])))
    return { ...none, io: readProcIo(texts.filter((text) => text !== null)) }
  }
  const groups = pid === null ? null : await textOf(from, [`/proc/${pid}/cgroup`])
  if (groups === null) return none
  const files = groupFiles(groups)
  const [cpu, swap, swapLimit, fails, ioStat, bytes, operations] = await Promise.all(
    [
      files.cpu,
      files.swap,
      files.swapLimit,
      files.memoryFails,
      files.ioStat,
      files.ioBytes,
      files.ioOperations,
    ].map((paths) => textOf(from, paths)),
  )
  return {
    cpu: cpu == null ? null : readCpuTimes(cpu),
    swapBytes: swap == null ? null : readNumber(swap),
    swapLimitBytes: swapLimit == null ? null : readNumber(swapLimit),
    memoryFails: fails == null ? null : readMemoryFails(fails),
    io: ioStat != null ? readIoStat(ioStat) : bytes != null ? readBlkio(bytes, operations ?? '') : null,
  }
}

function groupFiles(procCgroup: string) {
  const { v2, v1 } = filesOf(procCgroup)
  return {
    cpu: [...v2('cpu.stat'), ...v1('cpuacct', 'cpuacct.stat')],
    swap: v2('memory.swap.current'),
    swapLimit: v2('memory.swap.max'),
    memoryFails: [...v2('memory.events'), ...v1('memory', 'memory.failcnt')],
    ioStat: v2('io.stat'),
    ioBytes: v1('blkio', 'blkio.throttle.io_service_bytes_recursive'),
    ioOperations: v1('blkio', 'blkio.throttle.io_serviced_recursive'),
  }
}

/** Only of a unit with a network of its own: the machine's says nothing about one unit. */
async function networkFigures(
  files: KernelFiles,
  pid: number | null,
): Promise<Pick<InstanceUse, 'interfaces' | 'tcp'>> {
  const none = { interfaces: [], tcp: {} }
  if (pid === null) return none
  const [own, ours] = await Promise.all(
    [`/proc/${pid}/ns/net`, '/proc/self/ns/net'].map((path) => files.link(path)),
  )
  if (own === null || own === ours) return none
  const [devices, snmp, netstat] = await Promise.all(
    ['dev', 'snmp', 'netstat'].map((file) => textOf(files, [`/proc/${pid}/net/${file}`])),
  )
  return {
    interfaces: devices == null ? [] : readInterfaces(devices),
    tcp: {
      ...(snmp == null ? {} : readTcp(snmp)),
      ...(netstat == null ? {} : readTcpDrops(netstat)),
    },
  }
}

/** The first of these files that is there. */
async function textOf(files: KernelFiles, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const text = await files.text(path)
    if (text !== null) return text
  }
  return null
}
