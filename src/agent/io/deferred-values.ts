// The values that a unit gets when it is loaded: what its machine knows, and the secrets of its project.

import { DriverError } from '../../model/driver-error.js'
import type { MachineId } from '../../model/machine.js'
import { type MadeOf, madeOf } from '../../model/made-of.js'
import type { DesiredUnit } from '../../model/unit.js'
import { type SecretBox, SecretError } from '../../store/io/secret-box.js'
import type { ClusterView } from '../../store/view.js'
import type { DeferredVariable } from '../../unit/deferred-environment.js'
import type { UnitFile } from '../../unit/parse.js'
import { lastOf } from '../../unit/values.js'
import { nothingDeferred, type ResolvedVariables, resolveVariables } from '../deferred-environment.js'

/** Fills in a unit's late variables. Throws DriverError: `agent/missing-value`, or why a secret cannot be opened. */
export function deferredValuesOf(
  view: ClusterView,
  unit: DesiredUnit,
  file: UnitFile,
  variables: readonly DeferredVariable[],
  machine: MachineId,
  secrets: SecretBox,
  volumes: ReadonlyMap<string, string>,
): ResolvedVariables {
  if (variables.length === 0) return nothingDeferred
  const project = unit.instance?.project ?? lastOf(file, 'X-Mariposa', 'Project') ?? ''
  const here = view.machines.get(machine)
  const filled = resolveVariables(variables, {
    instanceUuid: unit.instance?.uuid ?? null,
    machineIp: here?.ip ?? null,
    machineMetadata: here?.metadata ?? {},
    volumePath: (volume) => volumes.get(volume) ?? null,
    meta: (key) => metaValue(view, project, key, secrets),
  })
  if (filled.missing.length === 0) return filled
  throw new DriverError('agent/missing-value', filled.missing.join('; '))
}

/** Which values of metadata an instance gets with that; null for none. */
export function metaTaken(
  view: ClusterView,
  { instance }: DesiredUnit,
  variables: readonly DeferredVariable[],
): MadeOf | null {
  if (instance === null) return null
  const keys = variables.flatMap(({ pieces }) =>
    pieces.flatMap((piece) => (piece.kind === 'meta' ? [piece.key] : [])),
  )
  return keys.length === 0 ? null : madeOf(keys, view.metaOf(instance.project))
}

function metaValue(view: ClusterView, project: string, key: string, secrets: SecretBox): string | null {
  const meta = view.metaOf(project).get(key)
  if (meta === undefined) return null
  if (!meta.secret) return meta.value
  try {
    return secrets.open(meta.value, `${project}/${key}`)
  } catch (error) {
    if (!(error instanceof SecretError)) throw error
    throw new DriverError(error.code, error.message, { cause: error })
  }
}
