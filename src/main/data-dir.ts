// The data directory: what stands in it says what this machine runs, as whom.
import { lstat, mkdir, readlink, stat } from 'node:fs/promises'
import { dirname, join, parse, resolve, sep } from 'node:path'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { describeError } from '../lib/io/log.js'

/**
 * Makes the data directory where there is none. Throws CommandError where that cannot be, and where somebody else could
 * write what this daemon would run: its owner is neither our account nor root, that of a link or a directory on the way to it
 * is, or all may write to it or to such a directory.
 */
export async function makeDataDir(dir: string, uid: number): Promise<void> {
  await refuseUnsafeWay(dir, uid)
  const { uid: owner, mode } = await mkdir(dir, { recursive: true, mode: 0o700 })
    .then(() => stat(dir))
    .catch((error: unknown) => {
      throw unusable(
        `the data directory cannot be created: ${describeError(error)}`,
        'give another: --data-dir DIR',
      )
    })
  if (owner !== uid && owner !== 0) {
    throw unusable(
      `the data directory ${dir} belongs to user ${owner}, who could make this daemon run any program as user ${uid}`,
      `chown -R ${uid} ${dir}, if you trust its content, or give another: --data-dir DIR`,
    )
  }
  if ((mode & writableByOthers) !== 0)
    throw unusable(`everybody may write to the data directory ${dir}`, `chmod o-w ${dir}`)
  // What was not there yet may have been put there by somebody else in the meantime.
  await refuseUnsafeWay(dir, uid)
}

const writableByOthers = 0o002
/** In a directory with this bit everybody may make entries, and only their owners may remove or rename them: as /tmp. */
const sticky = 0o1000

/** Throws where another user could put something else in the place of the data directory. */
async function refuseUnsafeWay(dir: string, uid: number): Promise<void> {
  const way = await wayTo(dir)
  const isForeign = ({ owner }: Step): boolean => owner !== uid && owner !== 0
  const link = way.find((step) => step.isLink && isForeign(step))
  if (link !== undefined) {
    throw unusable(
      `the data directory ${dir} is reached through the symbolic link ${link.path} of user ${link.owner}, who could make this daemon run any program as user ${uid}`,
      `give the real directory: --data-dir DIR, or make the link yours: chown -h ${uid} ${link.path}`,
    )
  }
  const parents = way.filter(({ isLink, isLast }) => !isLink && !isLast)
  const foreign = parents.find(isForeign)
  if (foreign !== undefined) {
    throw unusable(
      `the data directory ${dir} is below ${foreign.path} of user ${foreign.owner}, who could put another in its place and make this daemon run any program as user ${uid}`,
      `give another: --data-dir DIR, or take ownership of that one: chown ${uid} ${foreign.path}`,
    )
  }
  const open = parents.find(({ mode }) => (mode & writableByOthers) !== 0 && (mode & sticky) === 0)
  if (open !== undefined) {
    throw unusable(
      `the data directory ${dir} is below ${open.path}, where everybody may write and put another in its place`,
      `chmod o-w ${open.path}, or give another: --data-dir DIR`,
    )
  }
}

/** A directory or a symbolic link on the way to the data directory. */
interface Step {
  readonly path: string
  readonly owner: number
  readonly mode: number
  readonly isLink: boolean
  /** Whether this is the data directory itself. */
  readonly isLast: boolean
}

/** As many as the kernel follows. */
const mostLinks = 40

/** What is passed on the way to a directory, from the root on, behind links as well; as far as it is there. */
async function wayTo(dir: string): Promise<readonly Step[]> {
  const { root } = parse(resolve(dir))
  let here = root
  let ahead = stepsOf(resolve(dir))
  const way: Step[] = []
  const pass = async (path: string, isLast: boolean): Promise<Step | null> => {
    // What is not there yet is made by us, and what cannot be looked at cannot be used.
    const found = await lstat(path).catch(() => null)
    if (found === null) return null
    const step = { path, owner: found.uid, mode: found.mode, isLink: found.isSymbolicLink(), isLast }
    way.push(step)
    return step
  }
  await pass(root, ahead.length === 0)
  for (let links = 0; ahead.length > 0; ) {
    const [name = '', ...rest] = ahead
    ahead = rest
    const path = name === '..' ? dirname(here) : join(here, name)
    const step = await pass(path, ahead.length === 0)
    if (step === null) break
    if (!step.isLink) {
      here = path
      continue
    }
    links += 1
    if (links > mostLinks) break
    const target = await readlink(path)
    if (target.startsWith(sep)) here = root
    ahead = [...stepsOf(target), ...ahead]
  }
  return way
}

function stepsOf(path: string): readonly string[] {
  return path.split(sep).filter((step) => step !== '' && step !== '.')
}

function unusable(message: string, hint: string): CommandError {
  return new CommandError(exitCodes.failed, 'daemon/data-dir', message, { hint })
}
