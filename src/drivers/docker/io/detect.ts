// Whether this host has a Docker, found out without loading a client for it.
import { request } from 'node:http'
import { DriverError } from '../../../model/driver-error.js'

const answersWithinMs = 5000

/** Whether a Docker daemon answers at the socket in time, and lets this user in. */
export async function dockerAvailable(socketPath: string): Promise<boolean> {
  try {
    await pingDocker(socketPath, AbortSignal.timeout(answersWithinMs))
    return true
  } catch {
    return false
  }
}

/**
 * Resolves when a Docker daemon answers at the socket, and lets this user in. It is asked over a new connection: a daemon
 * that is ending still answers over those that it has, and takes no more.
 */
export function pingDocker(socketPath: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ask = request({ socketPath, path: '/_ping', agent: false, signal }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new DriverError('docker/unreachable', `Docker answers ${response.statusCode ?? 0}`))
    })
    ask.on('error', reject)
    ask.end()
  })
}
