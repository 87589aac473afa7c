// PATCH of machines: metadata set and taken away while they run, as JSON patch.

import { orderWrites } from '../../changes/machines.js'
import type { MachineId } from '../../model/machine.js'
import { machineMetadataProblem } from '../../model/machine-metadata.js'
import type { ClusterView } from '../../store/view.js'
import { fieldsOf, textOf, WrittenObject } from './keys.js'
import { changed, type FleetOutcome, refused } from './outcome.js'
import { readJson } from './put-unit.js'

/** Checks every operation, then applies all as one change. */
export function patchMachines(view: ClusterView, body: string): FleetOutcome {
  const value = readJson(body)
  if ('problem' in value) return refused(400, value.problem)
  if (!Array.isArray(value.json)) return refused(400, 'a patch has to be a list of operations')
  const patches = value.json.map(readOperation)
  const wrong = patches.find((patch) => typeof patch === 'string')
  if (typeof wrong === 'string') return refused(400, wrong)
  const byMachine = new Map<MachineId, Record<string, string>>()
  for (const patch of patches) {
    if (typeof patch === 'string') continue
    byMachine.set(patch.machine, { ...byMachine.get(patch.machine), [patch.key]: patch.text })
  }
  const writes = [...byMachine].map(([id, metadata]) =>
    orderWrites(view, id, (order) => ({ ...order, metadata: { ...order.metadata, ...metadata } })),
  )
  return changed(204, {
    decidedOn: writes.flatMap(({ decidedOn }) => decidedOn),
    ops: writes.flatMap(({ ops }) => ops),
    events: writes.flatMap(({ events }) => events),
  })
}

interface MetadataPatch {
  readonly machine: MachineId
  readonly key: string
  /** Empty: the key is taken away, also where the machine's daemon announces it. */
  readonly text: string
}

const metadataPath = /^\/([^/]+)\/metadata\/([A-Za-z0-9_.-]+)$/

/** One operation, or what is wrong with it in fleet's words. */
function readOperation(entry: unknown): MetadataPatch | string {
  const fields = fieldsOf(entry, ['op', 'path', 'value'])
  const [op, path] = [textOf(fields.op), textOf(fields.path)]
  if (op !== 'add' && op !== 'remove' && op !== 'replace') {
    return 'invalid op: expect add, remove, or replace'
  }
  const [, machine, key] = metadataPath.exec(path ?? '') ?? []
  if (machine === undefined || key === undefined) return 'machine metadata path invalid'
  const text = op === 'remove' ? '' : patchedValue(fields.value)
  if (op !== 'remove' && text === '') return 'invalid value: add and replace require a value'
  const wrong = op === 'remove' ? null : machineMetadataProblem(key, text)
  if (wrong !== null) return `invalid value: ${wrong}`
  return { machine: machine as MachineId, key, text }
}

/** fleet's server takes `{"value": "x"}`, its documentation shows `"x"`. */
function patchedValue(said: readonly unknown[]): string {
  const texts = said.flatMap((one) => (one instanceof WrittenObject ? fieldsOf(one, ['value']).value : [one]))
  return textOf(texts) ?? ''
}
