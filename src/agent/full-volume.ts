// When a volume counts as full.
import { describeSize } from '../model/pull.js'

/** What a file system says of itself, as of `statfs`. */
interface Room {
  readonly bsize: number
  readonly bavail: number
  /** 0 where the number of files is not limited. */
  readonly files: number
  readonly ffree: number
}

/** Less than this is no room: what programs write first when they start. */
const leastBytes = 1024 ** 2

/** Why there is no room in a file system; null where there is. */
export function describeFull({ bsize, bavail, files, ffree }: Room): string | null {
  const bytes = bsize * bavail
  if (bytes < leastBytes) return `its disk has ${describeSize(bytes)} left`
  return files > 0 && ffree === 0 ? 'its disk takes no more files' : null
}
