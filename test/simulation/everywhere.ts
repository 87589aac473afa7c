// What operators ask of all machines at once: one daemon asks the others over the network, tells what it was told, and names
// those that did not tell.
import { ProblemError } from '../../src/api/io/context.js'
import type { Problem } from '../../src/changes/problem.js'
import type { ErrorBody } from '../../src/contract/contract.js'
import type { MachineId } from '../../src/model/machine.js'
import type { Clockwork } from './clockwork.js'
import type { DoorAnswer, DoorRequest } from './doors.js'
import { type Network, NoAnswer, NobodyThere, outside } from './network.js'
import type { Node } from './node.js'
import { apiToken } from './secrets-judge.js'

export interface EverywhereParts {
  readonly clockwork: Clockwork
  readonly nodes: readonly Node[]
  readonly network: Network
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** `what`: for those who read of it. */
interface Asked {
  readonly path: string
  readonly what: string
  /** How long a daemon waits for the others, and a little. */
  readonly answersWithinMs: number
}

/** A machine that did not tell, and why, as the answer has it. */
interface Silent {
  readonly machine: MachineId
  readonly reason: string
}

/** How long whoever asks it waits: what is slow comes late as well. */
const patienceMs = 30_000
/** What was wrong so lately may be why somebody has not answered. */
const excusedMs = 20_000

/** Whether something was wrong with one of two daemons lately, or between them, so that one may not have heard the other. */
export function isExcused(
  node: Node,
  other: Node,
  { clockwork, network }: Pick<EverywhereParts, 'network' | 'clockwork'>,
): boolean {
  const wrongAt = network.wrongAt(node.name, other.name)
  return clockwork.now - Math.max(other.troubledAt, wrongAt, node.troubledAt) <= excusedMs
}

/**
 * The answer of a daemon to somebody outside, and how long it took for it; null where none comes. `begun`: it has just got the
 * request.
 */
export async function askOutside(
  node: Node,
  request: {
    readonly method: DoorRequest['method']
    readonly path: string
    readonly body?: object
    readonly token?: string
  },
  { network, clockwork }: Pick<EverywhereParts, 'network' | 'clockwork'>,
  begun: () => void = () => {},
): Promise<(DoorAnswer & { readonly tookMs: number }) | null> {
  try {
    return await network.ask({ from: outside, to: node.name, withinMs: patienceMs }, async () => {
      begun()
      const at = clockwork.now
      const { method, path, body, token = apiToken } = request
      const sent = body === undefined ? null : Buffer.from(JSON.stringify(body))
      const type = sent !== null && { 'content-type': 'application/json' }
      const headers = { authorization: `Bearer ${token}`, ...type }
      const asked = { method, path, headers, body: sent, from: '10.0.0.1' } as const
      return { ...(await node.knock('api', asked)), tookMs: clockwork.now - at }
    })
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof NobodyThere) return null
    throw error
  }
}

/** What an answer refuses something with. */
export function refusalOf({ status, text }: Pick<DoorAnswer, 'status' | 'text'>): ProblemError {
  return new ProblemError({ status: status as Problem['status'], ...(JSON.parse(text) as ErrorBody).error })
}

/**
 * Asks a daemon for what all machines have, and judges that it answers in time, and calls none silent without a reason. Resolves
 * to the body, or null where none comes. `begun`: it has just got the request.
 */
export async function askEverywhere<B extends { readonly silent: readonly Silent[] }>(
  node: Node,
  { path, what, answersWithinMs }: Asked,
  parts: EverywhereParts,
  begun: () => void,
): Promise<B | null> {
  const { clockwork, nodes, broke, count } = parts
  const told = await askOutside(node, { method: 'GET', path }, parts, begun)
  if (told === null) {
    count(`asked for ${what}, without an answer`)
    return null
  }
  count(`asked for ${what}`)
  if (told.status !== 200) {
    broke(`${node.name} answers ${told.status}: ${told.text}`)
    return null
  }
  if (told.tookMs > answersWithinMs && clockwork.now - node.troubledAt > excusedMs)
    broke(`${node.name} took ${told.tookMs} ms to say ${what}, for others that do not answer`)
  const body = JSON.parse(told.text) as B
  for (const { machine, reason } of body.silent) {
    count('silent')
    const one = nodes.find(({ id }) => id === machine)
    if (one === undefined || isExcused(node, one, parts)) continue
    broke(`${node.name} calls ${one.name} silent, which could answer: ${reason}`)
  }
  return body
}
