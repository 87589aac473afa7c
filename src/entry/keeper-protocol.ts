// What the daemon and the process that keeps the proxy tell each other.

/** Goes up with what another version could not understand: its keeper is replaced where that is needed. 2: plain TCP. */
export const keeperProtocol = 2

/** The least that a keeper has to understand. */
export function protocolFor(needsTcp: boolean): number {
  return needsTcp ? 2 : 1
}

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
  /** Why a port for plain TCP is not served, by the port; absent before there was such a thing. */
  readonly tcp?: Readonly<Record<string, string>>
  /** The group that each port for plain TCP leads to; absent in versions that did not tell. */
  readonly tcpServed?: Readonly<Record<string, string>>
}
