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

/** The program that listens on a TCP port beside the process `pid`, whose own sockets do not count; null for none. */
export async function otherListenerAt(port: number, pid: number): Promise<string | null> {
  const sockets = await socketsAt(port, ['tcp', 'tcp6'])
  const own = await socketsOf(pid)
  const others = new Set([...sockets].filter((socket) => !own.has(socket)))
  return others.size === 0 ? null : ((await programWith(others)) ?? 'another program')
}

/** Whether a process listens on any TCP port. */
export async function isListening(pid: number): Promise<boolean> {
  const own = await socketsOf(pid)
  const all = own.size === 0 ? own : await socketsAt(null, ['tcp', 'tcp6'])
  return [...all].some((socket) => own.has(socket))
}

const allTables = ['udp', 'udp6', 'tcp', 'tcp6']

/** Those at one port, or at any. */
async function socketsAt(port: number | null, tables = allTables): Promise<ReadonlySet<string>> {
  const ending = port === null ? '' : `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const sockets = new Set<string>()
  for (const table of tables) {
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
    const open = await socketsOf(pid)
    if ([...sockets].some((socket) => open.has(socket))) {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
      return `${name.trim() || 'a program'} (pid ${pid})`
    }
  }
  return null
}

/** What a process has open; nothing of one that may not be looked at. */
async function socketsOf(pid: string | number): Promise<ReadonlySet<string>> {
  const open = await readdir(`/proc/${pid}/fd`).catch(() => [])
  return new Set(await Promise.all(open.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))))
}
