// What the keeper of the proxy keeps on disk, so that the next one serves what it served.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readTextFile } from '../../lib/io/text-file.js'
import { parseJsonOrNone } from '../../lib/json.js'
import type { TcpListen } from '../haproxy.js'
import type { UpstreamTable } from '../upstreams.js'

/** The configuration of Caddy, who serves, the ports for plain TCP, the port at which Caddy asks who serves, and certificates of the metadata. */
export const keptFiles = {
  config: 'config.json',
  upstreams: 'upstreams.json',
  tcp: 'tcp.json',
  resolver: 'resolver.port',
  certificates: 'certificates.json',
} as const

/** One of them; null where it was never written. */
export function readKept(dir: string, file: (typeof keptFiles)[keyof typeof keptFiles]): string | null {
  const path = join(dir, file)
  return existsSync(path) ? readTextFile(path) : null
}

/** The upstreams as of the last time; none if the file is missing or damaged: the daemon sends all of them to a new keeper. */
export function keptTable(dir: string): UpstreamTable {
  const found = parseJsonOrNone(readKept(dir, keptFiles.upstreams) ?? '{}')
  const isTable = typeof found === 'object' && found !== null && !Array.isArray(found)
  return isTable ? (found as UpstreamTable) : {}
}

/** The ports for plain TCP, likewise. */
export function keptListens(dir: string): readonly TcpListen[] {
  const found = parseJsonOrNone(readKept(dir, keptFiles.tcp) ?? '[]')
  return Array.isArray(found) ? (found as readonly TcpListen[]) : []
}

/** What a keeper of the folder would serve by itself; null for nothing. */
export function keptIn(dir: string): { readonly hasTcp: boolean } | null {
  const hasTcp = keptListens(dir).length > 0
  return hasTcp || existsSync(join(dir, keptFiles.config)) ? { hasTcp } : null
}

/** What was served is not served again. */
export function forgetKept(dir: string): void {
  for (const file of Object.values(keptFiles)) rmSync(join(dir, file), { force: true })
}
