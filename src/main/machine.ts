// What this host is: its id, its address, and what it can give.
import { randomBytes } from 'node:crypto'
import { readFile, statfs, writeFile } from 'node:fs/promises'
import { availableParallelism, hostname, networkInterfaces, totalmem, uptime } from 'node:os'
import { join } from 'node:path'
import type { DriversHere } from '../agent/drivers-here.js'
import { readBootId } from '../lib/io/boot-id.js'
import { isDiskFull } from '../lib/io/disk-full.js'
import { isLoopback } from '../lib/loopback.js'
import type { Clock } from '../lib/time.js'
import type { Machine, MachineId, ShownCertificate } from '../model/machine.js'

/**
 * The machine's id: from /etc/machine-id as systemd keeps it, or made once in the data directory, which is there, where there is none
 * (contract §1).
 */
export async function machineIdOf(dataDir: string): Promise<MachineId> {
  const own = join(dataDir, 'machine-id')
  const found = (await readId('/etc/machine-id')) ?? (await readId(own))
  if (found !== null) return found
  const made = randomBytes(16).toString('hex')
  await writeFile(own, `${made}\n`, { mode: 0o644 })
  return made as MachineId
}

/**
 * Which daemon runs here: the data directory and this boot of the host. A copy of a machine differs in one of them from
 * the machine itself, though their ids may be the same.
 */
export async function holderOf(dataDir: string): Promise<string> {
  const path = join(dataDir, 'holder')
  let own = await readId(path)
  if (own === null) {
    own = randomBytes(16).toString('hex') as MachineId
    // What begins on a full disk is another one at its next start, and waits then until its claim has ended.
    await writeFile(path, `${own}\n`, { mode: 0o600 }).catch((error: unknown) => {
      if (!isDiskFull(error)) throw error
    })
  }
  return `${own}/${readBootId() ?? ''}`
}

async function readId(path: string): Promise<MachineId | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    return /^[0-9a-f]{32}$/.test(text) ? (text as MachineId) : null
  } catch {
    return null
  }
}

interface MachineFacts {
  readonly id: MachineId
  readonly dataDir: string
  readonly publicIp: string | null
  /** Whether other machines belong to its cluster. */
  readonly amongOthers: boolean
  readonly metadata: Readonly<Record<string, string>>
  readonly drivers: DriversHere
  /** Whether its daemon may lead. */
  readonly engine: boolean
  /** Where it runs the entry; null where it does not. */
  readonly entry: NonNullable<Machine['entry']> | null
  readonly version: string
  /** What its daemon shows to others. */
  readonly certificates: readonly ShownCertificate[]
  /** Where other daemons reach this one, whose address that is; null: nowhere. */
  readonly apiAt: (ip: string) => string | null
  readonly clock: Clock
}

/** Describes this host as the cluster sees it. */
export async function describeMachine(facts: MachineFacts): Promise<Machine> {
  const disk = await statfs(facts.dataDir)
  const ip = facts.publicIp ?? firstAddress()
  const api = facts.apiAt(ip)
  // On a machine of its own, what it runs may well listen on the loopback alone.
  const isReached = (facts.publicIp !== null || facts.amongOthers) && !isLoopback(ip)
  return {
    id: facts.id,
    hostname: hostname(),
    ip,
    metadata: facts.metadata,
    capacity: {
      cpus: availableParallelism(),
      memoryMb: Math.floor((await memoryBytes()) / 1024 ** 2),
      diskMb: Math.floor((disk.blocks * disk.bsize) / 1024 ** 2),
    },
    ...facts.drivers,
    version: facts.version,
    ...(api !== null && { api }),
    ...(isReached && { outside: ip }),
    ...(!facts.engine && { engine: false }),
    ...(facts.entry !== null && { entry: facts.entry }),
    ...(facts.certificates.length > 0 && { certificates: facts.certificates }),
    bootedAt: Math.round(facts.clock.now() - uptime() * 1000),
  }
}

/** What this host may use: in a container that is its limit, where the host's whole memory would promise too much. */
async function memoryBytes(): Promise<number> {
  for (const path of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    try {
      const limit = Number((await readFile(path, 'utf8')).trim())
      if (Number.isFinite(limit) && limit > 0) return Math.min(limit, totalmem())
    } catch {
      // This version of cgroups is not mounted here.
    }
  }
  return totalmem()
}

/** The first address that is not the loopback's, IPv4 before IPv6. */
function firstAddress(): string {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((one) => !one.internal)
  const ipv4 = addresses.find((one) => one.family === 'IPv4')
  return (ipv4 ?? addresses.find((one) => !one.address.startsWith('fe80')))?.address ?? '127.0.0.1'
}
