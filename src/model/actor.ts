/** Who changed something, as far as that can be known. */
export interface Actor {
  /** `name@host` as the client says, or null. On a unix socket nobody checks it. */
  readonly user: string | null
  /** The program: `mariposa/0.1.0`. */
  readonly client: string | null
  /** The address that it came from; null on a unix socket. */
  readonly address: string | null
  /** The name in the certificate that it showed; absent where it showed none. This one was checked. */
  readonly certificate?: string
}
