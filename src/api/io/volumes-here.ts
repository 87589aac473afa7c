// The named volumes of this machine, as its drivers tell of them.
import type { VolumesBody } from '../../contract/contract.js'
import { abortAfter } from '../../lib/io/clock.js'
import type { Machine } from '../../model/machine.js'
import { unmadeVolumes, volumeBodyOf } from '../../volumes/bodies.js'
import { isCopyInWork } from '../../volumes/moves.js'
import type { ApiContext } from './context.js'

/** How long the drivers of a machine may take: somebody waits. */
const driversWithinMs = 5000

/** The volumes of this machine, and what does not tell of all that it keeps. */
export async function volumesHere(
  { listVolumes, registry: { view }, sentBytes, usedBytes, clock }: ApiContext,
  machine: Machine,
): Promise<VolumesBody> {
  const { volumes, silent } = await listVolumes(abortAfter(clock, driversWithinMs))
  // What is just coming in is no volume yet.
  const whole = volumes.filter((volume) => !isCopyInWork(view, machine.id, volume))
  const told = whole.map((volume) => {
    const { uuid } = volume
    const known = { movedBytes: sentBytes.get(uuid) ?? null, usedBytes: usedBytes.get(uuid) ?? null }
    return volumeBodyOf(view, machine, volume, known)
  })
  return {
    volumes: [...told, ...unmadeVolumes(view, machine, new Set(told.map(({ uuid }) => uuid)))],
    silent: silent.map((reason) => silence(machine, reason)),
  }
}

/** That a machine does not tell of all that it keeps. */
export function silence({ id, hostname }: Machine, reason: string): VolumesBody['silent'][number] {
  return { machine: id, hostname, reason }
}
