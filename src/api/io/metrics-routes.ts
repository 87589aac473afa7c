// Container Monitor's metrics of the instances on this machine, in Prometheus' text format.
import type { FastifyInstance } from 'fastify'
import { loopDelay } from '../../lib/io/loop-delay.js'
import type { Unreadable } from '../../store/quarantine.js'
import { prefixes, type RecordKind } from '../../store/records.js'
import type { ClusterView } from '../../store/view.js'
import { backupMetrics } from '../../volumes/backup-metrics.js'
import { type ApiContext, ProblemError } from './context.js'
import { refusedCalls } from './refused-calls.js'
import { requestFaults } from './request-scope.js'

const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/** `/metrics` for all instances, and for one the path that Container Monitor's own agent has. */
export function metricsRoutes(
  server: FastifyInstance,
  { collector, entry, registry, machine, clock }: ApiContext,
): void {
  server.get('/metrics', async (_request, reply) =>
    reply
      .type(textFormat)
      .send(
        `${(await collector?.exposition()) ?? ''}${entry?.exposition() ?? ''}${ownMetrics()}${refusedMetric()}${unreadableMetric(registry.view)}${backupMetrics(registry.view, machine, clock.now())}`,
      ),
  )
  server.get<{ Params: { uuid: string } }>('/v1/:uuid/metrics', async (request, reply) => {
    const { uuid } = request.params
    const placed = [...registry.view.placedOn(machine).keys()]
    const here = placed.some((unit) => registry.view.instances.get(unit)?.uuid === uuid)
    if (!here || collector === null) throw notHere(uuid)
    return reply.type(textFormat).send(await collector.exposition(uuid))
  })
}

/** What the daemon tells of itself. */
function ownMetrics(): string {
  const { p99, max, stalls } = loopDelay()
  const page = [
    ['mariposa_request_faults_total', 'counter', requestFaults()],
    ['mariposa_event_loop_delay_p99_seconds', 'gauge', p99],
    ['mariposa_event_loop_delay_max_seconds', 'gauge', max],
    ['mariposa_event_loop_stalls_total', 'counter', stalls],
  ] as const
  return page.map(([name, type, value]) => `# TYPE ${name} ${type}\n${name} ${value}\n`).join('')
}

/** How many calls were refused for who made them, by the code of the refusal. */
function refusedMetric(): string {
  const name = 'mariposa_refused_calls_total'
  const samples = [...refusedCalls()].map(([code, count]) => `${name}{code="${code}"} ${count}\n`)
  return `# TYPE ${name} counter\n${samples.join('')}`
}

/** How many records cannot be read, of each kind that there is: 0 of most, so that an alert has something to look at. */
function unreadableMetric({ unreadable }: ClusterView): string {
  const name = 'mariposa_unreadable_records'
  const counts = new Map<string, number>(unreadableKinds.map((kind) => [kind, 0]))
  for (const { kind } of unreadable.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const samples = [...counts].map(([kind, count]) => `${name}{kind="${kind}"} ${count}\n`)
  return `# TYPE ${name} gauge\n${samples.join('')}`
}

const unreadableKinds: readonly Unreadable['kind'][] = [
  ...(Object.keys(prefixes) as RecordKind[]),
  'leader',
  'outbox',
]

function notHere(uuid: string): ProblemError {
  return new ProblemError({
    status: 404,
    code: 'metrics/not-here',
    message: `no instance ${uuid} is on this machine`,
    hint: 'ask the daemon of the machine that it is on: mariposa service instances shows which one',
  })
}
