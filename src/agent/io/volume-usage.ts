// How much of a disk a directory takes up, by a program of the machine that makes way for all others.
import { execFile } from 'node:child_process'

/** Longer than this nobody waits for it: a volume of so many files is not measured. */
const atMostMs = 60_000

/** Bytes of the disk; null where that is not found out in time. What vanishes meanwhile is no error. */
export function measureUsage(dir: string, signal: AbortSignal): Promise<number | null> {
  const words = ['-n', '19', 'du', '--summarize', '--block-size=1', '--one-file-system', '--', dir]
  const options = {
    signal,
    timeout: atMostMs,
    killSignal: 'SIGKILL',
    env: { ...process.env, LC_ALL: 'C' },
  } as const
  return new Promise((resolve) => {
    execFile('nice', words, options, (error, said) => {
      const bytes = /^(\d+)\t/.exec(said)?.[1]
      resolve(bytes === undefined || error?.killed === true ? null : Number(bytes))
    })
  })
}
