// What operators ask of the volumes of all machines over the network: their list, which hides none, and to delete one, which is
// gone once that is acknowledged.
import {
  type DeletedVolume,
  type ErrorBody,
  paths,
  type VolumeBody,
  type VolumesBody,
} from '../../src/contract/contract.js'
import { volumeKey } from '../../src/model/volume.js'
import { askEverywhere, askOutside, type EverywhereParts, isExcused } from './everywhere.js'
import type { Node } from './node.js'
import { type Deed, project } from './scenario.js'

export interface VolumeRequestsParts extends EverywhereParts {
  /** Somebody asks to delete a volume of that key. */
  readonly deletesVolumes: (uuid: string, what: string) => void
}

/** How long a daemon waits for the others, with what runs programs there, and a little. */
const answersWithinMs = 8500

/** The volumes of all machines, as a daemon tells of them; null where no answer comes. */
export async function askVolumes(
  { details }: Deed,
  parts: EverywhereParts,
): Promise<readonly VolumeBody[] | null> {
  const { nodes, broke } = parts
  const node = nodes.find(({ name, daemon }) => name === details['via'] && daemon !== null)
  if (node === undefined) return null
  const there = (): ReadonlyMap<string, Node> =>
    new Map(nodes.flatMap((one) => one.host.volumes.whole().map((uuid) => [uuid, one] as const)))
  let before = there()
  const asked = { path: paths.volumes, what: 'which volumes there are', answersWithinMs }
  const told = await askEverywhere<VolumesBody>(node, asked, parts, () => {
    before = there()
  })
  if (told === null) return null
  const after = there()
  for (const [uuid, one] of before) {
    const isTold =
      told.volumes.some((volume) => volume.uuid === uuid) ||
      told.silent.some(({ machine }) => machine === one.id)
    // What is on a machine of which nobody knows any more is told of as lost, by its record.
    if (isTold || !after.has(uuid) || node.daemon?.registry.view.machines.has(one.id) !== true) continue
    broke(`${node.name} does not tell of the volume ${uuid} on ${one.name}, nor that this is silent`)
  }
  return told.volumes
}

/** One of those that are told of a service: what is acknowledged as deleted is nowhere. */
export async function removeVolume(deed: Deed, parts: VolumeRequestsParts): Promise<void> {
  const { who, details } = deed
  const { nodes, deletesVolumes, broke, count } = parts
  const told = await askVolumes(deed, parts)
  const own = (told ?? []).filter(({ service }) => service === who)
  // What is in use is refused: nearly always somebody deletes what is not.
  const idle = own.filter(({ state }) => state !== 'in-use')
  const from = idle.length > 0 ? idle : own
  const volume = from[Number(details['n']) % from.length]
  const node = nodes.find(({ name }) => name === details['via'])
  if (volume === undefined || node === undefined) return
  const { uuid, state } = volume
  deletesVolumes(uuid, volumeKey(volume))
  const path = `${paths.volume(uuid)}?project=${project}&force=true`
  const answer = await askOutside(node, { method: 'DELETE', path }, parts)
  if (answer === null) return count('removed volume, without an answer')
  const keeper = nodes.find(({ host }) => host.volumes.list().some((one) => one.uuid === uuid))
  if (answer.status !== 200) {
    const { code, message } = (JSON.parse(answer.text) as ErrorBody).error
    count(`refused ${code}`)
    // Who refuses it has heard.
    const isUnheard = code === 'api/peer-unreachable' && !message.includes(' refuses: ')
    if (isUnheard && keeper !== undefined && !isExcused(node, keeper, parts))
      broke(`${node.name} does not hear ${keeper.name}, which could answer: ${message}`)
    return
  }
  const body = JSON.parse(answer.text) as DeletedVolume
  count(`removed volume, ${state}${body.going ? ', which goes on' : ''}`)
  if (!body.going && body.state !== 'lost' && keeper !== undefined)
    broke(`${node.name} says that the volume ${uuid} is deleted, and it is on ${keeper.name}`)
}

/** The volumes of a slot move to another machine, or an operator ends that: what is refused says why. */
export async function moveVolume(deed: Deed, parts: EverywhereParts): Promise<void> {
  const { who, details } = deed
  const { nodes, count, broke } = parts
  const told = await askVolumes(deed, parts)
  const isCancelled = details['cancel'] === 'yes'
  const own = (told ?? []).filter(
    ({ service, slot, state }) => service === who && slot !== null && (state === 'moving') === isCancelled,
  )
  const volume = own[Number(details['n']) % own.length]
  const node = nodes.find(({ name }) => name === details['via'])
  if (volume === undefined || node === undefined) return
  const to = details['to'] === undefined ? {} : { machine: details['to'] }
  const request = {
    ...{ method: 'POST' as const, path: `${paths.volumeMove(volume.uuid)}?project=${project}` },
    body: isCancelled ? { cancel: true } : to,
  }
  const answer = await askOutside(node, request, parts)
  const what = isCancelled ? 'end of a move' : 'move'
  if (answer === null) return count(`asked for the ${what}, without an answer`)
  if (answer.status === 200) return count(`asked for the ${what}`)
  const { code, message } = (JSON.parse(answer.text) as ErrorBody).error
  count(`refused ${code}`)
  if (answer.status >= 500 && answer.status !== 502 && answer.status !== 503)
    broke(`${node.name} answers the request for the ${what} with ${answer.status}: ${message}`)
}
