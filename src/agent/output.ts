// The last lines of a run, which outlive what its machine keeps.
import type { OutputLine } from '../model/unit.js'

/** Lines of a run that are kept, and characters of them all together. */
export const outputKept = { lines: 100, characters: 8192 } as const

/** The last lines, as far as both limits go; of a line that alone is too long, its end. */
export function lastOutput(lines: readonly OutputLine[]): readonly OutputLine[] {
  const kept: OutputLine[] = []
  let left: number = outputKept.characters
  for (const { at, stream, line } of lines.slice(-outputKept.lines).reverse()) {
    if (line.length > left && kept.length > 0) break
    kept.push({ at, stream, line: line.slice(-left) })
    left -= line.length
  }
  return kept.reverse()
}
