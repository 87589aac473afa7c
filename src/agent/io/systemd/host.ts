/** The machine whose systemd it is: this one, or, for tests, one that can be reached into. */
export interface SystemdHostAccess {
  /** Put before each absolute path: empty for this machine. */
  readonly root: string
  /** Put before each argument vector: empty for this machine. */
  readonly enter: readonly string[]
}

export const thisHost: SystemdHostAccess = { root: '', enter: [] }
