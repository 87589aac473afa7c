// Whether this host has a Docker, found out without loading a client for it.
import { request } from 'node:http'

const answersWithinMs = 5000

/**
 * Whether a Docker daemon answers at the socket, and lets this user in. It is asked over a new connection: a daemon that
 * is ending still answers over those that it has, and takes no more.
 */
export function dockerAvailable(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { socketPath, path: '/_ping', timeout: answersWithinMs, agent: false }
    const ask = request(options, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ask.on('timeout', () => ask.destroy())
    ask.on('error', () => resolve(false))
    ask.end()
  })
}
