// Runs a program beside a unit: its variables, directory and user, and pipes to the caller.
import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import type { ExecRequest } from '../../../agent/driver.js'
import { DriverError } from '../../../model/driver-error.js'
import type { Joining } from '../../../supervisor/cgroup.js'
import {
  environmentOf,
  LaunchError,
  resolveDirectory,
  resolveIdentity,
  spawnCommand,
  spawnFailure,
} from '../../../supervisor/io/launch.js'
import type { LoadedUnit } from '../../../supervisor/protocol.js'
import { joinStreams } from '../../io/join-streams.js'
import { endTerminal, followSize } from '../../io/terminal.js'
import { inTerminal, terminalMaker } from '../../terminal-words.js'

/** What marks the processes of the unit's run, and how one joins its cgroups; null where it has none. */
export interface OwnRun {
  readonly variables: Readonly<Record<string, string>>
  readonly cgroup: Joining | null
}

/** Runs it to its end; when the caller gives up or the unit has `ended`, it is killed with all that it started. */
export async function execBeside(
  unit: LoadedUnit,
  request: ExecRequest,
  signal: AbortSignal,
  ended: AbortSignal,
  /** Of a program that is bound to the unit; null for one beside it. */
  own: OwnRun | null = null,
): Promise<{ readonly code: number }> {
  signal.throwIfAborted()
  const [path] = request.argv
  if (path === undefined)
    throw new DriverError('process/not-found', 'there is no program to run', { permanent: true })
  const child = spawnBeside(unit, path, request, own)
  const { terminal = null } = request
  const kill = (): void => {
    if (terminal !== null) endTerminal(child)
    killSession(child)
  }
  if (terminal !== null) followSize(child, terminal)
  const ends = [signal, ended]
  for (const one of ends) one.addEventListener('abort', kill, { once: true })
  if (ended.aborted) kill()
  child.once('spawn', () => request.onRunning?.())
  try {
    const [code] = await Promise.all([exitOf(child, path), joinStreams(child, request, signal)])
    signal.throwIfAborted()
    return { code }
  } catch (error) {
    kill()
    signal.throwIfAborted()
    throw error
  } finally {
    for (const one of ends) one.removeEventListener('abort', kill)
  }
}

function spawnBeside(unit: LoadedUnit, path: string, request: ExecRequest, own: OwnRun | null): ChildProcess {
  const { service } = unit
  try {
    const identity = resolveIdentity(
      request.user ?? service.user,
      request.user === null ? service.group : null,
      request.user === null ? service.groups : [],
    )
    const environment = {
      ...environmentOf(unit, identity.account),
      MARIPOSA_UNIT: unit.name,
      ...own?.variables,
    }
    const { terminal = null } = request
    const { argv, environment: variables } =
      terminal === null
        ? { argv: request.argv, environment }
        : inTerminal(request.argv, environment, terminal)
    const command = {
      path: terminal === null ? path : terminalMaker,
      argv,
      ignoreFailure: false,
      expandVariables: false,
      privileges: 'normal',
    } as const
    const cwd = resolveDirectory(service, identity.account)
    return spawnCommand(
      command,
      variables,
      cwd,
      own === null
        ? { identity, nice: 0, limits: {}, rights: {}, cgroup: null }
        : {
            ...{ identity, nice: service.nice, limits: service.limits ?? {} },
            ...{ rights: service, cgroup: own.cgroup },
          },
      [request.stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    )
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    throw new DriverError(error.failure.code, error.message, {
      permanent: error.failure.permanent,
      cause: error,
    })
  }
}

/** The exit status; of a program that a signal ended it is 128 and the signal's number, as shells say it. */
function exitOf(child: ChildProcess, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const { code, message, permanent } = spawnFailure(path, error)
      reject(new DriverError(code, message, { permanent, cause: error }))
    })
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
}

function killSession({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
