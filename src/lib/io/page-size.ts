// How large a page of memory is: 4 KiB on most machines, up to 64 KiB on some of ARM and POWER.
import { readFileSync } from 'node:fs'
import { endianness } from 'node:os'

/** AT_PAGESZ of `<elf.h>`. */
const pageSizeKey = 6n
const usualBytes = 4096

/** The page size in an auxiliary vector: pairs of 64 bits, key and value. Null where it says none. */
export function pageSizeIn(vector: Buffer, order: 'BE' | 'LE' = endianness()): number | null {
  const read = (at: number): bigint =>
    order === 'LE' ? vector.readBigUInt64LE(at) : vector.readBigUInt64BE(at)
  for (let at = 0; at + 16 <= vector.length; at += 16)
    if (read(at) === pageSizeKey) return Number(read(at + 8))
  return null
}

let known: number | null = null

/** The size of a page on this machine, as the kernel has told this process. */
export function pageBytes(): number {
  known ??= ask()
  return known
}

function ask(): number {
  try {
    return pageSizeIn(readFileSync('/proc/self/auxv')) ?? usualBytes
  } catch {
    return usualBytes
  }
}
