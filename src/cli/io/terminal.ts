// The one place that writes: what a terminal understands goes to terminals alone.
import type { WriteStream } from 'node:tty'
import type { Paint } from '../paint.js'
import { colourPaint, plainPaint } from '../paint.js'
import type { Size } from '../progress.js'
import { isTerminal, outputStream, writeOutput } from './output.js'

export interface Terminal {
  /** Writes to standard output. */
  out(text: string): void
  /** Writes to standard error. */
  err(text: string): void
  /** Writes to standard error what is no end: lines that are redrawn stay below it. */
  note(text: string): void
  /** How many columns standard output shows; null where it is no terminal. */
  width(): number | null
  /** Colours for standard output. */
  readonly paint: Paint
  /** A block of lines to redraw; null where progress would not reach a terminal. */
  liveBlock(stream: 'stdout' | 'stderr'): LiveBlock | null
}

export interface LiveBlock {
  size(): Size
  /** Replaces the lines drawn last. */
  draw(lines: readonly string[]): void
}

/** The process's own streams. */
export function processTerminal(options: { readonly color: boolean }): Terminal {
  let live: { aside(write: () => void): void } | null = null
  const open = (stream: WriteStream): LiveBlock => {
    const block = liveBlock(stream)
    live = block
    return block
  }
  const err = (text: string): void => writeOutput('stderr', text)
  const coloured = options.color && isTerminal('stdout') && wantsColour(process.env)
  return {
    out: (text) => writeOutput('stdout', text),
    err,
    note: (text) => {
      if (live === null || !isTerminal('stderr')) err(text)
      else live.aside(() => err(text))
    },
    width: () => (isTerminal('stdout') ? process.stdout.columns || 80 : null),
    paint: coloured ? colourPaint : plainPaint,
    liveBlock: (name) =>
      isTerminal(name) && process.env['TERM'] !== 'dumb' ? open(outputStream(name)) : null,
  }
}

/** https://no-color.org: any value but the empty one. */
function wantsColour(env: NodeJS.ProcessEnv): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

function liveBlock(stream: WriteStream): LiveBlock & { aside(write: () => void): void } {
  let drawn: readonly string[] = []
  const draw = (lines: readonly string[]): void => {
    const back = drawn.length === 0 ? '' : `\u001b[${drawn.length}A`
    stream.write(`${back}\u001b[0J${lines.map((line) => `${line}\n`).join('')}`)
    drawn = lines
  }
  return {
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
    draw,
    /** Writes something else above the lines. */
    aside: (write) => {
      const lines = drawn
      draw([])
      write()
      draw(lines)
    },
  }
}
