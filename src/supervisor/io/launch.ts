// Makes one process: environment, directory, user, output, and the marks that it is known by later.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { getPriority } from 'node:os'
import { dirname } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import { readTextFile } from '../../lib/io/text-file.js'
import { lateVariables } from '../../lib/late-variables.js'
import { printResourceLimit, type ResourceLimit } from '../../model/resource-limit.js'
import type { UnitFailure } from '../../model/unit.js'
import { greatestAccount, isAccountNumber } from '../../unit/account-number.js'
import { type ExecCommand, expandArgv } from '../../unit/exec.js'
import { type Account, findAccount, findGroup, supplementaryGroups } from '../accounts.js'
import { type Joining, joiningWords } from '../cgroup.js'
import { parseEnvironmentFile } from '../environment-file.js'
import type { LoadedUnit } from '../protocol.js'
import { type Rights, rightsOptions, takesRoot } from '../rights.js'
import type { Output, ProcessLimits, Service } from '../service.js'
import { type AsUser, openAsUser } from './output-file.js'

/** systemd's PATH for services. */
const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

interface Launch {
  readonly unit: LoadedUnit
  readonly command: ExecCommand
  /** The marks of the run and what systemd tells a command about it. */
  readonly variables: Readonly<Record<string, string>>
  /** Log files of the unit. */
  readonly logs: { readonly stdout: string; readonly stderr: string }
  /** How it joins the cgroups of its unit; null where the kernel limits nothing of that. */
  readonly cgroup: Joining | null
}

/** Why a process could not be made. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError'
  readonly failure: UnitFailure
  constructor(failure: UnitFailure, options?: ErrorOptions) {
    super(failure.message, options)
    this.failure = failure
  }
}

/**
 * Starts a command of a unit in a session of its own. Resolves once the program has taken over from us (systemd's
 * `exec`). `onPid` is called at once when there is a process, before anything is waited for. Throws LaunchError.
 */
export function launch({ unit, command, variables, logs, cgroup }: Launch): ChildProcess {
  const { service } = unit
  const identity = resolveIdentity(service.user, service.group, service.groups)
  const environment = { ...environmentOf(unit, identity.account), ...variables }
  const cwd = resolveDirectory(service, identity.account)
  const outputs = [
    openOutput(service.output.stdout, logs.stdout, identity),
    openOutput(service.output.stderr, logs.stderr, identity),
  ]
  const before = process.umask(service.umask)
  try {
    const how = { identity, nice: service.nice, limits: service.limits ?? {}, rights: service, cgroup }
    return spawnCommand(command, environment, cwd, how, ['ignore', ...outputs])
  } finally {
    process.umask(before)
    for (const output of outputs) if (typeof output === 'number') closeSync(output)
  }
}

type Stdio = readonly (number | 'ignore' | 'pipe')[]

/** Starts the program of a command; shared with `exec`, which has pipes where a unit has files. */
export function spawnCommand(
  command: ExecCommand,
  environment: Readonly<Record<string, string>>,
  cwd: string,
  how: ExecCredentials,
  stdio: Stdio,
): ChildProcess {
  const argv = expandArgv(command, environment)
  // A shell that joins a cgroup cannot call a program by another name.
  const cgroup = argv[0] === command.path ? how.cgroup : null
  const wrapped = wrap(command.path, argv, { ...how, cgroup }, environment)
  try {
    const child = spawn(wrapped.path, wrapped.argv.slice(1), {
      argv0: wrapped.argv[0] ?? wrapped.path,
      cwd,
      env: wrapped.environment,
      detached: true,
      stdio: [...stdio],
      ...wrapped.ids,
    })
    if (cgroup !== how.cgroup && how.cgroup !== null) joinAfterwards(how.cgroup, child)
    return child
  } catch (error) {
    throw new LaunchError(spawnFailure(command.path, error), { cause: error })
  }
}

/** What it has started by then stays outside, where the look every few seconds finds it. */
function joinAfterwards({ files }: Joining, { pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    for (const file of files) writeFileSync(file, String(pid))
  } catch {
    // It has ended already, or the look alone has to do.
  }
}

/** Why a program could not be run, from the error of the system; systemd's 203/EXEC. */
export function spawnFailure(path: string, error: unknown): UnitFailure {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return permanent('process/not-found', `${path} is not there (or the interpreter that it names)`)
    case 'EACCES':
    case 'ENOEXEC':
    case 'EISDIR':
      return permanent('process/not-executable', `${path} may not be executed`)
    case 'E2BIG':
      return permanent('process/cannot-start', `the words and variables of ${path} are too long`)
    default: {
      const message = `${path} could not be started: ${errorCode(error) ?? String(error)}`
      return { code: 'process/cannot-start', message, permanent: false }
    }
  }
}

function permanent(code: string, message: string): UnitFailure {
  return { code, message, permanent: true }
}

// Who it runs as.

/** The user and groups of a program. */
export interface Identity {
  /** The user that was asked for; null where the program runs as the supervisor does. */
  readonly account: Account | null
  readonly ids: { readonly uid?: number; readonly gid?: number }
  /** Groups besides the first, which Node's own spawn drops. */
  readonly groups: readonly number[]
}

/** Looks up `User=`, `Group=` and `SupplementaryGroups=`; systemd's 217/USER and 216/GROUP. */
export function resolveIdentity(
  user: string | null,
  group: string | null,
  beside: readonly string[] = [],
): Identity {
  if (user === null && group === null && beside.length === 0) return { account: null, ids: {}, groups: [] }
  refuseBeyond('process/unknown-user', 'user', user)
  refuseBeyond('process/unknown-group', 'group', group)
  const groups = readDatabase('/etc/group')
  const account = user === null ? null : findAccount(readDatabase('/etc/passwd'), user)
  if (user !== null && account === null)
    throw new LaunchError(permanent('process/unknown-user', `there is no user ${user}`))
  const gidOf = (name: string): number => {
    const found = findGroup(groups, name)
    if (found !== null) return found
    throw new LaunchError(permanent('process/unknown-group', `there is no group ${name}`))
  }
  const gid = group === null ? (account?.gid ?? process.getgid?.()) : gidOf(group)
  const uid = account?.uid ?? process.getuid?.()
  const added = beside.map((name) => {
    refuseBeyond('process/unknown-group', 'group', name)
    return gidOf(name)
  })
  if (added.length === 0 && uid === process.getuid?.() && gid === process.getgid?.())
    return { account, ids: {}, groups: [] }
  if (process.getuid?.() !== 0) {
    throw new LaunchError(
      permanent('process/user-not-allowed', 'only root can run a unit as another user or group'),
    )
  }
  const own = account === null || gid === undefined ? [] : supplementaryGroups(groups, account.name, gid)
  const more = [...new Set([...own, ...added])].filter((other) => other !== gid)
  return {
    account,
    ids: { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) },
    groups: more,
  }
}

/** Of which the system takes some for others, or for none. */
function refuseBeyond(code: string, kind: 'user' | 'group', named: string | null): void {
  if (named === null || !/^[0-9]+$/.test(named) || isAccountNumber(named)) return
  const message = `there is no ${kind} ${named}: the highest possible id is ${greatestAccount}`
  throw new LaunchError(permanent(code, message))
}

function readDatabase(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

interface Wrapped {
  readonly path: string
  readonly argv: readonly string[]
  readonly ids: Identity['ids']
  /** The variables of the first program of the words. */
  readonly environment: Readonly<Record<string, string>>
}

/** Who runs a program, and with which priority and limits. */
interface ExecCredentials {
  readonly identity: Identity
  /** `Nice=`; 0: that of the supervisor itself. */
  readonly nice: number
  /** `LimitNOFILE=` and the like: those that are missing are the supervisor's own. */
  readonly limits: ProcessLimits
  readonly rights: Rights
  /** How it joins cgroups, where it does. */
  readonly cgroup: Joining | null
}

/**
 * Programs that set what spawn cannot, and then become the program: prlimit(1) and nice(1) before its first instruction
 * rather than some time after it, and setpriv(1) for what the program may do, and for a user with further groups, which spawn
 * would drop. A niceness below 0, limits above those of before and a smaller bounding set have to be set before the privileges
 * for it are gone.
 */
function wrap(
  path: string,
  argv: readonly string[],
  { identity, nice, limits, rights, cgroup }: ExecCredentials,
  environment: Readonly<Record<string, string>>,
): Wrapped {
  const { ids, groups } = identity
  const limited = limitOptions(limits)
  const allowed = allowedOptions(rights)
  // nice(1) adds to the niceness of the supervisor, which another one may have been given.
  const added = nice === 0 ? 0 : nice - getPriority()
  const isSet = added < 0 || limited.length > 0 || allowed.length > 0 || cgroup !== null
  const asUser = groups.length > 0 || (isSet && ids.gid !== undefined)
  if (added === 0 && !isSet && !asUser) return { path, argv, ids, environment }
  if (argv[0] !== path) {
    const message =
      'prefix @ is not possible with Nice=, with limits or rights, nor for a user with further groups'
    throw new LaunchError(permanent('process/cannot-start', message))
  }
  const found = findProgram(path, environment['PATH'] ?? defaultPath)
  if (asUser) assertUserMayExecute(found, identity)
  const held = limited.length === 0 ? [] : [ownTool('prlimit'), ...limited]
  const niced = added === 0 ? [] : [ownTool('nice'), '-n', String(added)]
  const entered = asUser ? [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, groupsOption(groups)] : []
  const set = asUser || allowed.length > 0 ? [ownTool('setpriv'), ...entered, ...allowed, '--'] : []
  // These run as root, with variables that the unit chooses.
  const late = asUser ? lateVariables(environment, path, ownTool) : { early: environment, words: [] }
  const program = [...held, ...niced, ...set, ...late.words, ...argv]
  const words = cgroup === null ? program : joiningWords(cgroup, program, environment)
  return { path: words[0] ?? path, argv: words, ids: asUser ? {} : ids, environment: late.early }
}

/** Throws where only root could set what a unit says. */
function allowedOptions(rights: Rights): readonly string[] {
  const isRoot = process.getuid?.() === 0
  const refusal = isRoot ? null : refusalOfRights(rights)
  if (refusal !== null) throw new LaunchError(refusal)
  return rightsOptions(rights, isRoot)
}

/** Why a supervisor that is not root cannot run a unit with rights; null where it can. */
export function refusalOfRights(rights: Rights): UnitFailure | null {
  if (!takesRoot(rights)) return null
  const message = 'only root can run a unit with CapabilityBoundingSet=, unless it has NoNewPrivileges=yes'
  return permanent('process/user-not-allowed', message)
}

function limitOptions(limits: ProcessLimits): readonly string[] {
  const given = Object.entries(limits) as readonly (readonly [string, ResourceLimit])[]
  return given.map(([name, limit]) => `--${name}=${printResourceLimit(limit, 'unlimited')}`)
}

function groupsOption(groups: readonly number[]): string {
  return groups.length === 0 ? '--clear-groups' : `--groups=${groups.join(',')}`
}

/** Where the program of a unit is. */
function findProgram(path: string, searched: string): string {
  const found = firstExecutable(path, searched)
  if (found !== null) return found
  throw new LaunchError(permanent('process/not-found', `${path} is not there`))
}

/** A program that we need ourselves, wherever those of the unit are looked for. */
function ownTool(name: string): string {
  const found = firstExecutable(name, defaultPath)
  if (found !== null) return found
  const message = `${name}(1) is not installed on this machine, and limits, rights and further groups of a unit need it: install util-linux and coreutils`
  throw new LaunchError(permanent('process/cannot-start', message))
}

function firstExecutable(path: string, searched: string): string | null {
  const candidates = path.includes('/') ? [path] : searched.split(':').map((folder) => `${folder}/${path}`)
  for (const candidate of candidates) {
    try {
      accessSync(candidate, constants.X_OK)
      return candidate
    } catch (error) {
      const isAway = errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR'
      if (path.includes('/') && !isAway) throw new LaunchError(spawnFailure(path, error), { cause: error })
    }
  }
  return null
}

/**
 * What setpriv finds as the user nobody is told of but the log of the unit. The modes of files mostly say that it will find the
 * program; where they do not, as with access control lists, the system is asked.
 */
function assertUserMayExecute(path: string, identity: Identity): void {
  // What asks is a shell.
  if (path === '/bin/sh' || modesAllow(path, identity)) return
  if (asUser(identity)('test -x "$1"', path, null) === null) return
  const message = `${path} may not be executed by the user of the unit`
  throw new LaunchError(permanent('process/not-executable', message))
}

function modesAllow(path: string, identity: Identity): boolean {
  for (let at = path; ; at = dirname(at)) {
    const seen = statSync(at, { throwIfNoEntry: false })
    if (seen === undefined || !isOpenTo(seen, identity)) return false
    if (at === dirname(at)) return true
  }
}

function isOpenTo({ mode, uid, gid }: Stats, { ids, groups }: Identity): boolean {
  if (ids.uid === 0 || uid === ids.uid) return (mode & 0o100) !== 0
  if (gid === ids.gid || groups.includes(gid)) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

// Where it runs, with what, and where its output goes.

/** `WorkingDirectory=`; systemd's 200/CHDIR. */
export function resolveDirectory({ workingDirectory }: Service, account: Account | null): string {
  if (workingDirectory === null) return '/'
  const path =
    workingDirectory.path === '~' ? (account?.home ?? process.env['HOME'] ?? '/') : workingDirectory.path
  try {
    if (statSync(path).isDirectory()) return path
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') {
      throw new LaunchError(
        permanent('process/bad-directory', `WorkingDirectory=${path}: ${errorCode(error)}`),
        { cause: error },
      )
    }
  }
  if (workingDirectory.optional) return '/'
  throw new LaunchError(permanent('process/bad-directory', `WorkingDirectory=${path} is not a directory`))
}

/** The variables of a unit, as systemd puts them together: later ones win. */
export function environmentOf(
  { service, placed }: LoadedUnit,
  account: Account | null,
): Readonly<Record<string, string>> {
  const login =
    account === null
      ? {}
      : { HOME: account.home, LOGNAME: account.name, USER: account.name, SHELL: account.shell }
  const files = service.environmentFiles.map(({ path, optional }) => readEnvironmentFile(path, optional))
  return Object.assign({ PATH: defaultPath, ...login, ...service.environment }, ...files, placed) as Record<
    string,
    string
  >
}

function readEnvironmentFile(path: string, optional: boolean): Readonly<Record<string, string>> {
  try {
    return parseEnvironmentFile(readTextFile(path))
  } catch (error) {
    if (optional) return {}
    const message = `EnvironmentFile=${path} cannot be read: ${errorCode(error) ?? describeError(error)}`
    throw new LaunchError(permanent('process/bad-environment-file', message), { cause: error })
  }
}

/** Programs write to the files themselves: nothing of ours needs to live for a line not to be lost. */
function openOutput(output: Output, log: string, identity: Identity): number | 'ignore' {
  if (output.kind === 'null') return 'ignore'
  const path = output.kind === 'file' ? output.path : log
  try {
    if (output.kind === 'file') return openFile(output, identity)
    return openSync(log, 'a', 0o600)
  } catch (error) {
    const full = errorCode(error) === 'ENOSPC'
    const code = full ? 'process/disk-full' : 'process/bad-output'
    const isOfUser = output.kind === 'file' && isOther(identity) && error instanceof Error
    const why = isOfUser ? error.message : errorCode(error)
    throw new LaunchError(
      { code, message: `${path} cannot be opened: ${why}`, permanent: false },
      { cause: error },
    )
  }
}

function openFile({ path, mode }: Extract<Output, { kind: 'file' }>, identity: Identity): number {
  if (isOther(identity)) return openAsUser(path, mode, asUser(identity))
  // To open one for writing waits for its reader; to open it for both does not, and the program that fills it waits itself.
  if (isFifo(path)) return openSync(path, constants.O_RDWR)
  if (mode === 'truncate') closeSync(openSync(path, 'w', 0o644))
  return openSync(path, 'a', 0o644)
}

/** Whether the supervisor may do more than the program. */
function isOther({ ids }: Identity): boolean {
  return ids.uid !== undefined && ids.uid !== 0
}

/** Nothing that it runs waits for anybody, unless a path is changed under its hands. */
const longestTryMs = 5000

function asUser(identity: Identity): AsUser {
  return (script, file, held) => {
    const argv = ['/bin/sh', '-c', script, 'sh', file]
    const {
      path,
      argv: words,
      ids,
    } = wrap('/bin/sh', argv, { identity, nice: 0, limits: {}, rights: {}, cgroup: null }, {})
    const { status, stderr, error } = spawnSync(path, words.slice(1), {
      env: { PATH: defaultPath, LC_ALL: 'C' },
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', held ?? 'ignore'],
      timeout: longestTryMs,
      encoding: 'utf8',
      ...ids,
    })
    if (error !== undefined) return describeError(error)
    return status === 0 ? null : stderr.trim()
  }
}

function isFifo(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFIFO() === true
}
