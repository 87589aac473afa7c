// Sizes of volumes as project quotas of a file system: which project a directory is, and what the programs of the host say of it.
import { spread } from '../lib/hash.js'
import { type Mount, mountOf, parseMounts } from '../lib/mounts.js'

/** Whether any file system of the machine enforces quotas of projects. */
export function hasQuotas(mountinfo: string): boolean {
  return parseMounts(mountinfo).some(enforces)
}

/** Where the file system of a path is mounted, if it enforces quotas of projects; null if it does not. */
export function quotaMountOf(mountinfo: string, path: string): string | null {
  const mount = mountOf(parseMounts(mountinfo), path)
  return mount !== null && enforces(mount) ? mount.path : null
}

function enforces({ options }: Mount): boolean {
  return options.includes('prjquota') || options.includes('pquota')
}

/**
 * The project of a directory: made of its inode, which no other directory of the file system has, and above the numbers that people
 * give (`/etc/projid`). Data that are replaced have another inode, and so another project: old and new do not count together. Of all
 * bits of the inode: xfs spreads directories over the parts of a disk, and on a large one their inodes are equal but for the highest.
 */
export function projectOf(inode: number): number {
  return ours + spread(String(inode), ours)
}

const ours = 2 ** 30

/** What a directory says of its project. */
interface ProjectMark {
  /** 0 for none. */
  readonly project: number
  /** Whether what is made in it belongs to the project as well. */
  readonly isInherited: boolean
}

/** From `lsattr -pd DIR`; null where it says nothing of that. */
export function readProjectMark(said: string): ProjectMark | null {
  const [, project, flags = ''] = /^\s*(\d+) ([-A-Za-z]+) /.exec(said) ?? []
  return project === undefined ? null : { project: Number(project), isInherited: flags.includes('P') }
}

/** The limit in KiB, from what `quota` says of one project on one file system; 0 for none, null where it says nothing. */
export function readHardLimit(said: string): number | null {
  const limit = /^ *\S+ +\d+\*? +\d+ +(\d+) /m.exec(said)?.[1]
  return limit === undefined ? null : Number(limit)
}
