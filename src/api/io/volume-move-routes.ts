// Moves of volumes: what is asked for is written into the store; the machine that they go to carries it out.
import type { FastifyInstance } from 'fastify'
import { defaultProject, type MoveVolumeRequest, type VolumeBody } from '../../contract/contract.js'
import { volumeExportQuery, volumeQuery } from '../../contract/queries.js'
import { moveVolumeRequest } from '../../contract/requests.js'
import { hostnameOf } from '../../store/hostname.js'
import type { ClusterView } from '../../store/view.js'
import { findVolume, movingVolumes } from '../../volumes/bodies.js'
import { moveTarget } from '../../volumes/moves.js'
import { type ApiContext, actorOf, orRefuse, ProblemError } from './context.js'
import { machineHeader } from './peers.js'
import { VolumeExports } from './volume-export.js'
import { endMove, holdSlot, isOfSlot } from './volume-holds.js'
import type { FindVolume } from './volume-targets.js'

interface VolumeParams {
  readonly volume: string
}

export function volumeMoveRoutes(server: FastifyInstance, context: ApiContext, find: FindVolume): void {
  const { view } = context.registry
  const exports = new VolumeExports(context)
  server.addHook('onClose', (_server, done) => {
    exports.close()
    done()
  })
  server.post<{ Params: VolumeParams; Querystring: { readonly project?: string }; Body: MoveVolumeRequest }>(
    '/v1/volumes/:volume/move',
    { schema: { querystring: volumeQuery, body: moveVolumeRequest } },
    async (request): Promise<VolumeBody> => {
      const { params, query, body } = request
      const { project = defaultProject } = query
      const isCancelled = body.cancel === true
      const moving = isCancelled ? findMoving(view, project, params.volume) : null
      const volume = moving ?? (await find(params.volume, project, false))
      if (!isOfSlot(volume)) throw notOfSlot(volume)
      if (isCancelled) {
        await endMove(context, actorOf(request), volume)
        return { ...volume, work: null, to: null, movedBytes: null, state: 'unused' }
      }
      if (volume.state === 'lost') throw isLost(volume)
      const target = orRefuse(moveTarget(view, context.explainer, volume, body.machine ?? null))
      const what = `is to move to ${target.hostname}`
      await holdSlot(context, actorOf(request), volume, { work: 'move', by: target.id, what })
      return { ...volume, state: 'moving', work: 'move', to: hostnameOf(view, target.id), movedBytes: 0 }
    },
  )
  server.post<{ Params: VolumeParams; Querystring: { readonly hold?: string; readonly offset?: string } }>(
    '/v1/volumes/:volume/export',
    { schema: { querystring: volumeExportQuery } },
    async ({ params, query, headers }, reply) => {
      if (headers[machineHeader] === undefined) throw onlyForDaemons()
      const volume = await find(params.volume, defaultProject, true)
      await exports.send(volume, query.hold ?? '', Number(query.offset ?? 0), reply)
    },
  )
}

/** One that moves, wherever it is: its machine may be away, and is not needed to end the move. */
function findMoving(view: ClusterView, project: string, word: string): VolumeBody | null {
  const found = findVolume({ volumes: [...movingVolumes(view)], silent: [] }, project, word)
  return 'status' in found ? null : found
}

function notOfSlot({ service, name }: VolumeBody): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'volume/cannot-move',
    message: `${service}.${name} is shared by the instances on its machine (scope: service), and cannot be moved`,
    hint: 'copy its data with mariposa volume backup and restore',
  })
}

function isLost({ service, name, hostname }: VolumeBody): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'volume/cannot-move',
    message: `${hostname}, which has ${service}.${name}, is away: its data cannot be read`,
    hint: 'mariposa volume rm UUID --force deletes it and its data',
  })
}

function onlyForDaemons(): ProblemError {
  const message = 'only the daemon that receives the volume may ask for this'
  return new ProblemError({
    status: 403,
    code: 'api/only-daemons',
    message,
    hint: 'use mariposa volume move',
  })
}
