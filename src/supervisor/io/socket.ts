// Where driver and supervisor meet.
import { closeSync, constants, openSync } from 'node:fs'

/** A path to the supervisor's socket that works until it is closed. */
interface SocketFolder {
  readonly path: string
  close(): void
}

/**
 * The socket of a folder, by way of the folder's own descriptor: the address of a unix socket has room for 107 bytes
 * only, and data directories can be deeper than that.
 */
export function openSocketFolder(dir: string): SocketFolder {
  const fd = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: `/proc/self/fd/${fd}/supervisor.sock`, close: () => closeSync(fd) }
}
