// Asking another machine's daemon in the name of a caller, who is told where that cannot be.
import type { IncomingMessage } from 'node:http'
import { isProblemStatus } from '../../changes/problem.js'
import type { Form } from '../../lib/form.js'
import type { MachineId } from '../../model/machine.js'
import { type ApiContext, ProblemError } from './context.js'
import { askJson, PeerError, type PeerRequest } from './peers.js'

/**
 * Resolves to an answer below 300. Throws ProblemError: what the other daemon refuses, with its status and code, or
 * `api/peer-unreachable` where it cannot be asked, or does not take the request from this daemon.
 */
export async function askPeer(
  { peers }: Pick<ApiContext, 'peers'>,
  machine: MachineId,
  request: PeerRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return peers.ask(machine, request, signal).catch(throwProblem)
}

/** The same for an answer of JSON, which has to be of a form. */
export async function askPeerJson<T>(
  context: Pick<ApiContext, 'peers' | 'registry'>,
  machine: MachineId,
  form: Form<T>,
  request: PeerRequest,
  signal: AbortSignal,
): Promise<T> {
  return askJson(context, machine, form, request, signal).catch(throwProblem)
}

function throwProblem(error: unknown): never {
  if (!(error instanceof PeerError)) throw error
  const { message, hint, refusal } = error
  // Codes of the API are about the request between the daemons, which the caller knows nothing of.
  if (refusal === null || refusal.code.startsWith('api/') || !isProblemStatus(refusal.status))
    throw new ProblemError({ status: 502, code: 'api/peer-unreachable', message, hint })
  throw new ProblemError({ status: refusal.status, code: refusal.code, message, hint })
}
