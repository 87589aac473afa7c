// The terminal that script(1) made for a program: its size, and the end of all that runs in it.
import { type ChildProcess, execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { ExecTerminal, TerminalSize } from '../../agent/driver.js'
import { sizeWords } from '../terminal-words.js'

/** Has the terminal follow the caller's window. */
export function followSize(maker: ChildProcess, terminal: ExecTerminal): void {
  terminal.onResize((size) => {
    const leader = leaderUnder(maker)
    if (leader !== null) resize(leader, size)
  })
}

/** Kills all that runs in the terminal, and then its maker: whoever ignores a hang-up would live on. */
export function endTerminal(maker: ChildProcess): void {
  const leader = leaderUnder(maker)
  const running = leader === null ? [] : sessionOf(leader)
  for (const pid of [...running, maker.pid ?? 0]) kill(pid)
}

/** The kernel tells the programs in the foreground (SIGWINCH). One that has ended needs no size. */
function resize(leader: number, size: TerminalSize): void {
  try {
    const tty = readlinkSync(`/proc/${leader}/fd/0`)
    if (tty.startsWith('/dev/pts/')) execFile('stty', ['-F', tty, ...sizeWords(size)], () => {})
  } catch {
    // It has ended.
  }
}

/** The first process in the terminal: it leads the session. */
function leaderUnder({ pid }: ChildProcess): number | null {
  if (pid === undefined) return null
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')
    return child === undefined || child === '' ? null : Number(child)
  } catch {
    return null
  }
}

function sessionOf(leader: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && sessionOfProcess(name) === leader)
    .map(Number)
}

function sessionOfProcess(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
  } catch {
    return null
  }
}

function kill(pid: number): void {
  if (pid <= 1) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
