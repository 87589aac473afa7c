// Joins the standard streams of a child process to those of a caller, either of whom may be slow or go away.
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExecRequest } from '../../agent/driver.js'

/**
 * Hands streams on as fast as who takes them, until the program has closed its own or `signal` aborts. Resolves when
 * everything that it wrote was taken; rejects with what `onOutput` threw. Nothing that a stream does is left unhandled.
 */
export async function joinStreams(
  child: ChildProcess,
  { stdin, onOutput }: Pick<ExecRequest, 'stdin' | 'onOutput'>,
  signal: AbortSignal,
): Promise<void> {
  feed(child, stdin, signal)
  let refused: { readonly error: unknown } | null = null
  const take = async (stream: Readable | null, name: 'stdout' | 'stderr'): Promise<void> => {
    if (stream === null) return
    const sink = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const chunk of chunks) {
        try {
          await onOutput(name, chunk)
        } catch (error) {
          refused ??= { error }
          throw error
        }
      }
    }
    // A stream that breaks ends with its program, whose exit says more.
    await pipeline(stream, sink, { signal }).catch(() => {})
  }
  await Promise.all([take(child.stdout, 'stdout'), take(child.stderr, 'stderr')])
  // As an object: that it is set within a function escapes the compiler.
  const problem = refused as { readonly error: unknown } | null
  if (problem !== null) throw problem.error
}

/** A program need not read what it is given, and a caller who goes away ends its input. */
function feed(child: ChildProcess, stdin: ExecRequest['stdin'], signal: AbortSignal): void {
  if (child.stdin === null) return
  if (stdin === null) {
    child.stdin.on('error', () => {})
    child.stdin.end()
    return
  }
  pipeline(stdin, child.stdin, { signal }).catch(() => {})
}
