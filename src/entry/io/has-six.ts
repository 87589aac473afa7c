// Whether this machine knows IPv6.
import { existsSync } from 'node:fs'

export function hasSix(): boolean {
  return existsSync('/proc/net/if_inet6')
}
