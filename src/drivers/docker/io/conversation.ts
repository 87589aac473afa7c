// What goes to a program in a container and comes from it, over the one stream that Docker has for that.
import type { Duplex } from 'node:stream'
import type { ExecRequest, ExecTerminal, TerminalSize } from '../../../agent/driver.js'
import { newestOnly } from '../../../lib/io/newest-only.js'
import { takeFrames } from '../frames.js'

/** Feeds a program and hands on what it writes, until it closes its output. */
export async function carry(
  stream: Duplex,
  { stdin, onOutput, terminal = null }: Pick<ExecRequest, 'stdin' | 'onOutput' | 'terminal'>,
): Promise<void> {
  if (stdin !== null) feed(stdin, stream, terminal !== null)
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of stream) {
    if (terminal !== null) {
      await onOutput('stdout', chunk as Uint8Array)
      continue
    }
    const taken = takeFrames(Buffer.concat([rest, chunk as Uint8Array]))
    rest = taken.rest
    for (const { stream: from, bytes } of taken.frames) await onOutput(from, bytes)
  }
}

/** Gives what runs the size of its caller's terminal, now and whenever that changes. A program that has ended needs none. */
export async function followSize(
  program: { resize(size: { readonly w: number; readonly h: number }): Promise<unknown> },
  terminal: ExecTerminal,
): Promise<void> {
  const resize = newestOnly<TerminalSize>(async ({ columns, rows }) => {
    try {
      await program.resize({ w: columns, h: rows })
    } catch {
      // It has ended.
    }
  })
  // Whoever follows is told at once of a newer size, which has to come after this one.
  const first = resize(terminal.size)
  terminal.onResize((size) => {
    resize(size).catch(() => {})
  })
  await first
}

/**
 * Docker can be told other keys that leave a program behind, and not that there are none: a row that nobody types, in the place of
 * Ctrl-P Ctrl-Q. It holds back its first key until the next one.
 */
export const noDetachKeys = 'ctrl-^,ctrl-@,ctrl-^,ctrl-@,ctrl-^,ctrl-@,ctrl-^,ctrl-@'

/** What the end of the input is to who reads a terminal: Ctrl-D. */
const endOfTyping = Uint8Array.of(4)

/**
 * Writes until the input ends or the program takes no more, which is no error of the call. A terminal stays open then: Docker would let
 * go of the program, and of what it writes.
 */
function feed(stdin: AsyncIterable<Uint8Array>, stream: Duplex, isTerminal: boolean): void {
  const write = async (): Promise<void> => {
    for await (const chunk of stdin) {
      if (stream.destroyed) return
      if (!stream.write(chunk)) await drained(stream)
    }
    if (isTerminal) stream.write(endOfTyping)
    else stream.end()
  }
  write().catch((error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))))
}

function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done)
      stream.off('close', done)
      resolve()
    }
    stream.on('drain', done)
    stream.on('close', done)
  })
}
