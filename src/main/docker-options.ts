// How containers and images are kept: `--container-log-max-size` and its sisters.
import { defaultImageRetention, type ImageRetention } from '../drivers/docker/image-plan.js'
import { defaultLogLimits, type LogLimits } from '../drivers/docker/log-limits.js'
import { parseDurationMs } from '../lib/duration.js'
import type { SettingName } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { parseCount, parseSize } from '../unit/values.js'
import { type Settings, settingProblem } from './settings.js'

export interface DockerSettings {
  readonly logs: LogLimits
  /** Which of the images that nothing needs any more are kept; null: all. */
  readonly images: ImageRetention | null
}

/** As commander hands them over. */
export interface DockerFlags {
  readonly containerLogMaxSize?: string
  readonly containerLogMaxFiles?: string
  readonly keepImages?: string
}

/** The flags by the names of their settings. */
export function dockerSettings(flags: DockerFlags): readonly (readonly [SettingName, string | undefined])[] {
  return [
    ['container-log-max-size', flags.containerLogMaxSize],
    ['container-log-max-files', flags.containerLogMaxFiles],
    ['keep-images', flags.keepImages],
  ]
}

export function readDockerOptions(settings: Settings): {
  readonly docker: DockerSettings
  readonly problems: readonly Diagnostic[]
} {
  const problems: Diagnostic[] = []
  const read = <T>(
    name: SettingName,
    otherwise: T,
    parse: (text: string) => T | undefined,
    hint: string,
  ): T => {
    const setting = settings[name]
    if (setting === undefined) return otherwise
    const text = setting.values[0] ?? ''
    const value = parse(text)
    if (value === undefined) problems.push(settingProblem(setting, `'${text}' is not a valid value`, hint))
    return value ?? otherwise
  }
  const { maxBytes, maxFiles } = defaultLogLimits
  const isChosen =
    settings['container-log-max-size'] !== undefined || settings['container-log-max-files'] !== undefined
  const unbounded = -1
  const size = read('container-log-max-size', maxBytes ?? unbounded, parseLogSize, 'give 10M or none')
  const files = read('container-log-max-files', maxFiles, parseFiles, 'give a whole number from 1 to 1000')
  const keepAll = { maxAgeMs: null, maxCount: null, maxDiskPercent: null }
  const kept = read('keep-images', defaultImageRetention, parseKept, 'give all, none, or limits: 7d,10,85%')
  return {
    docker: {
      logs: { maxBytes: size === unbounded ? null : size, maxFiles: files, isChosen },
      images: JSON.stringify(kept) === JSON.stringify(keepAll) ? null : kept,
    },
    problems,
  }
}

function parseLogSize(text: string): number | undefined {
  if (text === 'none') return -1
  const bytes = parseSize(text.toUpperCase())
  return bytes !== null && Number.isFinite(bytes) && bytes >= 4096 ? Math.floor(bytes) : undefined
}

function parseFiles(text: string): number | undefined {
  return parseCount(text, 1000) || undefined
}

/** `all`, `none`, or up to three limits, each at most once: an age, a number, how full the disk may be. */
function parseKept(text: string): ImageRetention | undefined {
  if (text === 'all') return { maxAgeMs: null, maxCount: null, maxDiskPercent: null }
  if (text === 'none') return { maxAgeMs: 0, maxCount: 0, maxDiskPercent: null }
  const limits = text.split(',').map((part) => limitOf(part.trim()))
  const given = limits.flatMap((limit) => (limit === undefined ? [] : Object.keys(limit)))
  if (limits.includes(undefined) || new Set(given).size < limits.length) return undefined
  return Object.assign({ maxAgeMs: null, maxCount: null, maxDiskPercent: null }, ...limits)
}

function limitOf(text: string): Partial<ImageRetention> | undefined {
  const percent = /^(\d{1,3})%$/.exec(text)?.[1]
  if (percent !== undefined) return Number(percent) <= 100 ? { maxDiskPercent: Number(percent) } : undefined
  if (/^\d+$/.test(text)) {
    const maxCount = parseCount(text)
    return maxCount === null ? undefined : { maxCount }
  }
  const maxAgeMs = parseDurationMs(text)
  return maxAgeMs !== undefined && maxAgeMs >= 0 ? { maxAgeMs } : undefined
}
