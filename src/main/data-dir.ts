// The data directory: what stands in it says what this machine runs, as whom.
import { lstat, mkdir, readlink, stat } from 'node:fs/promises'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { describeError } from '../lib/io/log.js'

/**
 * Makes the data directory where there is none. Throws CommandError where that cannot be, and where somebody else could
 * write what this daemon would run: its owner is neither our account nor root, that of a link on the way to it is, or
 * all may write to it.
 */
export async function makeDataDir(dir: string, uid: number): Promise<void> {
  const link = await linkOfOther(dir, uid)
  if (link !== null) {
    throw unusable(
      `the data directory ${dir} is reached through the symbolic link ${link.path} of user ${link.owner}, who could make this daemon run anything as user ${uid}`,
      `name the directory that is meant: --data-dir DIR, or make the link yours: chown -h ${uid} ${link.path}`,
    )
  }
  const { uid: owner, mode } = await mkdir(dir, { recursive: true, mode: 0o700 })
    .then(() => stat(dir))
    .catch((error: unknown) => {
      throw unusable(
        `the data directory cannot be made: ${describeError(error)}`,
        'name another: --data-dir DIR',
      )
    })
  if (owner !== uid && owner !== 0) {
    throw unusable(
      `the data directory ${dir} belongs to user ${owner}, who could make this daemon run anything as user ${uid}`,
      `chown -R ${uid} ${dir}, if you know what is in it, or name another: --data-dir DIR`,
    )
  }
  if ((mode & 0o002) !== 0)
    throw unusable(`everybody may write to the data directory ${dir}`, `chmod o-w ${dir}`)
}

/** As many as the kernel follows. */
const mostLinks = 40

/** The first symbolic link on the way to a directory that belongs neither to us nor to root; null for none. */
async function linkOfOther(
  dir: string,
  uid: number,
): Promise<{ readonly path: string; readonly owner: number } | null> {
  const { root } = parse(resolve(dir))
  let here = root
  let ahead = stepsOf(resolve(dir))
  for (let links = 0; ahead.length > 0; ) {
    const [step = '', ...rest] = ahead
    ahead = rest
    const path = step === '..' ? dirname(here) : join(here, step)
    const found = await lstat(path).catch(() => null)
    // What is not there yet is made by us, and what cannot be looked at cannot be used.
    if (found === null) return null
    if (!found.isSymbolicLink()) {
      here = path
      continue
    }
    if (found.uid !== uid && found.uid !== 0) return { path, owner: found.uid }
    links += 1
    if (links > mostLinks) return null
    const target = await readlink(path)
    if (target.startsWith(sep)) here = root
    ahead = [...stepsOf(target), ...ahead]
  }
  return null
}

function stepsOf(path: string): readonly string[] {
  return path.split(sep).filter((step) => step !== '' && step !== '.')
}

function unusable(message: string, hint: string): CommandError {
  return new CommandError(exitCodes.failed, 'daemon/data-dir', message, { hint })
}
