// The forms of the kernel's files about control groups and processes, and of limits over D-Bus.

/** A field of a file of `name value` lines, such as `cpu.stat`; null where there is none. */
export function readField(text: string, name: string): number | null {
  const value = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]
  return value === undefined ? null : Number(value)
}

/** Resident pages from `/proc/<pid>/statm`. */
export function readResidentPages(statm: string): number {
  return Number(statm.split(' ')[1] ?? 0)
}

/** A limit in bytes over D-Bus; null where there is none, which is the largest number of 64 bits. */
export function readLimit(value: unknown): number | null {
  return typeof value === 'bigint' && value < 2n ** 63n ? Number(value) : null
}
