// Shows how something comes along, in the manner that fits where it is shown.
import { type Paint, plainPaint } from '../paint.js'
import type { Size } from '../progress.js'
import type { Shell } from './shell.js'

/** Shows one look: as a block of lines, or by what changed since the last. */
type Display = (
  block: (size: Size, paint: Paint) => readonly string[],
  changes: () => readonly string[],
) => void

/** A block that is redrawn on a terminal, a line per change elsewhere, nothing with --quiet or beside JSON in a pipe. */
export function openDisplay({ globals, terminal }: Shell): Display {
  const block = globals.quiet ? null : terminal.liveBlock(globals.json ? 'stderr' : 'stdout')
  if (block !== null) {
    const paint = globals.json ? plainPaint : terminal.paint
    return (lines) => block.draw(lines(block.size(), paint))
  }
  if (globals.quiet || globals.json) return () => {}
  return (_, changes) =>
    terminal.out(
      changes()
        .map((line) => `${line}\n`)
        .join(''),
    )
}
