// Programs that run once, joined to their caller: each in a container beside the one of its unit. That one is never started; it holds the
// place, with all that the program is to have.
import type { Duplex } from 'node:stream'
import type Docker from 'dockerode'
import type { ExecRequest } from '../../../agent/driver.js'
import { abortable } from '../../../lib/io/abortable.js'
import type { Instant, Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import type { ObservedUnit } from '../../../model/unit.js'
import type { Inspected } from '../api.js'
import { isJoined } from '../labels.js'
import { wasStarted } from '../observe.js'
import { type ListedSide, placeOfSide, type SideProgram } from '../side-containers.js'
import { asDriverError, statusOf } from './connection.js'
import { carry, followSize, noDetachKeys } from './conversation.js'
import type { SideContainers } from './side-containers.js'

interface JoinedProgramsOptions {
  readonly docker: Docker
  readonly sides: SideContainers
  readonly clock: Time
}

/** What the container of such a program is there for. */
const runPlace = 'run'

/** Throws DriverError. Codes: `docker/not-running`, and those of a container that cannot be made or started. */
export class JoinedPrograms {
  readonly #options: JoinedProgramsOptions
  /** Since when places are held that were asked to be. */
  readonly #heldSince = new Map<string, Instant>()

  constructor(options: JoinedProgramsOptions) {
    this.#options = options
  }

  /** Removes what runs beside containers that are gone. */
  async recall(left: readonly ListedSide[], signal: AbortSignal): Promise<void> {
    const { sides } = this.#options
    for (const side of left) {
      if (placeOfSide(side) !== runPlace) continue
      if ((await sides.mainOf(side, signal)) === null) await sides.remove(side.Id, signal)
    }
  }

  /** A unit as its place is held: it is up from its start to its stop, whether its program has been begun or not. */
  shown(unit: ObservedUnit): ObservedUnit {
    const since = unit.containerId === null ? undefined : this.#heldSince.get(unit.containerId)
    return since === undefined ? unit : { ...unit, active: 'active', sub: 'running', since }
  }

  /** Holds the place of a program. */
  hold(mainId: string): void {
    this.#heldSince.set(mainId, this.#heldSince.get(mainId) ?? this.#options.clock.now())
  }

  /** Ends a program, and lets its place go. */
  async end(mainId: string, signal: AbortSignal): Promise<void> {
    const running = await this.runningBeside(mainId, signal)
    if (running !== null) await this.#options.sides.remove(running, signal)
    this.#heldSince.delete(mainId)
  }

  /** The container of the program of a unit; null where none runs. */
  async runningBeside(mainId: string, signal: AbortSignal): Promise<string | null> {
    const found = await this.#options.sides.list(mainId, signal)
    return found.find((side) => placeOfSide(side) === runPlace)?.Id ?? null
  }

  /** Runs a program to its end, or until the caller gives up, and takes its container away. Resolves to its exit status. */
  async run(main: Inspected, request: ExecRequest, signal: AbortSignal): Promise<{ readonly code: number }> {
    const { sides } = this.#options
    const what = request.argv[0] ?? ''
    if (!this.#heldSince.has(main.Id))
      throw new DriverError('docker/not-running', `no place is reserved for ${what}`)
    const id = await sides.create(main.Id, programOf(request), `${what} was not run`, signal)
    try {
      return await this.#converse(id, what, request, signal)
    } finally {
      // Also when the caller has given up, and with it the signal.
      await sides.remove(id, AbortSignal.timeout(removedWithinMs)).catch(() => {})
    }
  }

  async #converse(
    id: string,
    what: string,
    request: ExecRequest,
    signal: AbortSignal,
  ): Promise<{ readonly code: number }> {
    const { docker, sides } = this.#options
    const { terminal = null, stdin } = request
    const container = docker.getContainer(id)
    const streams = { stdin: stdin !== null, stdout: true, stderr: true }
    const attaching = container.attach({ stream: true, hijack: true, ...streams, detachKeys: noDetachKeys })
    const stream = (await abortable(attaching, signal)) as unknown as Duplex
    const giveUp = (): void => {
      stream.destroy()
    }
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      // Before its first output: nothing of that is lost, and what is refused has written nothing.
      await sides.start(id, `${what} was not run`, signal)
      if (terminal !== null) await abortable(followSize(container, terminal), signal)
      request.onRunning?.()
      await carry(stream, request)
      signal.throwIfAborted()
      const { StatusCode } = (await abortable(container.wait(), signal)) as { readonly StatusCode: number }
      return { code: StatusCode }
    } catch (error) {
      signal.throwIfAborted()
      if (statusOf(error) === 404)
        throw new DriverError('docker/not-running', `${what} was ended: its container was removed`)
      throw asDriverError(error, `${what} was not run`)
    } finally {
      signal.removeEventListener('abort', giveUp)
      stream.destroy()
    }
  }
}

/** Whether a container is there to hold the place of a program alone. */
export function holdsPlace(container: Inspected | null): boolean {
  return container !== null && isJoined(container.Config.Labels) && !wasStarted(container.State)
}

/** Its output is its caller's: nothing keeps it here. */
function programOf({ argv, stdin, terminal = null }: ExecRequest): SideProgram {
  const hasInput = stdin !== null
  return {
    place: runPlace,
    argv,
    config: {
      AttachStdin: hasInput,
      OpenStdin: hasInput,
      StdinOnce: hasInput,
      AttachStdout: true,
      AttachStderr: true,
      Tty: terminal !== null,
    },
    ...(terminal !== null && { environment: { TERM: terminal.type } }),
    host: { LogConfig: { Type: 'none', Config: {} } },
  }
}

const removedWithinMs = 60_000
