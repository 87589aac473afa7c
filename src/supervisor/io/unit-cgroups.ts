// The cgroups of units: made before a program is started, and removed when nothing is in them any more.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import type { UnitName } from '../../model/unit.js'
import {
  type CgroupHierarchy,
  type CgroupLimits,
  type Controller,
  controllers,
  controllersFor,
  hierarchiesOf,
  type Joining,
  killsIn,
  settingsOf,
  withAncestors,
} from '../cgroup.js'

/** Where cgroups are; empty where there are none. */
export type CgroupPlace = readonly CgroupHierarchy[]

/** Where the cgroups of a process are, by its `/proc/PID/cgroup`; left out: those that we run in. */
export function cgroupPlace(cgroups = readOr('/proc/self/cgroup')): CgroupPlace {
  return hierarchiesOf(readOr('/proc/self/mountinfo'), cgroups)
}

/** A cgroup for all units: its children can have limits by these controllers. */
interface Parent {
  readonly version: 1 | 2
  readonly dir: string
  readonly controllers: readonly Controller[]
}

interface Search {
  readonly parents: readonly Parent[]
  /** Why a controller holds nothing. */
  readonly whys: ReadonlyMap<Controller, string>
}

/** Makes a cgroup for all units in each hierarchy that has a controller: version 2 first. `id` tells one supervisor from another. */
export function openUnitCgroups(place: CgroupPlace, id: string): UnitCgroups {
  const parents: Parent[] = []
  const whys = new Map<Controller, string>()
  for (const hierarchy of place) {
    const held = parents.flatMap((parent) => parent.controllers)
    const wanted = controllers.filter((one) => !held.includes(one))
    const found =
      hierarchy.version === 2 ? inVersion2(hierarchy, id, wanted) : inVersion1(hierarchy, id, wanted)
    parents.push(...found.parents)
    for (const [controller, why] of found.whys) whys.set(controller, why)
  }
  return new UnitCgroups({ parents, whys })
}

/**
 * Finds the nearest cgroup at or above our own that can have children with limits. One with processes cannot, and one whose own
 * limit of memory we would leave is not left.
 */
function inVersion2({ mount, own }: CgroupHierarchy, id: string, wanted: readonly Controller[]): Search {
  const whys = new Map<Controller, string>()
  for (const cgroup of withAncestors(own)) {
    const folder = join(mount, cgroup)
    const dir = join(folder, `mariposa-${id}`)
    const there = wordsOf(join(folder, 'cgroup.controllers'))
    const enabled = wanted.filter(
      (one) => there.includes(one) && attempt(one, folder, whys, () => enable(folder, one)),
    )
    if (enabled.length > 0 && attempt(enabled, folder, whys, () => make(dir))) {
      const passed = enabled.filter((one) => attempt(one, dir, whys, () => enable(dir, one)))
      if (passed.length > 0) return { parents: [{ version: 2, dir, controllers: passed }], whys }
      remove(dir)
    }
    const max = readOr(join(folder, 'memory.max')).trim()
    if (max !== '' && max !== 'max') {
      const why = `${folder} has a limit of its own (${whys.get('memory') ?? 'it has no children with limits'})`
      return { parents: [], whys: new Map(wanted.map((one) => [one, why])) }
    }
  }
  return { parents: [], whys }
}

/** Below our own, as processes may be in any cgroup of version 1. */
function inVersion1(hierarchy: CgroupHierarchy, id: string, wanted: readonly Controller[]): Search {
  const whys = new Map<Controller, string>()
  const held = hierarchy.controllers.filter((one) => wanted.includes(one))
  const folder = join(hierarchy.mount, hierarchy.own)
  const dir = join(folder, `mariposa-${id}`)
  const isMade = held.length > 0 && attempt(held, folder, whys, () => make(dir))
  return { parents: isMade ? [{ version: 1, dir, controllers: held }] : [], whys }
}

/** Whether it went well; otherwise why it did not is noted. */
function attempt(
  of: Controller | readonly Controller[],
  folder: string,
  whys: Map<Controller, string>,
  act: () => void,
): boolean {
  try {
    act()
    return true
  } catch (error) {
    for (const one of [of].flat()) whys.set(one, `${folder}: ${errorCode(error) ?? String(error)}`)
    return false
  }
}

export class UnitCgroups {
  readonly #parents: readonly Parent[]
  readonly #whys: Search['whys']
  /** What the kernel had killed when a unit was started last. */
  readonly #kills = new Map<UnitName, number>()

  /** Removes what an earlier supervisor has left. */
  constructor({ parents, whys }: Search) {
    this.#parents = parents
    this.#whys = whys
    for (const { dir } of parents) for (const name of listOf(dir)) remove(join(dir, name))
  }

  /** The folders of cgroups whose children can have limits. */
  get dirs(): readonly string[] {
    return this.#parents.map(({ dir }) => dir)
  }

  /** Why the kernel cannot hold limits by a controller; null where it can. */
  whyNot(controller: Controller): string | null {
    if (this.#parentOf(controller) !== undefined) return null
    return this.#whys.get(controller) ?? `there is no controller ${controller}`
  }

  /** Makes the cgroups of a unit and sets its limits, those that can be held; null for none. Throws what the system says. */
  prepare(unit: UnitName, limits: CgroupLimits): Joining | null {
    const asked = controllersFor(limits)
    const used = this.#parents.filter((parent) => asked.some((one) => parent.controllers.includes(one)))
    const files = used.map(({ version, dir, controllers: held }) => {
      const folder = join(dir, unit)
      make(folder)
      for (const controller of asked.filter((one) => held.includes(one)))
        for (const [file, text] of settingsOf(controller, version, limits))
          writeFileSync(join(folder, file), text)
      return join(folder, 'cgroup.procs')
    })
    this.#kills.set(unit, this.#killsOf(unit))
    return files.length === 0 ? null : { files, isNeeded: asked.some((one) => one !== 'memory') }
  }

  /** Whether the kernel has killed something of a unit for its limit since it was started. */
  hasKilled(unit: UnitName): boolean {
    const before = this.#kills.get(unit)
    return before !== undefined && this.#killsOf(unit) > before
  }

  /** Whether something of a unit is in a cgroup that holds it to its memory. */
  holds(unit: UnitName): boolean {
    const parent = this.#parentOf('memory')
    return parent !== undefined && readOr(join(parent.dir, unit, 'cgroup.procs')) !== ''
  }

  /** Removes the cgroups of a unit, where nothing is in them any more. */
  remove(unit: UnitName): void {
    if (this.#kills.delete(unit)) for (const { dir } of this.#parents) remove(join(dir, unit))
  }

  close(): void {
    for (const { dir } of this.#parents) remove(dir)
  }

  #parentOf(controller: Controller): Parent | undefined {
    return this.#parents.find((parent) => parent.controllers.includes(controller))
  }

  #killsOf(unit: UnitName): number {
    const parent = this.#parentOf('memory')
    if (parent === undefined) return 0
    const file = parent.version === 2 ? 'memory.events' : 'memory.oom_control'
    return killsIn(readOr(join(parent.dir, unit, file)))
  }
}

function enable(folder: string, controller: Controller): void {
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
