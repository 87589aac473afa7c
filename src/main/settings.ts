// Options of the daemon by name, wherever they were given: as flags, in the environment, in a file.
import { daemonConfigProperties, type SettingName } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'

/** Every option of the daemon that may also stand in the environment (`MARIPOSA_DATA_DIR`) or in a configuration file. */
export const settingNames = Object.keys(daemonConfigProperties) as readonly SettingName[]

/** Values of one option, and where they were given. */
export interface Setting {
  readonly values: readonly string[]
  /** `--listen`, `MARIPOSA_LISTEN`, or the key in the file. */
  readonly called: string
  readonly file?: string
  readonly line?: number
}

export type Settings = Readonly<Partial<Record<SettingName, Setting>>>

/** Whether a word is the name of an option. */
export function isSettingName(name: string): name is SettingName {
  return (settingNames as readonly string[]).includes(name)
}

/** The settings in the environment. Lists are separated by commas. */
export function settingsFromEnv(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = settingNames.flatMap((name) => {
    const called = `MARIPOSA_${name.toUpperCase().replaceAll('-', '_')}`
    const value = env[called]
    return value === undefined || value === ''
      ? []
      : [[name, { values: split(name, value), called }] as const]
  })
  return Object.fromEntries(given)
}

/** Lists written as one text: `unix:/a,tcp://127.0.0.1:1`. Metadata holds commas of its own. */
export function split(name: SettingName, text: string): readonly string[] {
  return lists.has(name) ? text.split(',').map((part) => part.trim()) : [text]
}

const lists: ReadonlySet<SettingName> = new Set([
  'listen',
  'insecure-listen',
  'trigger-listen',
  'driver',
  'dns',
  'dns-upstream',
  'dns-allow',
  'log-level',
])

/** A problem with a setting, at its place. */
export function settingProblem(setting: Setting, message: string, hint?: string): Diagnostic {
  const { called, file, line } = setting
  return {
    code: 'daemon/bad-option',
    severity: 'error',
    message: `${called}: ${message}`,
    ...(hint !== undefined && { hint }),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line, column: 1 }),
  }
}
