// What became of backups by schedule, as the store has it: any daemon tells.
import type { FastifyInstance } from 'fastify'
import type { VolumeBackupBody } from '../../contract/contract.js'
import { ofServiceQuery } from '../../contract/queries.js'
import { volumeBackupOrder } from '../orders.js'
import { volumeBackupsOf } from '../volume-backups.js'
import { type ApiContext, ofKnownProject, orRefuse } from './context.js'
import { pageOf } from './pages.js'

interface Asked {
  readonly Params: { readonly project: string }
  readonly Querystring: { readonly service?: string }
}

export function volumeBackupRoutes(server: FastifyInstance, { registry: { view }, clock }: ApiContext): void {
  const options = { ...ofKnownProject(view), schema: { querystring: ofServiceQuery } }
  server.get<Asked>(
    '/v1/projects/:project/volume-backups',
    options,
    (request, reply): readonly VolumeBackupBody[] => {
      const { params, query } = request
      const found = orRefuse(volumeBackupsOf(view, params.project, query.service, clock.now()))
      return pageOf(request, reply, volumeBackupOrder, found)
    },
  )
}
