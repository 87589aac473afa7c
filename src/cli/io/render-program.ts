// The program that hears of a file that has changed.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

export interface Ended {
  /** As a shell gives it: 128 and the signal's number for what a signal ended, 127 for what could not be started. */
  readonly code: number
  /** Why it ended, where the status does not say. */
  readonly why: string | null
}

interface RunningProgram {
  /** Never rejects. */
  readonly ended: Promise<Ended>
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts a program with our standard output and error. It gets SIGTERM when `signal` aborts, and SIGKILL when it takes longer than
 * `withinMs`.
 */
export function startProgram(
  [program = '', ...args]: readonly string[],
  signal: AbortSignal,
  withinMs: number | null,
): RunningProgram {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const end = (): void => void child.kill('SIGTERM')
  const late = withinMs === null ? null : setTimeout(() => void child.kill('SIGKILL'), withinMs)
  signal.addEventListener('abort', end)
  const ended = new Promise<Ended>((resolve) => {
    child.on('error', (error) => resolve({ code: 127, why: error.message }))
    child.on('exit', (code, by) => {
      const tooLong = by === 'SIGKILL' && withinMs !== null ? `, after ${withinMs / 1000} s at most` : ''
      resolve({
        code: code ?? 128 + constants.signals[by ?? 'SIGKILL'],
        why: by === null ? null : `ended by ${by}${tooLong}`,
      })
    })
  }).finally(() => {
    if (late !== null) clearTimeout(late)
    signal.removeEventListener('abort', end)
  })
  return { ended, kill: (name) => void child.kill(name) }
}
