// Requests over the sockets of the entry's folder, which are for its owner alone.

import { closeSync, constants, openSync } from 'node:fs'
import { request } from 'node:http'
import { refuseUpgrade } from '../../lib/io/refuse-upgrade.js'
import { adminHost } from '../caddy.js'

/** One request to a socket of the folder. */
export interface SocketRequest {
  readonly dir: string
  readonly socket: string
  readonly method: 'GET' | 'PUT' | 'POST'
  readonly path: string
  readonly body?: string
  /** How long all of it may take. */
  readonly withinMs: number
}

export interface SocketAnswer {
  readonly status: number
  readonly text: string
}

/** A path to a socket by way of its folder's descriptor: an address of one has room for 107 bytes only. */
export function openSocketPath(
  dir: string,
  socket: string,
): { readonly path: string; readonly close: () => void } {
  const fd = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: `/proc/self/fd/${fd}/${socket}`, close: () => closeSync(fd) }
}

/** Sends one request; rejects where nobody answers in time. */
export async function askSocket({
  dir,
  socket,
  method,
  path,
  body,
  withinMs,
}: SocketRequest): Promise<SocketAnswer> {
  const at = openSocketPath(dir, socket)
  try {
    return await new Promise<SocketAnswer>((resolve, reject) => {
      const asked = request({
        ...{ socketPath: at.path, method, path, agent: false },
        headers: { host: adminHost, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(withinMs),
      })
      asked.on('error', reject)
      refuseUpgrade(asked, reject)
      asked.on('response', (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        )
      })
      asked.end(body)
    })
  } finally {
    at.close()
  }
}
