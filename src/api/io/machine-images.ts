// The images that the daemon of a machine holds or has fetched, and what becomes of each: nothing is done.
import type { FastifyInstance } from 'fastify'
import { NeededImages } from '../../agent/needed-images.js'
import { findMachine } from '../../changes/machines.js'
import { type MachineImagesBody, paths } from '../../contract/contract.js'
import { abortAfter } from '../../lib/io/clock.js'
import { imageBodyOf } from '../machine-images.js'
import { askPeerJson } from './ask-peer.js'
import { type ApiContext, orRefuse, ProblemError } from './context.js'
import { noDocker } from './images.js'
import { machineHeader } from './peers.js'

/** How long a Docker with many images may take. */
const answerWithinMs = 10_000

export function machineImageRoutes(server: FastifyInstance, context: ApiContext): void {
  const { view } = context.registry
  server.get<{ Params: { id: string } }>(
    '/v1/machines/:id/images',
    async ({ params, headers }): Promise<MachineImagesBody> => {
      const isForUs = headers[machineHeader] !== undefined
      const { id, hostname } = orRefuse(findMachine(view, isForUs ? context.machine : params.id))
      const signal = abortAfter(context.clock, answerWithinMs)
      if (id !== context.machine) {
        const request = { method: 'GET', path: paths.machineImages(id) } as const
        return askPeerJson<MachineImagesBody>(context, id, { key: 'images' }, request, signal)
      }
      const tellImages = context.imageTeller()
      if (tellImages === null) throw new ProblemError(noDocker)
      const images = await tellImages(new NeededImages().of(view), signal)
      return { machine: id, hostname, images: images.map(imageBodyOf) }
    },
  )
}
