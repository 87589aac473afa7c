// `mariposa machine drain`: orders it, and follows it until the machines are empty or nothing more can leave them.
import { setTimeout as delay } from 'node:timers/promises'
import { ClientError } from '../../client/client-error.js'
import type { DrainBody, VolumeBody } from '../../contract/contract.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import { CommandError, exitCodes } from '../command-error.js'
import { describeDrain, describeDrainChanges, describeDrained, renderDrains } from '../drain-progress.js'
import { openDisplay } from './display.js'
import { interrupted, keepFollowing, notConverged } from './keep-following.js'
import type { Shell } from './shell.js'
import { printJson, tellHeld } from './shell.js'
import { followMove } from './volume-moves.js'

export interface DrainFlags {
  readonly detach?: boolean
  readonly rolling?: number
  readonly volumes?: boolean
}

/**
 * Drains machines. Throws CommandError when something can go nowhere else or somebody lifts the cordon (exit 1), when
 * time is up (exit 3) and on Ctrl-C (exit 130); in all of these cases but a lifted cordon the drain stays in effect.
 */
export async function drainMachines(
  shell: Shell,
  names: readonly string[],
  { detach, rolling, volumes }: DrainFlags,
): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const ids: string[] = []
  for (const name of names) {
    const drain = rolling === undefined ? {} : { rolling }
    ids.push((await client.changeMachine(name, { drain }, signal)).id)
  }
  const { moving, problems } = await moved(shell, volumes === true ? ids : [], detach !== true)
  if (detach) {
    if (globals.json)
      printJson(
        shell,
        ids.map((machine) => ({ machine })),
      )
    else terminal.out(ids.map((id) => `${id}\n`).join(''))
    throwIfStaying(problems)
    return exitCodes.done
  }
  const drained = await followDrains(shell, ids, problems)
  throwIfStaying(problems)
  for (const volume of moving) await followMove(shell, volume)
  if (globals.json) printJson(shell, drained)
  else if (globals.quiet) terminal.out(ids.map((id) => `${id}\n`).join(''))
  return exitCodes.done
}

interface Moved {
  readonly moving: readonly VolumeBody[]
  /** Why the volumes of some slots do not move. */
  readonly problems: readonly Diagnostic[]
}

/** Has the volumes of all slots on machines move, each slot once. One that can go nowhere holds up no other. */
async function moved(shell: Shell, ids: readonly string[], waits: boolean): Promise<Moved> {
  const slots = new Map<string, VolumeBody>()
  for (const machine of ids)
    for (const volume of (await shell.client.volumes({ machine }, shell.signal)).volumes)
      if (volume.current && volume.slot !== null)
        slots.set(`${volume.project}/${volume.service}/${volume.slot}`, volume)
  const moving: VolumeBody[] = []
  const problems: Diagnostic[] = []
  for (const volume of slots.values()) {
    try {
      const free = waits ? await whenLetGo(shell, volume) : volume
      moving.push(
        free.work === 'move'
          ? free
          : await shell.client.moveVolume(free.project, free.uuid, {}, shell.signal),
      )
    } catch (error) {
      if (!(error instanceof ClientError) || error.status === null) throw error
      problems.push({ code: error.code, severity: 'error', message: error.message })
    }
  }
  return { moving, problems }
}

/** A backup or a restore that goes on is waited for: its slot would have an instance here again. */
async function whenLetGo({ client, signal, terminal }: Shell, volume: VolumeBody): Promise<VolumeBody> {
  let now = volume
  let isTold = false
  while (now.work === 'backup' || now.work === 'restore') {
    if (!isTold)
      terminal.err(`${volume.service}.${volume.name} is held for a ${now.work}: it moves after that\n`)
    isTold = true
    await delay(lookEveryMs, undefined, { signal })
    now = await client.volume(volume.project, volume.uuid, signal)
  }
  return now
}

const lookEveryMs = 500

async function followDrains(
  shell: Shell,
  ids: readonly string[],
  problems: readonly Diagnostic[],
): Promise<readonly DrainBody[]> {
  const looks = new Map<string, DrainBody>()
  const show = openDisplay(shell)
  const tell = tellHeld(shell)
  const stop = new AbortController()
  const signal = AbortSignal.any([shell.signal, stop.signal])
  const follow = (id: string) =>
    keepFollowing(
      () => shell.client.drain(id, signal),
      signal,
      (look) => {
        const before = looks.get(id) ?? null
        looks.set(id, look)
        tell(id, look)
        show(
          (size, paint) => renderDrains([...looks.values()], size, paint),
          () => describeDrainChanges(before, look),
        )
        return look.state !== 'going'
      },
    )
  try {
    await Promise.all(ids.map(follow))
  } catch (error) {
    if (shell.interruption.aborted) throw interrupted()
    const { deadline } = shell
    throw deadline.signal.aborted ? notConverged([...looks.values()].flatMap(missingOf), deadline) : error
  } finally {
    stop.abort()
  }
  const seen = ids.flatMap((id) => looks.get(id) ?? [])
  throwIfStuck(seen, problems)
  return seen
}

function missingOf(drain: DrainBody): readonly string[] {
  return drain.left.filter(({ state }) => state !== 'stays').map(describeDrained)
}

function throwIfStuck(drains: readonly DrainBody[], problems: readonly Diagnostic[]): void {
  const failed = drains.filter(({ state }) => state !== 'done')
  if (failed.length === 0) return
  const stuck = failed.flatMap(missingOf).map((message): Diagnostic => ({ code, severity: 'error', message }))
  throw cannotDrain(failed.map(describeDrain).join('\n'), [...stuck, ...problems])
}

/** Of a slot whose instance is not there nothing is stuck but its volumes. */
function throwIfStaying(problems: readonly Diagnostic[]): void {
  if (problems.length > 0) throw cannotDrain('some volumes stay where they are', problems)
}

function cannotDrain(message: string, details: readonly Diagnostic[]): CommandError {
  const hint =
    'the machines stay cordoned and are emptied as soon as they can be; mariposa machine uncordon ends it'
  return new CommandError(exitCodes.failed, code, message, { details, hint })
}

const code = 'cli/cannot-drain'
