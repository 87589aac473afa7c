// Named volumes: each daemon knows of those that its drivers keep, and the one that is asked asks the others.
import type { FastifyInstance } from 'fastify'
import { findListedMachine, listedMachines } from '../../changes/machines.js'
import { defaultProject, paths, type VolumeBody, type VolumesBody } from '../../contract/contract.js'
import { deleteVolumeQuery, volumeQuery, volumesQuery } from '../../contract/queries.js'
import { abortAfter } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import type { Machine } from '../../model/machine.js'
import { findVolumeOn, joined, lostVolumes, type VolumesOf, volumesOf } from '../../volumes/bodies.js'
import { volumeToDelete } from '../../volumes/removal.js'
import { volumeOrder } from '../orders.js'
import { type ApiContext, actorOf, orRefuse } from './context.js'
import { pageOf } from './pages.js'
import { askJson, machineHeader } from './peers.js'
import { volumeDataRoutes } from './volume-data-routes.js'
import { volumeMoveRoutes } from './volume-move-routes.js'
import { deleteAsked, deleteHere } from './volume-removal.js'
import type { FindVolume } from './volume-targets.js'
import { silence, volumesHere } from './volumes-here.js'

/** How long another machine may take, its drivers included. */
const peerWithinMs = 8000

export function volumeRoutes(server: FastifyInstance, context: ApiContext): void {
  const { view } = context.registry
  server.get<{ Querystring: VolumesOf & { readonly machine?: string } }>(
    paths.volumes,
    { schema: { querystring: volumesQuery } },
    async (request, reply): Promise<VolumesBody> => {
      const { headers, query } = request
      const isForUs = headers[machineHeader] !== undefined
      const machine = isForUs ? context.machine : query.machine
      const machines =
        machine === undefined ? listedMachines(view) : [orRefuse(findListedMachine(view, machine))]
      const told = orRefuse(volumesOf(view, await volumesOn(context, machines, machine === undefined), query))
      return { ...told, volumes: pageOf(request, reply, volumeOrder, told.volumes) }
    },
  )
  server.get<{ Params: { readonly volume: string }; Querystring: { readonly project?: string } }>(
    '/v1/volumes/:volume',
    { schema: { querystring: volumeQuery } },
    async ({ params, query: { project = defaultProject } }): Promise<VolumeBody> =>
      orRefuse(
        findVolumeOn(view, await volumesOn(context, listedMachines(view), true), project, params.volume),
      ),
  )
  server.delete<{
    Params: { readonly volume: string }
    Querystring: { readonly project?: string; readonly force?: string }
  }>('/v1/volumes/:volume', { schema: { querystring: deleteVolumeQuery } }, async (request) => {
    const { params, query, headers } = request
    const { project = defaultProject, force } = query
    const isForUs = headers[machineHeader] !== undefined
    const machines = isForUs
      ? listedMachines(view).filter(({ id }) => id === context.machine)
      : listedMachines(view)
    const asked = { word: params.volume, project, force: force === 'true' }
    const told = await volumesOn(context, machines, !isForUs)
    if (isForUs) return await deleteHere(context, orRefuse(volumeToDelete(view, told, asked)))
    return await deleteAsked(context, actorOf(request), told, asked)
  })
  const find: FindVolume = async (word, project, isHere) => {
    const all = listedMachines(view)
    const machines = isHere ? all.filter(({ id }) => id === context.machine) : all
    return orRefuse(findVolumeOn(view, await volumesOn(context, machines, !isHere), project, word))
  }
  volumeDataRoutes(server, context, find)
  volumeMoveRoutes(server, context, find)
}

/**
 * What machines keep; one that does not tell hides nothing of the others, and is named. `isAll`: what was on machines that
 * nobody knows any more, too.
 */
async function volumesOn(
  context: ApiContext,
  machines: readonly Machine[],
  isAll: boolean,
): Promise<VolumesBody> {
  const { view } = context.registry
  const asked = machines.map((machine) =>
    machine.id === context.machine ? volumesHere(context, machine) : volumesThere(context, machine),
  )
  const lost = lostVolumes(view).filter(
    (volume) =>
      machines.some(({ id }) => id === volume.machine) || (isAll && !view.knownMachines.has(volume.machine)),
  )
  return joined([...(await Promise.all(asked)), { volumes: [...lost], silent: [] }])
}

async function volumesThere(context: ApiContext, machine: Machine): Promise<VolumesBody> {
  if (!context.registry.view.machines.has(machine.id)) return unasked(machine, 'it is down')
  try {
    const signal = abortAfter(context.clock, peerWithinMs)
    const request = { method: 'GET', path: paths.volumes } as const
    return await askJson<VolumesBody>(context, machine.id, { key: 'volumes' }, request, signal)
  } catch (error) {
    return unasked(machine, describeError(error))
  }
}

function unasked(machine: Machine, reason: string): VolumesBody {
  return { volumes: [], silent: [silence(machine, reason)] }
}
