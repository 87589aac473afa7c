// The body of an exec with a terminal: what is typed, new sizes, and the caller's leave.
import type { Readable } from 'node:stream'
import type { ExecTerminal, TerminalSize } from '../../agent/driver.js'
import { readExecInput, type TerminalAsked } from '../exec-terminal.js'
import { bodyOf } from './streams.js'

interface TerminalInput {
  readonly terminal: ExecTerminal
  /** What is typed. Ends with the body, and not when the caller detaches. */
  readonly stdin: AsyncIterable<Uint8Array>
}

/** A line is what was typed between two reads of a terminal, or pasted: this is far more. */
const longestLine = 4 * 1024 * 1024

/** `left` aborts when the caller has detached, which a line of the body says, or another request. */
export function terminalInput(
  body: Readable,
  asked: TerminalAsked,
  onDetach: () => void,
  left: AbortSignal,
): TerminalInput {
  let listener = (_: TerminalSize): void => {}
  async function* typed(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const line of linesOf(body)) {
        if (left.aborted) break
        const input = readExecInput(line)
        if (input === null) throw new Error('a line of the input of a terminal cannot be read')
        if ('base64' in input) yield Buffer.from(input.base64, 'base64')
        else if ('columns' in input) listener(input)
        else {
          onDetach()
          break
        }
      }
    } catch (error) {
      // Who has detached closes the connection.
      if (!left.aborted) throw error
    }
    // The end of its input would end the program: it has none from here on.
    if (left.aborted) await new Promise(() => {})
  }
  return {
    stdin: typed(),
    terminal: {
      ...asked,
      onResize: (call) => {
        listener = call
      },
    },
  }
}

async function* linesOf(body: Readable): AsyncGenerator<string, void, undefined> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of bodyOf(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new Error('a line of the input of a terminal is too long')
    yield* lines.filter((line) => line !== '')
  }
}
