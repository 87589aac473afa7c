// Docker hands on that a registry has refused, and not for how long it asks to be left alone: it is asked that itself.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isLoopback } from '../../../lib/loopback.js'
import { parseRetryAfter } from '../../../lib/retry-after.js'
import type { Clock } from '../../../lib/time.js'
import { longestRetryAfterMs, manifestAddress } from '../retry-after.js'

const answersWithinMs = 3000

/**
 * For how long a registry that has too much to do asks to be left alone; null where it does not say, or cannot be
 * reached from here. It is asked for no content.
 */
export async function askRetryAfter(
  image: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<number | null> {
  const address = manifestAddress(image)
  if (address === null) return null
  const isNear = isLoopback(new URL(`http://${address.host}`).hostname)
  for (const scheme of isNear ? (['http', 'https'] as const) : (['https'] as const)) {
    const answer = await head(`${scheme}://${address.host}${address.path}`, signal)
    if (answer === null) continue
    const waitMs = parseRetryAfter(answer.retryAfter, clock.now())
    return waitMs === null ? null : Math.min(waitMs, longestRetryAfterMs)
  }
  return null
}

interface Answer {
  /** Empty where it does not say. */
  readonly retryAfter: string
}

/** Null where nobody answers. */
function head(url: string, signal: AbortSignal): Promise<Answer | null> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const ask = request(
      url,
      { method: 'HEAD', timeout: answersWithinMs, signal, agent: false },
      (response) => {
        response.resume()
        const isRefusal = response.statusCode === 429 || response.statusCode === 503
        resolve({ retryAfter: (isRefusal && response.headers['retry-after']) || '' })
      },
    )
    ask.on('timeout', () => ask.destroy())
    ask.on('error', () => resolve(null))
    ask.end()
  })
}
