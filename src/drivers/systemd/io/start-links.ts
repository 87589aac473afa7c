// Links by which other units of the host start ours along with themselves, as `systemctl enable --runtime` makes them.
import { mkdirSync, readlinkSync, rmdirSync, rmSync, symlinkSync } from 'node:fs'
import { namesIn } from '../../../lib/io/names-in.js'
import type { UnitName } from '../../../model/unit.js'
import type { StartedBy } from '../../../unit/install.js'

export interface StartLinks {
  /** Makes those of a unit that are not there yet. */
  put(name: UnitName, units: readonly StartedBy[]): void
  remove(name: UnitName, units: readonly StartedBy[]): void
  /**
   * Makes the links what they are to be, for all our units: a daemon that was killed has left some out, or behind. Gives the units
   * that start others or no longer do.
   */
  sync(held: ReadonlyMap<UnitName, readonly StartedBy[]>): readonly UnitName[]
}

/** `linkDir` is where systemd looks for units that are made at run time; ours are in `unitsDir`. Both lie below `root`. */
export function openStartLinks(root: string, linkDir: string, unitsDir: string): StartLinks {
  const dirOf = ({ how, by }: StartedBy): string => `${root}${linkDir}/${by}.${how}`
  const isOurs = (path: string, name: string): boolean => targetOf(path) === `${unitsDir}/${name}`
  const put = (name: UnitName, one: StartedBy): boolean => {
    const path = `${dirOf(one)}/${name}`
    if (isOurs(path, name)) return false
    mkdirSync(dirOf(one), { recursive: true })
    // The host has no unit of this name: what is there leads nowhere.
    rmSync(path, { force: true })
    symlinkSync(`${unitsDir}/${name}`, path)
    return true
  }
  const remove = (name: UnitName, one: StartedBy): void => {
    const path = `${dirOf(one)}/${name}`
    if (!isOurs(path, name)) return
    rmSync(path, { force: true })
    removeIfEmpty(dirOf(one))
  }
  /** Every link to a unit of ours. */
  const all = function* (): Generator<readonly [UnitName, StartedBy]> {
    for (const dir of namesIn(`${root}${linkDir}`)) {
      const [, by = '', how] = /^(.+)\.(wants|requires)$/.exec(dir) ?? []
      if (how !== 'wants' && how !== 'requires') continue
      for (const name of namesIn(`${root}${linkDir}/${dir}`))
        if (isOurs(`${root}${linkDir}/${dir}/${name}`, name))
          yield [name as UnitName, { how, by: by as UnitName }]
    }
  }
  return {
    put: (name, units) => {
      for (const one of units) put(name, one)
    },
    remove: (name, units) => {
      for (const one of units) remove(name, one)
    },
    sync: (held) => {
      const changed = new Set<UnitName>()
      for (const [name, one] of all()) {
        if (held.get(name)?.some(({ how, by }) => how === one.how && by === one.by) === true) continue
        remove(name, one)
        changed.add(one.by)
      }
      for (const [name, units] of held) for (const one of units) if (put(name, one)) changed.add(one.by)
      return [...changed]
    },
  }
}

function targetOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // Others have links there, too.
  }
}
