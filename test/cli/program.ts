// The real program, built once for a run of tests (test/program-setup.ts), run as a process of its own.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { inject } from 'vitest'

export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningProgram {
  readonly pid: number
  /** Resolves when standard output has shown the text. */
  saw(text: string): Promise<void>
  /** Resolves when standard error has shown the text. */
  said(text: string): Promise<void>
  /** What standard error has shown up to now. */
  saidSoFar(): string
  signal(name: NodeJS.Signals): void
  /** Closes our end of its standard output, or error. */
  hangUp(stream?: 'stdout' | 'stderr'): void
  readonly ended: Promise<Run>
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly cwd?: string
  /** Words put before the program: what runs it inside a machine. */
  readonly enter?: readonly string[]
  /** Descriptors that the program finds from 3 on. */
  readonly handOver?: readonly number[]
}

export interface Program {
  run(args: readonly string[], options?: RunOptions): Promise<Run>
  start(args: readonly string[], options?: RunOptions): RunningProgram
}

/** The program as it is built in the checkout, seen from where it is to run: what gets there comes before a run's own words. */
export function builtProgram(file: string, enter: () => readonly string[] = () => []): Program {
  const start = (args: readonly string[], options: RunOptions = {}) =>
    startProgram(file, args, { ...options, enter: [...enter(), ...(options.enter ?? [])] })
  return { start, run: (args, options) => start(args, options).ended }
}

/** The program as the sources are. */
export function useProgram(): Program {
  return builtProgram(inject('program'))
}

function startProgram(
  file: string,
  args: readonly string[],
  { env = {}, stdin = '', cwd, enter = [], handOver = [] }: RunOptions,
): RunningProgram {
  const { NO_COLOR: _, ...inherited } = process.env
  const variables =
    enter.length === 0 ? [] : ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  const [command = '', ...words] = [...enter, ...variables, process.execPath, file, ...args]
  const child = spawn(command, words, {
    stdio: ['pipe', 'pipe', 'pipe', ...handOver] as unknown as 'pipe',
    env: { ...inherited, ...env },
    ...(cwd !== undefined && { cwd }),
  })
  const stdout = gather(child.stdout)
  const stderr = gather(child.stderr)
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const ended = new Promise<Run>((resolve) => {
    child.on('close', (code) => resolve({ code, stdout: stdout.text(), stderr: stderr.text() }))
  })
  return {
    pid: child.pid ?? 0,
    saw: stdout.saw,
    said: stderr.saw,
    saidSoFar: stderr.text,
    signal: (name) => {
      if (enter.length === 0) child.kill(name)
      else for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, name)
    },
    hangUp: (stream = 'stdout') => void child[stream].destroy(),
    ended,
  }
}

/** What entered a machine is a child of what entered it; signals to the latter do not reach it. */
function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number)
}

function gather(stream: Readable) {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text += chunk
  })
  const saw = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (text.includes(wanted)) resolve()
      }
      stream.on('data', look)
      stream.on('end', () => reject(new Error(`never saw ${wanted} in: ${text}`)))
      look()
    })
  return { text: () => text, saw }
}
