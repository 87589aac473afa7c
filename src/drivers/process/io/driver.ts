// The `process` driver: units as processes of this machine, under a supervisor of their own that outlives the daemon.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Driver, KillSignal, UnitStats, UnitToRun } from '../../../agent/driver.js'
import type { Log } from '../../../lib/io/log.js'
import { pageBytes } from '../../../lib/io/page-size.js'
import type { Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import type { ObservedUnit, UnitName } from '../../../model/unit.js'
import { type Home, openHome } from '../../../supervisor/io/home.js'
import {
  type Identity,
  LaunchError,
  refusalOfRights,
  resolveDirectory,
  resolveIdentity,
} from '../../../supervisor/io/launch.js'
import { lookAtProcesses } from '../../../supervisor/io/proc.js'
import { cgroupPlace } from '../../../supervisor/io/unit-cgroups.js'
import { logPathsOf } from '../../../supervisor/io/unit-logs.js'
import { markVariables } from '../../../supervisor/marker.js'
import { processesOf } from '../../../supervisor/processes.js'
import type { Ask, DescribedUnit, LoadedUnit } from '../../../supervisor/protocol.js'
import type { SpecifierContext } from '../../../unit/specifiers.js'
import { ProgramsBeside } from '../../io/beside.js'
import { ownersOfFiles } from '../../io/file-owners.js'
import { type OwnedFile, openPlacedFiles } from '../../io/placed-files.js'
import { openSecretFiles } from '../../io/secret-files.js'
import {
  type HeldUnits,
  refuseUnreachable,
  type VolumeDirectories,
  type VolumeOwner,
} from '../../io/volume-directories.js'
import { whileUp } from '../../io/while-up.js'
import { readService } from '../read-service.js'
import { execBeside, type OwnRun } from './exec.js'
import { readLogs } from './log-reader.js'
import { areStopped, continueProcesses, stopProcesses } from './standstill.js'
import { openStoppedNotes, type StoppedNotes } from './stopped-notes.js'
import { SupervisorClient } from './supervisor-client.js'
import { openVolumeLinks, type VolumeLinks } from './volume-links.js'

export interface ProcessDriverOptions {
  /** The supervisor's folder; made where there is none. */
  readonly dir: string
  /** Where secrets of units are kept while they are loaded; null: in the folder. */
  readonly runtimeDir?: string | null
  /** Where files of units are kept, below a directory of this supervisor; null: in the folder. */
  readonly filesDir?: string | null
  /** Where named volumes are. */
  readonly volumes: VolumeDirectories
  readonly clock: Time
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
  const watchers = openWatchers()
  const client = new SupervisorClient({
    home,
    clock: options.clock,
    log: options.log,
    command: options.supervisorCommand,
    onChange: watchers.call,
  })
  await client.open()
  const places = openPlaces(options, home)
  await removeLeft(places, client)
  return driverOf(options, home, places, client, watchers.watch)
}

/** What a daemon left that was killed while it unloaded a unit; where the supervisor does not answer, the next start removes it. */
async function removeLeft(
  { secrets, files, links }: ReturnType<typeof openPlaces>,
  client: SupervisorClient,
): Promise<void> {
  const units = await questionsTo(client)
    .list(new AbortController().signal)
    .catch(() => null)
  if (units === null) return
  const names = new Set(units.map(({ name }) => name))
  for (const place of [secrets, files, links]) place.keepOnly(names)
}

/** Those who want to know of changes of units. */
function openWatchers() {
  const watchers = new Set<(name: UnitName | null) => void>()
  const watch: ProcessDriver['watch'] = (callback, signal) => {
    if (signal.aborted) return
    // One callback may watch twice: each watch is a function of its own.
    const watcher = (name: UnitName | null): void => callback(name)
    watchers.add(watcher)
    signal.addEventListener('abort', () => watchers.delete(watcher), { once: true })
  }
  const call = (changed: readonly UnitName[] | null): void => {
    for (const watcher of [...watchers]) for (const name of changed ?? [null]) watcher(name)
  }
  return { watch, call }
}

function driverOf(
  options: ProcessDriverOptions,
  home: Home,
  places: ReturnType<typeof openPlaces>,
  client: SupervisorClient,
  watch: ProcessDriver['watch'],
): ProcessDriver {
  const { volumes } = options
  const { describe, observe, list, ask } = questionsTo(client)
  const beside = new ProgramsBeside()
  const held = async (): Promise<ReadonlySet<UnitName>> =>
    new Set((await list(new AbortController().signal)).map(({ name }) => name))
  return {
    kind: 'process',
    list,
    load: (unit, signal) =>
      loadUnit(options, places, unit, held, async (loaded) => {
        await ask({ verb: 'load', unit: loaded }, signal)
      }),
    start: async (name, signal) => {
      await ask({ verb: 'start', name }, signal)
    },
    stop: async (name, signal) => {
      await ask({ verb: 'stop', name }, signal)
    },
    ...standstillOf(home, beside, places.stopped, describe),
    kill: async (name, how, signal) => killProcesses(home, await describe(name, signal), how),
    tell: async (name, how, signal) => {
      const { pid } = (await observe(name, signal)) ?? {}
      const of = await describe(name, signal)
      if (pid != null) killProcesses(home, of, how, pid)
    },
    replaceFiles: (unit) =>
      places.files.replace(unit.name, filesFor(unit, loadedUnit(unit, options.machine, null))),
    filesTaken: places.files.taken,
    unload: async (name, signal) => {
      await ask({ verb: 'unload', name }, signal)
      places.secrets.remove(name)
      places.files.remove(name)
      volumes.release(name)
      places.links.release(name)
    },
    watch,
    observe,
    logs: async function* (name, query, signal) {
      await describe(name, signal)
      yield* readLogs(logPathsOf(home.paths, name), query, signal)
    },
    exec: async (name, request, signal) => {
      const described = await describe(name, signal)
      const own = request.bound === true ? await ownRunOf(home, described, await observe(name, signal)) : null
      return await beside.run(name, () =>
        whileUp({ name, observe, watch }, signal, (ended) =>
          execBeside(described.unit, request, signal, ended, own),
        ),
      )
    },
    volumePath: (volume) => volumes.pathOf(volume),
    filesAt: places.files.at,
    listVolumes: async () => await volumes.list(held),
    volumeUsers: async (volume) => await volumes.usersOf(volume, held),
    deleteVolume: async (volume) => await volumes.delete(volume, held),
    volumeData: async (volume) => volumes.dataOf(volume),
    makeVolume: async (volume, _signal, unit) =>
      volumes.make(
        volume,
        unit === undefined
          ? null
          : ownerOfProgram(readService(unit.file, { name: unit.name, machine: options.machine }).service),
      ),
    deleteVolumesOf: async (service) => await volumes.deleteOf(service, held),
    stats: async (name, signal) => statsOf(home, await describe(name, signal)),
    close: () => client.close(),
    shutdownSupervisor: async (signal) => {
      await ask({ verb: 'shutdown' }, signal)
      await client.close()
    },
  }
}

function standstillOf(
  { id }: Home,
  beside: ProgramsBeside,
  notes: StoppedNotes,
  describe: ReturnType<typeof questionsTo>['describe'],
): Pick<Driver, 'freeze' | 'thaw' | 'isFrozen'> {
  return {
    freeze: async (name, signal) => {
      await beside.freezing(name, signal)
      await stopProcesses(id, notes, await describe(name, signal), signal)
    },
    thaw: async (name, signal) => {
      beside.thawed(name)
      await continueProcesses(id, notes, name, async () => {
        try {
          return await describe(name, signal)
        } catch (error) {
          if (error instanceof DriverError && error.code === 'process/unknown-unit') return null
          throw error
        }
      })
    },
    isFrozen: async (name, signal) => areStopped(id, await describe(name, signal)),
  }
}

/** Where this driver puts what units find beside their programs. */
function openPlaces({ runtimeDir, filesDir }: ProcessDriverOptions, { id, paths }: Home) {
  const secrets = runtimeDir ? join(runtimeDir, `process-${id}`) : paths.secrets
  const files = filesDir ? join(filesDir, `process-${id}`) : paths.files
  return {
    secrets: openSecretFiles(secrets),
    files: openPlacedFiles(files),
    links: openVolumeLinks(paths.links),
    stopped: openStoppedNotes(paths.stopped),
  }
}

/** What the supervisor is asked. */
function questionsTo(client: SupervisorClient) {
  const ask = (verb: Ask, signal: AbortSignal): Promise<unknown> => client.ask(verb, signal)
  return {
    ask,
    describe: async (name: UnitName, signal: AbortSignal): Promise<DescribedUnit> => {
      const described = (await ask({ verb: 'describe', name }, signal)) as DescribedUnit | null
      if (described !== null) return described
      throw new DriverError('process/unknown-unit', `${name} is not loaded`, { permanent: true })
    },
    observe: async (name: UnitName, signal: AbortSignal): Promise<ObservedUnit | null> =>
      (await ask({ verb: 'observe', name }, signal)) as ObservedUnit | null,
    list: async (signal: AbortSignal): Promise<readonly ObservedUnit[]> =>
      (await ask({ verb: 'list' }, signal)) as readonly ObservedUnit[],
  }
}

/** Puts down what a unit finds beside its program, and has the supervisor load it. What is not loaded has no links. */
async function loadUnit(
  { machine, volumes, log }: ProcessDriverOptions,
  { secrets, files, links }: ReturnType<typeof openPlaces>,
  unit: UnitToRun,
  held: HeldUnits,
  hand: (loaded: LoadedUnit) => Promise<void>,
): Promise<void> {
  const loaded = loadedUnit(unit, machine, secrets.write(unit.name, unit.secrets))
  files.write(unit.name, filesFor(unit, loaded))
  const load = async (): Promise<void> => {
    for (const why of mountVolumes(unit, loaded, volumes, links))
      log.warn('process', 'a volume has no link in the working directory', { unit: unit.name, why })
    await hand(loaded)
  }
  try {
    await (unit.volumes === undefined ? load() : volumes.loading(unit.name, held, load))
  } catch (error) {
    const now = unit.volumes === undefined ? null : await held().catch(() => null)
    if (now?.has(unit.name) === false) links.release(unit.name)
    throw error
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
  assertAllowed(service)
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
    ...(unit.runsOnce === true && { runsOnce: true }),
    placed: unit.environment,
  }
}

/**
 * Makes the volumes of a unit, where its program reaches them, and links to them in its working directory. Returns why some
 * have no link: the variable of a volume says where it is all the same.
 */
function mountVolumes(
  unit: UnitToRun,
  { service }: LoadedUnit,
  directories: VolumeDirectories,
  links: VolumeLinks,
): readonly string[] {
  const { volumes = [] } = unit
  if (volumes.length === 0) return []
  const { account } = identityOf(service)
  const owner = ownerOfProgram(service)
  const directory =
    service.workingDirectory === null ? '/' : orRefused(() => resolveDirectory(service, account))
  return volumes.flatMap((volume) => {
    directories.use(volume, unit.name, owner)
    const path = directories.pathOf(volume)
    if (owner !== null) refuseUnreachable(path, owner)
    // Instances share the directory, and each has another volume of the name.
    if (directory === '/' || volume.slot !== undefined) return []
    const uid = owner?.uid ?? process.getuid?.() ?? 0
    const why = links.make(unit.name, directory, { name: volume.name, path }, uid)
    return why === null ? [] : [why]
  })
}

/** As whom a program runs; null: as the supervisor does. */
function ownerOfProgram(service: LoadedUnit['service']): VolumeOwner | null {
  const { ids, groups } = identityOf(service)
  return ids.uid === undefined || ids.gid === undefined ? null : { uid: ids.uid, gid: ids.gid, groups }
}

/** The files of a unit as it may read them. Throws DriverError `process/file-path` for what takes a namespace. */
function filesFor(unit: UnitToRun, { service }: LoadedUnit): readonly OwnedFile[] {
  const { files = [] } = unit
  if (files.length === 0) return []
  const { ids } = identityOf(service)
  const [uid, gid] = [ids.uid ?? process.getuid?.() ?? 0, ids.gid ?? process.getgid?.() ?? 0]
  return ownersOfFiles(files, { uid, gid })
}

function identityOf({ user, group, groups }: LoadedUnit['service']): Identity {
  return orRefused(() => resolveIdentity(user, group, groups))
}

function orRefused<T>(look: () => T): T {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    throw new DriverError(error.failure.code, error.message, { permanent: true, cause: error })
  }
}

function assertAllowed(service: LoadedUnit['service']): void {
  identityOf(service)
  const { nice } = service
  const ofRights = process.getuid?.() === 0 ? null : refusalOfRights(service)
  if (ofRights !== null) throw new DriverError(ofRights.code, ofRights.message, { permanent: true })
  if (nice < 0 && process.getuid?.() !== 0) {
    throw new DriverError('process/user-not-allowed', 'only root can run a unit with a negative Nice=', {
      permanent: true,
    })
  }
}

/** By which a program is one of the unit's: it ends with it, and its memory counts. */
async function ownRunOf(
  home: Home,
  { unit, run }: DescribedUnit,
  seen: { readonly pid: number | null } | null,
): Promise<OwnRun> {
  const variables = markVariables({ home: home.id, unit: unit.name, run, list: 'start', index: besideMain })
  const text = await readFile(`/proc/${seen?.pid ?? 0}/cgroup`, 'utf8').catch(() => '')
  const { cpuPercent, tasks } = unit.service
  const files = joinedFiles(unit.name, text)
  const isNeeded = cpuPercent !== undefined || tasks !== undefined
  return { variables, cgroup: files.length === 0 ? null : { files, isNeeded } }
}

/** Only of cgroups that were made for it: what runs without limits of its own shares the supervisor's. */
function joinedFiles(name: UnitName, procCgroup: string): readonly string[] {
  return cgroupPlace(procCgroup).flatMap(({ mount, own }) =>
    own.endsWith(`/${name}`) ? [`${mount}${own}/cgroup.procs`] : [],
  )
}

/** A place that no command of a unit has, by which its main process could be looked for. */
const besideMain = 1_000_000

/**
 * Signals all of a unit's processes, or that one alone if it is among them; returns whether there was one. Not by the
 * supervisor, which may be that of an older version; it sees them end as it sees any end.
 */
function killProcesses(
  home: Home,
  { unit, run, sessions }: DescribedUnit,
  how: KillSignal,
  only?: number,
): boolean {
  const mark = { home: home.id, unit: unit.name, run }
  let isSent = false
  for (const { pid } of processesOf(lookAtProcesses(true), mark, sessions)) {
    if (only !== undefined && pid !== only) continue
    try {
      process.kill(pid, how)
      isSent = true
    } catch {
      // It has ended already.
    }
  }
  return isSent
}

/** Clock ticks of /proc are hundredths of a second on Linux. */
const nsPerTick = 10_000_000

/** What the living processes of a unit use; what ended ones had used is not in it. */
function statsOf(home: Home, { unit, run, sessions }: DescribedUnit): UnitStats {
  const mark = { home: home.id, unit: unit.name, run }
  const processes = processesOf(lookAtProcesses(false), mark, sessions)
  return {
    cpuNs: processes.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0) * nsPerTick,
    memoryBytes: processes.reduce((sum, { rssPages }) => sum + rssPages, 0) * pageBytes(),
    memoryLimitBytes: unit.service.memoryBytes,
    processes: processes.length,
    cpuUserNs: processes.reduce((sum, { userTicks }) => sum + userTicks, 0) * nsPerTick,
    pids: processes.map(({ pid }) => pid),
  }
}
