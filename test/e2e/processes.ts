// The processes of this machine, and the end of those that the process driver of a data directory runs.
import { readdirSync, readFileSync } from 'node:fs'

/** All of them, by their numbers. */
export function allProcesses(): readonly { readonly pid: string; readonly parent: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => ({ pid, parent: /^PPid:\t(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? '' }))
}

/** Empty for a process that is gone. */
export function readProc(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

/** Kills the supervisor first, so that it sees no program end, and then all that it has started. Nothing to end is no error. */
export function endSupervisor(dataDir: string): void {
  const all = allProcesses()
  const isSupervisor = (pid: string): boolean => {
    const words = readProc(pid, 'cmdline')
    return words.includes('supervisor') && words.includes(dataDir)
  }
  const ending = new Set(all.map(({ pid }) => pid).filter(isSupervisor))
  for (let before = 0; before < ending.size; ) {
    before = ending.size
    for (const { pid, parent } of all) if (ending.has(parent)) ending.add(pid)
  }
  for (const pid of ending) kill(Number(pid))
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
