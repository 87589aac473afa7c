// Whether this host has a Docker, found out without loading a client for it.
import { request } from 'node:http'

const answersWithinMs = 2000

/** Whether a Docker daemon answers at the socket, and lets this user in. */
export function dockerAvailable(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ask = request({ socketPath, path: '/_ping', timeout: answersWithinMs }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ask.on('timeout', () => ask.destroy())
    ask.on('error', () => resolve(false))
    ask.end()
  })
}
