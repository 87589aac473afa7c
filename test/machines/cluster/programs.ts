// The programs of units as the process tables of the machines have them: what the daemons say of it does not count.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.js'

export interface Witness {
  /** Looks on until then. */
  until(instant: number): Promise<void>
  /** Resolves to what was there at any time and not at the beginning, and what was there at first and went away. */
  end(): Promise<{ readonly started: readonly string[]; readonly ended: readonly string[] }>
}

/** How long programs are looked away from at most. */
const lookEveryMs = 200

/** Looks at the programs of all machines from now on, many times a second. */
export function witness(cluster: Cluster): Witness {
  const first = new Set(programsOf(cluster))
  const started = new Set<string>()
  const ended = new Set<string>()
  const over = new AbortController()
  const look = (): void => {
    const now = new Set(programsOf(cluster))
    for (const one of now) if (!first.has(one)) started.add(one)
    for (const one of first) if (!now.has(one)) ended.add(one)
  }
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      look()
      await delay(lookEveryMs, undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const watching = watch()
  return {
    until: (instant) => delay(Math.max(0, instant - Date.now())),
    end: async () => {
      over.abort()
      await watching
      look()
      return { started: [...started], ended: [...ended] }
    },
  }
}

/** Every program that units run, on all machines with power, as `m1 unit, process 4711 since 123`, sorted. */
export function programsOf(cluster: Cluster): readonly string[] {
  const machineOf = new Map(
    cluster.machines.flatMap((machine) => {
      const space = machine.processSpace
      return space === null ? [] : [[space, machine.name] as const]
    }),
  )
  return readdirSync('/proc')
    .flatMap((pid) => {
      if (!/^\d+$/.test(pid)) return []
      try {
        const machine = machineOf.get(readlinkSync(`/proc/${pid}/ns/pid`))
        if (machine === undefined) return []
        const [, unit] = /\/([^/\n]+\.service)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8')) ?? []
        const isOurs = unit !== undefined && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('1000000')
        if (!isOurs) return []
        const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
          .replace(/^.*\) /s, '')
          .split(' ')
        return [`${machine} ${unit}, process ${pid} since ${fields[19]}`]
      } catch {
        // It has just ended.
        return []
      }
    })
    .sort()
}
