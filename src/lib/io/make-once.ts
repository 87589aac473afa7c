// A file that is made once, for good, by whoever is first.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from './error-code.js'

/**
 * Makes a file for its owner alone, on the disk when this returns. It appears whole or not at all; one that is there already
 * stays as it is.
 */
export function makeOnce(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeDurably(draft, text)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  // What bears the name may be another's, who has not come so far yet: it is relied on from here on.
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
