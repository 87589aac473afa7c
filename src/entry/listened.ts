// Where a configuration of Caddy listens.
import type { EntryAddress } from './caddy.js'

/** The addresses of a configuration that `caddyConfig` made, or that Caddy has; none where it serves nothing. */
export function addressesIn(config: string): readonly EntryAddress[] {
  const read = JSON.parse(config) as Config | null
  return Object.values(read?.apps?.http?.servers ?? {}).flatMap(({ listen }) => listen.map(parsed))
}

interface Config {
  readonly apps?: {
    readonly http?: { readonly servers?: Readonly<Record<string, { readonly listen: readonly string[] }>> }
  }
}

function parsed(text: string): EntryAddress {
  const colon = text.lastIndexOf(':')
  return { host: text.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(text.slice(colon + 1)) }
}
