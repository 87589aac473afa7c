// Files that a unit names for its output, opened by root for a program that runs as somebody else: with what that user may.
import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs'

/**
 * Runs words of shell as the user, with a path as `$1` and an open file as number 3. Returns null where they succeed, else
 * what they said.
 */
export type AsUser = (script: string, path: string, held: number | null) => string | null

/** Linux's number for a file that is held without being opened: neither a FIFO nor a device notices. */
const O_PATH = 0o10000000

/**
 * Opens it, made by the user where there is none. The path may lead elsewhere at any moment, so what the user may is asked of
 * the very file that is opened then. Throws where the user may not.
 */
export function openAsUser(path: string, mode: 'append' | 'truncate', asUser: AsUser): number {
  // Gets there with the rights of the user, and opens no FIFO, which would wait for its reader.
  refuse(path, asUser('test -e "$1" || : >>"$1"', path, null))
  const held = openSync(path, O_PATH)
  try {
    refuse(path, asUser('test -w /proc/self/fd/3', path, held))
    return reopen(held, mode)
  } finally {
    closeSync(held)
  }
}

function reopen(held: number, mode: 'append' | 'truncate'): number {
  const itself = `/proc/self/fd/${held}`
  const found = fstatSync(held)
  if (found.isFIFO()) return openSync(itself, constants.O_RDWR)
  const opened = openSync(itself, constants.O_WRONLY | constants.O_APPEND | constants.O_NOCTTY)
  if (mode === 'truncate' && found.isFile()) ftruncateSync(opened, 0)
  return opened
}

function refuse(path: string, why: string | null): void {
  if (why === null) return
  const isFull = /No space left/.test(why)
  throw Object.assign(
    new Error(`the user of the unit may not write to ${path}${why === '' ? '' : ` (${why})`}`),
    {
      code: isFull ? 'ENOSPC' : 'EACCES',
    },
  )
}
