// Secrets of units as environment files: for the owner alone, in a directory that is gone after a reboot where the
// host has one. A unit's own text names the file and no more.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { UnitName } from '../../model/unit.js'
import { printEnvironmentFile } from '../environment-file.js'
import { keepEntriesOf, removeIfEmpty } from './unit-entries.js'

export interface SecretFiles {
  /** Writes or replaces a unit's file and returns its path; null where the unit has no secrets, and no file. */
  write(name: UnitName, secrets: Readonly<Record<string, string>> | undefined): string | null
  remove(name: UnitName): void
  /** Removes those of all other units: a daemon that was killed while it unloaded one may have left them. */
  keepOnly(names: ReadonlySet<string>): void
}

/** Files in a directory, made with the first of them. `root` is put before it where another machine sees it as `/`. */
export function openSecretFiles(dir: string, root = ''): SecretFiles {
  const at = (name: string): string => join(`${root}${dir}`, name)
  return {
    write: (name, secrets = {}) => {
      if (Object.keys(secrets).length === 0) return null
      // Others may look into the directory above: the daemon's socket lies there.
      mkdirSync(dirname(at('')), { recursive: true, mode: 0o755 })
      mkdirSync(at(''), { recursive: true, mode: 0o700 })
      const draft = at(`${name}#`)
      writeFileSync(draft, printEnvironmentFile(secrets), { mode: 0o600 })
      renameSync(draft, at(name))
      return join(dir, name)
    },
    remove: (name) => {
      rmSync(at(name), { force: true })
      removeIfEmpty(at(''))
    },
    keepOnly: (names) => keepEntriesOf(names, at('')),
  }
}
