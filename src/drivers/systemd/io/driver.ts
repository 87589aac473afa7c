// Units as units of the host's own systemd, over D-Bus. They outlive the daemon, and are found again by the files that
// it wrote.

import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import type { Driver, UnitToRun } from '../../../agent/driver.js'
import { describeError, type Log } from '../../../lib/io/log.js'
import type { Time } from '../../../lib/time.js'
import { secretsDirectory } from '../../../model/arriving-file.js'
import { DriverError } from '../../../model/driver-error.js'
import type { ObservedUnit, UnitName } from '../../../model/unit.js'
import { type StartedBy, startedBy } from '../../../unit/install.js'
import { ProgramsBeside } from '../../io/beside.js'
import { openPlacedFiles, type PlacedFiles } from '../../io/placed-files.js'
import { openSecretFiles, type SecretFiles } from '../../io/secret-files.js'
import type { HeldUnits, VolumeDirectories } from '../../io/volume-directories.js'
import { whileUp } from '../../io/while-up.js'
import type { HeldUnit } from '../observe.js'
import type { Controller } from '../unheld.js'
import { readHeld, systemdUnitText } from '../unit-text.js'
import { inBatches } from './batch.js'
import { BusError, BusSilent, connectSystemd, isNoSuchUnit, type SystemdBus, type UnitLine } from './bus.js'
import { lackingControllers } from './controllers.js'
import { callFailed, startFailure } from './errors.js'
import { execBeside } from './exec.js'
import { freezeUnit, isUnitFrozen, thawUnit } from './freezer.js'
import { type SystemdHostAccess, thisHost } from './host.js'
import { readJournal } from './journal.js'
import { openRestarts, type Restarts } from './restarts.js'
import { openStartLinks, type StartLinks } from './start-links.js'
import { readStats } from './stats.js'
import { linkDir, openUnitFiles, type UnitFiles } from './unit-files.js'
import { ownedFiles, placeFiles } from './unit-placed-files.js'
import { openUnitTable, type UnitTable } from './unit-table.js'
import { withUnseenEnds } from './unseen-ends.js'
import { ownerOf } from './volume-owner.js'

export interface SystemdDriverOptions {
  /** Where named volumes are. */
  readonly volumes: VolumeDirectories
  readonly clock: Time
  readonly log: Log
  /** Where our unit files are; gone after a reboot, as the units are. */
  readonly unitsDir?: string
  /** Where files of units are; everybody on the machine has to get through to it. */
  readonly filesDir?: string
  /** systemd's private socket, which takes root alone. */
  readonly socketPath?: string
  /** Where the private socket does not answer; null: there is no second choice. */
  readonly systemBusPath?: string | null
  readonly host?: SystemdHostAccess
}

export const systemdPaths = {
  unitsDir: '/run/mariposa/units',
  filesDir: '/run/mariposa-files/systemd',
  socket: '/run/systemd/private',
  systemBus: '/run/dbus/system_bus_socket',
} as const

/** Connects to systemd and adopts the units of an earlier daemon. Throws DriverError where systemd cannot be reached. */
export async function openSystemdDriver(options: SystemdDriverOptions): Promise<Driver> {
  const { host = thisHost, unitsDir = systemdPaths.unitsDir } = options
  const table = openUnitTable()
  const bus = await connectSystemd({
    socketPath: options.socketPath ?? systemdPaths.socket,
    systemBusPath: options.systemBusPath === undefined ? systemdPaths.systemBus : options.systemBusPath,
    time: options.clock,
    onChange: table.apply,
  }).catch(callFailed('systemd cannot be reached'))
  const files = openUnitFiles({ unitsDir, unitPath: bus.unitPath, host })
  const links = openStartLinks(host.root, linkDir, unitsDir)
  const placed = openPlacedFiles(options.filesDir ?? systemdPaths.filesDir, host.root)
  const secrets = openSecretFiles(join(dirname(unitsDir), 'secrets'), host.root)
  const lacking = await lackingControllers(host, bus)
  const known = files.read()
  for (const { name, text } of known) {
    const held = readHeld(name, text, lacking)
    if (held === null)
      options.log.warn('systemd', 'ignoring a foreign file in the unit directory', { unit: name, unitsDir })
    else table.adopt(held)
  }
  // A daemon that was killed while it unloaded a unit may have left its files.
  for (const place of [placed, secrets]) place.keepOnly(new Set(known.map(({ name }) => name)))
  const { clock, log } = options
  const settleAll = settle(bus, files, clock)
  await putLinksRight(links, table, settleAll).catch((error: unknown) => {
    log.warn('systemd', `cannot repair the links of enabled units: ${describeError(error)}`)
  })
  const restarts = openRestarts({ table, bus, clock, log, dir: `${host.root}${dirname(unitsDir)}/restarts` })
  return driverOf({
    ...options,
    host,
    bus,
    files,
    links,
    secrets,
    placed,
    table,
    restarts,
    lacking,
    settle: inBatches(settleAll, clock),
  })
}

/** After a daemon that was killed, or one that did not know of such links. */
async function putLinksRight(
  links: StartLinks,
  table: UnitTable,
  settleAll: (names: readonly UnitName[]) => Promise<void>,
): Promise<void> {
  const held = table.names().map((name) => [name, table.get(name)?.startedBy ?? []] as const)
  const changed = links.sync(new Map(held))
  if (changed.length > 0) await settleAll(changed)
}

interface Parts {
  readonly bus: SystemdBus
  readonly files: UnitFiles
  readonly links: StartLinks
  readonly secrets: SecretFiles
  readonly placed: PlacedFiles
  readonly volumes: VolumeDirectories
  readonly table: UnitTable
  readonly restarts: Restarts
  readonly host: SystemdHostAccess
  readonly log: Log
  /** What systemd passes over limits for want of. */
  readonly lacking: ReadonlySet<Controller>
  /** Makes systemd take notice of a file that was written. */
  readonly settle: (name: UnitName) => Promise<void>
}

function driverOf(parts: Parts): Driver {
  const { bus, table, host, restarts } = parts
  const beside = new ProgramsBeside()
  const held = (name: UnitName): HeldUnit => {
    const found = table.get(name)
    if (found === null) throw new DriverError('systemd/unknown-unit', `${name} is not loaded`)
    return found
  }
  const heldUnits = () => Promise.resolve(new Set(table.names()))
  const observe: Driver['observe'] = async (name, signal) => {
    signal.throwIfAborted()
    if (table.get(name) === null) return null
    const seen = table.observed(name) ?? (await observeAll(parts, [name]))[0] ?? null
    return seen === null ? null : restarts.told(seen)
  }
  return {
    kind: 'systemd',
    list: async (signal) => {
      signal.throwIfAborted()
      // Where there is nothing to ask for, it would look as if all were well.
      if (bus.isSilent) callFailed('the units cannot be listed')(new BusSilent())
      return (await observeAll(parts, table.names())).map(restarts.told)
    },
    load: async (unit, signal) => {
      signal.throwIfAborted()
      const work = async (): Promise<void> => await load(parts, unit)
      await (unit.volumes === undefined ? work() : parts.volumes.loading(unit.name, heldUnits, work))
    },
    start: async (name, signal) => {
      signal.throwIfAborted()
      await start(parts, held(name), signal)
    },
    stop: async (name, signal) => {
      signal.throwIfAborted()
      await stop(parts, name, signal)
    },
    ...standstillOf(parts, beside),
    kill: async (name, how, signal) => {
      signal.throwIfAborted()
      return await bus
        .kill(held(name).name, constants.signals[how])
        .catch(callFailed(`${name} cannot be sent ${how}`))
    },
    tell: async (name, how, signal) => {
      signal.throwIfAborted()
      if (table.observed(name)?.pid == null) return
      await bus
        .kill(held(name).name, constants.signals[how], 'main')
        .catch(callFailed(`${name} cannot be sent ${how}`))
    },
    unload: async (name, signal) => {
      signal.throwIfAborted()
      await unload(parts, name, signal)
    },
    watch: table.watch,
    observe,
    keepsLogs: true,
    logs: (name, query, signal) => readJournal(host, name, query, signal),
    exec: async (name, request, signal) => {
      const seen = (await observeAll(parts, [held(name).name]))[0]
      if (!seen?.pid) throw new DriverError('systemd/not-running', `${name} does not run`)
      const { pid } = seen
      const watched = { name, observe, watch: table.watch }
      const group = request.bound === true ? await bus.readProperty(name, 'ControlGroup') : null
      return await beside.run(name, () =>
        whileUp(watched, signal, (ended) =>
          execBeside(host, pid, request, signal, ended, typeof group === 'string' ? group : null),
        ),
      )
    },
    ...volumesOf(parts, heldUnits),
    ...filesOf(parts),
    stats: async (name) => await readStats(host, bus, held(name).name),
    close: async () => {
      await restarts.close()
      await bus.close()
    },
  }
}

function volumesOf(
  { volumes, host }: Parts,
  held: HeldUnits,
): Pick<
  Driver,
  'listVolumes' | 'volumeUsers' | 'deleteVolume' | 'volumeData' | 'makeVolume' | 'deleteVolumesOf'
> {
  return {
    listVolumes: async () => await volumes.list(held),
    volumeUsers: async (volume) => await volumes.usersOf(volume, held),
    deleteVolume: async (volume) => await volumes.delete(volume, held),
    volumeData: async (volume) => volumes.dataOf(volume),
    makeVolume: async (volume, _signal, unit) =>
      volumes.make(volume, unit === undefined ? null : ownerOf(unit, host.root)),
    deleteVolumesOf: async (service) => await volumes.deleteOf(service, held),
  }
}

function standstillOf(parts: Parts, beside: ProgramsBeside): Pick<Driver, 'freeze' | 'thaw' | 'isFrozen'> {
  return {
    freeze: async (name, signal) => {
      await beside.freezing(name, signal)
      await freezeUnit(parts, name, signal)
    },
    thaw: async (name) => {
      beside.thawed(name)
      if (parts.table.get(name) !== null) await thawUnit(parts, name)
    },
    isFrozen: async (name) => await isUnitFrozen(parts, name),
  }
}

function filesOf({ placed, host }: Parts): Pick<Driver, 'filesAt' | 'replaceFiles' | 'filesTaken'> {
  return {
    filesAt: (name) => ({ ...placed.at(name), secrets: secretsDirectory }),
    replaceFiles: (unit) => placed.replace(unit.name, ownedFiles(unit, host.root)),
    filesTaken: placed.taken,
  }
}

/** Asks systemd once for all, and again for each unit of which it says something else than is known. */
async function observeAll(parts: Parts, names: readonly UnitName[]): Promise<readonly ObservedUnit[]> {
  const { bus, table } = parts
  if (names.length === 0) return []
  const lines = await bus.listUnits(names).catch(callFailed('the units cannot be listed'))
  const told = new Map(lines.map((line) => [line.name, line]))
  const differing = names.filter((name) => {
    const line = told.get(name)
    const known = table.observed(name)
    return (
      known === null || line?.load !== known.load || line.active !== known.active || line.sub !== known.sub
    )
  })
  const answers = await Promise.all(
    differing.map(async (name) => {
      const properties = await bus.readUnit(name).catch(callFailed(`${name} cannot be looked at`))
      return { name, properties }
    }),
  )
  for (const { name, properties } of await withUnseenEnds(parts, answers)) table.learn(name, properties)
  return names.flatMap((name) => table.observed(name) ?? [])
}

async function load(parts: Parts, unit: UnitToRun): Promise<void> {
  const { files, links, secrets, volumes, placed, host, table } = parts
  const { name, hash } = unit
  refuseUnreadable(unit)
  for (const volume of unit.volumes ?? []) volumes.use(volume, name, ownerOf(unit, host.root))
  const secretsFile = secrets.write(name, unit.secrets)
  const before = table.get(name)
  if (before?.hash === hash && files.isLinked(name)) return void placeFiles(unit, placed, host.root)
  const owner = files.ownerOf(name)
  if (owner !== null) {
    throw new DriverError('systemd/name-taken', `the host has a unit of this name already: ${owner}`, {
      permanent: true,
    })
  }
  if (before !== null) await makeWay(parts, name)
  const bindings = placeFiles(unit, placed, host.root)
  const text = systemdUnitText(unit, secretsFile, (volume) => volumes.pathOf(volume), bindings)
  const held = readHeld(name, text, parts.lacking)
  const starters = held?.startedBy ?? []
  tellOfBadInstall(parts, unit)
  tellOfUnheld(parts, name, held?.unheld ?? [])
  // The file stands for the whole: where it is, the links are there.
  links.put(name, starters)
  files.write(name, text)
  const dropped = (before?.startedBy ?? []).filter(
    ({ how, by }) => !starters.some((one) => one.how === how && one.by === by),
  )
  links.remove(name, dropped)
  if (held !== null) table.hold(held)
  await settleWith(parts, name, [...starters, ...dropped])
}

/** Makes systemd take notice of a unit, and of what starts it where that is in its memory already. */
async function settleWith({ settle }: Parts, name: UnitName, others: readonly StartedBy[]): Promise<void> {
  await Promise.all([name, ...others.map(({ by }) => by)].map(settle))
}

/** What names no unit was let in by an older daemon, or by fleet's API: that is no reason not to run. */
function tellOfBadInstall({ log }: Parts, { file, name }: UnitToRun): void {
  for (const { message } of startedBy(file, name).problems)
    log.warn('systemd', `${name}: left out: ${message}`)
}

/** systemd says nothing of it itself. */
function tellOfUnheld({ log, lacking }: Parts, name: UnitName, unheld: readonly string[]): void {
  if (unheld.length === 0) return
  const fields = { unit: name, options: unheld.join(' '), lacking: [...lacking].join(' ') }
  log.warn('systemd', 'the limits of units are not enforced: systemd has no controllers for them', fields)
}

/** systemd leaves such a variable out with a line in its log, and starts the program without it. */
function refuseUnreadable({ secrets = {} }: UnitToRun): void {
  for (const [name, value] of Object.entries(secrets)) {
    if (!/[^\P{Cc}\t\n]/u.test(value)) continue
    const message = `the value of ${name} holds a control character, which systemd passes to no program`
    throw new DriverError('systemd/bad-secret', message, { permanent: true })
  }
}

/** A unit with another text takes the place of one that does not run. */
async function makeWay(parts: Parts, name: UnitName): Promise<void> {
  const [seen] = await observeAll(parts, [name])
  if (seen === undefined || isAtRest(seen)) return await forgetFailure(parts, name)
  throw new DriverError(
    'systemd/still-running',
    `${name} runs and must be stopped before its text can change`,
  )
}

function isAtRest({ active }: ObservedUnit): boolean {
  return active === 'inactive' || active === 'failed'
}

/**
 * systemd finds a new file when it first needs it. A reload, which takes as long as there are units, is needed only
 * for those that it has in memory with another text; and then it is one for all that were written together.
 */
function settle(
  bus: SystemdBus,
  files: UnitFiles,
  clock: Time,
): (names: readonly UnitName[]) => Promise<void> {
  return async (names) => {
    files.touch(clock.now())
    const lines = await bus.inMemory(names).catch(callFailed('systemd cannot be asked for its units'))
    if (lines.some(({ load: state }) => state !== 'not-found'))
      await bus.reload().catch(callFailed('systemd does not reload'))
  }
}

async function start(parts: Parts, held: HeldUnit, signal: AbortSignal): Promise<void> {
  const { bus, table, restarts } = parts
  const { name } = held
  const before = table.observed(name) ?? (await observeAll(parts, [name]))[0]
  if (before === undefined || isAtRest(before)) restarts.begin(name)
  // What it failed with before counts towards a limit of starts; a start by hand begins anew.
  if (before?.active === 'failed' || held.maxRestarts !== null) await forgetFailure(parts, name)
  const job = bus.run('StartUnit', name, signal).catch(async (error: unknown) => {
    // What systemd cannot load it has found out just now, and tells nobody.
    const told = error instanceof BusError ? await bus.readUnit(name).catch(() => null) : null
    if (told !== null) table.learn(name, told)
    return callFailed(`${name} cannot be started`)(error)
  })
  const result =
    held.type === 'oneshot' ? await Promise.race([job, underWay(table, name, signal)]) : await job
  if (result === 'done') return
  const seen = table.observed(name)
  const exit = seen?.exit?.at === before?.exit?.at ? null : (seen?.exit ?? null)
  const missing = exit === null && result === 'failed' ? await missingTriggers(bus, name) : []
  const failure = startFailure(name, result, seen, exit, missing)
  if (failure !== null) throw failure
}

/** What a timer, path or socket is there to start, and systemd cannot load. */
async function missingTriggers(bus: SystemdBus, name: UnitName): Promise<readonly UnitLine[]> {
  const { Triggers } = await bus.readUnit(name).catch(callFailed(`${name} cannot be looked at`))
  if (!Array.isArray(Triggers) || Triggers.length === 0) return []
  const lines = await bus.listUnits(Triggers.map(String)).catch(callFailed('the units cannot be listed'))
  return lines.filter(({ load: state }) => state !== 'loaded')
}

/** A oneshot counts as started while it still works; how it ends is seen by those who look. */
function underWay(table: UnitTable, name: UnitName, signal: AbortSignal): Promise<'done'> {
  const watching = new AbortController()
  return new Promise((resolve) => {
    const look = (): void => {
      if (table.observed(name)?.sub !== 'start') return
      watching.abort()
      resolve('done')
    }
    table.watch(look, AbortSignal.any([signal, watching.signal]))
  })
}

async function stop({ bus, table, restarts }: Parts, name: UnitName, signal: AbortSignal): Promise<void> {
  if (table.get(name) === null) return
  restarts.end(name)
  try {
    const result = await bus.run('StopUnit', name, signal)
    if (result !== 'done') throw new DriverError('systemd/stop-failed', `${name} was not stopped: ${result}`)
  } catch (error) {
    if (isNoSuchUnit(error)) return
    throw error instanceof DriverError ? error : callFailed(`${name} cannot be stopped`)(error)
  }
}

async function unload(parts: Parts, name: UnitName, signal: AbortSignal): Promise<void> {
  const { files, links, secrets, volumes, placed, table, restarts } = parts
  const held = table.get(name)
  if (held === null) {
    placed.remove(name)
    return volumes.release(name)
  }
  await stop(parts, name, signal)
  links.remove(name, held.startedBy)
  files.remove(name)
  secrets.remove(name)
  placed.remove(name)
  volumes.release(name)
  table.drop(name)
  restarts.forget(name)
  await forgetFailure(parts, name)
  if (held.startedBy.length > 0) await settleWith(parts, name, held.startedBy)
}

/** Takes a failed unit out of systemd's memory, and its count of starts back to nothing. */
async function forgetFailure({ bus }: Parts, name: UnitName): Promise<void> {
  try {
    await bus.resetFailed(name)
  } catch (error) {
    // It is not in memory: there is nothing to forget.
    if (!isNoSuchUnit(error)) callFailed(`the failure of ${name} cannot be reset`)(error)
  }
}
