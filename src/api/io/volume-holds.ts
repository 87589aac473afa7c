// Holding the slot of a volume in the store, and letting go of it.
import type { Problem } from '../../changes/problem.js'
import type { VolumeBody } from '../../contract/contract.js'
import { uuidByChance } from '../../lib/hash.js'
import { tryUntilDone } from '../../lib/io/tries.js'
import type { Actor } from '../../model/actor.js'
import type { MachineId } from '../../model/machine.js'
import type { VolumeHold, VolumeWork } from '../../model/volume.js'
import {
  decidesOnHold,
  decidesOnSlot,
  heldFor,
  releasedFrom,
  type Slot,
  volumesOfSlot,
} from '../../volumes/holds.js'
import { volumeEvent } from '../../volumes/removal.js'
import { type ApiContext, contended, orRefuse, ProblemError, retryPolicy } from './context.js'

type HoldContext = Pick<ApiContext, 'registry' | 'events' | 'clock' | 'random'>

/** A volume of a slot. */
type SlotVolumeBody = VolumeBody & { readonly slot: number }

/** Whether a slot has it. */
export function isOfSlot(volume: VolumeBody): volume is SlotVolumeBody {
  return volume.slot !== null
}

/** Holds the slot of a volume: its instance is stopped, and none is made until it is released. Throws ProblemError. */
export async function holdSlot(
  { registry, events, clock, random }: HoldContext,
  actor: Actor | null,
  volume: SlotVolumeBody,
  {
    id = uuidByChance(random, 'work', `${clock.now()}`),
    work,
    by: machine,
    what,
  }: { readonly id?: string; readonly work: VolumeWork; readonly by: MachineId; readonly what: string },
): Promise<VolumeHold> {
  const hold: VolumeHold = { id, work, by: machine, at: clock.now() }
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { committed } = await registry.decide((view) => {
      const { ops } = orRefuse(heldFor(view, volume, hold))
      const by = actor === null ? {} : { by: actor }
      const event = { ...volumeEvent(volume, what), kind: 'volume' as const, ...by }
      return { decidedOn: decidesOnHold(view, volume), ops: [...ops, ...events.append([event])] }
    })
    return committed ? hold : null
  })
  if (done === null) throw contended()
  return done
}

/** Lets the slot have an instance again. */
export async function releaseSlot(
  { registry, clock, random }: HoldContext,
  slot: Slot,
  id: string,
  /** The volume, by name, that has been filled. */
  whole: string | null = null,
): Promise<void> {
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { committed } = await registry.decide((view) => ({
      decidedOn: decidesOnSlot(view, slot),
      ops: releasedFrom(view, slot, id, whole),
    }))
    return committed ? {} : null
  })
  if (done === null) throw contended()
}

/** Ends the move of a slot, whoever carries it out. Throws ProblemError where there is none. */
export async function endMove(context: HoldContext, actor: Actor, volume: SlotVolumeBody): Promise<void> {
  const { registry, events, clock, random } = context
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { committed } = await registry.decide((view) => {
      const hold = volumesOfSlot(view, volume).find((one) => one.hold?.work === 'move')?.hold
      if (hold === undefined) throw new ProblemError(notMoving(volume))
      const event = { ...volumeEvent(volume, 'stays where it is'), kind: 'volume' as const, by: actor }
      const ops = [...releasedFrom(view, volume, hold.id), ...events.append([event])]
      return { decidedOn: decidesOnSlot(view, volume), ops }
    })
    return committed ? {} : null
  })
  if (done === null) throw contended()
}

function notMoving({ service, slot }: SlotVolumeBody): Problem {
  const message = `no volume of slot ${slot} of ${service} is being moved`
  return { status: 409, code: 'volume/not-moving', message, hint: 'mariposa volume list shows moves' }
}
