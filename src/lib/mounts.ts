// What a process sees mounted, from /proc/PID/mountinfo.

export interface Mount {
  /** The directory of the file system that is mounted: `/` for the whole of it. */
  readonly root: string
  readonly path: string
  readonly type: string
  /** Of the file system itself, as the kernel says them. */
  readonly options: readonly string[]
}

/** All mounts, in the order of the file: a later one covers an earlier one of the same path. */
export function parseMounts(mountinfo: string): readonly Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [own = '', filesystem = ''] = line.split(' - ')
    const [, , , root, path] = own.split(' ')
    const [type = '', , options = ''] = filesystem.split(' ')
    if (root === undefined || path === undefined) return []
    return [{ root: unescaped(root), path: unescaped(path), type, options: options.split(',') }]
  })
}

/** The mount that a path without links is on; null where there is none. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | null {
  const around = mounts.filter((mount) => isBelow(path, mount.path))
  return around.toSorted((one, other) => one.path.length - other.path.length).at(-1) ?? null
}

function isBelow(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir === '/' ? '/' : `${dir}/`)
}

/** The kernel writes blanks and the like as three octal digits. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
