// What is in named volumes: backups, which go out as they are made, and what is restored, which comes in as it is unpacked.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problemBody } from '../../changes/problem.js'
import { decodeFailure, encodeFailure, failureHeader } from '../../contract/archive-failure.js'
import {
  changedHeader,
  defaultProject,
  paths,
  sha256Header,
  type VolumeBody,
  type VolumeCloned,
} from '../../contract/contract.js'
import { backupQuery, cloneQuery, restoreQuery } from '../../contract/queries.js'
import { describeError } from '../../lib/io/log.js'
import { DriverError } from '../../model/driver-error.js'
import { volumeKey } from '../../model/volume.js'
import { findBackup } from '../../volumes/backups.js'
import type { VolumeToMake } from '../../volumes/holds.js'
import { askPeer, askPeerJson } from './ask-peer.js'
import { openBackup } from './backup-source.js'
import { type ApiContext, actorOf, orRefuse, ProblemError } from './context.js'
import { machineHeader } from './peers.js'
import { answersInStream } from './serving.js'
import { watchSlowEnd } from './slow-ends.js'
import { detachedBody, goneSignal } from './streams.js'
import { problemOf } from './volume-access.js'
import { type Backup, type BackupAsked, beginBackup, consistencies, measured } from './volume-archives.js'
import { clone } from './volume-clones.js'
import { pauseAtMost } from './volume-pauses.js'
import { restore } from './volume-restores.js'
import { type FindVolume, restoreTarget } from './volume-targets.js'

interface VolumeParams {
  readonly volume: string
}

/** How a volume is to be read. */
interface ReadQuery {
  readonly consistency?: string
  readonly skipHook?: string
  readonly pauseAtMost?: string
}

type BackupRequest = FastifyRequest<{
  Params: VolumeParams
  Querystring: { readonly project?: string } & ReadQuery
}>

type RestoreRequest = FastifyRequest<{
  Params: VolumeParams
  Querystring: {
    readonly project?: string
    readonly force?: string
    readonly sha256?: string
    readonly machine?: string
    readonly backup?: string
  }
  Body: Readable | null | undefined
}>

type CloneRequest = FastifyRequest<{
  Params: VolumeParams
  Querystring: {
    readonly to?: string
    readonly project?: string
    readonly machine?: string
    readonly force?: string
  } & ReadQuery
}>

/** How another daemon is waited for that reads or writes a volume: as long as that takes. */
const withoutLimit = { answerWithinMs: null } as const

export function volumeDataRoutes(server: FastifyInstance, context: ApiContext, find: FindVolume): void {
  server.post(
    '/v1/volumes/:volume/backup',
    { schema: { querystring: backupQuery } },
    async (request: BackupRequest, reply) => {
      const { params, query, headers, raw } = request
      refuseWithoutTrailers(raw)
      const isForUs = headers[machineHeader] !== undefined
      const volume = await find(params.volume, query.project ?? defaultProject, isForUs)
      const how = howToRead(query)
      if (volume.machine === context.machine) {
        const backup = await beginBackup(context, actorOf(request), volume, how, goneSignal(reply))
        return await sendBackup(context, volume, backup, reply)
      }
      const asked = {
        method: 'POST',
        path: onUuid(raw, params.volume, volume.uuid),
        ...withoutLimit,
      } as const
      return await passOn(
        context,
        volume,
        await askPeer(context, volume.machine, asked, goneSignal(reply)),
        reply,
      )
    },
  )
  cloneRoute(server, context, find)
  void server.register(async (scope) => {
    // The body is an archive, whatever its type: it is unpacked as it comes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    scope.post(
      '/v1/volumes/:volume/restore',
      { schema: { querystring: restoreQuery } },
      async (request: RestoreRequest, reply) => {
        const { params, query, headers, raw, body } = request
        const from = restoredFrom(context, request)
        const isForUs = headers[machineHeader] !== undefined
        const { project = defaultProject, machine = null } = query
        const target = await restoreTarget(context, find, { word: params.volume, project, machine, isForUs })
        const gone = goneSignal(reply)
        if (target.machine === context.machine) {
          const { archive, sha256, end } = await from.open(gone)
          const incoming = { archive, force: query.force === 'true', sum: () => sha256 }
          try {
            return await restore(context, actorOf(request), target, incoming, gone)
          } finally {
            end()
          }
        }
        const path = 'uuid' in target ? onUuid(raw, params.volume, target.uuid) : onMachine(raw, target)
        const answer = await askPeer(
          context,
          target.machine,
          { method: 'POST', path, ...(body && { body }), ...withoutLimit },
          gone,
        )
        reply.header('content-type', 'application/json')
        return await reply.send(answer)
      },
    )
  })
}

/** What is restored, once it is opened. */
interface OpenedSource {
  readonly archive: Readable
  /** What it has to have; null where nobody knows. */
  readonly sha256: string | null
  readonly end: () => void
}

/** What a request has restored: what it sends, or a backup by schedule. Throws ProblemError for neither, for both, and for one that is unknown. */
function restoredFrom(
  context: ApiContext,
  { query: { backup, sha256, project = defaultProject }, body, headers }: RestoreRequest,
): { readonly open: (signal: AbortSignal) => Promise<OpenedSource> } {
  if (backup === undefined) {
    if (!body) throw badRequest('the body has to be a backup')
    const open = (): OpenedSource => ({
      archive: detachedBody(body),
      sha256: sha256 ?? null,
      end: () => body.resume(),
    })
    return { open: () => Promise.resolve(open()) }
  }
  if (body && headers['content-length'] !== '0') throw badRequest('give either "backup" or a body to restore')
  if (sha256 !== undefined)
    throw badRequest('"sha256" is only for a body: that of a scheduled backup is known')
  const found = orRefuse(findBackup(context.registry.view, project, backup))
  return {
    open: async (signal) => {
      const archive = await openBackup(context, found, signal)
      // Nobody may read it: what breaks it off is told by who asked for it.
      archive.on('error', () => {})
      return { archive, sha256: found.made.sha256, end: () => archive.destroy() }
    },
  }
}

/** The daemon of the machine that the copy is on reads what is in the other volume. */
function cloneRoute(server: FastifyInstance, context: ApiContext, find: FindVolume): void {
  server.post(
    '/v1/volumes/:volume/clone',
    { schema: { querystring: cloneQuery } },
    async (request: CloneRequest, reply): Promise<VolumeCloned> => {
      const { params, query, headers, raw } = request
      const { project = defaultProject, machine = null, to } = query
      if (to === undefined) throw badRequest('"to" has to name the volume to copy into')
      const how = { ...howToRead(query), force: query.force === 'true' }
      const isForUs = headers[machineHeader] !== undefined
      const source = await find(params.volume, project, false)
      const target = await restoreTarget(context, find, { word: to, project, machine, isForUs })
      const gone = goneSignal(reply)
      if (target.machine === context.machine)
        return await clone(context, actorOf(request), source, target, how, gone)
      const { searchParams } = new URL(raw.url ?? '', 'http://daemon')
      searchParams.set('to', 'uuid' in target ? target.uuid : volumeKey(target))
      searchParams.set('machine', target.machine)
      const path = `${paths.volumeClone(source.uuid)}?${searchParams.toString()}`
      const asked = { method: 'POST', path, ...withoutLimit } as const
      return await askPeerJson<VolumeCloned>(context, target.machine, { key: 'sha256' }, asked, gone)
    },
  )
}

/** Throws ProblemError for what is no consistency. */
function howToRead(query: ReadQuery): BackupAsked {
  const consistency = consistencies.find((one) => one === (query.consistency ?? 'live'))
  if (consistency === undefined) throw badConsistency(query.consistency)
  return { consistency, skipHook: query.skipHook === 'true', pauseAtMostMs: pauseAtMostOf(query) }
}

function pauseAtMostOf({ consistency, pauseAtMost: asked }: ReadQuery): number {
  if (asked === undefined) return pauseAtMost.defaultMs
  if (consistency !== 'paused') throw badRequest('"pauseAtMost" is for the consistency paused')
  const ms = /^\d{1,5}(\.\d{1,3})?$/.test(asked) ? Math.round(Number(asked) * 1000) : 0
  if (ms < 1 || ms > pauseAtMost.longestMs)
    throw badRequest(
      `"pauseAtMost" has to be a number of seconds, more than 0 and at most ${pauseAtMost.longestMs / 1000}`,
    )
  return ms
}

/** The same request, of a volume that nothing else is called. */
function onUuid({ url = '' }: IncomingMessage, word: string, uuid: string): string {
  return url.replace(`/v1/volumes/${encodeURIComponent(word)}/`, `/v1/volumes/${uuid}/`)
}

/** The same request, of a volume that is to be made on a machine. */
function onMachine({ url = '' }: IncomingMessage, target: VolumeToMake): string {
  const { searchParams } = new URL(url, 'http://daemon')
  searchParams.set('machine', target.machine)
  return `${paths.volumeRestore(volumeKey(target))}?${searchParams.toString()}`
}

/** Sends an archive as it is made. Its checksum follows in a trailer: what has none has broken off. */
export async function sendBackup(
  { log, clock }: ApiContext,
  volume: Pick<VolumeBody, 'uuid'>,
  backup: Backup,
  reply: FastifyReply,
): Promise<void> {
  const answer = reply.raw
  const told = measured(backup.stream)
  const watched = { bytes: told.bytes, isHeldUp: () => answer.writableNeedDrain }
  const unwatch = backup.isHolding ? watchSlowEnd(clock, watched, (error) => answer.destroy(error)) : () => {}
  try {
    beginArchive(reply)
    await pipeline(told.stream, answer, { end: false })
    const { isChanged } = await backup.done
    endArchive(answer, { [sha256Header]: told.sha256(), [changedHeader]: String(isChanged) })
  } catch (error) {
    backup.stream.destroy()
    // What tar says of data that were taken away is not why.
    const why = await (error instanceof DriverError ? backup.done.then(() => error).catch(asIs) : error)
    failArchive(reply, why)
    log.warn('api', `the backup of the volume ${volume.uuid} failed: ${describeError(why)}`)
  } finally {
    unwatch()
    await backup.end().catch((error: unknown) => {
      log.warn('api', `cannot release the slot of the volume ${volume.uuid}: ${describeError(error)}`)
    })
  }
}

/** Hands on what another daemon sends, with what follows it. */
async function passOn(
  { log }: ApiContext,
  volume: VolumeBody,
  from: IncomingMessage,
  reply: FastifyReply,
): Promise<void> {
  const answer = reply.raw
  try {
    beginArchive(reply)
    await pipeline(from, answer, { end: false })
    const [sha256, changed] = [from.trailers[sha256Header], from.trailers[changedHeader]]
    const failure = decodeFailure(from.trailers[failureHeader])
    if (sha256 === undefined && failure !== null) throw new ProblemError({ status: 502, ...failure })
    if (sha256 === undefined) answer.destroy()
    else endArchive(answer, { [sha256Header]: sha256, [changedHeader]: changed ?? 'false' })
  } catch (error) {
    failArchive(reply, error)
    log.warn('api', `the backup of the volume ${volume.uuid} failed: ${describeError(error)}`)
  }
}

const asIs = (error: unknown): unknown => error

/** What an answer of HTTP/1.0 holds ends with its connection: nobody could tell that it is not whole. */
export function refuseWithoutTrailers({ httpVersion }: IncomingMessage): void {
  if (httpVersion !== '1.0') return
  throw new ProblemError({
    status: 400,
    code: 'api/no-trailers',
    message: 'a backup needs HTTP/1.1, as its checksum follows in a trailer, and this request has HTTP/1.0',
    hint: 'configure the proxy in between to use HTTP/1.1',
  })
}

function beginArchive(reply: FastifyReply): void {
  reply.hijack()
  const answer = reply.raw
  answersInStream(answer)
  answer.writeHead(200, {
    'content-type': 'application/zstd',
    'cache-control': 'no-store',
    trailer: `${sha256Header}, ${changedHeader}, ${failureHeader}`,
  })
  answer.flushHeaders()
}

function endArchive(answer: ServerResponse, trailers: Readonly<Record<string, string>>): void {
  answer.addTrailers(trailers)
  answer.end()
}

/**
 * Ends one that is not whole: it has no checksum. Who says that it reads trailers (`TE`) is told why; to anybody else an archive that ends
 * would look whole, so that its connection breaks.
 */
function failArchive(reply: FastifyReply, error: unknown): void {
  const [answer, why] = [reply.raw, problemOf(error)]
  const readsTrailers = /\btrailers\b/.test(String(reply.request.headers.te ?? ''))
  if (answer.destroyed || !readsTrailers || !(why instanceof ProblemError)) answer.destroy()
  else endArchive(answer, { [failureHeader]: encodeFailure(problemBody(why.problem).error) })
}

function badRequest(message: string): ProblemError {
  return new ProblemError({ status: 400, code: 'api/bad-request', message })
}

function badConsistency(asked = ''): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'api/bad-request',
    message: `"${asked}" is not a consistency`,
    hint: `one of ${consistencies.join(', ')}`,
  })
}
