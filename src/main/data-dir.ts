// The data directory: what stands in it says what this machine runs, as whom.
import { mkdir, stat } from 'node:fs/promises'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { describeError } from '../lib/io/log.js'

/**
 * Makes the data directory where there is none. Throws CommandError where that cannot be, and where somebody else could
 * write what this daemon would run: its owner is neither our account nor root, or all may write to it.
 */
export async function makeDataDir(dir: string, uid: number): Promise<void> {
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

function unusable(message: string, hint: string): CommandError {
  return new CommandError(exitCodes.failed, 'daemon/data-dir', message, { hint })
}
