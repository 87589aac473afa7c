// A backup as the daemon sends it: its checksum comes behind it, so that one that has broken off is never taken for whole.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { decodeFailure, failureHeader } from '../../contract/archive-failure.js'
import { changedHeader, sha256Header } from '../../contract/contract.js'
import { ClientError } from '../client-error.js'
import type { Endpoint } from '../endpoint.js'
import { type Credentials, chunksOf, connectionError } from './http.js'

/** A backup that comes in. */
export interface VolumeArchive {
  /** No faster than it is taken. Throws ClientError at its end where not all has come: what the daemon says, or `client/cut-off`. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Once all has come. */
  told(): ToldOfArchive
}

export interface ToldOfArchive {
  readonly sha256: string
  readonly bytes: number
  /** Whether something of the volume was changed while it was read. */
  readonly changed: boolean
}

/** Reads an answer that is a backup. */
export function archiveOf(
  answer: IncomingMessage,
  endpoint: Endpoint,
  credentials: Credentials,
): VolumeArchive {
  const hash = createHash('sha256')
  let bytes = 0
  let told: ToldOfArchive | null = null
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for await (const chunk of chunksOf(answer, endpoint, credentials, true)) {
        const part = Buffer.from(chunk as Buffer)
        hash.update(part)
        bytes += part.length
        yield part
      }
    } catch (cause) {
      throw connectionError(endpoint, cause)
    }
    const sha256 = hash.digest('hex')
    if (answer.trailers[sha256Header] !== sha256) throw toldFailure(answer) ?? cutOff()
    told = { sha256, bytes, changed: answer.trailers[changedHeader] === 'true' }
  }
  return {
    chunks: chunks(),
    told: () => {
      if (told === null) throw cutOff()
      return told
    },
  }
}

/** Why the daemon could not go on; null where it does not say, as the connection was lost. */
function toldFailure({ trailers }: IncomingMessage): ClientError | null {
  const failure = decodeFailure(trailers[failureHeader])
  return failure === null ? null : new ClientError(null, { ...failure, details: [] })
}

function cutOff(): ClientError {
  return new ClientError(null, {
    code: 'client/cut-off',
    message: 'the backup has broken off, and is of no use',
    hint: 'the log of the daemon on the machine of the volume says why; try again',
    details: [],
  })
}
