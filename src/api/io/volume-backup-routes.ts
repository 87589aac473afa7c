// What became of backups by schedule, as the store has it: any daemon tells.
import type { FastifyInstance } from 'fastify'
import type { VolumeBackupBody } from '../../contract/contract.js'
import { ofServiceQuery } from '../../contract/queries.js'
import { findBackup, volumeBackupsOf } from '../../volumes/backups.js'
import { volumeBackupOrder } from '../orders.js'
import { openBackup, openBackupHere } from './backup-source.js'
import { type ApiContext, ofKnownProject, orRefuse } from './context.js'
import { pageOf } from './pages.js'
import { machineHeader } from './peers.js'
import { goneSignal } from './streams.js'
import { refuseWithoutTrailers, sendBackup } from './volume-data-routes.js'

interface Asked {
  readonly Params: { readonly project: string }
  readonly Querystring: { readonly service?: string }
}

export function volumeBackupRoutes(server: FastifyInstance, context: ApiContext): void {
  const { view } = context.registry
  const options = { ...ofKnownProject(view), schema: { querystring: ofServiceQuery } }
  server.get<Asked>(
    '/v1/projects/:project/volume-backups',
    options,
    (request, reply): readonly VolumeBackupBody[] => {
      const { params, query } = request
      const found = orRefuse(volumeBackupsOf(view, params.project, query.service, context.clock.now()))
      return pageOf(request, reply, volumeBackupOrder, found)
    },
  )
  readRoute(server, context)
}

/** Who asks another daemon than the one that can read it is answered by way of that. */
function readRoute(server: FastifyInstance, context: ApiContext): void {
  const { view } = context.registry
  server.post<{ readonly Params: { readonly project: string; readonly backup: string } }>(
    '/v1/projects/:project/volume-backups/:backup/read',
    ofKnownProject(view),
    async (request, reply): Promise<void> => {
      const { params, headers, raw } = request
      refuseWithoutTrailers(raw)
      const found = orRefuse(findBackup(view, params.project, params.backup))
      const open = headers[machineHeader] === undefined ? openBackup : openBackupHere
      const stream = await open(context, found, goneSignal(reply))
      const done = Promise.resolve({ isChanged: found.made.changed === true })
      const backup = { stream, done, isHolding: false, end: () => Promise.resolve() }
      await sendBackup(context, { uuid: found.id }, backup, reply)
    },
  )
}
