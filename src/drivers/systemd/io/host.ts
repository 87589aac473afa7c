/** The machine whose systemd it is: this one, or, for tests, one that can be reached into. */
export interface SystemdHostAccess {
  /** Put before each absolute path: empty for this machine. */
  readonly root: string
  /** Put before each argument vector: empty for this machine. */
  readonly enter: readonly string[]
}

export const thisHost: SystemdHostAccess = { root: '', enter: [] }

/** Kills a program that was spawned as a group of its own (`detached`), with all that it started. */
export function endGroup({ pid }: { readonly pid?: number | undefined }): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
