// What the daemon and the process that keeps the proxy tell each other.

/** Goes up with what another version could not understand: its keeper is replaced then. */
export const keeperProtocol = 1

export const keeperSocket = 'keeper.sock'

/** How the proxy is. */
export interface KeeperState {
  readonly protocol: number
  readonly pid: number
  /** Null while there is none. */
  readonly caddy: number | null
  /** Whether it serves what it was told last. */
  readonly isCurrent: boolean
  /** Why not, where that is known. */
  readonly problem: string | null
}
