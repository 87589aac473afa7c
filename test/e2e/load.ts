// Callers of a service while it changes: they ask the instances that the history says are healthy, as a load balancer would.
import { get } from 'node:http'
import type { InstanceBody } from '../../src/contract/contract.js'
import { followEvents } from './follow-events.js'
import { hostPort } from './host.js'

export interface Load {
  /**
   * Ends the asking; resolves to how many requests were answered, and what went wrong with the others. A request that was
   * begun when its instance had been told to be retired for half as long as it serves on is the fault of a caller that was
   * late: on a busy machine a connection takes its time, too.
   */
  stop(): Promise<{ readonly answered: number; readonly failed: readonly string[] }>
}

export interface LoadOptions {
  /** The socket of a daemon. */
  readonly socket: string
  readonly service: string
  readonly callers: number
  /** For how long an instance serves on once it is told to stop. */
  readonly servesOnMs: number
  /** The instances as they are now. */
  readonly instances: () => Promise<readonly InstanceBody[]>
  /** Where an instance is reached from here. */
  readonly hostOf: (instance: InstanceBody) => string
}

/** Asks the healthy instances of a service in turn; resolves when the first answer is in. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const routes = await followHealthy(options)
  const end = new AbortController()
  const failed: Failure[] = []
  let answered = 0
  let at = 0
  const call = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const all = [...routes.healthy.values()]
      const instance = all[at++ % all.length]
      const begunAt = Date.now()
      if (instance === undefined) failed.push({ name: null, begunAt, why: 'no instance is healthy' })
      else
        await request(instance, options.hostOf(instance)).then(
          () => (answered += 1),
          ({ message }: Error) => failed.push({ name: instance.name, begunAt, why: message }),
        )
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const done = Promise.all(Array.from({ length: options.callers }, call))
  return {
    stop: async () => {
      end.abort()
      await done
      // What those that failed are told of may still be on its way here.
      const names = failed.flatMap(({ name }) => name ?? [])
      const giveUpAt = performance.now() + 10_000
      while (names.some((name) => !routes.retiredAt.has(name)) && performance.now() < giveUpAt)
        await new Promise((resolve) => setTimeout(resolve, 50))
      routes.close()
      const isLate = ({ name, begunAt }: Failure): boolean =>
        begunAt > (routes.retiredAt.get(name ?? '') ?? Number.POSITIVE_INFINITY) + options.servesOnMs / 2
      const counted = failed.filter((one) => !isLate(one))
      return { answered, failed: counted.map(({ name, why }) => `${name ?? 'nobody'}: ${why}`) }
    },
  }
}

interface Failure {
  readonly name: string | null
  readonly begunAt: number
  readonly why: string
}

/** The healthy instances, by name: those that are now, and from then on as the events say. */
async function followHealthy({ socket, service, instances }: LoadOptions) {
  const healthy = new Map<string, InstanceBody>()
  const retiredAt = new Map<string, number>()
  const look = async (): Promise<void> => {
    for (const one of await instances()) {
      if (one.health === 'healthy' && one.state === 'running' && !retiredAt.has(one.name))
        healthy.set(one.name, one)
    }
  }
  const close = await followEvents(socket, `tail=0&service=${service}`, ({ kind, instance, message, at }) => {
    if (instance === null) return
    if (kind === 'health' && message.endsWith('is healthy')) void look().catch(() => {})
    if (kind !== 'instance-retired') return
    retiredAt.set(instance, Date.parse(at))
    healthy.delete(instance)
  })
  await look()
  return { healthy, retiredAt, close }
}

function request(instance: InstanceBody, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = get(
      { host, port: hostPort(instance), path: '/', agent: false, timeout: 10_000 },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200
            ? resolve()
            : reject(new Error(`status ${String(response.statusCode)}`)),
        )
        response.on('error', reject)
      },
    )
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    asked.on('error', reject)
  })
}
