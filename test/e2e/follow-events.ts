// The history of a daemon as its API tells it, for tests that wait for something to happen.
import { get } from 'node:http'
import type { EventBody } from '../../src/contract/contract.js'

/**
 * Calls back with each event that a query asks for, those of before first. Resolves, when it listens, to the way to end
 * that.
 */
export function followEvents(
  socketPath: string,
  query: string,
  onEvent: (event: EventBody) => void,
): Promise<() => void> {
  const path = `/v1/events?${query}`
  return new Promise((resolve, reject) => {
    const asked = get({ socketPath, path, headers: { accept: 'application/x-ndjson' } }, (response) => {
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line !== '') onEvent(JSON.parse(line) as EventBody)
      })
      response.on('error', () => {})
      resolve(() => asked.destroy())
    })
    asked.on('error', reject)
  })
}
