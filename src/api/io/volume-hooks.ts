// Runs what prepares a backup inside the instance that has the volume.
import { isProblem, type Problem } from '../../changes/problem.js'
import type { VolumeBody } from '../../contract/contract.js'
import { describeError } from '../../lib/io/log.js'
import { describeVolumeOf } from '../../volumes/bodies.js'
import { type HookRun, hookRunOf, lastWords } from '../../volumes/hooks.js'
import { type ApiContext, ProblemError } from './context.js'

/**
 * Runs `before_backup` of a volume of this machine, where there is one: one backup at a time, as two would write the same
 * dump. Resolves to what lets the next one begin. Throws ProblemError `volume/hook-failed`, `volume/hook-not-run`,
 * `volume/hook-busy`; nothing is to be read then.
 */
export async function runHook(
  context: ApiContext,
  volume: VolumeBody,
  signal: AbortSignal,
): Promise<() => void> {
  const { registry, machine, preparedVolumes } = context
  const run = hookRunOf(registry.view, machine, volume)
  if (run === null) return () => {}
  if (isProblem(run)) throw new ProblemError(run)
  if (preparedVolumes.has(volume.uuid)) throw new ProblemError(busy(volume))
  preparedVolumes.add(volume.uuid)
  const over = (): void => {
    preparedVolumes.delete(volume.uuid)
  }
  try {
    await carryOut(context, volume, run, signal)
    return over
  } catch (error) {
    over()
    throw error
  }
}

async function carryOut(
  { agent, clock }: ApiContext,
  volume: VolumeBody,
  { instance, hook }: HookRun,
  signal: AbortSignal,
): Promise<void> {
  const driver = agent?.driverOf(instance.unit) ?? null
  if (driver === null) throw failed(volume, instance.name, 'no driver of this machine runs the instance', '')
  const late = new AbortController()
  const timer = clock.after(hook.timeoutMs, () => late.abort())
  const until = AbortSignal.any([signal, late.signal])
  let said = ''
  const told = (chunk: Uint8Array): void => {
    said = `${said}${Buffer.from(chunk).toString('utf8')}`.slice(-saidAtMost)
  }
  try {
    const { code } = await driver.exec(
      instance.unit,
      { argv: hook.argv, user: null, stdin: null, onOutput: (_, chunk) => told(chunk) },
      until,
    )
    if (code !== 0) throw failed(volume, instance.name, `it ended with status ${code}`, said)
  } catch (error) {
    if (error instanceof ProblemError || signal.aborted) throw error
    if (!late.signal.aborted) throw failed(volume, instance.name, describeError(error), said)
    throw failed(volume, instance.name, `it took longer than ${hook.timeoutMs / 1000} s and was killed`, said)
  } finally {
    timer.cancel()
  }
}

const saidAtMost = 4096

function failed(volume: VolumeBody, instance: string, why: string, said: string): ProblemError {
  const words = lastWords(said)
  const message = `before_backup of ${describeVolumeOf(volume)} failed in ${instance}: ${why}`
  const hint = 'nothing was backed up; to find the cause, run the same program with mariposa service exec'
  return new HookFailed(message, words, hint)
}

/** What a program has written is for who asked for the backup alone: nobody knows what it says. */
export class HookFailed extends ProblemError {
  /** The message without that. */
  readonly discreet: string

  constructor(message: string, words: string, hint: string) {
    const all = `${message}${words === '' ? '' : `: ${words}`}`
    super({ status: 500, code: 'volume/hook-failed', message: all, hint })
    this.discreet = message
  }
}

function busy(volume: VolumeBody): Problem {
  return {
    status: 409,
    code: 'volume/hook-busy',
    message: `another backup of ${describeVolumeOf(volume)} is running, for which before_backup has been run`,
    hint: 'wait until it is finished',
  }
}
