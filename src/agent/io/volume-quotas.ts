// Holds volumes to their sizes where the file system that they are on enforces quotas of projects, by the programs of the host that know
// each of these file systems. Where it does not, their size is looked at and told (volume-meter.ts).
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describeError, type Log } from '../../lib/io/log.js'
import { hasQuotas, projectOf, quotaMountOf, readHardLimit, readProjectMark } from '../volume-quotas.js'

/** A volume that is about to be used. */
export interface VolumeToHold {
  /** As people know it. */
  readonly name: string
  /** Its data. */
  readonly dir: string
  /** Null for no limit. */
  readonly sizeMb: number | null
}

/** Never throws: a volume without its quota is used all the same, and the log says why. */
export class VolumeQuotas {
  readonly #log: Log
  /** Why a volume is not held, as it was said last. */
  readonly #said = new Map<string, string>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Has a volume hold no more than its size from now on. Resolves at once where no file system has such quotas. */
  async hold(volume: VolumeToHold, signal: AbortSignal): Promise<void> {
    if (process.geteuid?.() !== 0) return
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    if (!hasQuotas(mounts)) return
    try {
      const dir = await realpath(volume.dir)
      const mount = quotaMountOf(mounts, dir)
      if (mount !== null) await this.#hold({ ...volume, dir }, mount, signal)
    } catch (error) {
      if (!signal.aborted) this.#notHeld(volume, whyOf(error))
    }
  }

  async #hold(volume: VolumeToHold, mount: string, signal: AbortSignal): Promise<void> {
    const { name, dir, sizeMb } = volume
    const project = projectOf((await stat(dir)).ino)
    const mark = readProjectMark(await run('lsattr', ['-pd', dir], signal))
    if (mark === null) throw new Error('lsattr says nothing of its project')
    if (mark.project !== 0 && mark.project !== project) {
      this.#notHeld(
        volume,
        `its directory belongs to the project ${mark.project} already, which is not Mariposa's`,
      )
      return
    }
    if (sizeMb === null && mark.project === 0) return
    const limit = await limitOf(project, mount, signal)
    const wanted = (sizeMb ?? 0) * kibInMib
    if (mark.project === project && mark.isInherited && limit === wanted) return
    const limitTo = async (kib: number): Promise<void> => {
      await run('setquota', ['--project', String(project), '0', String(kib), '0', '0', mount], signal)
    }
    // The limit comes last: where that is there, all that was in the volume before counts as well. A directory that is gone by now and
    // had this inode may have left one.
    if (sizeMb !== null && limit === wanted) await limitTo(0)
    if (sizeMb !== null) await joinProject(dir, project, signal)
    await limitTo(wanted)
    this.#said.delete(name)
    const message = sizeMb === null ? 'has no quota any more' : `is held to ${sizeMb} MiB by a quota`
    this.#log.info('volumes', `the volume ${name} ${message}`, { project })
  }

  /** Said once for each volume and reason. */
  #notHeld({ name, sizeMb }: VolumeToHold, why: string): void {
    if (sizeMb === null || this.#said.get(name) === why) return
    this.#said.set(name, why)
    this.#log.warn('volumes', `the size of the volume ${name} is not held by a quota: ${why}`)
  }
}

const kibInMib = 1024

/** All that is in a directory belongs to a project from now on: what is made in it first, then what is there. */
async function joinProject(dir: string, project: number, signal: AbortSignal): Promise<void> {
  const join = ['-exec', 'chattr', '-f', '-p', String(project)]
  await run('chattr', ['-p', String(project), '+P', dir], signal)
  await run('find', [dir, '-xdev', '-type', 'd', ...join, '+P', '{}', '+'], signal)
  await run('find', [dir, '-xdev', '-type', 'f', ...join, '{}', '+'], signal)
}

/** In KiB. */
async function limitOf(project: number, mount: string, signal: AbortSignal): Promise<number | null> {
  const how = ['--project', '--verbose', '--no-wrap', '--raw-grace', `--filesystem=${mount}`]
  // It fails where the project has reached its limit, and says all the same.
  const said = await run('quota', [...how, String(project)], signal).catch((error: unknown) => {
    if (error instanceof Error && 'stdout' in error && error.stdout !== '') return String(error.stdout)
    throw error
  })
  return readHardLimit(said)
}

async function run(program: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C' }
  const { stdout } = await promisify(execFile)(program, [...args], { signal, env })
  return stdout
}

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' && path !== undefined && !path.includes('/'))
    return `this machine has no ${path}: install the package ${path === 'chattr' || path === 'lsattr' ? 'e2fsprogs' : 'quota'} there`
  const said = 'stderr' in error ? String(error.stderr).trim() : ''
  return said === '' ? describeError(error) : said
}
