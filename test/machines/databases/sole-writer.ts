// Whether two programs ever have the same directory of data, as the process table of the host has them: it sees those of its
// containers and machines as well. What the daemons say of it does not count.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export interface SoleWriterWatch {
  /** Stops looking; resolves to every pair that was seen together, and how often was looked. */
  end(): Promise<{ readonly together: readonly string[]; readonly looks: number }>
}

/** Two that have the directory together have it for as long as it takes to start a database, at the least. */
const lookEveryMs = 25

/**
 * Looks at the programs that write databases from now on. `isWriter` tells one by its words; the directory of data has to be
 * the one that it works in.
 */
export function watchWriters(isWriter: (words: readonly string[]) => boolean): SoleWriterWatch {
  const together = new Set<string>()
  const over = new AbortController()
  let looks = 0
  const look = (): void => {
    looks += 1
    for (const pids of writersByDirectory(isWriter).values())
      if (pids.length > 1) together.add(pids.join(' and '))
  }
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      look()
      await delay(lookEveryMs, undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const watching = watch()
  return {
    end: async () => {
      over.abort()
      await watching
      return { together: [...together], looks }
    },
  }
}

/** The programs that write into a directory now. */
export function writersIn(dir: string, isWriter: (words: readonly string[]) => boolean): readonly number[] {
  return writersByDirectory(isWriter).get(identityOf(dir)) ?? []
}

function writersByDirectory(
  isWriter: (words: readonly string[]) => boolean,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, Map<number, number>>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (!isWriter(readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0'))) continue
      const parent = Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1])
      const dir = identityOf(`/proc/${name}/cwd/`)
      found.set(dir, (found.get(dir) ?? new Map<number, number>()).set(Number(name), parent))
    } catch {
      // It has ended meanwhile, or is only waited for: it has nothing open.
    }
  }
  return new Map([...found].map(([dir, parents]) => [dir, withoutForks(parents)]))
}

/** What a server has just forked has the words of the server for a moment. */
function withoutForks(parents: ReadonlyMap<number, number>): readonly number[] {
  return [...parents].flatMap(([pid, parent]) => (parents.has(parent) ? [] : [pid]))
}

/** By device and inode, so that it is the same one by whatever path and from whatever machine. */
function identityOf(dir: string): string {
  const { dev, ino } = statSync(dir)
  return `${dev}:${ino}`
}
