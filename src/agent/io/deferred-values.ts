// The values that a unit gets when it is loaded: what its machine knows, and the secrets of its project.

import type { FileDirectories } from '../../model/arriving-file.js'
import { callBodyPlace, type GivenBody } from '../../model/call-body.js'
import { DriverError } from '../../model/driver-error.js'
import type { MachineId } from '../../model/machine.js'
import { type MadeOf, madeOf } from '../../model/meta-fingerprints.js'
import type { DesiredUnit } from '../../model/unit.js'
import { type SecretBox, SecretError } from '../../store/io/secret-box.js'
import { type ClusterView, serviceKey } from '../../store/view.js'
import type { DeferredVariable } from '../../unit/deferred-environment.js'
import { metaKeysIn } from '../../unit/deferred-pieces.js'
import type { ArrivingFile } from '../../unit/files.js'
import type { UnitFile } from '../../unit/parse.js'
import { lastOf } from '../../unit/values.js'
import {
  type KnownValues,
  nothingDeferred,
  type ResolvedVariables,
  resolveFiles,
  resolveVariables,
} from '../deferred-environment.js'
import type { FilledFile } from '../driver.js'

/** Where a unit is started, and what it finds there. */
interface LateUnit {
  readonly unit: DesiredUnit
  readonly file: UnitFile
  readonly machine: MachineId
  readonly secrets: SecretBox
  /** Where it finds its volumes, by name. */
  readonly volumes: ReadonlyMap<string, string>
  /** Where it finds its files; null where it has none. */
  readonly files: FileDirectories | null
}

/** Told what is not known, as ends of sentences. */
type OnMissing = (missing: readonly string[]) => void

/** Those files of a unit that are asked for, by their paths. */
export interface SomeFiles {
  readonly paths: readonly string[]
  readonly onMissing: OnMissing
}

/**
 * Fills in a unit's late variables. Throws DriverError: why a secret cannot be opened, and unless somebody is told what is
 * missing, `agent/missing-value`.
 */
export function deferredValuesOf(
  view: ClusterView,
  late: LateUnit,
  variables: readonly DeferredVariable[],
  onMissing: OnMissing = refuseMissing,
): ResolvedVariables {
  if (variables.length === 0) return nothingDeferred
  const filled = resolveVariables(variables, knowledgeOf(view, late))
  onMissing(filled.missing)
  return filled
}

/** Fills in a unit's files in the same way; without those of which something is missing. */
export function filledFilesOf(
  view: ClusterView,
  late: LateUnit,
  files: readonly ArrivingFile[],
  onMissing: OnMissing = refuseMissing,
): readonly FilledFile[] {
  const filled = resolveFiles(files, knowledgeOf(view, late))
  onMissing(filled.missing)
  return filled.files
}

/** Throws DriverError where something is missing. */
export function refuseMissing(missing: readonly string[]): void {
  if (missing.length > 0) throw new DriverError('agent/missing-value', missing.join('; '))
}

function knowledgeOf(view: ClusterView, late: LateUnit): KnownValues {
  const { unit, file, machine, secrets, volumes, files } = late
  const project = unit.instance?.project ?? lastOf(file, 'X-Mariposa', 'Project') ?? ''
  const here = view.machines.get(machine)
  return {
    instanceUuid: unit.instance?.uuid ?? null,
    machineIp: here?.ip ?? null,
    machineMetadata: here?.metadata ?? {},
    volumePath: (volume) => volumes.get(volume) ?? null,
    files,
    meta: (key) => metaValue(view, project, key, secrets),
    call: callsOf(view, unit, secrets),
    isSecret: (key) => view.metaOf(project).get(key)?.secret === true,
  }
}

/** Which values of metadata an instance gets with that, and keeps; null for none. */
export function metaTaken(
  view: ClusterView,
  { instance }: DesiredUnit,
  variables: readonly DeferredVariable[],
  files: readonly ArrivingFile[],
): MadeOf | null {
  if (instance === null) return null
  const pieces = [
    ...variables.flatMap((one) => one.pieces),
    ...files.flatMap(({ text, onChange }) => (onChange === null ? text : [])),
  ]
  const keys = metaKeysIn(pieces)
  return keys.length === 0 ? null : madeOf(keys, view.metaOf(instance.project))
}

/** For an instance that never starts again: its body went with the end of its run. */
const spent: GivenBody = { data: '', variables: {} }

/** Opens each body once. Only an instance of the service that was called finds it. */
function callsOf(
  view: ClusterView,
  { name, instance }: DesiredUnit,
  secrets: SecretBox,
): (id: string) => GivenBody | null {
  const opened = new Map<string, GivenBody | null>()
  const open = (id: string): GivenBody | null => {
    const key = serviceKey(instance?.project ?? '', instance?.service ?? '')
    const body = view.callBodiesOf(key).get(id)
    if (body === undefined) return view.instances.get(name)?.retired == null ? null : spent
    return JSON.parse(opening(secrets, body.sealed, callBodyPlace(body))) as GivenBody
  }
  return (id) => {
    const known = opened.get(id)
    if (known !== undefined) return known
    const given = open(id)
    opened.set(id, given)
    return given
  }
}

function metaValue(view: ClusterView, project: string, key: string, secrets: SecretBox): string | null {
  const meta = view.metaOf(project).get(key)
  if (meta === undefined) return null
  return meta.secret ? opening(secrets, meta.value, `${project}/${key}`) : meta.value
}

function opening(secrets: SecretBox, sealed: string, place: string): string {
  try {
    return secrets.open(sealed, place)
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    throw new DriverError(error.code, error.message, { cause: error })
  }
}
