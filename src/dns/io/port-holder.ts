// Who holds a port of this machine, as far as we may look.
import { readdir, readFile, readlink } from 'node:fs/promises'

/** The program that holds a port: `systemd-resolved (pid 712)`; null where that cannot be found out. */
export async function holderOf(port: number): Promise<string | null> {
  try {
    const sockets = await socketsAt(port)
    return sockets.size === 0 ? null : await programWith(sockets)
  } catch {
    return null
  }
}

async function socketsAt(port: number): Promise<ReadonlySet<string>> {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const sockets = new Set<string>()
  for (const table of ['udp', 'udp6', 'tcp', 'tcp6']) {
    const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '')
    for (const line of text.split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      const listens = table.startsWith('udp') || state === '0A'
      if (listens && local.endsWith(ending) && inode !== undefined) sockets.add(`socket:[${inode}]`)
    }
  }
  return sockets
}

async function programWith(sockets: ReadonlySet<string>): Promise<string | null> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const open = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const fd of open) {
      if (!sockets.has(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))) continue
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      return `${name.trim() || 'a program'} (pid ${pid})`
    }
  }
  return null
}
