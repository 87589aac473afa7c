// What the operator lets units do, as `policy` says: a map in the configuration file, or a file that holds it.
import { parse } from 'yaml'
import { ExposedFileError, refuseChangeable } from '../lib/io/private-file.js'
import { readTextFile } from '../lib/io/text-file.js'
import { nearest } from '../lib/nearest.js'
import { bareCapability } from '../model/capability.js'
import { policyKeys } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type DriverKind, driverKinds } from '../model/driver-kind.js'
import type { Policy, PolicyHere } from '../model/policy.js'
import { gpus } from '../unit/policy.js'
import { type Setting, settingProblem } from './settings.js'

interface PolicyOption {
  /** Null: units may do anything. */
  readonly policy: Policy | null
  readonly problems: readonly Diagnostic[]
}

/** Reads the policy. One that cannot be read is a problem, never none. */
export function readPolicyOption(setting: Setting | undefined): PolicyOption {
  if (setting === undefined) return { policy: null, problems: [] }
  const problems: Diagnostic[] = []
  const refuse = (message: string, hint?: string): null => {
    problems.push(settingProblem(setting, message, hint))
    return null
  }
  const map = mapOf(setting.values[0] ?? '')
  if (map instanceof ExposedFileError) return { policy: null, problems: [exposed(setting, map)] }
  if (typeof map === 'string') refuse(map, `keys: ${policyKeys.join(', ')}`)
  else {
    for (const key of Object.keys(map)) {
      if ((policyKeys as readonly string[]).includes(key)) continue
      const near = nearest(key, policyKeys)
      refuse(
        `there is no ${key}`,
        near === undefined ? `keys: ${policyKeys.join(', ')}` : `did you mean ${near}?`,
      )
    }
  }
  const value = (key: (typeof policyKeys)[number]): unknown =>
    typeof map === 'string' ? undefined : map[key]
  const flag = (key: 'root' | 'host-network' | 'privileged', preset = true): boolean => {
    const given = value(key) ?? preset
    return typeof given === 'boolean' ? given : (refuse(`${key}: write true or false`) ?? false)
  }
  const list = (key: (typeof policyKeys)[number], wrong: Check): readonly string[] | null => {
    const given = value(key)
    if (given === undefined) return null
    if (!Array.isArray(given)) return refuse(`${key}: give a list, [] for none`)
    const bad = given.map((one) =>
      typeof one === 'string' ? wrong(one) : `${JSON.stringify(one)} is not a string`,
    )
    const [first] = bad.filter((one) => one !== null)
    return first === undefined ? (given as readonly string[]) : refuse(`${key}: ${first}`)
  }
  const policy: Policy = {
    drivers: list('drivers', isDriver) as readonly DriverKind[] | null,
    root: flag('root'),
    hostPaths: list('host-paths', isPath),
    hostNetwork: flag('host-network'),
    capabilities: list('capabilities', isCapability)?.map(bareCapability) ?? null,
    devices: list('devices', isDevice),
    privileged: flag('privileged', false),
    sysctls: list('sysctls', isSysctl),
    images: list('images', isPrefix),
  }
  return { policy, problems }
}

/** What units may do on this machine, as the options say now: the same object until they say something else. */
export function openPolicies(current: { now(): { readonly policy: Policy | null } }): {
  readonly now: () => PolicyHere | null
} {
  const asRoot = process.geteuid?.() === 0
  let known: { readonly of: Policy | null; readonly here: PolicyHere | null } = { of: null, here: null }
  return {
    now: () => {
      const { policy } = current.now()
      if (policy !== known.of) known = { of: policy, here: policy === null ? null : { policy, asRoot } }
      return known.here
    },
  }
}

type Check = (text: string) => string | null

const isDriver: Check = (text) =>
  (driverKinds as readonly string[]).includes(text)
    ? null
    : `'${text}' is not a driver (drivers: ${driverKinds.join(', ')})`

const isPath: Check = (text) =>
  text.startsWith('/') && !text.split('/').includes('..') ? null : `'${text}' is not an absolute path`

const isDevice: Check = (text) => (text === gpus ? null : isPath(text))

const isSysctl: Check = (text) =>
  /^[a-z0-9_-]+([./][A-Za-z0-9_-]+)*$/.test(text)
    ? null
    : `'${text}' is not a kernel parameter such as net.core`

const isCapability: Check = (text) =>
  /^(CAP_)?[A-Z_]+$/i.test(text) ? null : `'${text}' is not a capability such as NET_BIND_SERVICE`

const isPrefix: Check = (text) =>
  /^[a-zA-Z0-9][\w.:/@-]*$/.test(text) ? null : `'${text}' is not the beginning of an image name`

function exposed(setting: Setting, { message, hint }: ExposedFileError): Diagnostic {
  return settingProblem(setting, message, hint)
}

/** The text of a policy's file. Whoever may change it decides what units may do. */
function textOf(file: string): string {
  return readTextFile(file, (found) => refuseChangeable(file, found))
}

/** The map of a setting, or what is wrong with it. */
function mapOf(text: string): Readonly<Record<string, unknown>> | ExposedFileError | string {
  const isInline = text.trimStart().startsWith('{')
  try {
    const found: unknown = parse(isInline ? text : textOf(text), { logLevel: 'error' })
    const isMap = typeof found === 'object' && found !== null && !Array.isArray(found)
    return isMap ? (found as Readonly<Record<string, unknown>>) : `${text} has to hold a map`
  } catch (error) {
    if (error instanceof ExposedFileError) return error
    const [reason = ''] = (error as Error).message.split('\n')
    return isInline ? `it cannot be read: ${reason}` : `${text} cannot be read: ${reason}`
  }
}
