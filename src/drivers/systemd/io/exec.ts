// Runs a program beside a unit: in the name spaces, with the environment, the working directory and the user of its
// main process, as they are now. It is a child of the daemon, not of the unit: limits of the unit do not bind it, unless it is what
// the unit is there for.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readlink } from 'node:fs/promises'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExecRequest } from '../../../agent/driver.js'
import { lateVariables } from '../../../lib/late-variables.js'
import { DriverError } from '../../../model/driver-error.js'
import { findAccount, supplementaryGroups } from '../../../supervisor/accounts.js'
import { joinStreams } from '../../io/join-streams.js'
import { endTerminal, followSize } from '../../io/terminal.js'
import { inTerminal } from '../../terminal-words.js'
import {
  isProgram,
  limitWords,
  type ProcessOwner,
  type ProcessRights,
  readEnviron,
  readOwner,
  readRights,
} from '../process-files.js'
import { endGroup, type SystemdHostAccess } from './host.js'

export async function execBeside(
  host: SystemdHostAccess,
  pid: number,
  request: ExecRequest,
  signal: AbortSignal,
  ended: AbortSignal,
  /** The control group of the unit, where the program is bound to it; null for one beside it. */
  group: string | null = null,
): Promise<{ readonly code: number }> {
  signal.throwIfAborted()
  const { environ, status, limits } = await readBegun(`${host.root}/proc/${pid}`, signal, ended)
  const own = readEnviron(environ)
  const { early, words: late } = lateVariables(own, request.argv[0] ?? '', (name) => `/usr/bin/${name}`)
  const owner = request.user === null ? readOwner(status) : await ownerNamed(request.user, host.root)
  const argv = [
    ...host.enter,
    ...(group === null ? [] : bindingWords(group, limits, own)),
    ...enterAs(pid, owner, group === null ? noRights : readRights(status)),
    ...late,
    ...request.argv,
  ]
  const { terminal = null } = request
  const { argv: words, environment } =
    terminal === null ? { argv, environment: early } : inTerminal(argv, early, terminal)
  return await run(words, environment, request, [signal, ended])
}

/** How long systemd may take from the fork of a unit's main process to its program: user lookup, name spaces, credentials. */
const beginLimit = 10_000
const beginPause = 5

/**
 * What `/proc` tells of the main process once it is the unit's program. systemd names a process the main one as soon as it is forked:
 * until the program is executed it is still systemd, as root, outside the unit's name spaces and without its variables.
 * Throws DriverError when the process has ended, or does not become the program.
 */
async function readBegun(
  proc: string,
  signal: AbortSignal,
  ended: AbortSignal,
): Promise<Readonly<Record<'environ' | 'status' | 'limits', string>>> {
  const until = performance.now() + beginLimit
  for (;;) {
    const [exe, environ, status, limits] = await Promise.all([
      readlink(`${proc}/exe`),
      readFile(`${proc}/environ`, 'utf8'),
      readFile(`${proc}/status`, 'utf8'),
      readFile(`${proc}/limits`, 'utf8'),
    ]).catch((error: unknown) => {
      throw new DriverError('systemd/not-running', 'the main process of the unit has ended', { cause: error })
    })
    if (isProgram(exe, environ)) return { environ, status, limits }
    await delay(beginPause)
    signal.throwIfAborted()
    if (ended.aborted || performance.now() > until)
      throw new DriverError('systemd/not-running', 'systemd has not begun the program of the unit')
  }
}

// Programs of ours are named in full: PATH is the unit's.

/** A program beside a unit is not held to what that may do. */
const noRights: ProcessRights = { isHeld: false, bounding: null }

/** Whom a user's name stands for on the machine, whatever the files of the unit say. Throws DriverError `systemd/unknown-user`. */
async function ownerNamed(user: string, root: string): Promise<ProcessOwner> {
  if (/^[0-9]+$/.test(user)) return { uid: user, gid: user, groups: '' }
  const [passwd, group] = await Promise.all([
    readFile(`${root}/etc/passwd`, 'utf8'),
    readFile(`${root}/etc/group`, 'utf8'),
  ])
  const account = findAccount(passwd, user)
  if (account === null) {
    const message = `there is no user ${user} in /etc/passwd of the machine: give a number`
    throw new DriverError('systemd/unknown-user', message, { permanent: true })
  }
  const { uid, gid } = account
  const groups = [gid, ...supplementaryGroups(group, user, gid)]
  return { uid: String(uid), gid: String(gid), groups: groups.join(',') }
}

/**
 * Enters the name spaces of a process as a user. What lies in them may be of the unit's making, programs and libraries
 * of the system among it: whoever is not root becomes their user before anything there is run.
 */
function enterAs(
  pid: number,
  { uid, gid, groups }: ProcessOwner,
  { isHeld, bounding }: ProcessRights,
): readonly string[] {
  const spaces = ['--mount', '--uts', '--ipc', '--net']
  const enter = ['/usr/bin/nsenter', '--target', String(pid), ...spaces, `--wd=/proc/${pid}/cwd`]
  const held = isHeld ? ['--no-new-privs'] : []
  const also = groups === '' ? '--clear-groups' : `--groups=${groups}`
  // To enter takes what a bounding set may lack. Who gains nothing by a program has no use for one.
  const isLess = bounding !== null && !isHeld
  if (uid === '0' || isLess) {
    const less = bounding === null ? [] : [`--bounding-set=${bounding}`]
    const become = ['/usr/bin/setpriv', ...held, ...less, `--reuid=${uid}`, `--regid=${gid}`, also, '--']
    return [...enter, '--', ...become]
  }
  return ['/usr/bin/setpriv', ...held, `--regid=${gid}`, also, '--', ...enter, `--setuid=${uid}`, '--']
}

/** Joins the control group of the unit, in whichever hierarchies there are, with the limits of resources that its processes have. */
function bindingWords(
  group: string,
  limits: string,
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  // A shell leaves variables of its own, which a program is not to see.
  const left = ['PWD', 'OLDPWD', 'SHLVL', '_', 'at'].filter((name) => !Object.hasOwn(environment, name))
  const places = ['', '/unified', '/systemd', '/memory', '/pids', '/cpu,cpuacct', '/cpu']
  const join = `for at in ${places.map((place) => `"/sys/fs/cgroup${place}"`).join(' ')}; do`
  const script = `${join} { echo 0 >"$at$0/cgroup.procs"; } 2>/dev/null; done; unset ${left.join(' ')}; exec "$@"`
  return ['/bin/sh', '-c', script, group, '/usr/bin/prlimit', ...limitWords(limits), '--']
}

async function run(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  request: ExecRequest,
  [signal, ended]: readonly [AbortSignal, AbortSignal],
): Promise<{ readonly code: number }> {
  // A group of its own, so that an abort ends all that it started.
  const child = spawn(program, args, { env: { ...env }, stdio: 'pipe', detached: true })
  child.once('spawn', () => request.onRunning?.())
  const { terminal = null } = request
  if (terminal !== null) followSize(child, terminal)
  const kill = (): void => {
    if (terminal !== null) endTerminal(child)
    endGroup(child)
  }
  for (const one of [signal, ended]) one.addEventListener('abort', kill, { once: true })
  if (ended.aborted) kill()
  try {
    const [closed] = await Promise.all([once(child, 'close'), joinStreams(child, request, signal)])
    const [code, name] = closed as [number | null, NodeJS.Signals | null]
    signal.throwIfAborted()
    return { code: code ?? 128 + (name === null ? 0 : constants.signals[name]) }
  } catch (error) {
    kill()
    signal.throwIfAborted()
    throw new DriverError('systemd/exec-failed', 'the program cannot be run beside the unit', {
      cause: error,
    })
  } finally {
    for (const one of [signal, ended]) one.removeEventListener('abort', kill)
  }
}
