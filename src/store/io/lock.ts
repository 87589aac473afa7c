// One process at a time per directory. Node has no file locks, so the lock is a Unix socket in the directory that its
// holder listens on: the kernel ends the listening with the process, however it dies, and whether anyone listens can
// be asked from any process, user or container that sees the directory. Process ids cannot give that: they are used
// again, and mean something else in another container.
//
// Each process announces itself with a socket of its own name, then looks at all others: where somebody listens it
// withdraws; sockets that nobody listens on are of the dead, and are removed. Two that begin together may both
// withdraw, so they try again after a random wait; but two can never both stay, as each announced before it looked.
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rename, unlink } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { isDiskFull } from '../../lib/io/disk-full.js'
import type { DirectoryLock } from '../disk.js'
import { StoreError } from '../store.js'
import { systemCode } from './errors.js'

const attempts = 6

/** Locks a directory for this process, or throws `store/locked` with the pid of who has it. */
export async function lockDirectory(dir: string): Promise<DirectoryLock> {
  for (let attempt = 1; ; attempt++) {
    const lock = await announceIn(dir)
    const holder = await otherThanUs(dir, lock.name)
    if (holder === null) return lock
    await lock.release()
    if (attempt === attempts) throw lockedError(dir, holder)
    await wait(10 + Math.random() * 20 * attempt)
  }
}

/** Where a full disk has no room for one socket more, those of the dead make it. */
async function announceIn(dir: string): ReturnType<typeof announce> {
  try {
    return await announce(dir)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    await otherThanUs(dir, '')
    return await announce(dir)
  }
}

/** Listens first and takes the name that others look for after, so that nobody sees it silent and thinks it dead. */
async function announce(dir: string): Promise<DirectoryLock & { readonly name: string }> {
  const name = `lock-${process.pid}-${randomBytes(6).toString('hex')}`
  const fresh = `${name}.new`
  const server = createServer((socket) => socket.destroy())
  await withShortPath(dir, fresh, (path) => listen(server, path))
  server.unref()
  await rename(join(dir, fresh), join(dir, name))
  const release = async (): Promise<void> => {
    await unlink(join(dir, name)).catch(() => {
      // Somebody emptied the directory; the lock ends with the listening.
    })
    await new Promise((resolve) => server.close(resolve))
  }
  return { name, release }
}

/** The pid of another process that has announced itself and lives. */
async function otherThanUs(dir: string, ours: string): Promise<string | null> {
  for (const name of await readdir(dir)) {
    const pid = /^lock-(\d+)-[0-9a-f]+$/.exec(name)?.[1]
    if (pid === undefined || name === ours) continue
    if (await withShortPath(dir, name, isListening)) return pid
    await unlink(join(dir, name)).catch(() => {
      // Another process removed it first.
    })
  }
  return null
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Whether a process listens. Whatever is not clearly dead counts as alive. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(systemCode(error) ?? '')))
  })
}

/** A socket's path has room for about 100 bytes; Linux reaches any directory by a short one. */
const longestSocketPath = 100

async function withShortPath<T>(dir: string, name: string, use: (path: string) => Promise<T>): Promise<T> {
  const path = join(dir, name)
  if (Buffer.byteLength(path) <= longestSocketPath) return use(path)
  const handle: FileHandle = await open(dir, 'r')
  try {
    return await use(`/proc/self/fd/${handle.fd}/${name}`)
  } finally {
    await handle.close()
  }
}

function lockedError(dir: string, pid: string): StoreError {
  return new StoreError(
    'store/locked',
    `${dir} is in use by process ${pid}`,
    'one daemon at a time may use a data directory: stop that one first, or name another directory',
  )
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/** Closes what is kept in a directory, and gives the directory free after that, whether it closed or not. */
export async function closeAndRelease(
  kept: { close(): Promise<void> },
  lock: Pick<DirectoryLock, 'release'>,
): Promise<void> {
  try {
    await kept.close()
  } finally {
    await lock.release()
  }
}
