// When a program that was begun in a container runs. Docker takes the request at once and carries it out when its turn
// comes; no word of it says when that is, so that Docker is asked. The end of a program is told when its turn comes too:
// whether it still runs, the kernel knows.
import { readFileSync } from 'node:fs'
import type Docker from 'dockerode'

/** Most programs have ended by the first look. */
const [firstLookMs, longestWaitMs] = [100, 500]

/** Calls `onRunning` once, when Docker knows the program's process or its end. Returns how to stop asking. */
export function tellWhenRunning(
  exec: Docker.Exec,
  onRunning: (stillRuns?: () => boolean) => void,
): () => void {
  let isOver = false
  let timer: NodeJS.Timeout | null = null
  const lookAfter = (waitMs: number): void => {
    timer = setTimeout(() => {
      processOf(exec).then(
        (pid) => {
          if (isOver) return
          if (pid === null) return lookAfter(Math.min(waitMs * 2, longestWaitMs))
          // Processes of a Docker elsewhere cannot be seen from here.
          if (pid === 0) onRunning(() => false)
          else if (isAlive(pid)) onRunning(() => isAlive(pid))
          else onRunning()
        },
        () => {},
      )
    }, waitMs)
  }
  lookAfter(firstLookMs)
  return () => {
    isOver = true
    if (timer !== null) clearTimeout(timer)
  }
}

/** The program's process, 0 when it has ended; null before it runs, and while Docker does not answer. */
async function processOf(exec: Docker.Exec): Promise<number | null> {
  try {
    const { Pid, ExitCode } = await exec.inspect()
    return Pid > 0 ? Pid : ExitCode === null ? null : 0
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
