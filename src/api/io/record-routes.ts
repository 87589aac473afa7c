// Routes about records as the store has them: which cannot be read, and a way out for those.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { byKeys } from '../../lib/sort.js'
import {
  paths,
  type RecordBody,
  type RemovedRecord,
  type RemoveRecordRequest,
  type UnreadableBody,
} from '../contract.js'
import { recordQuery } from '../queries.js'
import { changedMeanwhile, findRecord, refuseRemoval, removalOf } from '../raw-records.js'
import { removeRecordRequest } from '../requests.js'
import { type ApiContext, actorOf, orRefuse, ProblemError } from './context.js'

export function recordRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry } = context
  const { view } = registry
  server.get(paths.unreadable, (): readonly UnreadableBody[] =>
    [...view.unreadable.values()]
      .map(({ entry, kind, unfit, problem }) => ({
        ...{ key: entry.key, kind, unfit, problem },
        revision: entry.modRevision,
      }))
      .sort(byKeys(({ key }) => key)),
  )
  server.get<{ Querystring: { key?: string } }>(
    paths.record,
    { schema: { querystring: recordQuery } },
    ({ query }): RecordBody => orRefuse(findRecord(registry, query.key ?? '')),
  )
  server.post<{ Body: RemoveRecordRequest }>(
    paths.removeRecord,
    { schema: { body: removeRecordRequest } },
    (request) => remove(context, request),
  )
}

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
