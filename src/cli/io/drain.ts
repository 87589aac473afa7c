// `mariposa machine drain`: orders it, and follows it until the machines are empty or nothing more can leave them.
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
  const moving = volumes === true ? await moveVolumesOff(shell, ids) : []
  if (detach) {
    if (globals.json)
      printJson(
        shell,
        ids.map((machine) => ({ machine })),
      )
    else terminal.out(ids.map((id) => `${id}\n`).join(''))
    return exitCodes.done
  }
  const drained = await followDrains(shell, ids)
  for (const volume of moving) await followMove(shell, volume)
  if (globals.json) printJson(shell, drained)
  else if (globals.quiet) terminal.out(ids.map((id) => `${id}\n`).join(''))
  return exitCodes.done
}

/** Has the volumes of all slots on machines move, each slot once. Throws ClientError where some can go nowhere. */
async function moveVolumesOff(shell: Shell, ids: readonly string[]): Promise<readonly VolumeBody[]> {
  const { client, signal } = shell
  const slots = new Map<string, VolumeBody>()
  for (const machine of ids)
    for (const volume of (await client.volumes({ machine }, signal)).volumes)
      if (volume.current && volume.slot !== null && volume.work === null)
        slots.set(`${volume.project}/${volume.service}/${volume.slot}`, volume)
  const moving: VolumeBody[] = []
  for (const { project, uuid } of slots.values())
    moving.push(await client.moveVolume(project, uuid, {}, signal))
  return moving
}

async function followDrains(shell: Shell, ids: readonly string[]): Promise<readonly DrainBody[]> {
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
  throwIfStuck(seen)
  return seen
}

function missingOf(drain: DrainBody): readonly string[] {
  return drain.left.filter(({ state }) => state !== 'stays').map(describeDrained)
}

function throwIfStuck(drains: readonly DrainBody[]): void {
  const failed = drains.filter(({ state }) => state !== 'done')
  if (failed.length === 0) return
  const details = failed
    .flatMap(missingOf)
    .map((message): Diagnostic => ({ code, severity: 'error', message }))
  const hint =
    'the machines stay cordoned and are emptied as soon as they can be; mariposa machine uncordon ends it'
  throw new CommandError(exitCodes.failed, code, failed.map(describeDrain).join('\n'), { details, hint })
}

const code = 'cli/cannot-drain'
