// Reads units out of their texts, each text once: the units of one template share it.
import { invariant } from '../lib/invariant.js'
import type { HealthCheck } from '../model/health-check.js'
import type { DesiredUnit, UnitName } from '../model/unit.js'
import { type DeferredVariable, deferredEnvironmentOf } from './deferred-environment.js'
import { type ArrivingFile, filesOf } from './files.js'
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

/** Reads unit files once, and remembers what they ask for. */
export interface UnitReader {
  /** The parsed text of a hash, as it is now; throws where it is not there. */
  file(hash: string): UnitFile
  /**
   * What it asks for: one and the same value for units of one text, where the name makes no difference. Of one whose text
   * is not there nothing is known, and it seems to ask for nothing: what acts on that looks first (`isUnitHeld`).
   */
  needs(unit: DesiredUnit): Requirements
  /** Its health checks, with `%m` and `%H` filled in for the machine that it runs on. */
  checks(unit: DesiredUnit): readonly HealthCheck[]
  /** Its variables that are filled in where and when it is started. */
  deferredEnvironment(unit: DesiredUnit): readonly DeferredVariable[]
  /** The files that it finds when it is started. */
  files(unit: DesiredUnit): readonly ArrivingFile[]
  /** A unit is gone, and what was remembered of it goes too. */
  forgetUnit(unit: Pick<DesiredUnit, 'hash' | 'name'>): void
  /** A text is gone. Who still works with a unit of it, to stop it, can read it a while longer. */
  forgetText(hash: string): void
}

/** What is remembered; when it is full it starts over. */
const rememberedAtMost = 20_000
/** Texts that are gone and can still be read. */
const goneKept = 500

/** A reader over the texts that `textOf` finds by hash. An agent gives its `machine`, which checks may speak of. */
export function openUnitReader(
  textOf: (hash: string) => string | undefined,
  machine: SpecifierContext['machine'] = null,
): UnitReader {
  const texts = new Map<string, KnownText>()
  const gone = new Set<string>()
  /** The text that was asked for last: units of one text mostly come one after the other. */
  let latest: KnownText | null = null

  const known = (hash: string): KnownText => {
    if (latest?.hash === hash) return latest
    latest = remember(texts, hash, () => {
      const text = textOf(hash)
      invariant(text !== undefined, `no unit file has the hash ${hash}`)
      return knownText(hash, text)
    })
    return latest
  }
  /** What was read once stays known. */
  const knownOrNone = (hash: string): KnownText =>
    latest?.hash === hash || texts.has(hash) || textOf(hash) !== undefined ? known(hash) : knownText(hash, '')
  const sharedNeeds = (text: KnownText, name: UnitName): Requirements => {
    const { file, dependence, shared } = text
    if (shared !== null && name.endsWith(shared.type)) return shared.needs
    const type = dependence.of(name)
    const needs = remember(text.needs, type, () => requirementsOf(file, name))
    if (!dependence.isNamed) text.shared = { type, needs }
    return needs
  }
  return {
    file: (hash) => {
      const text = textOf(hash)
      // A text that was spoilt and is whole again is read anew.
      if (text !== undefined && known(hash).text !== text) {
        texts.delete(hash)
        latest = null
      }
      return known(hash).file
    },
    needs: ({ hash, name }) => {
      const text = knownOrNone(hash)
      const needs = sharedNeeds(text, name)
      return text.dependence.follows ? following(needs, text.file, name) : needs
    },
    checks: ({ hash, name }) => {
      const { checks, file } = knownOrNone(hash)
      return remember(checks, name, () => readXMariposa(file, { name, machine }).settings.healthChecks)
    },
    deferredEnvironment: ({ hash, name }) => {
      const { late, file } = knownOrNone(hash)
      return remember(late, name, () => deferredEnvironmentOf(file, { name, machine }).variables)
    },
    // Not remembered for each unit: their texts may be long, and they are read when it is started.
    files: ({ hash, name }) => {
      const { file } = knownOrNone(hash)
      return hasFiles(file) ? filesOf(file, { name, machine }).files : none
    },
    forgetUnit: ({ hash, name }) => {
      const text = texts.get(hash)
      if (text === undefined) return
      if (text.dependence.isNamed) text.needs.delete(text.dependence.of(name))
      text.checks.delete(name)
      text.late.delete(name)
    },
    forgetText: (hash) => {
      gone.delete(hash)
      gone.add(hash)
      for (const oldest of gone) {
        if (gone.size <= goneKept) break
        gone.delete(oldest)
        texts.delete(oldest)
        if (latest?.hash === oldest) latest = null
      }
    },
  }
}

const none: readonly never[] = []

function hasFiles(file: UnitFile): boolean {
  return file.options.some(({ section, name }) => section === 'X-Mariposa' && name === 'File')
}

/** A text that was read, and what its units ask for by what of their names makes a difference. */
interface KnownText {
  readonly hash: string
  readonly text: string
  readonly file: UnitFile
  readonly dependence: NameDependence
  /** What all units of a type ask for, where no more of their names makes a difference. */
  shared: { readonly type: string; readonly needs: Requirements } | null
  readonly needs: Map<string, Requirements>
  readonly checks: Map<string, readonly HealthCheck[]>
  readonly late: Map<string, readonly DeferredVariable[]>
}

function knownText(hash: string, text: string): KnownText {
  const { file } = parseUnit(text)
  const dependence = nameDependenceOf(file)
  return { hash, text, file, dependence, shared: null, needs: new Map(), checks: new Map(), late: new Map() }
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
