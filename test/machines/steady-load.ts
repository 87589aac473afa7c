// A load that goes on while something is done to what it asks: steady-load.mjs, in a process of its own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface SteadyLoadOptions {
  /** The machines that are asked, in turn. */
  readonly entries: readonly string[]
  readonly port: number
  readonly host: string
  readonly perSecond: number
  /** All that are kept open, over all entries. */
  readonly connections: number
  readonly givesUpAfterMs: number
  /** One of so many has the program ask others before it answers. */
  readonly askOthersEvery: number
}

export interface Failure {
  readonly at: number
  readonly entry: string
  readonly method: string
  readonly path: string
  readonly ms: number
  /** 0 where there was no answer. */
  readonly status: number
  /** What the answer said, or what became of the connection. */
  readonly error: string
}

/** What was counted between two questions. */
export interface Counted {
  readonly durations: readonly number[]
  readonly failures: readonly Failure[]
  /** Whom services were sent to by name and have not reached; another answered in its place. */
  readonly missed: readonly { readonly at: number; readonly what: string }[]
  /** How many were not begun, as all connections were in use. */
  readonly skipped: number
  readonly underWay: number
}

export interface SteadyLoad {
  /** What was counted up to now. */
  now(): Promise<Counted>
  /** The same once what is under way now is over, and so many have been answered at least. */
  settled(atLeast?: number): Promise<Counted>
  /** Begins none any more; what was counted once the last is over. */
  end(): Promise<Counted>
  kill(): void
}

/** One question at a time. */
export function startSteadyLoad(options: SteadyLoadOptions): SteadyLoad {
  const child = fork(join(import.meta.dirname, 'steady-load.mjs'), [JSON.stringify(options)], {
    execArgv: [],
  })
  child.on('error', () => {})
  const gone = new Promise<never>((_, reject) => {
    child.once('exit', () => reject(new Error('the load has ended')))
  })
  gone.catch(() => {})
  const told = async (question: Question): Promise<Counted> => {
    const answer = once(child, 'message') as Promise<[Counted]>
    child.send({ atLeast: 0, isLast: false, isNow: false, ...question })
    const [counted] = await Promise.race([answer, gone])
    return counted
  }
  return {
    now: () => told({ isNow: true }),
    settled: (atLeast = 0) => told({ atLeast }),
    end: () => told({ isLast: true }),
    kill: () => void child.kill('SIGKILL'),
  }
}

interface Question {
  readonly atLeast?: number
  readonly isLast?: boolean
  readonly isNow?: boolean
}

/** `share` of 1 of them took no longer; 0 where there are none. */
export function quantile(durations: readonly number[], share: number): number {
  const sorted = durations.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
