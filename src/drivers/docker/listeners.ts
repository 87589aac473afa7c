// Who takes connections at a Unix socket, as /proc/net/unix tells.

/** The flag of a socket that takes connections. */
const accepts = 0x10000

/** The inodes of the sockets that take connections at one of these paths. */
export function listenersAt(table: string, paths: readonly string[]): readonly string[] {
  return table.split('\n').flatMap((line) => {
    // Num RefCount Protocol Flags Type St Inode Path; a path may hold spaces.
    const [, flags = '', inode = '', path = ''] = /^\S+: \S+ \S+ (\S+) \S+ \S+\s+(\d+) (.*)$/.exec(line) ?? []
    return (Number.parseInt(flags, 16) & accepts) !== 0 && paths.includes(path) ? [inode] : []
  })
}
