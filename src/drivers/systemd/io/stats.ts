// What a unit uses, from the files of its control group: version 2 where its controllers are there, else version 1,
// else what is left: the times that version 2 keeps without a controller, and the memory of each process.

import { readFile } from 'node:fs/promises'
import type { UnitStats } from '../../../agent/driver.js'
import { pageBytes } from '../../../lib/io/page-size.js'
import type { UnitName } from '../../../model/unit.js'
import { readField, readLimit, readResidentPages } from '../cgroup-files.js'
import type { SystemdBus } from './bus.js'
import { callFailed } from './errors.js'
import type { SystemdHostAccess } from './host.js'

const nothing: UnitStats = { cpuNs: null, memoryBytes: null, memoryLimitBytes: null, processes: null }

export async function readStats(
  host: SystemdHostAccess,
  bus: SystemdBus,
  name: UnitName,
): Promise<UnitStats> {
  if (!name.endsWith('.service')) return nothing
  const failed = callFailed(`${name} cannot be looked at`)
  const [group, limit] = await Promise.all([
    bus.readProperty(name, 'ControlGroup').catch(failed),
    bus.readProperty(name, 'MemoryMax').catch(failed),
  ])
  const memoryLimitBytes = readLimit(limit)
  if (typeof group !== 'string' || group === '') return { ...nothing, memoryLimitBytes }
  const cgroup = cgroupReader(`${host.root}/sys/fs/cgroup`, group)
  const processes = await cgroup.processes()
  const [cpuNs, memoryBytes] = await Promise.all([cgroup.cpuNs(), cgroup.memoryBytes()])
  return {
    cpuNs,
    memoryBytes: memoryBytes ?? (await residentBytes(processes)),
    memoryLimitBytes,
    processes: processes?.length ?? null,
  }
}

interface CgroupReader {
  cpuNs(): Promise<number | null>
  memoryBytes(): Promise<number | null>
  processes(): Promise<readonly string[] | null>
}

function cgroupReader(root: string, group: string): CgroupReader {
  const unified = [`${root}${group}`, `${root}/unified${group}`]
  return {
    cpuNs: async () => {
      const stat = await firstOf(unified.map((dir) => `${dir}/cpu.stat`))
      const us = stat === null ? null : readField(stat, 'usage_usec')
      if (us !== null) return us * 1000
      return toNumber(
        await firstOf([`${root}/cpuacct${group}/cpuacct.usage`, `${root}/cpu,cpuacct${group}/cpuacct.usage`]),
      )
    },
    memoryBytes: async () => {
      const dirs = [
        ...unified.map((dir) => `${dir}/memory.current`),
        `${root}/memory${group}/memory.usage_in_bytes`,
      ]
      return toNumber(await firstOf(dirs))
    },
    processes: async () => {
      const dirs = [...unified, `${root}/systemd${group}`].map((dir) => `${dir}/cgroup.procs`)
      const list = await firstOf(dirs)
      return list === null ? null : list.split('\n').filter((pid) => pid !== '')
    },
  }
}

/** The first of these files that is there. */
async function firstOf(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text !== null) return text
  }
  return null
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text)
}

/** The kernel lists processes by the numbers that the reader knows them by, whichever machine they are in. */
async function residentBytes(pids: readonly string[] | null): Promise<number | null> {
  if (pids === null) return null
  const files = await Promise.all(pids.map((pid) => firstOf([`/proc/${pid}/statm`])))
  return files.reduce((sum, text) => sum + (text === null ? 0 : readResidentPages(text) * pageBytes()), 0)
}
