// Runs the steps before the program of a container, each in a container of its own. Those containers are all that is kept of how
// far they are: whoever starts the program next, another daemon too, goes on with what it finds.
import type Docker from 'dockerode'
import { dockerBackoffMs } from '../../../lib/backoff.js'
import { abortable } from '../../../lib/io/abortable.js'
import { pause } from '../../../lib/io/clock.js'
import type { Instant, Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import { describeExit, restartsUntilFailing } from '../../../model/instance-state.js'
import { signalName } from '../../../model/signal.js'
import type { UnitName } from '../../../model/unit.js'
import type { Inspected } from '../api.js'
import {
  argvOf,
  describeStep,
  type InitPlan,
  imageOfStep,
  leftOf,
  placeOfStep,
  readInitMark,
  stepsAmong,
} from '../init-steps.js'
import { readOwnership, sideOfLabel } from '../labels.js'
import { hasEnded, isUp, mayBeCutOff, type ReportedUnit, wasStarted } from '../observe.js'
import { asksForRestart, policyOfRun, wantedPolicy } from '../restart-policy.js'
import { type ListedSide, placeOfSide, type SideProgram } from '../side-containers.js'
import { asDriverError, statusOf } from './connection.js'
import type { EnsureImage } from './ensure-image.js'
import type { SideContainers } from './side-containers.js'
import { ageOfProcess } from './started-at.js'

interface InitStepsOptions {
  readonly docker: Docker
  readonly sides: SideContainers
  /** Has an image here that a step needs. */
  readonly ensureImage: EnsureImage
  readonly clock: Time
  /** Whether Docker takes a new connection and answers: one that is ending does not. */
  readonly answers: () => Promise<boolean>
  /** When the machine was started. */
  readonly bootedAt: Instant
  /** When the Docker was started that is there now; null where that cannot be seen. */
  readonly startedAt: () => Instant | null
  /** Whether Docker lets its containers live on when it ends. */
  readonly livesOn: boolean
  /** What an earlier daemon has reported of units. */
  readonly reported: ReadonlyMap<UnitName, Pick<ReportedUnit, 'active'>>
}

/** Throws DriverError. Codes: `docker/init-failed`, and those of a container that cannot be made or started. */
export class InitSteps {
  readonly #options: InitStepsOptions
  /** Containers that have steps left, which may have ended. */
  readonly #begun = new Set<string>()
  /** Containers whose steps have been begun, and neither failed nor ended all. */
  readonly #underWay = new Set<string>()
  /** Steps that failed and were told to have, or were stopped, whatever their status: the next try runs them anew. */
  readonly #told = new Set<string>()
  /** Steps that ended well. */
  readonly #done = new Set<string>()

  constructor(options: InitStepsOptions) {
    this.#options = options
  }

  get #sides(): SideContainers {
    return this.#options.sides
  }

  /** Finds among the containers beside others what an earlier daemon has begun; what has lost its container is removed. */
  async recall(left: readonly ListedSide[], signal: AbortSignal): Promise<void> {
    const ids = new Set(stepsAmong(left).map(({ Labels }) => Labels?.[sideOfLabel] ?? ''))
    for (const id of ids) {
      this.#begun.add(id)
      const main = await this.#sides.inspect(id, signal)
      if (main === null || wasStarted(main.State)) await this.remove(id, signal, main !== null)
      else if (await this.#goesOn(main, signal)) this.#underWay.add(id)
    }
  }

  /** Whether steps of a container run, or are to go on. */
  isUnderWay(mainId: string): boolean {
    return this.#underWay.has(mainId)
  }

  /** Resolves when all steps of a container that has never run have ended well. */
  async run(main: Inspected, signal: AbortSignal): Promise<void> {
    const plan = readInitMark(main.Config.Labels)
    if (plan === null || wasStarted(main.State)) return
    this.#begun.add(main.Id)
    this.#underWay.add(main.Id)
    try {
      for (const index of plan.steps.keys()) await this.#runToSuccess(main, plan, index, signal)
    } catch (error) {
      // What is given up goes on until it is stopped; what cannot be seen may go on.
      const isOpen = signal.aborted || (error instanceof DriverError && error.code === 'docker/unreachable')
      if (!isOpen) this.#underWay.delete(main.Id)
      throw error
    }
  }

  /** Removes the steps of a container that needs them no more. */
  async remove(mainId: string, signal: AbortSignal, isMainThere = true): Promise<void> {
    if (!this.#begun.has(mainId)) return
    this.#underWay.delete(mainId)
    for (const { Id } of await this.list(mainId, signal)) {
      await this.#sides.remove(Id, signal, isMainThere)
      this.#done.delete(Id)
    }
    this.#begun.delete(mainId)
  }

  /** Stops a step that runs, by the rules of its unit. */
  async stop(mainId: string, signal: AbortSignal): Promise<void> {
    if (!this.#underWay.has(mainId)) return
    for (const { Id } of await this.list(mainId, signal)) {
      try {
        this.#told.add(Id)
        await this.#options.docker.getContainer(Id).stop({ abortSignal: signal })
      } catch (error) {
        const status = statusOf(error)
        if (status !== 304 && status !== 404) throw asDriverError(error, 'an init step was not stopped')
        // It had ended before.
        this.#told.delete(Id)
      }
    }
    this.#underWay.delete(mainId)
  }

  /** The containers of steps, in the order in which they run. */
  async list(mainId: string, signal: AbortSignal): Promise<readonly ListedSide[]> {
    return stepsAmong(await this.#sides.list(mainId, signal))
  }

  /** Whether none of the steps of a container has failed by itself. */
  async #goesOn(main: Inspected, signal: AbortSignal): Promise<boolean> {
    const unit = readOwnership(main.Config.Labels)?.unit
    const isTold = unit !== undefined && this.#options.reported.get(unit)?.active === 'failed'
    for (const { Id } of await this.list(main.Id, signal)) {
      const step = await this.#sides.inspect(Id, signal)
      if (step === null || !hasEnded(step) || step.State.ExitCode === 0) continue
      if (isTold || !(await this.#isCutOff(step, false))) return false
    }
    return true
  }

  /** Tries a step again that fails, as often as its program would be restarted, and not without end. */
  async #runToSuccess(main: Inspected, plan: InitPlan, index: number, signal: AbortSignal): Promise<void> {
    const policy = policyOfRun(main) ?? wantedPolicy(main)
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.#runOne(main, plan, index, signal)
      } catch (error) {
        const hasFailed = error instanceof DriverError && error.code === 'docker/init-failed'
        const mayTry = tries < triesAgain && asksForRestart(policy, 1, tries)
        if (signal.aborted || !hasFailed || !mayTry) throw error
        await pause(this.#options.clock, dockerBackoffMs(tries), signal)
        signal.throwIfAborted()
      }
    }
  }

  async #runOne(main: Inspected, plan: InitPlan, index: number, signal: AbortSignal): Promise<void> {
    const what = describeStep(plan, index)
    const given = plan.steps[index]
    const program = { place: placeOfStep(index), argv: argvOf(given), image: imageOfStep(given) }
    const listed = await this.list(main.Id, signal)
    const found = listed.find((side) => placeOfSide(side) === program.place)
    if (found !== undefined && this.#isDone(found, listed, index)) return
    let step = found === undefined ? null : await this.#sides.inspect(found.Id, signal)
    if (step !== null && this.#told.delete(step.Id)) {
      await this.#sides.remove(step.Id, signal, true)
      step = null
    }
    for (;;) {
      const isBegunHere = step === null || !wasStarted(step.State)
      const isFollowed = isBegunHere || (step !== null && isUp(step))
      const id = step?.Id ?? (await this.#make(main, plan, program, `${what} was not made`, signal))
      if (isBegunHere) await this.#sides.start(id, `${what} was not started`, signal)
      if (isFollowed) await this.#awaitEnd(id, main, plan, index, signal)
      const ended = await this.#sides.inspect(id, signal)
      if (ended === null || !(await this.#isCutOff(ended, isFollowed)))
        return this.#judge(main, what, id, ended)
      await this.#sides.remove(id, signal, true)
      step = null
    }
  }

  /** Its image was there when the container of its unit was made; it may have been removed since. */
  async #make(
    { Id }: Inspected,
    { pull }: InitPlan,
    program: SideProgram,
    doing: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { ensureImage } = this.#options
    if (program.image != null) await ensureImage(program.image, pull === 'never' ? pull : 'missing', signal)
    return await this.#sides.create(Id, program, doing, signal)
  }

  /** Whether a step ended well, as is known already: the one after it is made only then. */
  #isDone({ Id }: ListedSide, listed: readonly ListedSide[], index: number): boolean {
    return this.#done.has(Id) || listed.some((side) => placeOfSide(side) === placeOfStep(index + 1))
  }

  #judge(main: Inspected, what: string, id: string, ended: Inspected | null): void {
    if (ended?.State.ExitCode === 0 && !this.#told.has(id)) return void this.#done.add(id)
    this.#told.add(id)
    throw failed(main, `${what} ${ended === null ? 'was removed' : endOf(ended)}`)
  }

  /**
   * Whether a step that has ended may have been ended by a Docker, or a machine, that went down: its status says nothing then,
   * as a program may well end with 0 when it is asked to. `isFollowed` says that its end was awaited over one connection.
   * Throws `docker/unreachable` while Docker is ending.
   */
  async #isCutOff(step: Inspected, isFollowed: boolean): Promise<boolean> {
    const { bootedAt, livesOn, answers, startedAt } = this.#options
    if (!(await answers())) {
      throw new DriverError('docker/unreachable', 'Docker is stopping, and its containers with it')
    }
    // Only now: what has answered may be the next Docker already.
    return mayBeCutOff(step, { bootedAt, livesOn, startedAt: startedAt(), isFollowed })
  }

  /** Resolves when a step has ended; one that takes too long is killed. */
  async #awaitEnd(
    id: string,
    main: Inspected,
    plan: InitPlan,
    index: number,
    signal: AbortSignal,
  ): Promise<void> {
    const container = this.#options.docker.getContainer(id)
    const { clock } = this.#options
    const late = new AbortController()
    const seen = await this.#sides.inspect(id, signal)
    const ageMs =
      seen === null || !isUp(seen)
        ? 0
        : (ageOfProcess(seen.State.Pid) ?? clock.now() - Date.parse(seen.State.StartedAt))
    const timer =
      plan.timeoutMs === null ? null : clock.after(leftOf(plan.timeoutMs, ageMs), () => late.abort())
    const either = AbortSignal.any([signal, late.signal])
    try {
      const options = { condition: 'not-running', abortSignal: either } as const
      await abortable(container.wait(options) as Promise<unknown>, either)
    } catch (error) {
      signal.throwIfAborted()
      if (!late.signal.aborted) throw asDriverError(error, `${describeStep(plan, index)} is not seen`)
      await container.kill({ abortSignal: signal }).catch(() => {})
      this.#told.add(id)
      const seconds = (plan.timeoutMs ?? 0) / 1000
      throw failed(main, `${describeStep(plan, index)} took longer than ${seconds} s`)
    } finally {
      timer?.cancel()
    }
  }
}

/** What still fails then fails its instance, which is replaced. */
const triesAgain = restartsUntilFailing

/** Where nothing is to be restarted, another try is of no use. */
function failed(main: Inspected, message: string): DriverError {
  const { Name } = policyOfRun(main) ?? wantedPolicy(main)
  return new DriverError('docker/init-failed', message, { permanent: Name === 'no' })
}

function endOf({ State }: Inspected): string {
  const signal = State.ExitCode > 128 ? signalName(String(State.ExitCode - 128)) : null
  const code = signal === null ? State.ExitCode : null
  return describeExit({ code, signal, oom: State.OOMKilled, at: Date.parse(State.FinishedAt) })
}
