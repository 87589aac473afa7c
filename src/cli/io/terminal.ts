// The one place that writes: what a terminal understands goes to terminals alone.
import type { WriteStream } from 'node:tty'
import type { Paint } from '../paint.js'
import { colourPaint, plainPaint } from '../paint.js'
import type { Size } from '../progress.js'

export interface Terminal {
  /** Writes to standard output. */
  out(text: string): void
  /** Writes to standard error. */
  err(text: string): void
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
  const coloured = options.color && process.stdout.isTTY && wantsColour(process.env)
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    paint: coloured ? colourPaint : plainPaint,
    liveBlock: (name) =>
      process[name].isTTY && process.env['TERM'] !== 'dumb' ? liveBlock(process[name]) : null,
  }
}

/** https://no-color.org: any value but the empty one. */
function wantsColour(env: NodeJS.ProcessEnv): boolean {
  return (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

function liveBlock(stream: WriteStream): LiveBlock {
  let drawn = 0
  return {
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
    draw: (lines) => {
      const back = drawn === 0 ? '' : `\u001b[${drawn}A`
      stream.write(`${back}\u001b[0J${lines.map((line) => `${line}\n`).join('')}`)
      drawn = lines.length
    },
  }
}
