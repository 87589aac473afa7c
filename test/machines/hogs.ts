// Programs that take all that they can get, each with the limit that holds it, and a neighbour of theirs that answers requests; and what
// the kernel counts of them, with control groups of version 1 or 2. For tests and for bench/neighbours.mjs.
import { readdirSync, readFileSync } from 'node:fs'
import { filesOf } from '../../src/agent/metrics/cgroup.js'

export interface Hog {
  /** For a shell; busybox's, too. */
  readonly script: string
  /** The line of its manifest that holds it. */
  readonly limit: string
}

/** Each is bounded by itself, so that no machine is lost where its limit does not hold: 500 processes, 8 that spin, half a GiB or so. */
export const hogs = {
  forks: {
    script: '(n=0; while [ $n -lt 500 ]; do sleep 1000 & n=$((n+1)); done); exec sleep 1000',
    limit: 'pids: 20',
  },
  cpu: {
    script: 'n=1; while [ $n -lt 8 ]; do (while :; do :; done) & n=$((n+1)); done; while :; do :; done',
    limit: 'cpu: 0.2',
  },
  memory: {
    script: 'while :; do x=aaaaaaaa; n=0; while [ $n -lt 24 ]; do x=$x$x; n=$((n+1)); done; done',
    limit: 'memory: 16',
  },
} as const satisfies Readonly<Record<string, Hog>>

/** What `hogs` are limited to, and how many processes of the one for the processor spin. */
export const held = { tasks: 20, msPerPeriod: 20, spinning: 8 } as const

/** The manifest of a hog. `runs` are the lines that say what runs it, `mark` is in the environment of all of its processes. */
export function hogManifest({ script }: Hog, mark: string, ...runs: readonly string[]): string {
  return [
    ...runs,
    `command: ${JSON.stringify(['/bin/sh', '-c', script])}`,
    `environment: {HOG: ${JSON.stringify(mark)}}`,
    'stop: {timeout: 0}',
    'restart: "no"',
    '',
  ].join('\n')
}

/** The manifest of an HTTP server on its port, in Node at a path. */
export function neighbourManifest(node: string, ...runs: readonly string[]): string {
  const server = "require('node:http').createServer((_, r) => r.end('ok')).listen(process.env.PORT ?? 8080)"
  return [...runs, `command: ${JSON.stringify([node, '-e', server])}`, 'stop: {timeout: 0}', ''].join('\n')
}

/** The processes of this machine, those in containers included, that have the mark of a hog. */
export function processesOf(mark: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && textOf(`/proc/${name}/environ`).includes(`HOG=${mark}\0`))
    .map(Number)
}

/** How many forks the kernel has refused to the group of a process, and how many processes it may have. */
export function forksOf(pid: number): { readonly refused: number; readonly limit: number } {
  return {
    refused: Number(/^max (\d+)$/m.exec(groupFile(pid, 'pids', 'pids.events'))?.[1]),
    limit: Number(groupFile(pid, 'pids', 'pids.max')),
  }
}

/** The processor time of processes of one group, and how many periods of its quota that was at work in. */
export function cpuOf(pids: readonly number[]): { readonly spentMs: number; readonly periods: number } {
  return {
    spentMs: pids.reduce((sum, pid) => sum + spentMs(pid), 0),
    periods: Number(/^nr_periods (\d+)$/m.exec(groupFile(pids[0] ?? 0, 'cpu', 'cpu.stat'))?.[1]),
  }
}

function spentMs(pid: number): number {
  const fields = textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** A file of the group that a process is in; empty where no hierarchy has it. */
function groupFile(pid: number, controller: string, name: string): string {
  const { v1, v2 } = filesOf(textOf(`/proc/${pid}/cgroup`))
  // Of version 2 the files are there only where it has the controller, except cpu.stat.
  return [...v1(controller, name), ...v2(name)].map(textOf).find((text) => text !== '') ?? ''
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
