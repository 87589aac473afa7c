// The terminal that script(1) made for a program: its size, and the end of all that runs in it.
import { type ChildProcess, execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ExecTerminal, TerminalSize } from '../../agent/driver.js'
import { newestOnly } from '../../lib/io/newest-only.js'
import { hasBegun, sizeWords } from '../terminal-words.js'

const beginPauseMs = 20

/** Has the terminal follow the caller's window. */
export function followSize(maker: ChildProcess, terminal: ExecTerminal): void {
  const resize = newestOnly<TerminalSize>(async (size) => {
    const tty = await beginning(maker)
    if (tty !== null) await setSize(tty, size)
  })
  terminal.onResize((size) => {
    resize(size).catch(() => {})
  })
}

/** Kills all that runs in the terminal, and then its maker: whoever ignores a hang-up would live on. */
export function endTerminal(maker: ChildProcess): void {
  const leader = leaderUnder(maker)
  const running = leader === null ? [] : sessionOf(leader)
  for (const pid of [...running, maker.pid ?? 0]) kill(pid)
}

/** The terminal, once the program in it has begun: until then it gets its first size, over any other. Null where that has ended. */
async function beginning(maker: ChildProcess): Promise<string | null> {
  while (maker.pid !== undefined && maker.exitCode === null && maker.signalCode === null) {
    const leader = leaderUnder(maker)
    const tty = leader === null ? null : terminalOf(leader, maker.pid)
    if (tty !== null) return tty
    await delay(beginPauseMs, undefined, { ref: false })
  }
  return null
}

/** The terminal of its leader; null while that is still to become the program. */
function terminalOf(leader: number, maker: number): string | null {
  try {
    const tty = readlinkSync(`/proc/${leader}/fd/0`)
    return tty.startsWith('/dev/pts/') && hasBegun(wordsOf(maker), wordsOf(leader)) ? tty : null
  } catch {
    return null
  }
}

function wordsOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
}

/** The kernel tells the programs in the foreground (SIGWINCH). One that has ended needs no size. */
function setSize(tty: string, size: TerminalSize): Promise<void> {
  return new Promise((resolve) => {
    execFile('stty', ['-F', tty, ...sizeWords(size)], () => resolve())
  })
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
