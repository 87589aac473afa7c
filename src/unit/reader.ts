// Reads units out of their texts, each text once: the units of one template share it.
import { invariant } from '../lib/invariant.js'
import type { HealthCheck } from '../model/health-check.js'
import type { DesiredUnit, UnitName } from '../model/unit.js'
import { type LateVariable, lateEnvironmentOf } from './late-environment.js'
import { parseUnit, type UnitFile } from './parse.js'
import {
  following,
  type NameDependence,
  nameDependenceOf,
  type Requirements,
  requirementsOf,
} from './requirements.js'
import type { SpecifierContext } from './specifiers.js'
import { readXMariposa } from './x-mariposa.js'

export interface UnitReader {
  /** The parsed text of a hash. */
  file(hash: string): UnitFile
  /** What it asks for: one and the same value for units of one text, where the name makes no difference. */
  needs(unit: DesiredUnit): Requirements
  /** Its health checks, with `%m` and `%H` filled in for the machine that it runs on. */
  checks(unit: DesiredUnit): readonly HealthCheck[]
  /** Its variables that are filled in where and when it is started. */
  lateEnvironment(unit: DesiredUnit): readonly LateVariable[]
}

/** What is remembered; when it is full it starts over, so that units that are gone do not add up. */
const rememberedAtMost = 20_000

/** A reader over the texts that `textOf` finds by hash. An agent gives its `machine`, which checks may speak of. */
export function openUnitReader(
  textOf: (hash: string) => string | undefined,
  machine: SpecifierContext['machine'] = null,
): UnitReader {
  const files = new Map<string, UnitFile>()
  const texts = new Map<string, TextNeeds>()
  const named = new Map<string, Requirements>()
  /** The text that was asked for last: units of one text mostly come one after the other. */
  let latest: TextNeeds | null = null
  const checks = new Map<string, readonly HealthCheck[]>()
  const late = new Map<string, readonly LateVariable[]>()

  const file = (hash: string): UnitFile =>
    remember(files, hash, () => {
      const text = textOf(hash)
      invariant(text !== undefined, `no unit file has the hash ${hash}`)
      return parseUnit(text).file
    })
  const sharedNeeds = (text: TextNeeds, name: UnitName): Requirements => {
    const { hash, dependence, shared } = text
    if (shared !== null && name.endsWith(shared.type)) return shared.needs
    const type = dependence.of(name)
    const needs = remember(named, `${hash} ${type}`, () => requirementsOf(file(hash), name))
    if (!dependence.isNamed) text.shared = { type, needs }
    return needs
  }
  return {
    file,
    needs: ({ hash, name }) => {
      if (latest === null || latest.hash !== hash)
        latest = remember(texts, hash, () => ({
          hash,
          dependence: nameDependenceOf(file(hash)),
          shared: null,
        }))
      const needs = sharedNeeds(latest, name)
      return latest.dependence.follows ? following(needs, file(hash), name) : needs
    },
    checks: (unit) =>
      remember(checks, `${unit.hash} ${unit.name}`, () => {
        const { settings } = readXMariposa(file(unit.hash), { name: unit.name, machine })
        return settings.healthChecks
      }),
    lateEnvironment: (unit) =>
      remember(late, `${unit.hash} ${unit.name}`, () => {
        return lateEnvironmentOf(file(unit.hash), { name: unit.name, machine }).variables
      }),
  }
}

/** What is known of what the units of one text ask for. */
interface TextNeeds {
  readonly hash: string
  readonly dependence: NameDependence
  /** What all units of a type ask for, where no more of their names makes a difference. */
  shared: { readonly type: string; readonly needs: Requirements } | null
}

/** What `make` gives, made once for each key. */
export function remember<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= rememberedAtMost) known.clear()
  const made = make()
  known.set(key, made)
  return made
}
