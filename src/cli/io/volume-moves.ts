// Moves of volumes, followed until what is in them is on the other machine.
import { setTimeout as delay } from 'node:timers/promises'
import type { VolumeBody } from '../../contract/contract.js'
import { describeSize } from '../../model/pull.js'
import { nameWithSlot } from '../../model/volume.js'
import { CommandError, exitCodes } from '../command-error.js'
import { openDisplay } from './display.js'
import { interrupted, keepFollowing, notConverged } from './keep-following.js'
import { printJson, type Shell } from './shell.js'

export interface MoveFlags {
  readonly cancel?: boolean
  readonly detach?: boolean
}

/** Moves the volumes of a slot. Throws CommandError where they stay where they are (exit 1), and when time is up (exit 3). */
export async function moveVolume(
  shell: Shell,
  word: string,
  machine: string | undefined,
  { cancel, detach }: MoveFlags,
): Promise<number> {
  const { client, globals, signal } = shell
  const request = cancel === true ? { cancel } : machine === undefined ? {} : { machine }
  const asked = await client.moveVolume(globals.project, word, request, signal)
  if (cancel === true) tellVolume(shell, asked, `stays on ${asked.hostname}`)
  else if (detach === true) tellVolume(shell, asked, `moves to ${asked.to ?? ''}`)
  else {
    const moved = await followMove(shell, asked)
    tellVolume(shell, moved, `is on ${moved.hostname} now`)
  }
  return exitCodes.done
}

/** Resolves once the slot of a volume is on the machine that it moves to. */
export async function followMove(shell: Shell, asked: VolumeBody): Promise<VolumeBody> {
  const show = openDisplay(shell)
  let shown = ''
  let last = null as VolumeBody | null
  try {
    await keepFollowing(
      () => looksAt(shell, asked),
      shell.signal,
      (now) => {
        last = now
        if (now !== null && now.state !== 'moving') return true
        const line = describeGoing(asked, now)
        if (line !== shown)
          show(
            () => [line],
            () => [line],
          )
        shown = line
        return false
      },
    )
    if (last !== null && last.machine !== asked.machine) return last
    throw await stays(shell, asked)
  } catch (error) {
    if (error instanceof CommandError) throw error
    if (shell.interruption.aborted) throw interrupted()
    const { deadline } = shell
    throw deadline.signal.aborted ? notConverged([describeGoing(asked, null)], deadline) : error
  }
}

const lookEveryMs = 500

async function* looksAt(
  shell: Shell,
  asked: VolumeBody,
): AsyncGenerator<VolumeBody | null, never, undefined> {
  for (;;) {
    yield await currentOf(shell, asked)
    await delay(lookEveryMs, undefined, { signal: shell.signal })
  }
}

/** What its slot has now; null where no machine tells. */
async function currentOf({ client, signal }: Shell, asked: VolumeBody): Promise<VolumeBody | null> {
  const { project, service } = asked
  const { volumes } = await client.volumes({ project, service }, signal)
  const isIt = ({ name, slot, current }: VolumeBody): boolean =>
    name === asked.name && slot === asked.slot && current
  return volumes.find(isIt) ?? null
}

async function stays(
  { client, signal }: Shell,
  { project, service, slot, hostname }: VolumeBody,
): Promise<CommandError> {
  let why = ''
  const query = { project, service, kind: 'volume', tail: 1, follow: false }
  for await (const event of client.events(query, signal)) why = event.message
  const message = `slot ${slot ?? ''} of ${service} stays on ${hostname}${why === '' ? '' : `: ${why}`}`
  return new CommandError(exitCodes.failed, 'cli/not-moved', message, {
    hint: `mariposa events --service ${service} --kind volume shows the outcome`,
  })
}

function describeGoing(asked: VolumeBody, now: VolumeBody | null): string {
  const sent = now?.movedBytes ?? 0
  const how = sent > 0 ? `${describeSize(sent)} sent` : 'its instance is stopped first'
  return `${asked.service}.${nameWithSlot(asked)} moves to ${asked.to ?? ''}: ${how}`
}

function tellVolume(shell: Shell, volume: VolumeBody, what: string): void {
  const { globals, terminal } = shell
  if (globals.json) printJson(shell, volume)
  else if (globals.quiet) terminal.out(`${volume.uuid}\n`)
  else terminal.out(`${volume.service}.${nameWithSlot(volume)} (${volume.uuid.slice(0, 8)}) ${what}\n`)
}
