// The volume that something is to come into, which may still have to be made.
import { findMachine } from '../../changes/machines.js'
import type { VolumeBody } from '../../contract/contract.js'
import { describeVolumeOf } from '../../volumes/bodies.js'
import type { VolumeToMake } from '../../volumes/holds.js'
import { volumeToMake } from '../../volumes/new-volume.js'
import { type ApiContext, orRefuse, ProblemError } from './context.js'

/** Finds a volume wherever it is, or on this machine alone. */
export type FindVolume = (word: string, project: string, isHere: boolean) => Promise<VolumeBody>

interface TargetAsked {
  readonly word: string
  readonly project: string
  /** The machine that it is to be on; null where nobody says it. */
  readonly machine: string | null
  /** Whether another daemon asks, which knows that it is here. */
  readonly isForUs: boolean
}

/** The volume that a word stands for, or the one of a slot that is to be made for it. Throws ProblemError. */
export async function restoreTarget(
  { registry: { view }, explainer }: ApiContext,
  find: FindVolume,
  { word, project, machine, isForUs }: TargetAsked,
): Promise<VolumeBody | VolumeToMake> {
  try {
    const found = await find(word, project, isForUs)
    if (machine === null || orRefuse(findMachine(view, machine)).id === found.machine) return found
    throw isElsewhere(found)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.code !== 'volume/unknown') throw error
    const wanted = volumeToMake(view, explainer, { word, project, machine })
    if (wanted === null) throw error
    return orRefuse(wanted)
  }
}

function isElsewhere(volume: VolumeBody): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'volume/cannot-make',
    message: `${describeVolumeOf(volume)} exists already: it is not created on another machine`,
    hint: 'leave --machine out, or move it afterwards: mariposa volume move',
  })
}
