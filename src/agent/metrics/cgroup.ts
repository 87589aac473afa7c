// Where the kernel keeps the figures of a container, and how to read them. Docker's own answer takes a second.

/** The figures of a control group, each with the files that may hold it: the first that is there is read. */
interface FigureFiles {
  readonly cpu: readonly FigureFile[]
  readonly memory: readonly FigureFile[]
  readonly memoryLimit: readonly FigureFile[]
  readonly processes: readonly FigureFile[]
}

export interface FigureFile {
  readonly path: string
  /** Reads the figure out of the file's text; null where it holds none. */
  readonly read: (text: string) => number | null
  /** A second file whose figure is taken off: memory that the kernel would give back at once. */
  readonly less?: FigureFile
}

const mount = '/sys/fs/cgroup'

/** The files for a process, from the text of its `/proc/<pid>/cgroup`: version 2 first, then version 1. */
export function figureFiles(procCgroup: string): FigureFiles {
  const { v2, v1 } = filesOf(procCgroup)
  const plain = (paths: readonly string[]) => paths.map((path) => ({ path, read: readCount }))
  const used = (paths: readonly string[], field: string) =>
    paths.map((path) => ({
      path,
      read: readCount,
      less: { path: path.replace(/[^/]*$/, 'memory.stat'), read: readField(field, 1) },
    }))
  return {
    cpu: [
      ...v2('cpu.stat').map((path) => ({ path, read: readField('usage_usec', 1000) })),
      ...plain(v1('cpuacct', 'cpuacct.usage')),
    ],
    memory: [
      ...used(v2('memory.current'), 'inactive_file'),
      ...used(v1('memory', 'memory.usage_in_bytes'), 'total_inactive_file'),
    ],
    memoryLimit: [
      ...plain(v2('memory.max')),
      ...v1('memory', 'memory.limit_in_bytes').map((path) => ({ path, read: readLimit })),
    ],
    processes: [...plain(v2('pids.current')), ...plain(v1('pids', 'pids.current'))],
  }
}

/** Where a file of a process's cgroup may be: in the unified hierarchy, and in that of a controller. */
export function filesOf(procCgroup: string) {
  const unified = pathOf(procCgroup, '')
  return {
    v2: (name: string): readonly string[] =>
      unified === null ? [] : [`${mount}${unified}/${name}`, `${mount}/unified${unified}/${name}`],
    v1: (controller: string, name: string): readonly string[] => {
      const path = pathOf(procCgroup, controller)
      return path === null ? [] : [`${mount}/${controller}${path}/${name}`]
    },
  }
}

/** The group of a process under a controller; the empty name is the unified hierarchy. */
function pathOf(procCgroup: string, controller: string): string | null {
  for (const line of procCgroup.split('\n')) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (names !== undefined && path !== undefined && names.split(',').includes(controller))
      return path === '/' ? '' : path
  }
  return null
}

function readCount(text: string): number | null {
  return /^\d+$/.test(text.trim()) ? Number(text) : null
}

/** Version 1 writes "no limit" as the largest number of pages. */
function readLimit(text: string): number | null {
  const bytes = readCount(text)
  return bytes === null || bytes >= 2 ** 62 ? null : bytes
}

function readField(field: string, factor: number): (text: string) => number | null {
  return (text) => {
    const value = new RegExp(`^${field} (\\d+)$`, 'm').exec(text)?.[1]
    return value === undefined ? null : Number(value) * factor
  }
}
