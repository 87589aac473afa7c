// When a program that was begun in a container runs. Docker takes the request at once and carries it out when its turn
// comes; no word of it says when that is, so that Docker is asked.
import type Docker from 'dockerode'

/** Most programs have ended by the first look. */
const [firstLookMs, longestWaitMs] = [100, 500]

/** Calls `onRunning` once, when Docker knows the program's process or its end. Returns how to stop asking. */
export function tellWhenRunning(exec: Docker.Exec, onRunning: () => void): () => void {
  let isOver = false
  let timer: NodeJS.Timeout | null = null
  const lookAfter = (waitMs: number): void => {
    timer = setTimeout(() => {
      hasBegun(exec).then(
        (begun) => {
          if (isOver) return
          if (begun) onRunning()
          else lookAfter(Math.min(waitMs * 2, longestWaitMs))
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

/** A Docker that does not answer has nothing to tell yet. */
async function hasBegun(exec: Docker.Exec): Promise<boolean> {
  try {
    const { Pid, ExitCode } = await exec.inspect()
    return Pid > 0 || ExitCode !== null
  } catch {
    return false
  }
}
