// Whether a unit keeps to the policy of an operator. What cannot be told from its text is not let through.

import { allCapabilities, bareCapability, dockerCapabilities } from '../model/capability.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { DriverKind } from '../model/driver-kind.js'
import type { PolicyHere } from '../model/policy.js'
import type { UnitName } from '../model/unit.js'
import { greatestAccount, isAccountNumber } from './account-number.js'
import { parseHealthCheck } from './check-option.js'
import { parseExec } from './exec.js'
import { readInitImage } from './init-image.js'
import { splitUnitName } from './name.js'
import type { UnitFile, UnitOption } from './parse.js'
import { problemOf } from './problem.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { hasSection, lastOf, optionsOf, parseBoolean } from './values.js'
import { splitWords } from './words.js'

/**
 * What of a unit breaks a policy, under any of the drivers that it would be run with. Codes: `policy/driver`, `policy/root`,
 * `policy/host-path`, `policy/host-network`, `policy/capability`, `policy/device`, `policy/privileged`, `policy/sysctl`,
 * `policy/image`.
 */
export function policyProblems(
  here: PolicyHere,
  file: UnitFile,
  name: UnitName,
  drivers: readonly DriverKind[],
): readonly Diagnostic[] {
  const reading: Reading = { here, file, name, drivers, context: { name, machine: null } }
  const rules = hasSection(file, 'Container') ? ofContainers : ofPrograms
  return [...driverProblems(here, drivers), ...rules.flatMap((rule) => rule(reading))]
}

/** Why a program may not be run beside a unit as a user; null where it may. `user` null: as the unit itself. */
export function userProblem(
  { policy }: PolicyHere,
  user: string | null,
  inContainer: boolean,
): string | null {
  if (policy.root || user === null) return null
  if (!isOtherThanRoot(user, inContainer))
    return inContainer ? containerUser : 'the policy lets nothing run as root'
  return mayBeRootsGroup(groupOf(user)) ? groupOfRoot : null
}

/** Why an image may not be had for containers of this machine; null where it may. */
export function imageProblem({ policy }: PolicyHere, image: string): string | null {
  const { drivers, images } = policy
  if (drivers !== null && !drivers.includes('docker'))
    return `the policy lets nothing run under docker: it allows ${listed(drivers)}`
  return images === null ? null : refusalOfImage(images, image)
}

/**
 * Why the policy does not allow a kind of file in a restored volume; null if it does. A program of the host could open or run such a
 * file, and get rights by it that its unit could not ask for.
 */
export function fileProblem(
  { policy: { root, devices, capabilities } }: PolicyHere,
  kind: 'device' | 'set-id' | 'capability',
): { readonly code: string; readonly message: string } | null {
  if (!root) return { code: 'policy/root', message: `${filesOf[kind]}: the policy lets nothing run as root` }
  if (kind === 'device' && devices !== null && !devices.includes('/dev'))
    return { code: 'policy/device', message: `${filesOf[kind]}: the policy allows ${listed(devices)}` }
  if (kind === 'capability' && capabilities !== null && !capabilities.includes(allCapabilities))
    return {
      code: 'policy/capability',
      message: `${filesOf[kind]}: the policy allows ${listed(capabilities)}`,
    }
  return null
}

const filesOf = {
  device: 'is a device',
  'set-id': 'runs as root, by its set-id bit',
  capability: 'gives capabilities to whoever runs it',
} as const

interface Reading {
  readonly here: PolicyHere
  readonly file: UnitFile
  readonly name: UnitName
  readonly drivers: readonly DriverKind[]
  readonly context: SpecifierContext
}

type Rule = (reading: Reading) => readonly Diagnostic[]

const ofContainers: readonly Rule[] = [
  imageProblems,
  containerUserProblems,
  groupProblems,
  checkUserProblems,
  containerPaths,
  networkProblems,
  addedCapabilities,
  deviceProblems,
  podmanArgProblems,
  sysctlProblems,
]

const ofPrograms: readonly Rule[] = [
  programUserProblems,
  groupProblems,
  rootDoings,
  checkUserProblems,
  boundPaths,
  openedPaths,
  ambientCapabilities,
]

function driverProblems({ policy }: PolicyHere, drivers: readonly DriverKind[]): readonly Diagnostic[] {
  const { drivers: allowed } = policy
  const refused = allowed === null ? [] : drivers.filter((driver) => !allowed.includes(driver))
  if (allowed === null || refused.length === 0) return []
  const message = `it would run under ${refused.join(' or ')}, and the policy allows ${listed(allowed)}`
  return [{ code: 'policy/driver', severity: 'error', message }]
}

// Users.

const containerUser = `the policy lets nothing run as root: give the user as a number from 1 to ${greatestAccount}, because the image decides what a name means`
const groupOfRoot = 'the policy lets nothing run as root, nor in its group'

/** A name in a container is whatever its image says that it is. */
function isOtherThanRoot(user: string, inContainer: boolean): boolean {
  const [name = ''] = inContainer ? user.split(':') : [user]
  if (/^[1-9]/.test(name) && isAccountNumber(name)) return true
  return !inContainer && /^[A-Za-z_][A-Za-z0-9_.-]*\$?$/.test(name) && name !== 'root'
}

function containerUserProblems(reading: Reading): readonly Diagnostic[] {
  const { here, file } = reading
  if (here.policy.root) return []
  const option = optionsOf(file, 'Container', 'User').at(-1)
  if (option !== undefined && isOtherThanRoot(expanded(reading, option.value), true)) return []
  return [problemAt(option, 'policy/root', containerUser, 'set user: "1000", or [Container] User=1000')]
}

function programUserProblems(reading: Reading): readonly Diagnostic[] {
  const { here, file, name } = reading
  if (here.policy.root) return []
  const root = programAsRoot(file, name, here.asRoot)
  if (root === null) return raisedProblems(reading)
  const message = 'the policy lets nothing run as root'
  return [problemAt(root.option, 'policy/root', message, 'set user: NAME, or [Service] User=NAME')]
}

/** What a program runs as root by: a line of its unit, or that there is none. Null where it runs as somebody else. */
export function programAsRoot(
  file: UnitFile,
  name: UnitName,
  asRoot: boolean,
): { readonly option: UnitOption | undefined } | null {
  if (hasSection(file, 'Container') || splitUnitName(name).type !== 'service') return null
  const option = optionsOf(file, 'Service', 'User').at(-1)
  const isDynamic = parseBoolean(lastOf(file, 'Service', 'DynamicUser') ?? 'no') === true
  if (option === undefined && (isDynamic || !asRoot)) return null
  const { text } = expandSpecifiers(option?.value ?? '', { name, machine: null })
  return option !== undefined && isOtherThanRoot(text, false) ? null : { option }
}

/** A unit that says nothing of it is as before there was a default: it may raise itself. */
function raisedProblems({ file }: Reading): readonly Diagnostic[] {
  const option = optionsOf(file, 'Service', 'NoNewPrivileges').at(-1)
  if (option === undefined || parseBoolean(option.value) !== false) return []
  const message =
    'the policy lets nothing run as root, but without NoNewPrivileges= programs with the set-user-id bit do'
  return [problemOf(option, 'policy/root', message, 'leave no_new_privileges: false out')]
}

/** Groups that a unit names. Which it has without, its user or its image says. */
function groupProblems(reading: Reading): readonly Diagnostic[] {
  const { here, file } = reading
  if (here.policy.root) return []
  const inContainer = hasSection(file, 'Container')
  const [section, more] = inContainer ? ['Container', 'GroupAdd'] : ['Service', 'SupplementaryGroups']
  const user = inContainer ? optionsOf(file, section, 'User').slice(-1) : []
  const named = [...optionsOf(file, section, 'Group').slice(-1), ...optionsOf(file, section, more)]
  return [
    ...user.map((option) => ({ option, groups: [groupOf(expanded(reading, option.value))] })),
    ...named.map((option) => ({ option, groups: expanded(reading, option.value).split(/\s+/) })),
  ].flatMap(({ option, groups }) =>
    groups.some(mayBeRootsGroup) ? [problemOf(option, 'policy/root', groupOfRoot)] : [],
  )
}

function groupOf(user: string): string | null {
  return user.split(':')[1] ?? null
}

function mayBeRootsGroup(group: string | null): boolean {
  return group !== null && !isOtherThanRoot(group, false)
}

const actions =
  /^(SuccessAction|FailureAction|StartLimitAction|JobTimeoutAction|JobRunningTimeoutAction|PermissionsStartOnly)$/

/** Which machine it will be is open: what is said of it is no reason for a command or a check to go unread. */
const someMachine = { id: '0'.repeat(32), hostname: 'localhost' }

/** What systemd does as root, whoever the program runs as. */
function rootDoings({ here, file, name }: Reading): readonly Diagnostic[] {
  if (here.policy.root) return []
  const { type } = splitUnitName(name)
  if (type !== 'service') {
    const message = `systemd acts as root for a unit of type ${type}, and the policy lets nothing run as root`
    return [{ code: 'policy/root', severity: 'error', message }]
  }
  return file.options.flatMap((option) => {
    const isCommand = option.section === 'Service' && option.name.startsWith('Exec') && option.value !== ''
    const isRaised = isCommand && mayBeRaised(option.value, name)
    const isAction = option.section.startsWith('X-') ? false : actions.test(option.name)
    if (!isRaised && !isAction) return []
    const message = isRaised
      ? 'the policy lets nothing run as root, but the prefixes + and ! ask for root, or the line cannot be read'
      : 'systemd does this as root, and the policy lets nothing run as root'
    return [problemOf(option, 'policy/root', message)]
  })
}

function mayBeRaised(command: string, name: UnitName): boolean {
  const { commands, problems } = parseExec(command, { name, machine: someMachine })
  return problems.length > 0 || commands.some(({ privileges }) => privileges !== 'normal')
}

function checkUserProblems({ here, file, name }: Reading): readonly Diagnostic[] {
  const inContainer = hasSection(file, 'Container')
  const context = { name, machine: someMachine }
  return optionsOf(file, 'X-Mariposa', 'HealthCheck').flatMap((option) => {
    const check = parseHealthCheck(option.value, context)
    if (!('value' in check) || !('user' in check.value)) return []
    const problem = userProblem(here, check.value.user, inContainer)
    return problem === null ? [] : [problemOf(option, 'policy/root', problem, 'give the check another user')]
  })
}

// Paths and devices of the host.

function containerPaths(reading: Reading): readonly Diagnostic[] {
  const sources = [
    ...optionsOf(reading.file, 'Container', 'Volume').map((option) => ({
      option,
      path: sourceOf(option.value),
    })),
    ...optionsOf(reading.file, 'Container', 'EnvironmentFile').map((option) => ({
      option,
      path: option.value,
    })),
  ]
  return sources.flatMap(({ option, path }) => pathProblems(reading, option, path))
}

function boundPaths(reading: Reading): readonly Diagnostic[] {
  const options = ['BindPaths', 'BindReadOnlyPaths'].flatMap((name) =>
    optionsOf(reading.file, 'Service', name),
  )
  return options.flatMap((option) =>
    splitWords(option.value).words.flatMap((word) =>
      pathProblems(reading, option, sourceOf(word.replace(/^-/, '')), { isPath: true }),
    ),
  )
}

/** What is opened for a program before it has become its user: under systemd by root, whoever that is. */
function openedPaths(reading: Reading): readonly Diagnostic[] {
  const { here, file, drivers } = reading
  const variables = optionsOf(file, 'Service', 'EnvironmentFile').flatMap((option) =>
    pathProblems(reading, option, option.value.replace(/^-/, ''), { isPath: true }),
  )
  const streams = ['StandardInput', 'StandardOutput', 'StandardError'].flatMap((name) =>
    optionsOf(file, 'Service', name).flatMap((option) => {
      const [, path] =
        /^(?:file|append|truncate|[^:]*%[^:]*):(.*)$/s.exec(expanded(reading, option.value)) ?? []
      if (path === undefined) return []
      if (here.policy.hostPaths !== null || here.policy.root || !drivers.includes('systemd'))
        return pathProblems(reading, option, path, { isPath: true })
      const message = 'systemd opens this file as root, and the policy lets nothing run as root'
      return [problemOf(option, 'policy/root', message, 'host-paths in the policy lists the allowed paths')]
    }),
  )
  return [...variables, ...streams]
}

function sourceOf(volume: string): string {
  return volume.split(':')[0] ?? ''
}

/** A source of a container's volume that is no path is the name of a volume. */
function pathProblems(
  reading: Reading,
  option: UnitOption,
  text: string,
  { isPath = false } = {},
): readonly Diagnostic[] {
  const path = expanded(reading, text)
  const message = isPath || path.startsWith('/') ? hostPathProblem(reading.here, path) : null
  return message === null ? [] : [problemOf(option, hostPathCode, message)]
}

/** Of what `hostPathProblem` says. */
export const hostPathCode = 'policy/host-path'

/** Why a path of the host may not be named; null where it may. */
export function hostPathProblem({ policy: { hostPaths } }: PolicyHere, path: string): string | null {
  if (hostPaths === null || isBelow(path, hostPaths)) return null
  return `the policy does not allow ${path} of the host: it allows ${listed(hostPaths)}`
}

/** None where the policy does not say: a device of the host is a way out of a container. */
function deviceProblems(reading: Reading): readonly Diagnostic[] {
  const devices = reading.here.policy.devices ?? []
  return optionsOf(reading.file, 'Container', 'AddDevice').flatMap((option) => {
    const path = expanded(reading, sourceOf(option.value))
    if (isBelow(path, devices)) return []
    const message = `the policy does not allow the device ${path}: it allows ${listed(devices)}`
    return [problemOf(option, 'policy/device', message, 'devices in the policy lists the allowed ones')]
  })
}

/** What stands in the place of an option of Podman is no name of one that is allowed, whatever it becomes. */
function podmanArgProblems(reading: Reading): readonly Diagnostic[] {
  const { privileged = false, devices } = reading.here.policy
  return optionsOf(reading.file, 'Container', 'PodmanArgs').flatMap((option) => {
    const words = splitWords(option.value).words.map((word) => expanded(reading, word))
    return words.flatMap((word) => {
      if (/^--(cpus|memory-swap)=/.test(word)) return []
      if (word.startsWith('--gpus=')) {
        if (devices?.includes(gpus) === true) return []
        const message = `the policy does not allow GPUs: among devices it allows ${listed(devices ?? [])}`
        return [problemOf(option, 'policy/device', message, `add ${gpus} to the devices of the policy`)]
      }
      if (privileged) return []
      const message = 'the policy lets no container be privileged'
      return [problemOf(option, 'policy/privileged', message, 'privileged: true in the policy allows it')]
    })
  })
}

/** What a policy calls GPUs among its devices. */
export const gpus = 'gpus'

function sysctlProblems(reading: Reading): readonly Diagnostic[] {
  const { sysctls = null } = reading.here.policy
  if (sysctls === null) return []
  return optionsOf(reading.file, 'Container', 'Sysctl').flatMap((option) => {
    const names = splitWords(option.value).words.map((word) => sysctlName(expanded(reading, word)))
    const refused = names.filter((name) => !sysctls.some((one) => isAtOrBelow(name, sysctlName(one))))
    if (refused.length === 0) return []
    const message = `the policy does not allow ${refused.join(', ')}: it allows ${listed(sysctls)}`
    return [problemOf(option, 'policy/sysctl', message)]
  })
}

/** The name of a parameter; slashes are dots in it. */
function sysctlName(text: string): string {
  return (text.split('=')[0] ?? '').replaceAll('/', '.').replace(/\.+$/, '')
}

function isAtOrBelow(name: string, allowed: string): boolean {
  return name === allowed || name.startsWith(`${allowed}.`)
}

/** Whether a path is one of some, or lies below it. Nobody can tell where `..` leads. */
function isBelow(path: string, allowed: readonly string[]): boolean {
  const parts = partsOf(path)
  if (parts.includes('..') || !path.startsWith('/')) return false
  return allowed.some((one) => partsOf(one).every((part, at) => parts[at] === part))
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

// Networks, capabilities, images.

function networkProblems(reading: Reading): readonly Diagnostic[] {
  if (reading.here.policy.hostNetwork) return []
  return optionsOf(reading.file, 'Container', 'Network').flatMap((option) => {
    const { text: network, problems } = expandSpecifiers(option.value, reading.context)
    const isKnown = problems.length === 0
    if (isKnown && network !== 'host' && !network.startsWith('container:')) return []
    const message = 'the policy lets no container share the network of the host, or of another container'
    return [problemOf(option, 'policy/host-network', message)]
  })
}

/** What Docker gives anyway may be asked for, where the policy does not say. */
function addedCapabilities(reading: Reading): readonly Diagnostic[] {
  const allowed = reading.here.policy.capabilities ?? dockerCapabilities
  return capabilityProblems(reading, allowed, optionsOf(reading.file, 'Container', 'AddCapability'))
}

function ambientCapabilities(reading: Reading): readonly Diagnostic[] {
  const { capabilities } = reading.here.policy
  if (capabilities === null) return []
  return capabilityProblems(reading, capabilities, optionsOf(reading.file, 'Service', 'AmbientCapabilities'))
}

function capabilityProblems(
  reading: Reading,
  allowed: readonly string[],
  options: readonly UnitOption[],
): readonly Diagnostic[] {
  if (allowed.includes(allCapabilities)) return []
  return options.flatMap((option) => {
    const words = splitWords(option.value).words.map((word) => bareCapability(expanded(reading, word)))
    const refused = words.filter((word) => !allowed.includes(word))
    if (refused.length === 0) return []
    const message = `the policy does not allow ${refused.join(', ')}: it allows ${listed(allowed)}`
    return [
      problemOf(option, 'policy/capability', message, 'capabilities in the policy lists the allowed ones'),
    ]
  })
}

function imageProblems(reading: Reading): readonly Diagnostic[] {
  const { images } = reading.here.policy
  if (images === null) return []
  const named = (key: string) =>
    optionsOf(reading.file, 'Container', key).map((option) => ({
      option,
      text: expanded(reading, option.value),
    }))
  const own = named('Image').slice(-1)
  // A value that cannot be read is checked as it is; Docker's driver refuses it.
  const ofSteps = named('InitImage').map(({ option, text }) => ({
    option,
    text: readInitImage(text)?.image ?? text,
  }))
  return [...own, ...ofSteps].flatMap(({ option, text: image }) => {
    const message = refusalOfImage(images, image)
    if (message === null) return []
    return [problemOf(option, 'policy/image', message, mayBeImageId(image) ? idHint : undefined)]
  })
}

function refusalOfImage(allowed: readonly string[], image: string): string | null {
  if (mayBeImageId(image))
    return `the policy does not allow the image ${image}: Docker may read it as the id of any image on the machine`
  if (allowed.some((prefix) => beginsWith(wholeName(image), wholePrefix(prefix)))) return null
  return `the policy does not allow the image ${image}: it allows ${listed(allowed)}`
}

const idHint =
  'name the image with its registry or its tag, as in docker.io/library/NAME:TAG, or NAME@sha256:DIGEST'

/** Docker takes the beginning of an id for the id, with `sha256:` or without. */
function mayBeImageId(image: string): boolean {
  return /^([0-9a-f]+|sha\d+:.*)$/i.test(image)
}

/** A prefix ends where a part of the name does: `registry.example` is none of `registry.example.net/x`. */
function beginsWith(image: string, prefix: string): boolean {
  if (!image.startsWith(prefix)) return false
  return image === prefix || /[/:@]$/.test(prefix) || /^[/:@]/.test(image.slice(prefix.length))
}

/** With what Docker leaves out of the names on its own hub. */
function wholeName(image: string): string {
  const [first = '', ...rest] = image.split('/')
  if (rest.length === 0) return `docker.io/library/${image}`
  const isHost = /[.:]/.test(first) || first === 'localhost'
  if (!isHost) return `docker.io/${image}`
  if (!/^(index\.)?docker\.io$/.test(first)) return image
  return `docker.io/${rest.length === 1 ? 'library/' : ''}${rest.join('/')}`
}

/** The same of a prefix, which may be a registry or a part of a repository's name alone. */
function wholePrefix(prefix: string): string {
  const [first = '', ...rest] = prefix.replace(/^index\.docker\.io/, 'docker.io').split('/')
  const isHost = /[.:]/.test(first) || first === 'localhost'
  if (isHost && (rest.length > 0 || !first.includes(':') || /^[^:]+:\d+$/.test(first)))
    return [first, ...rest].join('/')
  return rest.length === 0 ? `docker.io/library/${prefix}` : `docker.io/${prefix}`
}

/** What cannot be filled in stays as it is, and is no name of anything that is allowed. */
function expanded({ context }: Reading, text: string): string {
  return expandSpecifiers(text, context).text
}

function problemAt(option: UnitOption | undefined, code: string, message: string, hint: string): Diagnostic {
  return option === undefined
    ? { code, severity: 'error', message, hint }
    : problemOf(option, code, message, hint)
}

function listed(allowed: readonly string[]): string {
  return allowed.length === 0 ? 'none' : allowed.join(', ')
}
