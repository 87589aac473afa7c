// Units as Docker containers. Docker restarts programs by its own policies and keeps them running without us; this
// driver makes, starts and removes containers, and finds them again by their labels.
import { setMaxListeners } from 'node:events'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import {
  type Driver,
  type KeptVolume,
  type KillSignal,
  type LogQuery,
  type OwnerOfVolumes,
  type PlainLogin,
  type PullListener,
  type PullRule,
  type RegistryLogins,
  tidied,
  type UnitToRun,
  type UnloadOptions,
} from '../../../agent/driver.js'
import { abortable } from '../../../lib/io/abortable.js'
import { createLimit, type Limit } from '../../../lib/io/limit.js'
import type { Log } from '../../../lib/io/log.js'
import type { Instant, Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import { isImageId } from '../../../model/image.js'
import type { ObservedUnit, UnitName } from '../../../model/unit.js'
import type { VolumeName } from '../../../model/volume.js'
import { ownersOfFiles } from '../../io/file-owners.js'
import { type OwnedFile, openPlacedFiles, type PlacedFiles } from '../../io/placed-files.js'
import type { CreateRequest, HostConfig, Inspected, RestartPolicy } from '../api.js'
import { completed, dependsOnImage } from '../complete.js'
import { type ContainerSpec, checkKeys, containerSpec, type DockerMachine } from '../container.js'
import { nobody } from '../credentials.js'
import { readableFiles, runnerOf, withFiles } from '../files.js'
import { imageOfStep, readInitMark } from '../init-steps.js'
import { labelPrefix, machineLabel, readOwnership, unitLabel } from '../labels.js'
import { defaultLogLimits, type LogLimits, loggingOf } from '../log-limits.js'
import type { ContainerNames } from '../names.js'
import { type ReportedUnit, wasStarted } from '../observe.js'
import { isSamePolicy, noRestart, policyOfRun, wantedPolicy } from '../restart-policy.js'
import { serviceUuidLabel, volumeLabels, withLabelledVolumes, withSlotVolumes } from '../volumes.js'
import { checkLogin } from './check-login.js'
import { dockerConfiguration } from './configuration.js'
import {
  asDriverError,
  asUnanswered,
  type Connection,
  connectDocker,
  defaultSocket,
  sentenceOf,
  statusOf,
} from './connection.js'
import { execIn } from './container-exec.js'
import { type ContainerRun, type NextRun, readLogs } from './container-logs.js'
import { answerAgain, resolverFor } from './container-names.js'
import { noStats, readStats } from './container-stats.js'
import { dockerAvailable } from './detect.js'
import { type EnsureImage, imageEnsurer, mayNotBeFetched, notHere } from './ensure-image.js'
import { readEnvironment } from './environment-files.js'
import { HeldUnits } from './held-units.js'
import { imageConfig } from './image-config.js'
import { createImagePulls, type ImagePulls } from './image-pulls.js'
import { InitSteps } from './init-steps.js'
import { holdsPlace, JoinedPrograms } from './joined-programs.js'
import { KeptImages, type KeptImagesOptions } from './kept-images.js'
import { isLeftover, killLeftovers } from './leftovers.js'
import { NamedVolumes } from './named-volumes.js'
import { resolveImage } from './resolve-image.js'
import { SideContainers } from './side-containers.js'
import { listenerStartedAt } from './started-at.js'

interface DockerDriverOptions {
  /** Docker's socket; `/var/run/docker.sock` where it is not given. */
  readonly socketPath?: string
  readonly clock: Time
  readonly log: Log
  /** Containers are labelled with it: daemons of several machines can share a Docker. */
  readonly machineId: string
  /** How much of a container's log is kept where its unit does not say. */
  readonly logs?: LogLimits
  /** How images are kept; left out: nobody keeps or removes any. */
  readonly images?: Pick<KeptImagesOptions, 'file' | 'retention'>
  /** Where files of this machine's units alone are kept; gone after a reboot where the host has such a place. */
  readonly filesDir?: string
  /** Answers names for containers; left out: nobody does. */
  readonly names?: ContainerNames
  /** Who registries are asked as; left out: whom the machine's own configuration says. */
  readonly logins?: RegistryLogins
  /** What was reported of units before; nothing where that is left out. */
  readonly reported?: ReadonlyMap<UnitName, ReportedUnit>
  /** When the machine was started; what it says of itself where that is left out. */
  readonly bootedAt?: Instant
}

/** Where the daemon runs as root. */
const defaultFilesDir = '/run/mariposa/docker-files'

/** Docker makes and starts containers one behind the other inside; more at once only wait there. */
const changesAtOnce = 8

/** How long Docker may take to be asked what goes on in it, at first. */
const answersWithinMs = 60_000

/** What takes longer than that hangs, and holds up no others. */
const heldUpAfterMs = 30_000

/** How long a name that is taken by a container not to be seen is waited for. */
const nameTries = 50
const nameRetryMs = 100

/** Reaches Docker and begins to follow its events. Throws `docker/unreachable` where there is none. */
export async function openDockerDriver(options: DockerDriverOptions): Promise<Driver> {
  const { socketPath = defaultSocket, clock, log, machineId } = options
  const { bootedAt = clock.now() - uptime() * 1000, logins = nobody } = options
  const connection = await connectDocker({ socketPath, clock, log })
  const { docker } = connection
  const answers = (): Promise<boolean> => dockerAvailable(socketPath)
  const { logging, livesOn } = await dockerConfiguration(docker).catch((error: unknown) => {
    connection.close()
    throw asUnanswered(error, 'Docker could not be asked how it is configured')
  })
  const { config, problem } = loggingOf(options.logs ?? defaultLogLimits, logging)
  if (problem !== null) log.warn('docker', `cannot limit the logs of containers: ${problem}`)
  const images =
    options.images === undefined
      ? null
      : new KeptImages({ docker, owner: machineId, clock, log, ...options.images })
  const plainPulls = createImagePulls({ docker, clock, log, logins })
  const pulls = images?.noting(plainPulls) ?? plainPulls
  const ensureImage = imageEnsurer(docker, pulls)
  const startedAt = (): Instant | null => listenerStartedAt(socketPath, clock)
  const { reported = new Map<UnitName, ReportedUnit>() } = options
  const held = new HeldUnits({
    ...{ docker, machineId, answers, bootedAt, clock, log },
    startedAt: startedAt(),
    livesOn,
    reported,
  })
  const changes = createLimit(changesAtOnce, { time: clock, heldUpAfterMs })
  const sides = new SideContainers({ docker, machineId, changes })
  const steps = new InitSteps({
    docker,
    sides,
    ensureImage,
    clock,
    answers,
    bootedAt,
    startedAt,
    livesOn,
    reported,
  })
  const programs = new JoinedPrograms({ docker, sides, clock })
  const placed = openPlacedFiles(options.filesDir ?? join(defaultFilesDir, machineId))
  const answered = AbortSignal.timeout(answersWithinMs)
  try {
    const left = await sides.list(null, answered)
    await Promise.all([steps.recall(left, answered), programs.recall(left, answered)])
    // A daemon that was killed while it unloaded a unit may have left its files.
    placed.keepOnly(await unitsWithContainers(docker, machineId, answered))
  } catch (error) {
    connection.close()
    throw asUnanswered(error, 'Docker could not be asked for its containers')
  }
  const { names = null } = options
  if (names !== null) {
    answerAgain(docker, machineId, names).catch((error: unknown) => {
      log.warn('docker', `running containers may fail to resolve names: ${sentenceOf(error)}`)
    })
  }
  return new DockerDriver({
    connection,
    names,
    tools: { log },
    held,
    following: held.follow(),
    pulls,
    ensureImage,
    images,
    placed,
    logins,
    volumes: new NamedVolumes({ docker, machineId, clock }),
    machine: { id: machineId, hostname: hostname() },
    changes,
    steps,
    programs,
    log: config,
  })
}

/** Without a look at each container: one that hangs holds up nobody. */
async function unitsWithContainers(
  docker: Docker,
  machineId: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const filters = { label: [`${machineLabel}=${machineId}`, unitLabel] }
  const found = await docker.listContainers({ all: true, filters, abortSignal: signal })
  return new Set(found.flatMap(({ Labels }) => Labels[unitLabel] ?? []))
}

interface Parts {
  readonly connection: Connection
  readonly held: HeldUnits
  /** Resolves when the events are no longer followed. */
  readonly following: Promise<void>
  readonly pulls: ImagePulls
  readonly ensureImage: EnsureImage
  readonly images: KeptImages | null
  readonly logins: RegistryLogins
  readonly volumes: NamedVolumes
  readonly placed: PlacedFiles
  readonly machine: DockerMachine
  readonly changes: Limit
  readonly steps: InitSteps
  readonly programs: JoinedPrograms
  readonly names: ContainerNames | null
  readonly tools: { readonly log: Log }
  /** How logs are kept where a unit does not say. */
  readonly log: Pick<HostConfig, 'LogConfig'>
}

/** A container to be made. */
interface Creation {
  readonly unit: UnitToRun
  readonly spec: ContainerSpec
  /** Fetches its image. */
  readonly fetch: () => Promise<void>
}

class DockerDriver implements Driver {
  readonly kind = 'docker'
  readonly #parts: Parts
  /** What units that were loaded say of restarts; containers of earlier versions do not keep it. */
  readonly #policies = new Map<UnitName, RestartPolicy>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get #docker(): Docker {
    return this.#parts.connection.docker
  }

  async list(signal: AbortSignal): Promise<readonly ObservedUnit[]> {
    return (await this.#parts.held.list(signal)).map((unit) => this.#withSteps(unit))
  }

  async observe(name: UnitName, signal: AbortSignal): Promise<ObservedUnit | null> {
    const unit = await this.#parts.held.observe(name, signal)
    return unit === null ? null : this.#withSteps(unit)
  }

  /** One that holds a place is up; a unit whose steps are under way is being started, and is to be started on where nobody does so any more. */
  #withSteps(unit: ObservedUnit): ObservedUnit {
    if (unit.containerId !== null && holdsPlace(this.#parts.held.seen(unit.name)))
      return this.#parts.programs.shown(unit)
    const isUnderWay = unit.containerId !== null && this.#parts.steps.isUnderWay(unit.containerId)
    if (!isUnderWay || (unit.active !== 'inactive' && unit.active !== 'failed')) return unit
    return { ...unit, active: 'activating', sub: 'start-pre', restartIsDue: true }
  }

  watch(onChange: (name: UnitName | null) => void, signal: AbortSignal): void {
    this.#parts.held.watch(onChange, signal)
  }

  async load(unit: UnitToRun, signal: AbortSignal, onPull?: PullListener): Promise<void> {
    signal.throwIfAborted()
    const existing = await this.#parts.held.observe(unit.name, signal)
    if (existing === null || existing.hash === unit.hash) this.#placeFiles(unit)
    if (existing?.hash === unit.hash && this.#policies.has(unit.name)) return
    const spec = specOf(unit, this.#parts.machine)
    this.#policies.set(unit.name, spec.request.HostConfig.RestartPolicy)
    if (existing?.hash === unit.hash) return
    refuseUnsupported(unit)
    const { pull, request } = spec
    const Env = [...(await readEnvironment(spec.environmentFiles)), ...request.Env]
    const host = { ...this.#parts.log, ...request.HostConfig }
    const { names: answering, tools } = this.#parts
    const resolver = await resolverFor(this.#docker, { names: spec.names, host }, answering, {
      ...tools,
      signal,
    })
    const all = { ...request, Env, HostConfig: { ...host, ...resolver } }
    const { placed } = this.#parts
    const paths = { ...placed.at(unit.name), of: (path: string) => placed.pathOf(unit.name, path) }
    const whole = withFiles(withSlotVolumes(all, unit.volumes), unit.files ?? [], paths)
    if (existing !== null) {
      await this.#removeStale(existing, signal)
      this.#placeFiles(unit)
    }
    const fetch = async (): Promise<void> => await this.#parts.pulls.pull(whole.Image, signal, onPull)
    if (pull === 'always' && !isImageId(whole.Image)) await fetch()
    for (const step of readInitMark(whole.Labels)?.steps ?? []) {
      const image = imageOfStep(step)
      if (image !== null) await this.#parts.ensureImage(image, pull, signal, onPull)
    }
    const creation = { unit, spec: { ...spec, request: whole }, fetch }
    const create = async (): Promise<string> => await this.#create(creation, signal)
    const id = await this.#parts.volumes
      .during(unit.volumes ?? [], signal, create)
      .catch((error: unknown) => {
        throw asDriverError(error, `no container was made for ${unit.name}`)
      })
    await this.#parts.held.add(id, signal)
  }

  async start(name: UnitName, signal: AbortSignal): Promise<void> {
    const id = await this.#knownId(name, signal)
    const { held } = this.#parts
    const seen = held.seen(name)
    const restarts = held.ownRestarts(id)
    if (seen !== null && policyOfRun(seen) !== null)
      held.noteRestarts(id, held.isDue(name) ? restarts + 1 : 0)
    held.markStopped(name, false)
    if (holdsPlace(seen)) return this.#parts.programs.hold(id)
    if (seen !== null) await this.#parts.steps.run(seen, signal)
    try {
      if (seen !== null) await this.#setPolicy(seen, wantedPolicy(seen, this.#policies.get(name)), signal)
      await this.#parts.changes(() => this.#docker.getContainer(id).start({ abortSignal: signal }), signal)
    } catch (error) {
      if (statusOf(error) === 404) throw unknownUnit(name)
      if (isBlank(seen) && isLeftover(sentenceOf(error))) await this.#giveUp(id, signal)
      held.noteRestarts(id, restarts)
      if (statusOf(error) !== 304) throw asDriverError(error, `${name} was not started`)
    } finally {
      held.touch(id)
    }
    if (seen !== null && readInitMark(seen.Config.Labels) !== null) await this.#forgetSteps(id, name, signal)
  }

  /** What is left of the steps of a program that runs is no failure of it; the next daemon removes it. */
  async #forgetSteps(id: string, name: UnitName, signal: AbortSignal): Promise<void> {
    await this.#parts.steps.remove(id, signal).catch((error: unknown) => {
      this.#parts.tools.log.warn('docker', `${name}: its init steps were not removed: ${sentenceOf(error)}`)
    })
  }

  async stop(name: UnitName, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const id = await this.#parts.held.idOf(name, signal)
    if (id === null) return
    this.#parts.held.markStopped(name, true)
    setMaxListeners(0, signal)
    try {
      // First of all: Docker starts by its policy whatever it finds at its own start, and so what was to stay down.
      const seen = this.#parts.held.seen(name)
      if (seen !== null) await this.#setPolicy(seen, noRestart, signal)
      await this.#parts.steps.stop(id, signal)
      if (holdsPlace(seen)) await this.#parts.programs.end(id, signal)
      // Not counted among the changes: nearly all of it is waiting, without end where the unit says so.
      await this.#docker.getContainer(id).stop({ abortSignal: signal })
    } catch (error) {
      if (!isAnyOf(statusOf(error), [304, 404])) throw asDriverError(error, `${name} was not stopped`)
    } finally {
      this.#parts.held.touch(id)
    }
  }

  async freeze(name: UnitName, signal: AbortSignal): Promise<void> {
    const id = await this.#knownId(name, signal)
    try {
      await this.#docker.getContainer(id).pause({ abortSignal: signal })
    } catch (error) {
      if (statusOf(error) === null) throw asDriverError(error, `${name} was not paused`)
      throw new DriverError('volume/cannot-pause', `Docker does not pause ${name}: ${sentenceOf(error)}`)
    } finally {
      this.#parts.held.touch(id)
    }
  }

  async thaw(name: UnitName, signal: AbortSignal): Promise<void> {
    const id = await this.#parts.held.idOf(name, signal)
    if (id === null) return
    try {
      await this.#docker.getContainer(id).unpause({ abortSignal: signal })
    } catch (error) {
      const isOver = isAnyOf(statusOf(error), [404, 409]) || /is not (paused|running)/.test(sentenceOf(error))
      if (!isOver) throw asDriverError(error, `${name} was not resumed`)
    } finally {
      this.#parts.held.touch(id)
    }
  }

  async isFrozen(name: UnitName, signal: AbortSignal): Promise<boolean> {
    const container = this.#docker.getContainer(await this.#knownId(name, signal))
    return (await container.inspect({ abortSignal: signal })).State.Paused
  }

  async kill(name: UnitName, how: KillSignal, signal: AbortSignal): Promise<boolean> {
    const id = await this.#knownId(name, signal)
    const { programs, held } = this.#parts
    try {
      const besides = holdsPlace(held.seen(name)) ? await programs.runningBeside(id, signal) : null
      await this.#docker.getContainer(besides ?? id).kill({ signal: how, abortSignal: signal })
      return true
    } catch (error) {
      // It does not run.
      if (isAnyOf(statusOf(error), [404, 409])) return false
      throw asDriverError(error, `${name} cannot be sent ${how}`)
    }
  }

  /** Docker itself signals the first process alone. */
  async tell(...args: Parameters<Driver['kill']>): Promise<void> {
    await this.kill(...args)
  }

  replaceFiles(unit: UnitToRun): readonly string[] {
    return this.#parts.placed.replace(unit.name, this.#ownedFiles(unit))
  }

  filesTaken(name: UnitName): void {
    this.#parts.placed.taken(name)
  }

  async unload(
    name: UnitName,
    signal: AbortSignal,
    { deleteVolumes }: UnloadOptions = { deleteVolumes: false },
  ): Promise<void> {
    await this.stop(name, signal)
    const id = await this.#parts.held.idOf(name, signal)
    if (id !== null) {
      const seen = this.#parts.held.seen(name)
      this.#policies.delete(name)
      await this.#remove(id, deleteVolumes || isBlank(seen), signal)
    }
    this.#parts.placed.remove(name)
  }

  async *logs(name: UnitName, query: Parameters<Driver['logs']>[1], signal: AbortSignal) {
    const id = await this.#knownId(name, signal)
    const seen = this.#parts.held.seen(name)
    // They are gone once the program has been started.
    if (isBlank(seen) && readInitMark(seen?.Config.Labels ?? null) !== null)
      yield* this.#stepLogs(name, id, query, signal)
    yield* readLogs(this.#docker, this.#runOf(name, id), query, this.#nextRun(name), signal)
  }

  /** What steps have written; of a log that is followed, what they go on to write, too. */
  async *#stepLogs(name: UnitName, id: string, query: LogQuery, signal: AbortSignal) {
    const { steps } = this.#parts
    const read = new Set<string>()
    const ended = async (): Promise<null> => await Promise.resolve(null)
    for (;;) {
      const changed = this.#nextChange(name, signal)
      const next = (await steps.list(id, signal)).find(({ Id }) => !read.has(Id))
      if (next !== undefined) {
        read.add(next.Id)
        yield* readLogs(this.#docker, { id: next.Id, startedAt: null }, query, ended, signal)
      } else if (query.follow && steps.isUnderWay(id)) await changed
      else return
      signal.throwIfAborted()
    }
  }

  async exec(name: UnitName, request: Parameters<Driver['exec']>[1], signal: AbortSignal) {
    const id = await this.#knownId(name, signal)
    const seen = this.#parts.held.seen(name)
    if (seen === null || !holdsPlace(seen)) return await execIn(this.#docker, id, request, signal)
    const { programs } = this.#parts
    if (request.bound === true) return await programs.run(seen, request, signal)
    return await execIn(this.#docker, (await programs.runningBeside(id, signal)) ?? id, request, signal)
  }

  async stats(name: UnitName, signal: AbortSignal) {
    const seen = await this.#parts.held.observe(name, signal)
    if (seen === null || seen.pid === null || seen.containerId === null) return noStats
    return await readStats(this.#docker, seen.containerId, seen.pid, signal)
  }

  async resolveImage(image: string, signal: AbortSignal) {
    return await resolveImage(this.#docker, image, this.#parts.logins, signal)
  }

  async fetchImage(
    image: string,
    pull: PullRule,
    signal: AbortSignal,
    onPull?: PullListener,
  ): Promise<'present' | 'fetched'> {
    this.#parts.images?.expect(image)
    return await this.#parts.ensureImage(image, pull, signal, onPull)
  }

  async checkLogin(login: PlainLogin, signal: AbortSignal) {
    return await checkLogin(this.#docker, login, signal)
  }

  async tidyImages(needed: readonly string[], signal: AbortSignal) {
    return (await this.#parts.images?.tidy(needed, signal)) ?? tidied
  }

  async tellImages(needed: readonly string[], signal: AbortSignal) {
    return (await this.#parts.images?.tell(needed, signal)) ?? []
  }

  async listVolumes(signal: AbortSignal) {
    return await this.#parts.volumes.listInUse(signal)
  }

  async deleteVolume(volume: KeptVolume, signal: AbortSignal) {
    await this.#parts.volumes.deleteOne(volume, signal)
  }

  async volumeData(volume: VolumeName, signal: AbortSignal) {
    return await this.#parts.volumes.dataOf(volume, signal)
  }

  async makeVolume(volume: VolumeName, signal: AbortSignal) {
    await this.#parts.volumes.during([volume], signal, () => Promise.resolve())
  }

  async deleteVolumesOf(service: OwnerOfVolumes, signal: AbortSignal) {
    const { uuid, project, name } = service
    const named = await this.#parts.volumes.deleteOf(service, signal)
    const list = async (...label: readonly string[]) =>
      (await abortable(this.#docker.listVolumes({ filters: { label: [...label] } }), signal)).Volumes
    try {
      const own = [`${machineLabel}=${this.#parts.machine.id}`, `${serviceUuidLabel}=${uuid}`]
      for (const { Name } of await list(...own)) {
        signal.throwIfAborted()
        await abortable(this.#docker.getVolume(Name).remove(), signal)
      }
      const left = await list(`${labelPrefix}project=${project}`, `${labelPrefix}service=${name}`)
      const others = left.filter(({ Name }) => named.every((volume) => volume.name !== Name))
      const told = others.map(({ Name, Labels }) => ({
        name: Name,
        service: Labels[serviceUuidLabel] ?? null,
      }))
      return [...named, ...told]
    } catch (error) {
      throw asDriverError(error, 'volumes were not deleted')
    }
  }

  async close(): Promise<void> {
    this.#parts.held.close()
    await this.#parts.following
    this.#parts.connection.close()
  }

  #placeFiles(unit: UnitToRun): void {
    this.#parts.placed.write(unit.name, this.#ownedFiles(unit))
  }

  #ownedFiles(unit: UnitToRun): readonly OwnedFile[] {
    const { files = [] } = unit
    const runner = runnerOf(unit)
    const readable = readableFiles(files, runner !== null)
    const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
    return ownersOfFiles(readable, runner ?? own)
  }

  async #knownId(name: UnitName, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    const id = await this.#parts.held.idOf(name, signal)
    if (id === null) throw unknownUnit(name)
    return id
  }

  /** Creates the container, with a pull between where its image is not here. */
  async #create({ unit, spec, fetch }: Creation, signal: AbortSignal): Promise<string> {
    const { pull } = spec
    let { request } = spec
    try {
      const image = await imageConfig(this.#docker, request.Image, signal)
      const labels = volumeLabels(unit, this.#parts.machine.id)
      request = withLabelledVolumes(completed(spec, dependsOnImage(spec) ? image : null), image, labels)
      return await this.#tryCreate(request, signal)
    } catch (error) {
      if (statusOf(error) === 409) return await this.#settleName(unit, request, signal)
      if (statusOf(error) !== 404 || !/no such image/i.test(sentenceOf(error))) throw error
      if (pull === 'never') throw mayNotBeFetched(request.Image)
      if (isImageId(request.Image)) throw notHere(request.Image)
    }
    await fetch()
    return await this.#create({ unit, spec: { ...spec, pull: 'never' }, fetch }, signal)
  }

  async #tryCreate(request: CreateRequest, signal: AbortSignal): Promise<string> {
    // dockerode's types want arrays that may be written to.
    const options = { ...request, abortSignal: signal } as unknown as Docker.ContainerCreateOptions
    const { id } = await this.#parts.changes(() => this.#docker.createContainer(options), signal)
    return id
  }

  /**
   * The name is taken: by this unit's own container, which an earlier call has made, or by somebody else's. Docker keeps
   * a name for a container that it is just making or removing, and shows nothing of it yet: that is waited for.
   */
  async #settleName(unit: UnitToRun, request: CreateRequest, signal: AbortSignal): Promise<string> {
    for (let tries = 0; tries < nameTries; tries += 1) {
      const found = await this.#inspectNamed(request.name, signal)
      if (found !== null) {
        if (this.#isOwn(found, unit, request.name)) return found.Id
        await this.#remove(found.Id, isBlank(found), signal)
      }
      try {
        return await this.#tryCreate(request, signal)
      } catch (error) {
        if (statusOf(error) !== 409) throw error
      }
      await delay(nameRetryMs, undefined, { signal })
    }
    throw new DriverError(
      'docker/name-taken',
      `the name ${request.name} is taken, by a container that is not listed`,
    )
  }

  /** Whether it is what the unit asks for; false for one of another text. Throws for what is not this unit's. */
  #isOwn(found: Inspected, unit: UnitToRun, name: string): boolean {
    const owner = readOwnership(found.Config.Labels)
    if (owner?.unit === unit.name && owner.machine === this.#parts.machine.id) return owner.hash === unit.hash
    const whose =
      owner === null
        ? 'no container of Mariposa'
        : `the container of ${owner.unit} on machine ${owner.machine}`
    throw new DriverError('docker/name-taken', `the name ${name} is taken, by ${whose}`)
  }

  async #inspectNamed(name: string, signal: AbortSignal): Promise<Inspected | null> {
    try {
      const found = (await this.#docker.getContainer(name).inspect({ abortSignal: signal })) as Inspected
      return found.State.Status === 'removing' ? null : found
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw asDriverError(error, 'Docker could not be asked for a container')
    }
  }

  /** Makes room for another text of a unit. What runs is not taken away from under its users. */
  async #removeStale({ name, active, containerId }: ObservedUnit, signal: AbortSignal): Promise<void> {
    if (active !== 'inactive' && active !== 'failed') {
      throw new DriverError(
        'docker/still-running',
        `${name} runs with another text; it must be stopped first`,
      )
    }
    if (containerId !== null) await this.#remove(containerId, isBlank(this.#parts.held.seen(name)), signal)
  }

  /** Makes an end of a container that cannot be started any more, so that the next try makes another. */
  async #giveUp(id: string, signal: AbortSignal): Promise<void> {
    await killLeftovers(id)
    // What it may have written stays.
    await this.#remove(id, false, signal)
  }

  /** Gives a container the policy by which Docker starts it again. */
  async #setPolicy(seen: Inspected, policy: RestartPolicy, signal: AbortSignal): Promise<void> {
    if (isSamePolicy(seen.HostConfig.RestartPolicy, policy)) return
    const container = this.#docker.getContainer(seen.Id)
    const change = { RestartPolicy: policy, abortSignal: signal }
    await this.#parts.changes(() => container.update(change), signal)
    this.#parts.held.notePolicy(seen.Id, policy)
  }

  /** Removes a container, and the volumes without a name that Docker made for it where that is said; never its image. */
  async #remove(id: string, v: boolean, signal: AbortSignal): Promise<void> {
    await this.#parts.steps.remove(id, signal)
    const container = this.#docker.getContainer(id)
    try {
      await this.#parts.changes(() => container.remove({ force: true, v, abortSignal: signal }), signal)
    } catch (error) {
      const status = statusOf(error)
      // 409: somebody else is removing it already.
      if (status === 409) await container.wait({ condition: 'removed', abortSignal: signal }).catch(() => {})
      else if (status !== 404) throw asDriverError(error, 'a container was not removed')
    } finally {
      this.#parts.held.touch(id)
    }
  }

  #runOf(name: UnitName, id: string): ContainerRun {
    return { id, startedAt: this.#parts.held.seen(name)?.State.StartedAt ?? null }
  }

  /** Waits for the next run of a unit, for a log that is followed. */
  #nextRun(name: UnitName): NextRun {
    return async (signal) => {
      for (;;) {
        const changed = this.#nextChange(name, signal)
        const unit = await this.#parts.held.observe(name, signal)
        const id = unit?.containerId ?? null
        if (id === null) return null
        if (unit?.active === 'active') return this.#runOf(name, id)
        await changed
        signal.throwIfAborted()
      }
    }
  }

  #nextChange(name: UnitName, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const heard = new AbortController()
      const done = (): void => {
        heard.abort()
        resolve()
      }
      signal.addEventListener('abort', done, { once: true, signal: heard.signal })
      this.watch((changed) => (changed === null || changed === name ? done() : undefined), heard.signal)
    })
  }
}

/** A unit over fleet's API is let in whatever it says; what it asks for and would not get is no reason to run it without. */
function refuseUnsupported({ name, file }: UnitToRun): void {
  const problems = checkKeys(file)
  if (problems.length === 0) return
  const told = [...new Set(problems.map(({ message }) => message))].join('; ')
  throw new DriverError('docker/bad-unit', `${name} cannot be made a container: ${told}`, { permanent: true })
}

function specOf(unit: UnitToRun, machine: DockerMachine): ContainerSpec {
  const { spec, diagnostics } = containerSpec(unit, machine)
  if (spec === null) {
    const problems = diagnostics.map(({ message }) => message).join('; ')
    throw new DriverError('docker/bad-unit', `${unit.name} cannot be made a container: ${problems}`, {
      permanent: true,
    })
  }
  return spec
}

function unknownUnit(name: UnitName): DriverError {
  return new DriverError('docker/unknown-unit', `Docker has no container of ${name}`)
}

/** Whether a container has nothing that could be missed: it was made, and never ran. */
function isBlank(container: Inspected | null): boolean {
  return container !== null && !wasStarted(container.State)
}

function isAnyOf(status: number | null, wanted: readonly number[]): boolean {
  return status !== null && wanted.includes(status)
}
