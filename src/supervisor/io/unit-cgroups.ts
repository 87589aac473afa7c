// The cgroups of units: made before a program is started, and removed when nothing is in them any more.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import type { UnitName } from '../../model/unit.js'
import { cgroupMount, killsIn, ownCgroup, withAncestors } from '../cgroup.js'

/** Where the hierarchy of version 2 is mounted, and the cgroup in it that we run in. */
export interface CgroupPlace {
  readonly mount: string
  readonly own: string
}

interface CgroupOptions extends CgroupPlace {
  /** Tells one supervisor of the machine from another. */
  readonly id: string
  /** What limits units: the controller that has to be there. */
  readonly controller: string
}

/** What the system says of itself; null where it has no hierarchy of version 2. */
export function cgroupPlace(): CgroupPlace | null {
  const mount = cgroupMount(readOr('/proc/self/mountinfo'))
  const own = ownCgroup(readOr('/proc/self/cgroup'))
  return mount === null || own === null ? null : { mount, own }
}

/**
 * Finds the nearest cgroup at or above our own that can have children with limits, and makes one for all units there. One with
 * processes cannot, and one whose own limit we would leave is not left. Returns why there is none.
 */
export function openUnitCgroups(options: CgroupOptions): UnitCgroups | { readonly why: string } {
  let why = `there is no controller ${options.controller}`
  for (const cgroup of withAncestors(options.own)) {
    const folder = join(options.mount, cgroup)
    const dir = join(folder, `mariposa-${options.id}`)
    try {
      if (wordsOf(join(folder, 'cgroup.controllers')).includes(options.controller)) {
        enable(folder, options.controller)
        make(dir)
        enable(dir, options.controller)
        return new UnitCgroups(dir)
      }
    } catch (error) {
      remove(dir)
      why = `${folder}: ${errorCode(error) ?? String(error)}`
    }
    const max = readOr(join(folder, `${options.controller}.max`)).trim()
    if (max !== '' && max !== 'max') return { why: `${folder} has a limit of its own (${why})` }
  }
  return { why }
}

export class UnitCgroups {
  readonly dir: string
  /** What the kernel had killed when a unit was started last. */
  readonly #kills = new Map<UnitName, number>()

  /** The folder of a cgroup whose children can have limits. */
  constructor(dir: string) {
    this.dir = dir
    for (const name of listOf(dir)) remove(join(dir, name))
  }

  /** Makes the cgroup of a unit and sets its limits; the file that a process joins by. Throws what the system says. */
  prepare(unit: UnitName, settings: Readonly<Record<string, string>>): string {
    const folder = join(this.dir, unit)
    make(folder)
    for (const [file, text] of Object.entries(settings)) writeFileSync(join(folder, file), text)
    this.#kills.set(unit, this.#killsOf(unit))
    return join(folder, 'cgroup.procs')
  }

  /** Whether the kernel has killed something of a unit for its limit since it was started. */
  hasKilled(unit: UnitName): boolean {
    const before = this.#kills.get(unit)
    return before !== undefined && this.#killsOf(unit) > before
  }

  /** Whether something of a unit is in its cgroup, so that the kernel holds it to its limit. */
  holds(unit: UnitName): boolean {
    return readOr(join(this.dir, unit, 'cgroup.procs')) !== ''
  }

  /** Removes the cgroup of a unit, where nothing is in it any more. */
  remove(unit: UnitName): void {
    if (this.#kills.delete(unit)) remove(join(this.dir, unit))
  }

  close(): void {
    remove(this.dir)
  }

  #killsOf(unit: UnitName): number {
    return killsIn(readOr(join(this.dir, unit, 'memory.events')))
  }
}

function enable(folder: string, controller: string): void {
  const file = join(folder, 'cgroup.subtree_control')
  if (!wordsOf(file).includes(controller)) writeFileSync(file, `+${controller}`)
}

function make(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** The kernel keeps one that something is in; it is taken when the unit is started again, or by the next supervisor. */
function remove(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It is busy, or gone.
  }
}

function listOf(dir: string): readonly string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []))
}

function wordsOf(file: string): readonly string[] {
  return readOr(file).split(/\s+/)
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
