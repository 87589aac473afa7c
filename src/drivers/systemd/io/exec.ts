// Runs a program beside a unit: in the name spaces, with the environment, the working directory and the user of its
// main process, as they are now. It is a child of the daemon, not of the unit: limits of the unit do not bind it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import type { ExecRequest } from '../../../agent/driver.js'
import { DriverError } from '../../../model/driver-error.js'
import { joinStreams } from '../../io/join-streams.js'
import { endTerminal, followSize } from '../../io/terminal.js'
import { inTerminal } from '../../terminal-words.js'
import { type ProcessOwner, readEnviron, readOwner } from '../process-files.js'
import { endGroup, type SystemdHostAccess } from './host.js'

export async function execBeside(
  host: SystemdHostAccess,
  pid: number,
  request: ExecRequest,
  signal: AbortSignal,
  ended: AbortSignal,
): Promise<{ readonly code: number }> {
  signal.throwIfAborted()
  const proc = `${host.root}/proc/${pid}`
  const [environ, status] = await Promise.all([
    readFile(`${proc}/environ`, 'utf8'),
    readFile(`${proc}/status`, 'utf8'),
  ]).catch((error: unknown) => {
    throw new DriverError('systemd/not-running', 'the main process of the unit has ended', { cause: error })
  })
  const argv = [
    ...host.enter,
    ...enterProcess(pid),
    ...become(request.user, readOwner(status)),
    ...request.argv,
  ]
  const own = readEnviron(environ)
  const { terminal = null } = request
  const { argv: words, environment } =
    terminal === null ? { argv, environment: own } : inTerminal(argv, own, terminal)
  return await run(words, environment, request, [signal, ended])
}

// Programs of ours are named in full: PATH is the unit's.

function enterProcess(pid: number): readonly string[] {
  const spaces = ['--mount', '--uts', '--ipc', '--net']
  return ['/usr/bin/nsenter', '--target', String(pid), ...spaces, `--wd=/proc/${pid}/cwd`, '--']
}

/** The user asked for, with the groups that are theirs; without one, who the main process is. */
function become(user: string | null, owner: ProcessOwner): readonly string[] {
  if (user !== null && !/^[0-9]+$/.test(user)) return ['/usr/sbin/runuser', '--user', user, '--']
  const { uid, gid, groups } = user === null ? owner : { uid: user, gid: user, groups: '' }
  const also = groups === '' ? '--clear-groups' : `--groups=${groups}`
  return ['/usr/bin/setpriv', `--reuid=${uid}`, `--regid=${gid}`, also, '--']
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
