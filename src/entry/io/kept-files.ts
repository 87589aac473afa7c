// What the keeper of the proxy keeps on disk, so that the next one serves what it served.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { readTextFile } from '../../lib/io/text-file.js'
import { parseJsonOrNone } from '../../lib/json.js'
import type { Time } from '../../lib/time.js'
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

type KeptFile = (typeof keptFiles)[keyof typeof keptFiles]

/** What could not be written is tried again. */
const againMs = 5000

/** One of them; null where it was never written. */
export function readKept(dir: string, file: KeptFile): string | null {
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

interface KeptWriterParts {
  readonly dir: string
  readonly clock: Time
  /** Called with why something could not be written, once for the same again and again. */
  readonly onError: (error: unknown) => void
}

/** Writes them one after the other, the newest text of each, until it is on disk. */
export class KeptWriter {
  readonly #parts: KeptWriterParts
  readonly #unwritten = new Map<KeptFile, string>()
  readonly #loop: Loop

  constructor(parts: KeptWriterParts) {
    this.#parts = parts
    this.#loop = startLoop({
      pass: async () => {
        await this.#writeAll()
        return { wakeAt: null }
      },
      clock: parts.clock,
      intervalMs: againMs,
      backoff: { firstMs: againMs, longestMs: againMs },
      onError: parts.onError,
    })
  }

  /** To be on disk soon, in place of what the file says, and of what it was to say. */
  write(file: KeptFile, text: string): void {
    this.#unwritten.set(file, text)
    this.#loop.wake()
  }

  /** Tries once more what is not on disk yet; what is written after that is not. */
  async close(): Promise<void> {
    await this.#loop.stop()
    await this.#writeAll().catch(this.#parts.onError)
  }

  async #writeAll(): Promise<void> {
    const failures: unknown[] = []
    for (const [file, text] of this.#unwritten) {
      try {
        await replaceFile(join(this.#parts.dir, file), text)
        if (this.#unwritten.get(file) === text) this.#unwritten.delete(file)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
