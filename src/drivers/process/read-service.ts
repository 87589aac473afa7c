// From a unit file to the Service that the supervisor runs. What cannot be honoured is an error, never left out.
import { ownOf } from '../../lib/own-property.js'
import { placeOfFile } from '../../model/arriving-file.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import {
  optionOfResource,
  parseResourceLimit,
  type ResourceLimit,
  resourceNames,
} from '../../model/resource-limit.js'
import { signalName } from '../../model/signal.js'
import { volumeVariable } from '../../model/volume.js'
import {
  type CommandList,
  type ExitSet,
  type KillMode,
  type Output,
  type RestartRule,
  restartWords,
  type Service,
  type ServiceType,
  type SystemdRestart,
  serviceDefaults,
} from '../../supervisor/service.js'
import { greatestAccount, isAccountNumber } from '../../unit/account-number.js'
import { capabilitySet } from '../../unit/capability-set.js'
import { environmentOf, isVariableName } from '../../unit/environment.js'
import { type ExecCommand, expandArgv, parseExec } from '../../unit/exec.js'
import { filesOf } from '../../unit/files.js'
import type { UnitFile, UnitOption } from '../../unit/parse.js'
import { problemOf } from '../../unit/problem.js'
import { expandSpecifiers, type SpecifierContext } from '../../unit/specifiers.js'
import { optionsOf, parseBoolean, parseCount, parseSize, parseTimeSpan } from '../../unit/values.js'
import { namedVolumesOf } from '../../unit/volumes.js'
import { splitWords } from '../../unit/words.js'
import { readXMariposa, type XMariposa } from '../../unit/x-mariposa.js'
import { refusalHint } from './refused-options.js'

interface ServiceReading {
  /** Only of use where no diagnostic is an error. */
  readonly service: Service
  /** Variables of the daemon that `PassEnvironment=` hands on. */
  readonly passEnvironment: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a unit as the process driver runs it. */
export function readService(file: UnitFile, context: SpecifierContext): ServiceReading {
  const read = optionReader(file, context)
  const environment = environmentOf(file, 'Service', context)
  // What is wrong in [X-Mariposa] is told by the check of every unit (unit/check.ts).
  const ours = readXMariposa(file, context).settings
  const type = read.one('Service', 'Type', parseType, typeHint) ?? 'simple'
  const service: Service = {
    type,
    commands: readCommands(read),
    remainAfterExit: read.one('Service', 'RemainAfterExit', parseBoolean, 'write yes or no') ?? false,
    environment: environment.environment,
    environmentFiles: read.many('Service', 'EnvironmentFile', parseOptionalPath, 'give an absolute path'),
    workingDirectory:
      read.one('Service', 'WorkingDirectory', parseWorkingDirectory, 'give an absolute path or ~') ?? null,
    user: read.one('Service', 'User', parseAccount, accountHint) ?? null,
    group: read.one('Service', 'Group', parseAccount, accountHint) ?? null,
    ...readGroups(read),
    ...readLimits(read),
    ...readRights(read, file),
    umask:
      read.one('Service', 'UMask', parseUmask, 'give an octal number such as 0027') ?? serviceDefaults.umask,
    nice: read.one('Service', 'Nice', parseNice, 'give a number from -20 to 19') ?? serviceDefaults.nice,
    restart: readRestart(read, type, ours.restart),
    startLimit: readStartLimit(read),
    ...readTimeouts(read, type),
    ...readKilling(read),
    success: exitSet(read.many('Service', 'SuccessExitStatus', parseExits, exitHint)),
    restartPrevent: exitSet(read.many('Service', 'RestartPreventExitStatus', parseExits, exitHint)),
    output: readOutput(read),
    memoryBytes: readMemory(read, ours.memoryMb),
    ...readShares(read),
  }
  const passEnvironment = read
    .many('Service', 'PassEnvironment', parseVariableNames, 'give names of variables')
    .flat()
  return {
    service,
    passEnvironment,
    diagnostics: [
      ...read.problems(),
      ...environment.diagnostics,
      ...checkCommands(service, file),
      ...checkFirstWords(service, file),
      ...checkVolumes(file, context),
      ...checkFiles(file, context),
      ...file.options.flatMap((option) => unsupported(option)),
    ],
  }
}

// Options in general.

interface OptionReader {
  /** The last value of an option; null where it is not set or cannot be read. */
  one<T>(section: string, name: string, parse: (text: string) => T | null, hint: string): T | null
  many<T>(section: string, name: string, parse: (text: string) => T | null, hint: string): readonly T[]
  commands(name: string): readonly ExecCommand[]
  refuse(option: UnitOption, message: string, hint: string): void
  last(section: string, name: string): UnitOption | null
  problems(): readonly Diagnostic[]
}

function optionReader(file: UnitFile, context: SpecifierContext): OptionReader {
  const problems: Diagnostic[] = []
  const refuse = (option: UnitOption, message: string, hint?: string): void => {
    problems.push(problemOf(option, 'process/bad-value', message, hint))
  }
  const value = <T>(option: UnitOption, parse: (text: string) => T | null, hint: string): T | null => {
    const { text, problems: unknown } = expandSpecifiers(option.value, context)
    for (const problem of unknown) refuse(option, problem)
    const parsed = unknown.length > 0 ? null : parse(text)
    if (parsed === null && unknown.length === 0) refuse(option, `"${text}" is not understood`, hint)
    return parsed
  }
  const last = (section: string, name: string): UnitOption | null =>
    optionsOf(file, section, name).at(-1) ?? null
  return {
    one: (section, name, parse, hint) => {
      const option = last(section, name)
      return option === null ? null : value(option, parse, hint)
    },
    many: (section, name, parse, hint) =>
      optionsOf(file, section, name).flatMap((option) => {
        const parsed = value(option, parse, hint)
        return parsed === null ? [] : [parsed]
      }),
    commands: (name) =>
      optionsOf(file, 'Service', name).flatMap((option) => {
        const parsed = parseExec(option.value, context)
        for (const problem of parsed.problems) refuse(option, problem)
        if (parsed.commands.some(({ privileges }) => privileges !== 'normal')) {
          refuse(
            option,
            'the prefixes + and ! are not supported here',
            'leave User= out, or use the systemd driver',
          )
        }
        return parsed.commands
      }),
    refuse,
    last,
    problems: () => problems,
  }
}

// Which options there are.

const supported: Readonly<Record<string, ReadonlySet<string>>> = {
  Unit: new Set(['Description', 'Documentation', 'StartLimitIntervalSec', 'StartLimitBurst']),
  Service: new Set([
    ...['Type', 'ExecStartPre', 'ExecStart', 'ExecStartPost', 'ExecStop', 'ExecStopPost', 'RemainAfterExit'],
    ...[
      'Environment',
      'EnvironmentFile',
      'PassEnvironment',
      'WorkingDirectory',
      'User',
      'Group',
      'UMask',
      'Nice',
    ],
    ...['Restart', 'RestartSec', 'TimeoutSec', 'TimeoutStartSec', 'TimeoutStopSec'],
    ...['KillMode', 'KillSignal', 'SendSIGKILL', 'SuccessExitStatus', 'RestartPreventExitStatus'],
    ...['StandardInput', 'StandardOutput', 'StandardError', 'MemoryMax', 'SupplementaryGroups'],
    ...['CPUQuota', 'TasksMax'],
    ...['NoNewPrivileges', 'CapabilityBoundingSet'],
    ...resourceNames.map(optionOfResource),
  ]),
}

/** Targets of a booted machine: a unit that is started by a daemon finds them reached. */
const bootTargets =
  /^(network|network-online|network-pre|basic|sysinit|local-fs|remote-fs|multi-user|time-sync|nss-lookup|default|graphical)\.target$/

function unsupported(option: UnitOption): readonly Diagnostic[] {
  const { section, name, value } = option
  if (section.startsWith('X-') || ownOf(supported, section)?.has(name) === true) return []
  if (section === 'Install') {
    return [
      {
        ...problemOf(option, 'process/install-unused', 'it has no effect here'),
        severity: 'warning',
      },
    ]
  }
  if (section === 'Unit' && ['After', 'Wants', 'Requires'].includes(name)) {
    if (value.split(/\s+/).every((unit) => unit === '' || bootTargets.test(unit))) return []
  }
  return [
    problemOf(
      option,
      'process/unsupported-option',
      'the process driver does not support it',
      refusalHint(section, name),
    ),
  ]
}

/** Without namespaces a volume cannot be at a path that the unit chooses, nor be closed to who owns it. */
function checkVolumes(file: UnitFile, context: SpecifierContext): readonly Diagnostic[] {
  const lines = optionsOf(file, 'X-Mariposa', 'Volume')
  return namedVolumesOf(file, context).volumes.flatMap(({ name, path, readonly }, index) => {
    const line = lines[index]
    if (line === undefined) return []
    if (readonly) {
      const message = `the process driver cannot keep a program from writing to the volume ${name}`
      const hint = 'leave readonly out, or use the docker or the systemd driver'
      return [problemOf(line, 'process/unsupported-option', message, hint)]
    }
    const isNamed = file.options.some(
      ({ value }) => value.includes(volumeVariable(name)) || value.includes(`volume.${name}.path`),
    )
    if (isNamed) return []
    const message = `the process driver cannot show the volume ${name} at ${path}`
    const hint = `use {{ .volume.${name}.path }}, the variable ${volumeVariable(name)}, or ${name} in the working directory, if that belongs to the user of the service`
    return [{ ...problemOf(line, 'process/volume-path', message, hint), severity: 'warning' }]
  })
}

/** Nor can a file be anywhere else than in directories of the unit's own. */
function checkFiles(file: UnitFile, context: SpecifierContext): readonly Diagnostic[] {
  const lines = optionsOf(file, 'X-Mariposa', 'File')
  return filesOf(file, context).files.flatMap(({ path }, index) => {
    const line = lines[index]
    if (line === undefined || placeOfFile(path).place !== 'path') return []
    const message = `the process driver has no namespaces and cannot show a file at ${path}`
    const hint = `write a relative path, and pass it to the program with {{ .files.dir }}`
    return [problemOf(line, 'process/file-path', message, hint)]
  })
}

// Commands and kinds of service.

function readCommands(read: OptionReader): Service['commands'] {
  return {
    'start-pre': read.commands('ExecStartPre'),
    start: read.commands('ExecStart'),
    'start-post': read.commands('ExecStartPost'),
    stop: read.commands('ExecStop'),
    'stop-post': read.commands('ExecStopPost'),
  } satisfies Record<CommandList, readonly ExecCommand[]>
}

function checkCommands({ type, commands }: Service, file: UnitFile): readonly Diagnostic[] {
  const lines = optionsOf(file, 'Service', 'ExecStart')
  const [, second] = lines
  if (lines.length === 0) {
    const message = 'there is no ExecStart= in [Service]'
    return [{ code: 'process/no-command', severity: 'error', message, path: '/Service/ExecStart' }]
  }
  if (type === 'oneshot' || commands.start.length <= 1) return []
  const at = second ?? lines[0]
  const message = `Type=${type} takes one command in ExecStart=`
  return at === undefined
    ? []
    : [problemOf(at, 'process/bad-value', message, 'use Type=oneshot for several commands')]
}

/** The programs that set limits, groups and rights are told one name, by which they find the program and call it. */
function checkFirstWords(service: Service, file: UnitFile): readonly Diagnostic[] {
  const { commands, limits, groups, noNewPrivileges, bounding, cpuPercent, tasks } = service
  if ([limits, groups, noNewPrivileges, bounding, cpuPercent, tasks].every((one) => one === undefined))
    return []
  const renamed = Object.values(commands)
    .flat()
    .find((command) => expandArgv(command, {})[0] !== command.path)
  const line = optionsOf(file, 'Service', 'ExecStart').at(-1)
  if (renamed === undefined || line === undefined) return []
  const message = `the process driver cannot call ${renamed.path} by another name and set limits, groups or rights for it`
  return [problemOf(line, 'process/unsupported-option', message, 'give the whole path of the program')]
}

const typeHint =
  'simple, exec and oneshot are supported here; forking and notify need the systemd driver; use simple in place of idle'

function parseType(text: string): ServiceType | null {
  return text === 'simple' || text === 'exec' || text === 'oneshot' ? text : null
}

// Restarting.

function readRestart(read: OptionReader, type: ServiceType, docker: XMariposa['restart']): RestartRule {
  const ofService = readSystemdRestart(read, type)
  return docker === null ? ofService : { kind: 'docker', when: docker.name, max: docker.max }
}

function readSystemdRestart(read: OptionReader, type: ServiceType): RestartRule {
  const when =
    read.one('Service', 'Restart', parseSystemdRestart, `write one of ${restartWords.join(', ')}`) ?? 'no'
  const waitMs = read.one('Service', 'RestartSec', parseWait, timeHint) ?? serviceDefaults.restart.waitMs
  const option = read.last('Service', 'Restart')
  if (option !== null && type === 'oneshot' && (when === 'always' || when === 'on-success')) {
    read.refuse(option, `${when} is not allowed with Type=oneshot`, 'use on-failure')
  }
  return { kind: 'systemd', when, waitMs }
}

function parseSystemdRestart(text: string): SystemdRestart | null {
  return restartWords.find((word) => word === text) ?? null
}

function readStartLimit(read: OptionReader): Service['startLimit'] {
  const { intervalMs, burst } = serviceDefaults.startLimit
  return {
    intervalMs: read.one('Unit', 'StartLimitIntervalSec', parseWait, timeHint) ?? intervalMs,
    burst:
      read.one('Unit', 'StartLimitBurst', (text) => parseCount(text, 10_000), 'give a whole number') ?? burst,
  }
}

// Time.

const timeHint = 'give a time such as 90, 5s or 2min'

function parseWait(text: string): number | null {
  const ms = parseTimeSpan(text)
  return ms === null || !Number.isFinite(ms) ? null : Math.round(ms)
}

/** A limit in time; `{ ms: null }` for `infinity` and, as in systemd, for 0. */
function parseTimeout(text: string): { readonly ms: number | null } | null {
  const ms = parseTimeSpan(text)
  if (ms === null) return null
  return { ms: ms === 0 || !Number.isFinite(ms) ? null : Math.ceil(ms) }
}

/** `TimeoutSec=` sets both; of options that say the same, the last line in the file wins. */
function readTimeouts(
  read: OptionReader,
  type: ServiceType,
): Pick<Service, 'timeoutStartMs' | 'timeoutStopMs'> {
  const both = read.one('Service', 'TimeoutSec', parseTimeout, timeHint)
  const own = (name: string): { readonly ms: number | null } | null => {
    const value = read.one('Service', name, parseTimeout, timeHint)
    const isLater =
      (read.last('Service', 'TimeoutSec')?.line ?? -1) > (read.last('Service', name)?.line ?? -1)
    return isLater ? (both ?? value) : (value ?? both)
  }
  const start = own('TimeoutStartSec')
  const stop = own('TimeoutStopSec')
  return {
    timeoutStartMs: start === null ? (type === 'oneshot' ? null : serviceDefaults.timeoutStartMs) : start.ms,
    timeoutStopMs: stop === null ? serviceDefaults.timeoutStopMs : stop.ms,
  }
}

// Stopping.

function readKilling(read: OptionReader): Pick<Service, 'killMode' | 'killSignal' | 'sendSigkill'> {
  return {
    killMode: read.one('Service', 'KillMode', parseKillMode, killModeHint) ?? serviceDefaults.killMode,
    killSignal:
      read.one('Service', 'KillSignal', signalName, 'give the name of a signal, such as SIGINT') ??
      serviceDefaults.killSignal,
    sendSigkill:
      read.one('Service', 'SendSIGKILL', parseBoolean, 'write yes or no') ?? serviceDefaults.sendSigkill,
  }
}

const killModeHint =
  'write control-group, mixed or process; none would leave the program running after a stop'

function parseKillMode(text: string): KillMode | null {
  return text === 'control-group' || text === 'mixed' || text === 'process' ? text : null
}

const exitHint = 'give exit statuses (0 to 255) and names of signals'

function parseExits(text: string): ExitSet | null {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const codes = words.map((word) => parseCount(word, 255))
  const signals = words.map((word, index) => (codes[index] === null ? signalName(word) : null))
  if (words.some((_, index) => codes[index] === null && signals[index] === null)) return null
  return {
    codes: codes.filter((code) => code !== null),
    signals: signals.filter((signal) => signal !== null),
  }
}

function exitSet(sets: readonly ExitSet[]): ExitSet {
  return { codes: sets.flatMap(({ codes }) => codes), signals: sets.flatMap(({ signals }) => signals) }
}

// Surroundings.

function parseOptionalPath(text: string): { readonly path: string; readonly optional: boolean } | null {
  const optional = text.startsWith('-')
  const path = optional ? text.slice(1) : text
  return path.startsWith('/') ? { path, optional } : null
}

function parseWorkingDirectory(text: string): Service['workingDirectory'] {
  const optional = text.startsWith('-')
  const path = optional ? text.slice(1) : text
  return path === '~' || path.startsWith('/') ? { path, optional } : null
}

const accountHint = `give a name, or a number up to ${greatestAccount}`

function parseAccount(text: string): string | null {
  return /^[A-Za-z_][A-Za-z0-9_.-]*\$?$/.test(text) || isAccountNumber(text) ? text : null
}

function readGroups(read: OptionReader): Pick<Service, 'groups'> {
  const groups = read.many('Service', 'SupplementaryGroups', parseAccounts, accountHint).flat()
  return groups.length === 0 ? {} : { groups }
}

function parseAccounts(text: string): readonly string[] | null {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.every((word) => parseAccount(word) !== null) ? words : null
}

const limitHint = 'give a number, soft:hard with soft not above hard, or infinity'

/** Sizes may have a unit, as systemd's have. */
function readLimits(read: OptionReader): Pick<Service, 'limits'> {
  const given = resourceNames.flatMap((name): readonly (readonly [string, ResourceLimit])[] => {
    const limit = read.one('Service', optionOfResource(name), parseLimit, limitHint)
    return limit === null ? [] : [[name, limit]]
  })
  return given.length === 0 ? {} : { limits: Object.fromEntries(given) }
}

function parseLimit(text: string): ResourceLimit | null {
  const inBytes = text.split(':').map((part) => {
    const bytes = /[KMGTPE]$/.test(part) ? parseSize(part) : null
    return bytes === null ? part : String(bytes)
  })
  return text.includes('-') ? null : parseResourceLimit(inBytes.join(':'))
}

/** Lines of a set add up, and an empty one says something. */
function readRights(read: OptionReader, file: UnitFile): Pick<Service, 'noNewPrivileges' | 'bounding'> {
  const held = read.one('Service', 'NoNewPrivileges', parseBoolean, 'write yes or no') === true
  const lines = file.options.filter(
    ({ section, name }) => section === 'Service' && name === 'CapabilityBoundingSet',
  )
  const bounding = capabilitySet(lines.map(({ value }) => value))
  const [line] = lines
  if (bounding === null && line !== undefined)
    read.refuse(line, `"${line.value}" is not understood`, 'give names such as CAP_CHOWN, ~ in front')
  return {
    ...(held && { noNewPrivileges: true }),
    ...(lines.length > 0 && bounding !== null && { bounding }),
  }
}

function parseUmask(text: string): number | null {
  return /^[0-7]{1,4}$/.test(text) ? Number.parseInt(text, 8) : null
}

function parseNice(text: string): number | null {
  return /^[+-]?[0-9]{1,2}$/.test(text) && Number(text) >= -20 && Number(text) <= 19 ? Number(text) : null
}

function parseVariableNames(text: string): readonly string[] | null {
  const { words, problem } = splitWords(text)
  return problem === null && words.every(isVariableName) ? words : null
}

const outputHint = 'write journal, inherit, null, append:/path or truncate:/path'

function readOutput(read: OptionReader): Service['output'] {
  read.one(
    'Service',
    'StandardInput',
    (text) => (text === 'null' ? text : null),
    'only null is possible here',
  )
  const stdout = read.one('Service', 'StandardOutput', parseOutput, outputHint)
  const stderr = read.one('Service', 'StandardError', parseOutput, outputHint)
  const first: Output = stdout === null || stdout === 'inherit' ? { kind: 'log' } : stdout
  return { stdout: first, stderr: stderr === null || stderr === 'inherit' ? first : stderr }
}

function parseOutput(text: string): Output | 'inherit' | null {
  if (text === 'inherit') return text
  if (text === 'journal') return { kind: 'log' }
  if (text === 'null') return { kind: 'null' }
  const [, mode, path] = /^(append|truncate):(\/.*)$/.exec(text) ?? []
  return path === undefined ? null : { kind: 'file', path, mode: mode === 'append' ? 'append' : 'truncate' }
}

/** `[X-Mariposa] Memory=`, else `MemoryMax=`: both are limits that a guard watches over. */
function readMemory(read: OptionReader, memoryMb: number | null): number | null {
  const max = read.one('Service', 'MemoryMax', parseSize, 'give a size such as 256M')
  if (memoryMb !== null) return memoryMb * 1024 ** 2
  return max !== null && Number.isFinite(max) ? max : null
}

/** `CPUQuota=` and `TasksMax=`; an empty value and `infinity` set no limit. */
function readShares(read: OptionReader): Pick<Service, 'cpuPercent' | 'tasks'> {
  // systemd expands no specifiers here: the percent sign stands for itself.
  const line = read.last('Service', 'CPUQuota')
  const cpu = line === null ? null : parseQuota(line.value)
  if (line !== null && cpu === null)
    read.refuse(line, `"${line.value}" is not understood`, 'give a share of a core such as 50%')
  const tasks = read.one('Service', 'TasksMax', parseTasks, 'give a whole number from 1, or infinity')
  return {
    ...(cpu !== null && { cpuPercent: cpu }),
    ...(tasks !== null && Number.isFinite(tasks) && { tasks }),
  }
}

function parseQuota(text: string): number | null {
  const percent = /^(\d{1,7}(?:\.\d{1,4})?)%$/.exec(text)?.[1]
  return percent === undefined || Number(percent) <= 0 ? null : Number(percent)
}

function parseTasks(text: string): number | null {
  if (text === 'infinity') return Number.POSITIVE_INFINITY
  const count = parseCount(text)
  return count === 0 ? null : count
}
