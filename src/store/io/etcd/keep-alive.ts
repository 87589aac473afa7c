// Renews leases.
import type { ClientDuplexStream } from '@grpc/grpc-js'
import { LeaseEndedError, type LeaseId } from '../../store.js'
import { closedError } from '../errors.js'
import { TimedOutError } from './endpoint.js'
import { failureOf, unreachableError } from './errors.js'
import type { Members } from './members.js'
import { wait } from './patience.js'
import type { LeaseAnswer, LeaseRequest } from './protocol.js'

const attemptsAtMost = 3

/** `Store.keepAlive`. Each renewal has a stream of its own: nothing is kept between two, so any member takes the next. */
export async function keepAlive(members: Members, lease: LeaseId): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const endpoint = await members.pick(members.requestTimeoutMs)
    const { token } = members
    try {
      const stream = endpoint.stream(members.methods.keepAlive, await members.metadata(endpoint))
      const answer = await firstAnswer(stream, { ID: lease }, members.requestTimeoutMs, () =>
        endpoint.dropIfSilentFor(members.requestTimeoutMs),
      )
      endpoint.heard()
      members.succeeded()
      if (answer.TTL.toNumber() <= 0) throw new LeaseEndedError(lease)
      return
    } catch (error) {
      if (members.closing.aborted) throw closedError()
      if (error instanceof LeaseEndedError) throw error
      const failure = failureOf(error)
      if (failure.kind === 'lease-ended') throw new LeaseEndedError(lease)
      if (failure.kind === 'refused') throw members.refused(failure.error)
      if (failure.kind === 'token') members.dropToken(token)
      else members.blame(endpoint, token)
      if (attempt < attemptsAtMost) continue
      const reason = failure.kind === 'unreachable' ? failure.reason : failure.kind
      members.failed(reason)
      throw unreachableError(reason, 'not')
    }
  }
}

function firstAnswer(
  stream: ClientDuplexStream<LeaseRequest, LeaseAnswer>,
  request: LeaseRequest,
  waitMs: number,
  onSilence: () => void,
): Promise<LeaseAnswer> {
  return new Promise((resolve, reject) => {
    const endWait = wait(waitMs, () => {
      reject(new TimedOutError(`no answer within ${waitMs} ms`))
      onSilence()
      stream.cancel()
    })
    stream.once('data', (answer: LeaseAnswer) => {
      endWait()
      resolve(answer)
      stream.end()
    })
    stream.on('error', (error) => {
      endWait()
      reject(error)
    })
    stream.once('end', () => {
      endWait()
      reject(new TimedOutError('the stream ended'))
    })
    stream.write(request)
  })
}
