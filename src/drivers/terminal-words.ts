// A terminal without a native addon: script(1) of util-linux makes one and runs a shell's line in it.
import type { TerminalSize } from '../agent/driver.js'
import { shellQuoted } from '../lib/shell-quote.js'

/** What runs a program in a terminal of its own: its words, and the variables that change. */
interface TerminalCommand {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** The program that makes terminals. */
export const terminalMaker = '/usr/bin/script'

/**
 * Wraps a program. script takes `SHELL` for the shell that reads the line, so that the program gets its own value back;
 * no window tells script a size, so that stty sets it before the program begins: named in full, as PATH is the program's.
 */
export function inTerminal(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  terminal: { readonly type: string; readonly size: TerminalSize },
): TerminalCommand {
  const { SHELL: shell } = environment
  const own = shell === undefined ? 'unset SHELL' : `SHELL=${shellQuoted(shell)}`
  const line = `/bin/stty ${sizeWords(terminal.size).join(' ')} echo; ${own}; exec ${argv.map(shellQuoted).join(' ')}`
  return {
    argv: [terminalMaker, '--quiet', '--flush', '--return', '--command', line, '/dev/null'],
    environment: { ...environment, TERM: terminal.type, SHELL: '/bin/sh' },
  }
}

/** What stty takes for a size. */
export function sizeWords({ columns, rows }: TerminalSize): readonly string[] {
  return ['rows', String(rows), 'cols', String(columns)]
}

/** Whether what leads a terminal is the program by now, by its words and those of the maker: first it is as the maker, then the shell. */
export function hasBegun(maker: readonly string[], leader: readonly string[]): boolean {
  const isMaker = leader.join('\0') === maker.join('\0')
  return leader.length > 0 && !isMaker && !(leader[1] === '-c' && maker.includes(leader[2] ?? ''))
}
