// The machine's own probe: a program that does nothing. What it takes is what the machine takes for anything.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs it once. Resolves when it has ended, and when `signal` aborts; an error that is the machine's is waited out. */
export type OwnProbe = (signal: AbortSignal) => Promise<void>

/** Where there is no such program, nothing is known of the machine, and it is taken to be well. */
export async function runNothing(signal: AbortSignal): Promise<void> {
  try {
    const child = spawn('/bin/true', { stdio: 'ignore', signal, killSignal: 'SIGKILL' })
    await once(child, 'exit')
  } catch (error) {
    if (signal.aborted || isMissing(error)) return
    // No room for one more process, say: that is as slow as can be.
    await once(signal, 'abort')
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
