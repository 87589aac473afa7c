// Files that somebody names, in an option or in a unit. What is no regular file may hold its reader up for ever, as a FIFO does
// that nobody writes to, or have no end.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'

/** More than any file of settings, tokens or certificates holds. */
const mostBytes = 16 * 1024 ** 2
/** Where a FIFO comes to be under the name in the meantime, its opening does not wait for a writer. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK

/** The text of a regular file. Throws at once for anything else, for more than 16 MiB, and where `refuse` does. */
export function readTextFile(path: string, refuse: (found: Stats) => void = () => {}): string {
  refuseOther(statSync(path))
  const fd = openSync(path, flags)
  try {
    const found = fstatSync(fd)
    refuseOther(found)
    refuse(found)
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

/** The same, while other things go on. */
export async function readTextFileLater(
  path: string,
  refuse: (found: Stats) => void = () => {},
): Promise<string> {
  refuseOther(await stat(path))
  const file = await open(path, flags)
  try {
    const found = await file.stat()
    refuseOther(found)
    refuse(found)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function refuseOther(found: Stats): void {
  if (!found.isFile()) throw new Error(`it is ${kindOf(found)}, and no regular file`)
  if (found.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1024 ** 2} MiB`)
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a directory'
  if (found.isFIFO()) return 'a FIFO'
  return found.isSocket() ? 'a socket' : 'a device'
}
