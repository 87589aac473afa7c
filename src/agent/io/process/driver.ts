// The `process` driver: units as processes of this machine, under a supervisor of their own that outlives the daemon.
import { join } from 'node:path'
import type { Log } from '../../../lib/io/log.js'
import type { Clock } from '../../../lib/time.js'
import type { ObservedUnit, UnitName } from '../../../model/unit.js'
import type { SpecifierContext } from '../../../unit/specifiers.js'
import { type Driver, DriverError, type KillSignal, type UnitStats, type UnitToRun } from '../../driver.js'
import { processesOf } from '../../process/processes.js'
import type { Ask, DescribedUnit, LoadedUnit } from '../../process/protocol.js'
import { readService } from '../../process/read-service.js'
import { openSecretFiles } from '../secret-files.js'
import { execBeside } from './exec.js'
import { type Home, openHome } from './home.js'
import { LaunchError, resolveIdentity } from './launch.js'
import { readLogs } from './log-reader.js'
import { lookAtProcesses } from './proc.js'
import { SupervisorClient } from './supervisor-client.js'
import { logPathsOf } from './unit-logs.js'

export interface ProcessDriverOptions {
  /** The supervisor's folder; made where there is none. */
  readonly dir: string
  /** Where secrets of units are kept while they are loaded; null: in the folder. */
  readonly runtimeDir?: string | null
  readonly clock: Clock
  readonly log: Log
  /** The words that start the supervisor of this folder: its program, then the folder. */
  readonly supervisorCommand: readonly string[]
  /** What `%m` and `%H` stand for. */
  readonly machine: NonNullable<SpecifierContext['machine']>
}

/** The process driver, with the one verb that others have no need of. */
export interface ProcessDriver extends Driver {
  /** Stops every unit and ends the supervisor. */
  shutdownSupervisor(signal: AbortSignal): Promise<void>
}

/** Opens the driver; starts the supervisor unless it is at work already. */
export async function openProcessDriver(options: ProcessDriverOptions): Promise<ProcessDriver> {
  const home = openHome(options.dir)
  const secrets = openSecretFiles(
    options.runtimeDir ? join(options.runtimeDir, `process-${home.id}`) : home.paths.secrets,
  )
  const watchers = new Set<(name: UnitName | null) => void>()
  const onChange = (changed: readonly UnitName[] | null): void => {
    for (const watcher of [...watchers]) for (const name of changed ?? [null]) watcher(name)
  }
  const client = new SupervisorClient({
    home,
    log: options.log,
    command: options.supervisorCommand,
    onChange,
  })
  await client.connect()
  const ask = (verb: Ask, signal: AbortSignal): Promise<unknown> => client.ask(verb, signal)
  const describe = async (name: UnitName, signal: AbortSignal): Promise<DescribedUnit> => {
    const described = (await ask({ verb: 'describe', name }, signal)) as DescribedUnit | null
    if (described !== null) return described
    throw new DriverError('process/unknown-unit', `${name} is not loaded`, { permanent: true })
  }
  return {
    kind: 'process',
    list: async (signal) => (await ask({ verb: 'list' }, signal)) as readonly ObservedUnit[],
    load: async (unit, signal) => {
      const file = secrets.write(unit.name, unit.secrets)
      await ask({ verb: 'load', unit: loadedUnit(unit, options.machine, file) }, signal)
    },
    start: async (name, signal) => {
      await ask({ verb: 'start', name }, signal)
    },
    stop: async (name, signal) => {
      await ask({ verb: 'stop', name }, signal)
    },
    kill: async (name, how, signal) => killProcesses(home, await describe(name, signal), how),
    unload: async (name, signal) => {
      await ask({ verb: 'unload', name }, signal)
      secrets.remove(name)
    },
    watch: (callback, signal) => {
      if (signal.aborted) return
      // One callback may watch twice: each watch is a function of its own.
      const watcher = (name: UnitName | null): void => callback(name)
      watchers.add(watcher)
      signal.addEventListener('abort', () => watchers.delete(watcher), { once: true })
    },
    observe: async (name, signal) => (await ask({ verb: 'observe', name }, signal)) as ObservedUnit | null,
    logs: async function* (name, query, signal) {
      await describe(name, signal)
      yield* readLogs(logPathsOf(home.paths, name), query, signal)
    },
    exec: async (name, request, signal) => execBeside((await describe(name, signal)).unit, request, signal),
    stats: async (name, signal) => statsOf(home, await describe(name, signal)),
    close: () => client.close(),
    shutdownSupervisor: async (signal) => {
      await ask({ verb: 'shutdown' }, signal)
      await client.close()
    },
  }
}

/** A unit as the supervisor takes it. Throws DriverError for what only this machine can tell. */
function loadedUnit(
  unit: UnitToRun,
  machine: ProcessDriverOptions['machine'],
  secretsFile: string | null,
): LoadedUnit {
  const { service, passEnvironment, diagnostics } = readService(unit.file, { name: unit.name, machine })
  const [problem] = diagnostics.filter(({ severity }) => severity === 'error')
  if (problem !== undefined) throw new DriverError(problem.code, problem.message, { permanent: true })
  assertAllowed(service.user, service.group, service.nice)
  const passed = Object.fromEntries(
    passEnvironment.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  ) as Record<string, string>
  const environment = { ...passed, ...service.environment }
  const secretFiles = secretsFile === null ? [] : [{ path: secretsFile, optional: false }]
  const environmentFiles = [...service.environmentFiles, ...secretFiles]
  return {
    name: unit.name,
    hash: unit.hash,
    service: { ...service, environment, environmentFiles },
    placed: unit.environment,
  }
}

function assertAllowed(user: string | null, group: string | null, nice: number): void {
  try {
    resolveIdentity(user, group)
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    throw new DriverError(error.failure.code, error.message, { permanent: true, cause: error })
  }
  if (nice < 0 && process.getuid?.() !== 0) {
    throw new DriverError('process/user-not-allowed', 'only root can run a unit with a negative Nice=', {
      permanent: true,
    })
  }
}

/** Not by the supervisor, which may be that of an older version; it sees them end as it sees any end. */
function killProcesses(home: Home, { unit, run, sessions }: DescribedUnit, how: KillSignal): void {
  const mark = { home: home.id, unit: unit.name, run }
  for (const { pid } of processesOf(lookAtProcesses(true), mark, sessions)) {
    try {
      process.kill(pid, how)
    } catch {
      // It has ended already.
    }
  }
}

/** Clock ticks of /proc are hundredths of a second on Linux, and its pages 4 KiB where Node runs. */
const nsPerTick = 10_000_000
const pageBytes = 4096

/** What the living processes of a unit use; what ended ones had used is not in it. */
function statsOf(home: Home, { unit, run, sessions }: DescribedUnit): UnitStats {
  const mark = { home: home.id, unit: unit.name, run }
  const processes = processesOf(lookAtProcesses(false), mark, sessions)
  return {
    cpuNs: processes.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0) * nsPerTick,
    memoryBytes: processes.reduce((sum, { rssPages }) => sum + rssPages, 0) * pageBytes,
    memoryLimitBytes: unit.service.memoryBytes,
    processes: processes.length,
    cpuUserNs: processes.reduce((sum, { userTicks }) => sum + userTicks, 0) * nsPerTick,
    pids: processes.map(({ pid }) => pid),
  }
}
