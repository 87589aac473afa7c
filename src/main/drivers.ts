// Which drivers this host offers, opened.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Driver, isUnreachable, type RegistryLogins } from '../agent/driver.js'
import { dockerAvailable } from '../drivers/docker/io/detect.js'
import { openDockerDriver } from '../drivers/docker/io/driver.js'
import type { ContainerNames } from '../drivers/docker/names.js'
import { ConnectingDriver } from '../drivers/io/connecting-driver.js'
import { openVolumeDirectories, type VolumeDirectories } from '../drivers/io/volume-directories.js'
import { describeError, type Log } from '../lib/io/log.js'
import type { Time } from '../lib/time.js'
import { DriverError } from '../model/driver-error.js'
import { type DriverKind, driverKinds } from '../model/driver-kind.js'
import type { UnitName, UnitReport } from '../model/unit.js'
import type { DockerSettings } from './docker-options.js'

interface DriverOptions {
  readonly dataDir: string
  readonly machine: { readonly id: string; readonly hostname: string }
  /** Whose units these are: two clusters on one host never touch each other's. */
  readonly owner: string
  /** The drivers to use; null: whatever the host offers. */
  readonly wanted: readonly DriverKind[] | null
  /** Those that units were reported under on this machine before: a driver that is away now is waited for. */
  readonly known: ReadonlySet<DriverKind>
  /** What was reported of units on this machine before. */
  readonly reported: ReadonlyMap<UnitName, UnitReport>
  /** How Docker is to keep containers and images. */
  readonly docker: DockerSettings
  /** Answers names for containers. */
  readonly names: ContainerNames
  /** Who registries of images are asked as. */
  readonly logins: RegistryLogins
  /** The words that the supervisor is told to log by. */
  readonly logWords: readonly string[]
  readonly clock: Time
  readonly log: Log
}

/** A driver that was asked for by name cannot be had. */
export class DriverMissingError extends Error {
  override readonly name = 'DriverMissingError'
}

/**
 * Opens what the host offers: systemd where it is in charge and we may use it, Docker where it answers, the embedded
 * supervisor where there is no systemd. Throws DriverMissingError when one that was asked for is not there.
 */
export async function openDrivers(options: DriverOptions): Promise<ReadonlyMap<DriverKind, Driver>> {
  const drivers = new Map<DriverKind, Driver>()
  for (const kind of options.wanted ?? driverKinds) {
    // Where systemd runs, units that either could run go to systemd: a second supervisor beside it would be idle.
    if (options.wanted === null && kind === 'process' && drivers.has('systemd')) continue
    try {
      const driver = await openers[kind](options)
      if (driver !== null) drivers.set(kind, driver)
      else if (kind === 'docker') {
        const expected = options.wanted !== null
        if (expected) options.log.warn('daemon', 'waiting for Docker: its socket does not exist yet')
        drivers.set(kind, connectingDriver(kind, options, expected))
      } else if (options.wanted !== null)
        throw new DriverMissingError(`this host does not offer the driver ${kind}`)
    } catch (error) {
      // What is placed here runs under it, or it is there and hangs: nothing else is to take its place.
      if (kind === 'docker' || options.known.has(kind) || isUnreachable(error)) {
        options.log.warn('daemon', `waiting for driver ${kind}: ${describeError(error)}`)
        drivers.set(kind, connectingDriver(kind, options, true))
        continue
      }
      if (options.wanted !== null) throw error
      options.log.warn('daemon', `driver ${kind} not used: ${describeError(error)}`)
    }
  }
  return drivers
}

/** A driver that is looked for until it answers; where it is expected, it counts among the machine's drivers before. */
function connectingDriver(kind: DriverKind, options: DriverOptions, expected: boolean): Driver {
  const open = async (): Promise<Driver> => {
    const driver = await openers[kind](options)
    if (driver !== null) return driver
    throw new DriverError(`${kind}/unreachable`, `${kind} does not answer on this machine`)
  }
  return new ConnectingDriver({ kind, open, expected, log: options.log })
}

const openers: Readonly<Record<DriverKind, (options: DriverOptions) => Promise<Driver | null>>> = {
  systemd: async ({ dataDir, owner, clock, log }) => {
    const { systemdAvailable } = await import('../drivers/systemd/io/detect.js')
    if (!(await systemdAvailable(clock))) return null
    const { openSystemdDriver } = await import('../drivers/systemd/io/driver.js')
    return openSystemdDriver({
      ...{ clock, log },
      volumes: volumesOf('systemd', dataDir, clock),
      unitsDir: `/run/mariposa/${owner}/units`,
      filesDir: join(filesDir() ?? join(dataDir, 'files'), `systemd-${owner}`),
    })
  },
  docker: async (options) => {
    if (!existsSync(dockerSocket()) && !options.known.has('docker')) return null
    return openDocker(options)
  },
  process: async ({ dataDir, machine, logWords, clock, log }) => {
    const { openProcessDriver } = await import('../drivers/process/io/driver.js')
    const dir = join(dataDir, 'process')
    return openProcessDriver({
      dir,
      clock,
      log,
      machine,
      runtimeDir: runtimeDir(),
      filesDir: filesDir(),
      volumes: volumesOf('process', dataDir, clock),
      supervisorCommand: supervisorCommand(dir, logWords),
    })
  },
}

async function openDocker({
  dataDir,
  owner,
  docker,
  names,
  logins,
  reported,
  clock,
  log,
}: DriverOptions): Promise<Driver> {
  const socketPath = dockerSocket()
  if (!existsSync(socketPath)) throw new DriverError('docker/unreachable', `there is no ${socketPath}`)
  if (!(await dockerAvailable(socketPath)))
    throw new DriverError('docker/unreachable', `no Docker answers at ${socketPath}`)
  return openDockerDriver({
    ...{ socketPath, machineId: owner, reported, names, logins, clock, log },
    filesDir: join(filesDir() ?? join(dataDir, 'files'), `docker-${owner}`),
    logs: docker.logs,
    images: { file: join(dataDir, 'images.json'), retention: docker.images },
  })
}

/** Named volumes of programs of the machine. */
function volumesOf(driver: DriverKind, dataDir: string, clock: Time): VolumeDirectories {
  return openVolumeDirectories({ dir: resolve(dataDir, 'volumes'), driver, clock })
}

/** Where files go that are not to outlive the boot; null where the host has no such place for us. */
function runtimeDir(): string | null {
  if (process.getuid?.() === 0) return '/run/mariposa'
  const own = process.env['XDG_RUNTIME_DIR'] ?? ''
  return own === '' ? null : join(own, 'mariposa')
}

/** The same for files of units, which others than the daemon's user have to get through to. */
function filesDir(): string | null {
  if (process.getuid?.() === 0) return '/run/mariposa-files'
  const own = runtimeDir()
  return own === null ? null : join(own, 'files')
}

/**
 * The supervisor's own program, which lies beside ours. It keeps little and lives long: a small young generation keeps
 * its memory small.
 */
function supervisorCommand(dir: string, logWords: readonly string[]): readonly string[] {
  const program = realpathSync(process.argv[1] ?? '')
  return [
    process.execPath,
    '--max-semi-space-size=1',
    join(dirname(program), 'supervisor.mjs'),
    dir,
    ...logWords,
  ]
}

/** Docker's socket, or the one that DOCKER_HOST names as Docker's own client reads it. */
function dockerSocket(): string {
  const host = process.env['DOCKER_HOST'] ?? ''
  return host.startsWith('unix://') ? host.slice('unix://'.length) : '/var/run/docker.sock'
}
