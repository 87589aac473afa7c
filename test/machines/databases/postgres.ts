// PostgreSQL as a service with a volume of its slot, and a client that commits numbered rows as fast as it can and remembers
// those of which it was told that they are committed.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Site } from './faults.js'
import { writersIn } from './sole-writer.js'

/** The programs of Debian's package, on the host, in its machines and in the image. */
const programs = '/usr/lib/postgresql/15/bin'

/** A server, as its words say; what it forks calls itself `postgres: …`. */
export const isPostmaster = ([program]: readonly string[]): boolean => program === `${programs}/postgres`

/**
 * A manifest for one server that listens on a socket in its volume. `kind` is its driver or image with the user; `version` is
 * anything that makes another version.
 */
export function postgresManifest(kind: string, version: string): string {
  return `${kind}
environment: {PGDATA: "{{ .volume.data.path }}/main", RUN: "{{ .volume.data.path }}", VERSION: "${version}"}
command:
  - /bin/sh
  - -c
  - |
    exec >> "$RUN/log" 2>&1
    [ -s "$PGDATA/PG_VERSION" ] || ${programs}/initdb --auth=trust --no-locale --encoding=UTF8 || exit
    exec ${programs}/postgres -k "$RUN" -c listen_addresses= -c max_wal_size=256MB
restart: always
volumes: ["data:/var/lib/postgresql"]
stop: {timeout: 20, preservestopped: "no"}
stop_signal: INT
`
}

/** One server in slot 0, and a client of it. */
export function postgres(site: Site): Database {
  const data = site.dataOf('db', 0)
  const client = new CommittingClient(() => data)
  return {
    service: 'db',
    scale: 1,
    briefly: false,
    manifest: (version) => postgresManifest(`${site.kind}\nuser: postgres`, version),
    isWriter: isPostmaster,
    writers: () => writersIn(join(data, 'main'), isPostmaster),
    begin: () => client.begin(),
    more: () => client.more(200),
    missing: () => client.missing(),
    end: async () => {
      await client.end()
      return { commits: client.committed, longestGapMs: client.longestGapMs }
    },
  }
}

/** So many at a time: they share the writing of one block to the disk, as those of a web server do. */
const connections = 8

export class CommittingClient {
  readonly #sockets: () => string
  readonly #table: string
  readonly #committed: number[] = []
  readonly #wanted: { readonly count: number; readonly reached: () => void }[] = []
  #next = 0
  #ended = false
  #running: Promise<unknown> = Promise.resolve()
  #lastAt = performance.now()
  #longestGapMs = 0

  /**
   * `sockets` gives the directory of the server's socket as the host sees it, or an address: it may move. Each client of a server
   * has a table of its own.
   */
  constructor(sockets: () => string, table = 'rows') {
    this.#sockets = sockets
    this.#table = table
  }

  /** Makes the table, once the server has begun, and begins to commit. */
  async begin(): Promise<void> {
    await this.ask(`CREATE TABLE IF NOT EXISTS ${this.#table} (id int PRIMARY KEY)`)
    this.#lastAt = performance.now()
    this.#running = Promise.all(Array.from({ length: connections }, () => this.#write()))
  }

  get committed(): number {
    return this.#committed.length
  }

  /** For how long nobody was told of a commit, at most. */
  get longestGapMs(): number {
    return this.#longestGapMs
  }

  /** Resolves when so many more are committed than now, which the server does once it has begun again. */
  more(count: number): Promise<void> {
    return new Promise((reached) => {
      this.#wanted.push({ count: this.#committed.length + count, reached })
    })
  }

  /** The rows of which was told that they are committed, and which are not there. */
  async missing(): Promise<readonly number[]> {
    const told = this.#committed.slice()
    const there = new Set((await this.ask(`COPY ${this.#table} TO STDOUT`)).split('\n').map(Number))
    return told.filter((id) => !there.has(id))
  }

  /** Asks until the server answers; resolves to what psql prints. */
  async ask(sql: string): Promise<string> {
    for (;;) {
      const psql = this.#psql(['-c', sql])
      psql.stdin.end()
      const said = psql.stdout.setEncoding('utf8').toArray() as Promise<string[]>
      const [code] = (await once(psql, 'close')) as [number]
      if (code === 0) return (await said).join('').trim()
      await delay(50)
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#running
  }

  #psql(words: readonly string[]): ChildProcessWithoutNullStreams {
    const target = ['-h', this.#sockets(), '-U', 'postgres', '-d', 'postgres']
    const psql = spawn(`${programs}/psql`, ['-X', '-q', '-t', '-A', ...target, ...words])
    psql.stdin.on('error', () => {})
    psql.stderr.resume()
    return psql
  }

  async #write(): Promise<void> {
    while (!this.#ended) {
      const psql = this.#psql(['-v', 'ON_ERROR_STOP=1'])
      const closed = once(psql, 'close')
      // The row comes back once it is committed, each in a transaction of its own. It is numbered anew after a failure: what
      // became of that one nobody knows.
      const insert = (): void =>
        void psql.stdin.write(`INSERT INTO ${this.#table} VALUES (${this.#next++}) RETURNING id;\n`)
      insert()
      for await (const line of createInterface(psql.stdout)) {
        this.#remember(Number(line))
        if (this.#ended) break
        insert()
      }
      psql.stdin.end()
      psql.kill('SIGKILL')
      await closed
      if (!this.#ended) await delay(20)
    }
  }

  #remember(id: number): void {
    const now = performance.now()
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastAt)
    this.#lastAt = now
    this.#committed.push(id)
    for (const one of this.#wanted.splice(0)) {
      if (this.#committed.length >= one.count) one.reached()
      else this.#wanted.push(one)
    }
  }
}
