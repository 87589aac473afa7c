// Whether something failed for want of space.

/** EFBIG is the limit of the process (ulimit -f) in place of the disk's. */
const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether a system call failed because the disk is full, or what its user may use of it. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return code !== undefined && noSpace.has(code)
}
