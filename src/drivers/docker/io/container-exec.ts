// Runs a program inside a container.
import { readdir, readFile } from 'node:fs/promises'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { ExecRequest } from '../../../agent/driver.js'
import { abortable } from '../../../lib/io/abortable.js'
import { DriverError } from '../../../model/driver-error.js'
import { asDriverError, sentenceOf, statusOf } from './connection.js'
import { carry, followSize, noDetachKeys } from './conversation.js'
import { tellWhenRunning } from './exec-begins.js'

/** Resolves to the program's exit status; 126 and 127 where there is no such program. Throws `docker/not-running`. */
export async function execIn(
  docker: Docker,
  id: string,
  request: ExecRequest,
  signal: AbortSignal,
): Promise<{ readonly code: number }> {
  signal.throwIfAborted()
  const { terminal = null } = request
  try {
    const exec = await docker.getContainer(id).exec({
      Cmd: [...request.argv],
      AttachStdin: request.stdin !== null,
      AttachStdout: true,
      AttachStderr: true,
      ...(terminal !== null && { Tty: true, Env: [`TERM=${terminal.type}`], DetachKeys: noDetachKeys }),
      ...(request.user === null ? {} : { User: request.user }),
      abortSignal: signal,
    })
    const hasTerminal = terminal !== null
    const starting = exec.start({ hijack: true, stdin: request.stdin !== null, Tty: hasTerminal })
    const stream = await abortable(starting, signal).catch((error: unknown) => {
      if (signal.aborted) endLate(exec, id, starting)
      throw error
    })
    return { code: await converse(exec, stream, id, request, signal) }
  } catch (error) {
    signal.throwIfAborted()
    const status = statusOf(error)
    if (status === 404 || status === 409) {
      throw new DriverError('docker/not-running', `no program can be run there: ${sentenceOf(error)}`)
    }
    throw asDriverError(error, 'the program was not run')
  }
}

/**
 * Feeds the program and hands on what it writes, to its end; resolves to its exit status. Ends the program when the caller gives up,
 * and when it cannot be talked to any more.
 */
async function converse(
  exec: Docker.Exec,
  stream: Duplex,
  id: string,
  request: ExecRequest,
  signal: AbortSignal,
): Promise<number> {
  let hasGivenUp = false
  const giveUp = (): void => {
    if (hasGivenUp) return
    hasGivenUp = true
    // A Docker that does not answer is not waited for.
    Promise.race([killExec(exec, id), sleep(killWithinMs, undefined, { ref: false })]).then(
      () => stream.destroy(),
      () => stream.destroy(),
    )
  }
  signal.addEventListener('abort', giveUp, { once: true })
  const { onRunning, terminal = null } = request
  const stopAsking = onRunning === undefined ? null : tellWhenRunning(exec, onRunning)
  try {
    signal.throwIfAborted()
    if (terminal !== null) await abortable(followSize(exec, terminal), signal)
    await carry(stream, request)
    return await exitOf(exec, signal)
  } catch (error) {
    giveUp()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
    stopAsking?.()
  }
}

/** The exit status of a program whose output has ended: it may go on for a while, and Docker may be late to note its end. */
async function exitOf(exec: Docker.Exec, signal: AbortSignal): Promise<number> {
  for (;;) {
    const { Running, ExitCode } = await abortable(exec.inspect(), signal)
    if (ExitCode !== null) return ExitCode
    if (!Running) throw new DriverError('docker/not-running', 'the program did not begin')
    await sleep(exitAgainMs, undefined, { signal })
  }
}

/** Ends what nobody waits for any more when it begins. */
function endLate(exec: Docker.Exec, id: string, starting: Promise<Duplex>): void {
  starting.then(
    (stream) => {
      killExec(exec, id).then(
        () => stream.destroy(),
        () => stream.destroy(),
      )
    },
    () => {},
  )
}

/** Docker cannot end an exec, and would leave it running: its processes are killed here, once they are known. */
async function killExec(exec: Docker.Exec, containerId: string): Promise<void> {
  for (let tries = 0; tries < killTries; tries += 1) {
    const { Pid, Running, ExitCode } = await exec.inspect()
    if (Pid > 0) return killSession(Pid, containerId)
    if (!Running && ExitCode !== null) return
    // Docker passes on what the program writes before it has noted which process that is; a busy one takes seconds.
    await sleep(killAgainMs, undefined, { ref: false })
  }
}

/**
 * Docker runs a program as the first of a session: what it has started belongs to that, unless it left on purpose.
 * What is killed may have started another process since the list of processes was read, so it is read again until
 * nothing of the session is left. A process whose number is used again elsewhere is not of the container.
 */
async function killSession(leader: number, containerId: string): Promise<void> {
  for (let tries = 0; tries < killTries; tries += 1) {
    let found = 0
    for (const name of await readdir('/proc')) {
      const pid = Number(name)
      if (pid > 1 && (await sessionOf(pid)) === leader && (await isOf(containerId, pid))) {
        found += 1
        killNow(pid)
      }
    }
    if (found === 0) return
    await sleep(killAgainMs, undefined, { ref: false })
  }
}

async function isOf(containerId: string, pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')).includes(containerId)
}

/** The session of a process; null where it has ended. The name of its program, in brackets, may hold anything. */
async function sessionOf(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state = 'X', , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return session === undefined || 'ZX'.includes(state) ? null : Number(session)
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

const killTries = 600
const killAgainMs = 50
const killWithinMs = 3000
const exitAgainMs = 50
