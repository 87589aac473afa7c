// Which start of the machine this is.
import { readFileSync } from 'node:fs'

/** Tells one boot of the machine from another; null where the machine does not say. */
export function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null
  }
}
