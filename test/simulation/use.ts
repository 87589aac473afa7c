// The use of all machines, as operators ask for it: none is hidden, and none is both silent and told of.
import { paths, type UseBody } from '../../src/contract/contract.js'
import type { MachineId } from '../../src/model/machine.js'
import { keys } from '../../src/store/records.js'
import { askEverywhere, type EverywhereParts } from './everywhere.js'
import type { Deed } from './scenario.js'

/** How long a daemon waits for the others, and a little. */
const answersWithinMs = 3500

export async function askUse({ details }: Deed, parts: EverywhereParts): Promise<void> {
  const { nodes, broke } = parts
  const node = nodes.find(({ name }) => name === details['via'])
  const registry = node?.daemon?.registry
  if (node === undefined || registry === undefined) return
  // One whose lease ended and that is back since has another record.
  const machinesNow = (): ReadonlyMap<MachineId, number | undefined> =>
    new Map(
      [...registry.view.machines.keys()].map((id) => [
        id,
        registry.entryAt(keys.machine(id))?.createRevision,
      ]),
    )
  let before = machinesNow()
  const asked = { path: paths.use, what: 'what is used', answersWithinMs }
  const told = await askEverywhere<UseBody>(node, asked, parts, () => {
    before = machinesNow()
  })
  if (told === null) return
  const after = machinesNow()
  /** The machines that it knew of all the time. */
  const known = [...before].flatMap(([id, made]) => (after.get(id) === made && after.has(id) ? [id] : []))
  const { machines, silent } = told
  const both = machines.filter(({ machine }) => silent.some((one) => one.machine === machine))
  if (both.length > 0) broke(`${node.name} calls ${both[0]?.hostname} silent, and tells of it`)
  const named = new Set<string>([...machines, ...silent].map(({ machine }) => machine))
  const hidden = known.find((id) => !named.has(id))
  if (hidden !== undefined) broke(`${node.name} does not tell of ${hidden}, nor that it is silent`)
}
