// The line of the log for each answer.
import { type Log, roundMs } from '../../lib/io/log.js'

/** What is said of an answer. */
interface Answered {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly status: number
  readonly ms: number
}

/** What stands behind the question mark of the address may be anybody's. */
export function tellAnswer(log: Log, answered: () => Answered): void {
  log.debug('api', 'request answered', () => {
    const { method, url, status, ms } = answered()
    return { method, path: url?.split('?')[0], status, ms: roundMs(ms) }
  })
}
