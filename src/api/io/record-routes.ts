// Routes about records as the store has them: which cannot be read, and a way out for those.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changedMeanwhile, findRecord, refuseRemoval, removalOf } from '../../changes/raw-records.js'
import {
  paths,
  type RecordBody,
  type RemovedRecord,
  type RemoveRecordRequest,
  type UnreadableBody,
} from '../../contract/contract.js'
import { exportQuery, pageQuery, recordQuery } from '../../contract/queries.js'
import { removeRecordRequest } from '../../contract/requests.js'
import { inBatches } from '../../lib/io/batches.js'
import { toIso } from '../../lib/time.js'
import { incompleteError } from '../../store/io/registry.js'
import { exportLines } from '../export.js'
import { unreadableOrder } from '../orders.js'
import { type ApiContext, actorOf, orRefuse, ProblemError } from './context.js'
import { pageOf } from './pages.js'
import { streamLines } from './streams.js'

export function recordRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry } = context
  const { view } = registry
  server.get(
    paths.unreadable,
    { schema: { querystring: pageQuery } },
    (request, reply): readonly UnreadableBody[] => {
      const unreadable = [...view.unreadable.values()].map(({ entry, kind, unfit, problem }) => ({
        ...{ key: entry.key, kind, unfit, problem },
        revision: entry.modRevision,
      }))
      return pageOf(request, reply, unreadableOrder, unreadable)
    },
  )
  server.get<{ Querystring: { key?: string } }>(
    paths.record,
    { schema: { querystring: recordQuery } },
    ({ query }): RecordBody => orRefuse(findRecord(registry, query.key ?? '')),
  )
  server.get<{ Querystring: { history?: string } }>(
    paths.exportRecords,
    { schema: { querystring: exportQuery } },
    async ({ query }, reply) => {
      if (!registry.isComplete()) throw incompleteError()
      const { entries, revision } = registry.snapshot()
      const { clock, cluster, manifests, version: program } = context
      const { cns, packages, mail } = manifests
      const of = {
        program,
        cluster,
        revision,
        at: toIso(context.stale()?.since ?? clock.now()),
        manifests: { cns, packages, mail },
      }
      const stream = streamLines(reply, context.clock)
      await stream.sendAll(inBatches(exportLines(of, entries, query.history !== 'false'), linesAtATime))
      stream.end()
    },
  )
  server.post<{ Body: RemoveRecordRequest }>(
    paths.removeRecord,
    { schema: { body: removeRecordRequest } },
    (request) => remove(context, request),
  )
}

/** How many records go out in one turn of the event loop. */
const linesAtATime = 200

async function remove(
  { registry, events }: ApiContext,
  request: FastifyRequest<{ Body: RemoveRecordRequest }>,
): Promise<RemovedRecord> {
  const { key, revision, force = false } = request.body
  const record = orRefuse(findRecord(registry, key))
  const refused = refuseRemoval(record, revision, force)
  if (refused !== null) throw new ProblemError(refused)
  const { compare, drop, event } = removalOf(record)
  const told = events.append([{ ...event, by: actorOf(request) }])
  if (await registry.overrule(compare, [drop, ...told])) return record
  throw new ProblemError(changedMeanwhile(key))
}
