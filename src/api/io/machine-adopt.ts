// What runs on a machine that its cluster knows nothing of: shown, and ended where somebody asks for it.

import type { FastifyInstance } from 'fastify'
import { findMachine } from '../../changes/machines.js'
import { type MachineAdoptBody, paths } from '../../contract/contract.js'
import { abortAfter } from '../../lib/io/clock.js'
import type { MachineId } from '../../model/machine.js'
import { askPeerJson } from './ask-peer.js'
import { type ApiContext, orRefuse } from './context.js'
import { machineHeader } from './peers.js'

/** How long another machine's daemon may take. */
const answerWithinMs = 10_000

export function machineAdoptRoutes(server: FastifyInstance, context: ApiContext): void {
  const answer = async (id: string, method: 'GET' | 'POST', isForUs: boolean): Promise<MachineAdoptBody> => {
    const { view } = context.registry
    const machine = orRefuse(findMachine(view, isForUs ? context.machine : id))
    if (machine.id !== context.machine) return askOther(context, machine.id, method)
    const unknown = context.agent?.unknownUnits() ?? []
    if (method === 'POST') context.agent?.stopUnknown()
    return { machine: machine.id, hostname: machine.hostname, unknown }
  }
  server.get<{ Params: { id: string } }>('/v1/machines/:id/adopt', ({ params, headers }) =>
    answer(params.id, 'GET', headers[machineHeader] !== undefined),
  )
  server.post<{ Params: { id: string } }>('/v1/machines/:id/adopt', ({ params, headers }) =>
    answer(params.id, 'POST', headers[machineHeader] !== undefined),
  )
}

async function askOther(
  context: ApiContext,
  machine: MachineId,
  method: 'GET' | 'POST',
): Promise<MachineAdoptBody> {
  const signal = abortAfter(context.clock, answerWithinMs)
  const request = { method, path: paths.machineAdopt(machine) }
  return askPeerJson<MachineAdoptBody>(context, machine, { key: 'unknown' }, request, signal)
}
