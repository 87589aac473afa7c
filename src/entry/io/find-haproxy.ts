// Where the program haproxy is looked for.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'

/** The path of whoever asks, and where Debian has it, which that of an ordinary user lacks. */
export function haproxyPath(): string {
  return [
    ...(process.env['PATH'] ?? '').split(':').filter((dir) => dir !== ''),
    '/usr/local/sbin',
    '/usr/sbin',
  ].join(':')
}

/** Whether this machine has it. */
export function hasHaproxy(): boolean {
  return haproxyPath()
    .split(':')
    .some((dir) => isProgram(join(dir, 'haproxy')))
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
