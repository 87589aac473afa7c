// Runs a program beside a unit: in the name spaces, with the environment, the working directory and the user of its
// main process, as they are now. It is a child of the daemon, not of the unit: limits of the unit do not bind it, unless it is what
// the unit is there for.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readlink } from 'node:fs/promises'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExecRequest } from '../../../agent/driver.js'
import { DriverError } from '../../../model/driver-error.js'
import { joinStreams } from '../../io/join-streams.js'
import { endTerminal, followSize } from '../../io/terminal.js'
import { inTerminal } from '../../terminal-words.js'
import {
  isProgram,
  limitWords,
  type ProcessOwner,
  readEnviron,
  readOwner,
  rightsWords,
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
  const argv = [
    ...host.enter,
    ...(group === null ? [] : bindingWords(group, limits, own)),
    ...enterProcess(pid),
    ...become(request.user, readOwner(status), group === null ? [] : rightsWords(status)),
    ...request.argv,
  ]
  const { terminal = null } = request
  const { argv: words, environment } =
    terminal === null ? { argv, environment: own } : inTerminal(argv, own, terminal)
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

function enterProcess(pid: number): readonly string[] {
  const spaces = ['--mount', '--uts', '--ipc', '--net']
  return ['/usr/bin/nsenter', '--target', String(pid), ...spaces, `--wd=/proc/${pid}/cwd`, '--']
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

/** The user asked for, with the groups that are theirs; without one, who the main process is. */
function become(user: string | null, owner: ProcessOwner, rights: readonly string[]): readonly string[] {
  if (user !== null && !/^[0-9]+$/.test(user)) return ['/usr/sbin/runuser', '--user', user, '--']
  const { uid, gid, groups } = user === null ? owner : { uid: user, gid: user, groups: '' }
  const also = groups === '' ? '--clear-groups' : `--groups=${groups}`
  return ['/usr/bin/setpriv', ...rights, `--reuid=${uid}`, `--regid=${gid}`, also, '--']
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
