// Asking another machine's daemon in the name of a caller, who is told where that cannot be.
import type { IncomingMessage } from 'node:http'
import type { MachineId } from '../../model/machine.js'
import { type ApiContext, ProblemError } from './context.js'
import { PeerError, type PeerRequest } from './peers.js'

/** Resolves to an answer below 300; throws ProblemError `api/peer-unreachable` for everything else. */
export async function askPeer(
  { peers }: Pick<ApiContext, 'peers'>,
  machine: MachineId,
  request: PeerRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  try {
    return await peers.ask(machine, request, signal)
  } catch (error) {
    if (!(error instanceof PeerError)) throw error
    throw new ProblemError({
      status: 502,
      code: 'api/peer-unreachable',
      message: error.message,
      hint: error.hint,
    })
  }
}
