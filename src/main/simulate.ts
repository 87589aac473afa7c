// `mariposa simulate`: what would come of a question, on the state of the cluster or on an export of it. It is played
// through in this process: the daemon does no more than hand its records over.

import { type ExportedRecord, ExportReader } from '../api/export.js'
import { simulationBodyOf } from '../api/simulation-body.js'
import { isProblem } from '../changes/problem.js'
import { ask, type SimulationQuestion } from '../changes/simulation-question.js'
import { CommandError, exitCodes, usageError } from '../cli/command-error.js'
import { exitCodeOf } from '../cli/failure.js'
import { chunksOf, readFirst } from '../cli/io/inputs.js'
import { printJson, type Shell } from '../cli/io/shell.js'
import { readSources } from '../cli/io/sources.js'
import { takeStdin } from '../cli/io/stdin.js'
import { parseNewMachine } from '../cli/new-machine.js'
import { parseScaleTargets, type ScaleTargets } from '../cli/scale-targets.js'
import { assumptionNotes, simulationText } from '../cli/simulation-text.js'
import type { ExportHeader, SimulationBody } from '../contract/contract.js'
import { lineBatches } from '../lib/io/lines.js'
import { describeError } from '../lib/io/log.js'
import type { Steps } from '../lib/sliced-work.js'
import type { MachineId } from '../model/machine.js'
import { endlessStopMs } from '../simulate/machines.js'
import { Simulation } from '../simulate/simulation.js'
import { claimPrefix, claimTtlMs, leasesEndWithinMs } from './machine-presence.js'

export interface SimulateFlags {
  readonly lose: readonly string[]
  readonly drain: readonly string[]
  readonly add: readonly string[]
  readonly deploy: readonly string[]
  readonly scale: readonly string[]
  readonly hours: number
  readonly startTime: number
  readonly stopTime?: number
}

/** The lease of a machine whose own nobody knows: the default of `--agent-ttl`. */
const usualLeaseMs = 30_000

/** Plays a question through, and prints what comes of it; exit 3 where something would wait. */
export async function simulate(
  shell: Shell,
  file: string | undefined,
  flags: SimulateFlags,
): Promise<number> {
  // Taken first, so that a `-` among the manifests is told of before anything is read.
  const stdin = file === '-' ? takeStdin() : null
  const question = await questionOf(shell, flags)
  const progress = openProgress(shell)
  const state = file === undefined ? await fetchState(shell) : await readState(file, stdin)
  const body = await played(state, question, flags, progress)
  progress.end()
  if (shell.globals.json) printJson(shell, body)
  else shell.terminal.out(simulationText(body, question.project))
  return body.outcome === 'placed' ? exitCodes.done : exitCodes.notConverged
}

async function questionOf(shell: Shell, flags: SimulateFlags): Promise<SimulationQuestion> {
  const add = flags.add.map(parseNewMachine)
  const wrong = add.find((one) => typeof one === 'string')
  if (wrong !== undefined) throw usageError(wrong, '--add NAME[:memory=64G,cpus=16,metadata=KEY=VALUE]')
  const scale = flags.scale.length === 0 ? {} : scaleOf(flags.scale)
  const asked = [flags.lose, flags.drain, flags.add, flags.deploy, flags.scale]
  if (asked.every((words) => words.length === 0))
    throw usageError('no change to simulate is given', 'give --lose, --drain, --add, --deploy or --scale')
  return {
    project: shell.globals.project,
    ...{ lose: flags.lose, drain: flags.drain, scale },
    add: add.filter((one) => typeof one !== 'string'),
    deploy: await readSources(flags.deploy),
  }
}

function scaleOf(words: readonly string[]): ScaleTargets {
  const bare = words.find((word) => word.indexOf('=') < 1)
  if (bare !== undefined)
    throw usageError(`--scale ${bare}: the number is missing`, '--scale web=40, web=+2 or web=-1')
  const targets = parseScaleTargets(words)
  if (typeof targets === 'string') throw usageError(targets)
  return targets
}

/** A cluster as it was handed over. */
interface State {
  readonly header: ExportHeader
  readonly records: readonly ExportedRecord[]
}

async function fetchState(shell: Shell): Promise<State> {
  const reader = new ExportReader()
  for await (const line of shell.client.exportRecords(false, shell.signal))
    if (!reader.take(JSON.stringify(line))) break
  return wholeOf(
    reader,
    `the answer of ${shell.globals.endpoint.kind === 'unix' ? 'the daemon' : 'that daemon'}`,
  )
}

async function readState(file: string, stdin: NodeJS.ReadStream | null): Promise<State> {
  const reader = new ExportReader()
  const takeAll = async (): Promise<void> => {
    for await (const lines of lineBatches(stdin ?? chunksOf(file)))
      if (!lines.every((line) => reader.take(line))) return
  }
  try {
    await readFirst(takeAll)
  } catch (error) {
    const message = `${file} cannot be read: ${describeError(error)}`
    throw new CommandError(exitCodes.invalid, 'cli/unreadable', message)
  }
  return wholeOf(reader, file)
}

function wholeOf(reader: ExportReader, what: string): State {
  const state = reader.end()
  if (!('problem' in state)) return state
  const { kind, line, problem } = state
  throw kind === 'newer'
    ? new CommandError(exitCodes.invalid, 'simulate/newer', `${what} cannot be read: ${problem}`, {
        hint: 'use the mariposa that wrote it, or a later one',
      })
    : new CommandError(
        exitCodes.invalid,
        'simulate/damaged',
        `${what} is not a complete export, line ${line}: ${problem}`,
        {
          hint: 'write it again: mariposa store export FILE',
        },
      )
}

async function played(
  { header, records }: State,
  question: SimulationQuestion,
  flags: SimulateFlags,
  progress: Progress,
): Promise<SimulationBody> {
  const leases = leasesOf(records)
  const beganAt = Date.parse(header.at)
  const durations = { startMs: flags.startTime, stopMs: flags.stopTime ?? null }
  const lossWindowMs = leasesEndWithinMs(Math.max(usualLeaseMs, ...leases.values()))
  const settings = header.manifests
  const simulation = new Simulation({ settings, lossWindowMs, now: beganAt, durations })
  const doing = (): string => `${describeSeconds(simulation.elapsedMs)} of the cluster's time simulated`
  await progress.run(simulation.load(records), () => `reading ${records.length} records`)
  const { view } = simulation.cluster
  if (view.hasNewer) throw newerRecords()
  const leaseMsOf = (machine: MachineId): number => leases.get(machine) ?? usualLeaseMs
  const asked = ask(simulation, question, settings, leaseMsOf)
  if (isProblem(asked)) {
    const { status, code, message, hint, details = [] } = asked
    const sources = question.deploy
    throw new CommandError(exitCodeOf(status), code, message, { hint, details, sources })
  }
  const hosts = new Map([...view.machines.values()].map(({ id, hostname }) => [id, hostname]))
  const limitMs = flags.hours * 3_600_000
  const isAtRest = await progress.run(simulation.run(limitMs), doing)
  const leaseMs = Math.max(0, ...asked.lose.map(({ machine }) => leaseMsOf(machine)))
  const heldMs = Math.max(0, ...[...simulation.held.values()].map((until) => until - beganAt))
  const notes = assumptionNotes({
    ...durations,
    ...{ limitMs, endlessStopMs, heldMs, leaseMs: asked.lose.length === 0 ? null : leaseMs },
    unreadable: view.unreadable.size,
    idle: idleOf(simulation),
  })
  return {
    of: { cluster: header.cluster, revision: header.revision, at: header.at },
    assumptions: { ...durations, limitMs, notes },
    ...simulationBodyOf(simulation, beganAt, hosts, asked, isAtRest),
  }
}

/** What would act on services beside the planners, and does not in a simulation. */
function idleOf({ cluster: { view } }: Simulation): readonly string[] {
  return [
    ...(view.schedules.size > 0 ? ['schedules'] : []),
    ...(view.scalings.size > 0 ? ['autoscaling'] : []),
  ]
}

/** How long each machine is not taken for lost, as it said when it came. */
function leasesOf(records: readonly ExportedRecord[]): ReadonlyMap<string, number> {
  const leases = new Map<string, number>()
  for (const { key, value } of records) {
    const ttlMs = key.startsWith(claimPrefix) ? claimTtlMs(value) : null
    if (ttlMs !== null) leases.set(key.slice(claimPrefix.length), ttlMs)
  }
  return leases
}

function newerRecords(): CommandError {
  return new CommandError(
    exitCodes.failed,
    'simulate/newer',
    'a newer Mariposa wrote some of the records: this version cannot read them',
    { hint: 'use the mariposa of the newest machine' },
  )
}

interface Progress {
  /** Does a work to its end, and tells on a terminal where it takes long. */
  run<T>(steps: Steps<T>, doing: () => string): Promise<T>
  end(): void
}

/** How long nothing is told, and how often it is from then on. */
const quietMs = 1000
const tellEveryMs = 200
/** How long it goes on before Ctrl-C is looked for. */
const sliceMs = 50

function openProgress({ globals, terminal, signal }: Shell): Progress {
  const block = globals.quiet || globals.json ? null : terminal.liveBlock('stderr')
  const beganAt = performance.now()
  let toldAt = beganAt + quietMs - tellEveryMs
  return {
    run: async (steps, doing) => {
      for (let sliceAt = performance.now(); ; ) {
        const step = steps.next(true)
        if (step.done === true) return step.value
        const now = performance.now()
        if (now - sliceAt < sliceMs) continue
        await new Promise<void>((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
        if (now - toldAt >= tellEveryMs) {
          block?.draw([`simulating: ${doing()}`])
          toldAt = now
        }
        sliceAt = performance.now()
      }
    },
    end: () => block?.draw([]),
  }
}

function describeSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
