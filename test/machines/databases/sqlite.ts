// SQLite as a service whose slots write themselves: each commits numbered rows one after another, and notes in a file beside
// the database which was committed last.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { removeDir } from '../../remove-dir.js'
import type { Database, Site } from './faults.js'
import { writersIn } from './sole-writer.js'

const scale = 3

/**
 * Some 400 rows a second. Begins behind the last row that is there, so that a row which was lost shows as a number that comes again.
 * The end of SQLite has to end what it reads from as well: systemd has programs ignore SIGPIPE.
 */
const script = `cd "$DIR" && exec 2>>log || exit
sqlite3 -bail rows.db 'PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY)' >/dev/null
next=$(sqlite3 -bail rows.db 'SELECT coalesce(max(id), 0) + 1 FROM rows') || exit
perl -e '$| = 1; print "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL;\\n";
  for (my $n = shift; ; $n++) {
    print "INSERT INTO rows VALUES ($n); SELECT writefile(\\047told\\047, $n);\\n" or exit;
    select undef, undef, undef, 0.002
  }' "$next" | sqlite3 -bail rows.db >/dev/null
`

const isWriter = (words: readonly string[]): boolean =>
  words[0] === 'sqlite3' && words.includes('-bail') && words.includes('rows.db')

export function sqlite(site: Pick<Site, 'kind' | 'host' | 'dataOf'>): Database {
  /** The directory of each slot, as it is now. */
  const slots = (): readonly string[] => Array.from({ length: scale }, (_, slot) => site.dataOf('lite', slot))
  /** The last row of each slot of which was told that it is committed. */
  const told = Array.from({ length: scale }, () => 0)
  const again: string[] = []
  const over = new AbortController()
  let watching: Promise<void> = Promise.resolve()
  let lastAt = performance.now()
  let longestGapMs = 0
  const look = (): void => {
    const before = told.reduce((sum, one) => sum + one)
    for (const [slot, dir] of slots().entries()) {
      const now = lastTold(dir)
      const last = told[slot] ?? 0
      if (now !== null && now < last) again.push(`slot ${slot}: ${now} after ${last}`)
      told[slot] = Math.max(last, now ?? 0)
    }
    const now = performance.now()
    if (told.reduce((sum, one) => sum + one) > before) {
      longestGapMs = Math.max(longestGapMs, now - lastAt)
      lastAt = now
    }
  }
  return {
    service: 'lite',
    scale,
    briefly: true,
    manifest: (version) => `${site.kind}
command: [/bin/sh, -c, ${JSON.stringify(script)}]
environment: {DIR: "{{ .volume.data.path }}", VERSION: "${version}"}
restart: always
volumes: ["data:/var/lib/lite"]
stop: {timeout: 1, preservestopped: "no"}
`,
    isWriter,
    writers: () => slots().flatMap((dir) => writersIn(dir, isWriter)),
    begin: async () => {
      lastAt = performance.now()
      const watch = async (): Promise<void> => {
        while (!over.signal.aborted) {
          look()
          await delay(10, undefined, { signal: over.signal }).catch(() => {})
        }
      }
      watching = watch()
    },
    more: async () => {
      const wanted = told.map((last) => last + 20)
      while (told.some((last, slot) => last < (wanted[slot] ?? 0))) await delay(10)
    },
    missing: async () => again,
    end: async () => {
      await site.host.done('service', 'scale', 'lite', '0')
      over.abort()
      await watching
      look()
      for (const [slot, dir] of slots().entries())
        expect(wholeUpTo(dir)).toBeGreaterThanOrEqual(told[slot] ?? 0)
      return { commits: told.reduce((sum, one) => sum + one), longestGapMs }
    },
  }
}

/** Null while it is written anew, or before the first one. */
function lastTold(dir: string): number | null {
  try {
    const text = readFileSync(join(dir, 'told'), 'utf8')
    return text === '' ? null : Number(text)
  } catch {
    return null
  }
}

/** The last row of a database that nobody writes, which has to be sound, with every row before it. */
function wholeUpTo(dir: string): number {
  // In a copy: SQLite does not find the way into a machine's own files.
  const copy = mkdtempSync(join(tmpdir(), 'mariposa-rows-'))
  try {
    for (const file of readdirSync(dir).filter((name) => name.startsWith('rows.db')))
      copyFileSync(join(dir, file), join(copy, file))
    const sql = 'PRAGMA integrity_check; SELECT count(*), max(id) FROM rows'
    const said = execFileSync('sqlite3', [join(copy, 'rows.db'), sql], { encoding: 'utf8' })
    const [sound, counts = ''] = said.trim().split('\n')
    const [count, last] = counts.split('|').map(Number)
    expect([sound, count]).toEqual(['ok', last])
    return last ?? 0
  } finally {
    removeDir(copy)
  }
}
