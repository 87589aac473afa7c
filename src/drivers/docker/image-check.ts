// The check that an image brings (its HEALTHCHECK), as one of ours. The agent asks it like any other, so that load is
// allowed for and a rollout need not wait for Docker's interval; Docker itself is told not to ask.
import type { CommandCheck } from '../../model/health-check.js'
import type { UnitName } from '../../model/unit.js'
import { parseHealthCheck, printHealthCheck } from '../../unit/check-option.js'
import { escapePercent } from '../../unit/words.js'
import type { ImageConfig, ImageHealthcheck } from './api.js'
import { checkLabel } from './labels.js'

/** What is asked of an image, for an instance whose unit says nothing of checks; null where it brings none. */
export function checkOfImage({ Healthcheck, Shell }: ImageConfig): CommandCheck | null {
  const argv = argvOf(Healthcheck?.Test ?? [], Shell)
  if (!Healthcheck || argv === null) return null
  const { Interval, Timeout, Retries, StartPeriod, StartInterval } = Healthcheck
  const startPeriodMs = milliseconds(StartPeriod)
  const startIntervalMs = milliseconds(StartInterval)
  return {
    type: 'command',
    argv,
    user: null,
    pollMs: milliseconds(Interval) ?? docker.intervalMs,
    timeoutMs: milliseconds(Timeout) ?? docker.timeoutMs,
    retries: Retries !== undefined && Retries > 0 ? Retries : docker.retries,
    ...(startPeriodMs !== null && { startPeriodMs }),
    ...(startIntervalMs !== null && { startIntervalMs }),
  }
}

/** Switches off what Docker itself would ask. */
export const noHealthcheck: ImageHealthcheck = { Test: ['NONE'] }

/** The label that keeps the check of an image for as long as its container lives; an empty one says that none counts. */
export function checkMark(check: CommandCheck | null): Readonly<Record<string, string>> {
  return { [checkLabel]: check === null ? '' : printHealthCheck(check, escapePercent) }
}

/** Reads it back. A container without the label was made when images were not asked. */
export function readCheckMark(
  labels: Readonly<Record<string, string>> | null,
  name: UnitName,
): CommandCheck | null {
  const text = labels?.[checkLabel] ?? ''
  if (text === '') return null
  const read = parseHealthCheck(text, { name, machine: null })
  return 'value' in read && read.value.type === 'command' ? read.value : null
}

/** What Docker takes where an image does not say. */
const docker = { intervalMs: 30_000, timeoutMs: 30_000, retries: 3 }

function argvOf([how, ...words]: readonly string[], shell: readonly string[] | null = null) {
  if (words.length === 0) return null
  if (how === 'CMD') return words
  if (how !== 'CMD-SHELL') return null
  return [...(shell !== null && shell.length > 0 ? shell : ['/bin/sh', '-c']), words.join(' ')]
}

/** Docker counts in nanoseconds, and 0 stands for what it takes by itself. */
function milliseconds(nanoseconds: number | undefined): number | null {
  return nanoseconds === undefined || nanoseconds <= 0 ? null : Math.max(1, Math.round(nanoseconds / 1e6))
}
