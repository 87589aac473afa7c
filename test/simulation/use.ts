// What operators ask of all machines at once: one daemon asks the others over the network, tells what it was told, and names
// those that did not tell.
import { paths, type UseBody } from '../../src/contract/contract.js'
import type { MachineId } from '../../src/model/machine.js'
import { keys } from '../../src/store/records.js'
import type { Clockwork } from './clockwork.js'
import { type Network, NoAnswer, NobodyThere, outside } from './network.js'
import type { Node } from './node.js'
import type { Deed } from './scenario.js'

interface UseParts {
  readonly clockwork: Clockwork
  readonly nodes: readonly Node[]
  readonly network: Network
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** How long a daemon waits for the others, and a little. */
const answersWithinMs = 3500
/** How long whoever asks it waits: what is slow comes late as well. */
const patienceMs = 30_000
/** What was wrong so lately may be why somebody has not answered. */
const excusedMs = 20_000

/** Asks, and judges the answer: no machine is hidden, and none is silent without a reason. Rejects where none comes. */
export async function askUse({ details }: Deed, parts: UseParts): Promise<void> {
  const { clockwork, nodes, network, broke, count } = parts
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
  let tookMs = 0
  /** The machines that it knew of all the time. */
  let known: readonly MachineId[] = []
  const told = await network
    .ask({ from: outside, to: node.name, withinMs: patienceMs }, async () => {
      const at = clockwork.now
      const before = machinesNow()
      const request = { method: 'GET', path: paths.use, headers: {}, body: null, from: '10.0.0.1' } as const
      const answer = await node.knock('api', request)
      tookMs = clockwork.now - at
      const after = machinesNow()
      known = [...before].flatMap(([id, made]) => (after.get(id) === made && after.has(id) ? [id] : []))
      return answer
    })
    .catch((error: unknown) => {
      if (error instanceof NoAnswer || error instanceof NobodyThere) return null
      throw error
    })
  if (told === null) {
    count('asked for use, without an answer')
    return
  }
  const { machines, silent } = JSON.parse(told.text) as UseBody
  if (told.status !== 200) broke(`${node.name} answers ${told.status}: ${told.text}`)
  count('asked for use')
  const troubledAt = (one: Node): number =>
    Math.max(one.troubledAt, network.wrongAt(node.name, one.name), node.troubledAt)
  if (tookMs > answersWithinMs && clockwork.now - node.troubledAt > excusedMs)
    broke(`${node.name} took ${tookMs} ms to say what is used, for others that do not answer`)
  const both = machines.filter(({ machine }) => silent.some((one) => one.machine === machine))
  if (both.length > 0) broke(`${node.name} calls ${both[0]?.hostname} silent, and tells of it`)
  for (const { machine, reason } of silent) {
    count('silent')
    const one = nodes.find(({ id }) => id === machine)
    if (one === undefined || clockwork.now - troubledAt(one) <= excusedMs) continue
    broke(`${node.name} calls ${one.name} silent, which could answer: ${reason}`)
  }
  const named = new Set<string>([...machines, ...silent].map(({ machine }) => machine))
  const hidden = known.find((id) => !named.has(id))
  if (hidden !== undefined) broke(`${node.name} does not tell of ${hidden}, nor that it is silent`)
}
