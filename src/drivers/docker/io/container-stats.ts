// What a container uses: from the kernel's files, which takes microseconds; Docker's own answer takes a second.
import { readFile } from 'node:fs/promises'
import type Docker from 'dockerode'
import type { UnitStats } from '../../../agent/driver.js'
import { type FigureFile, figureFiles } from '../../../agent/metrics/cgroup.js'
import { asDriverError, statusOf } from './connection.js'

/** Nothing is known of a container that does not run. */
export const noStats: UnitStats = { cpuNs: null, memoryBytes: null, memoryLimitBytes: null, processes: null }

/** The use of a container whose first process is `pid`. Asks Docker where the kernel's files are out of sight. */
export async function readStats(
  docker: Docker,
  id: string,
  pid: number,
  signal: AbortSignal,
): Promise<UnitStats> {
  const groups = await readText(`/proc/${pid}/cgroup`)
  if (groups?.includes(id)) return await readFigures(groups)
  return await askDocker(docker, id, signal)
}

async function readFigures(groups: string): Promise<UnitStats> {
  const files = figureFiles(groups)
  const [cpuNs, memoryBytes, memoryLimitBytes, processes] = await Promise.all(
    [files.cpu, files.memory, files.memoryLimit, files.processes].map(readFirst),
  )
  return {
    cpuNs: cpuNs ?? null,
    memoryBytes: memoryBytes ?? null,
    memoryLimitBytes: memoryLimitBytes ?? null,
    processes: processes ?? null,
  }
}

async function readFirst(files: readonly FigureFile[]): Promise<number | null> {
  for (const file of files) {
    const text = await readText(file.path)
    if (text === null) continue
    const figure = file.read(text)
    const less = file.less === undefined ? null : await readFirst([file.less])
    return figure === null ? null : Math.max(0, figure - (less ?? 0))
  }
  return null
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}

async function askDocker(docker: Docker, id: string, signal: AbortSignal): Promise<UnitStats> {
  try {
    const options = { stream: false, 'one-shot': true, abortSignal: signal } as const
    const {
      cpu_stats: cpu,
      memory_stats: memory,
      pids_stats: pids,
    } = await docker.getContainer(id).stats(options)
    return {
      cpuNs: cpu.cpu_usage.total_usage,
      memoryBytes: memory.usage ?? null,
      memoryLimitBytes: memory.limit ?? null,
      processes: pids?.current ?? null,
    }
  } catch (error) {
    if (statusOf(error) === 404) return noStats
    throw asDriverError(error, 'Docker could not be asked for figures')
  }
}
