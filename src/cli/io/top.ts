// `mariposa top`: what runs uses, once or for as long as somebody looks.
import { setTimeout as sleep } from 'node:timers/promises'
import type { UseBody } from '../../contract/contract.js'
import { exitCodes } from '../command-error.js'
import { describeLoad, loadOf, lookBefore } from '../top.js'
import { cellView, printJson, type Shell } from './shell.js'

export interface TopFlags {
  readonly once?: boolean
  /** Milliseconds. */
  readonly interval: number
}

/** Between two looks that are compared for one answer; the daemon reads no more often than each two seconds. */
const apartMs = 2500

/** On a terminal until Ctrl-C. */
export async function top(shell: Shell, { once = false, interval }: TopFlags): Promise<number> {
  const { globals, terminal, client, signal } = shell
  const block = once || globals.json ? null : terminal.liveBlock('stdout')
  const project = globals.projectGiven ?? null
  // A project that nobody has heard of is refused, as in lists.
  if (project !== null) await client.schedules(project, undefined, signal)
  let before: UseBody | null = null
  let last: UseBody | null = null
  for (;;) {
    const now: UseBody = await client.use(signal)
    before = lookBefore(before, last, now)
    const load = loadOf(before, now, project)
    const lines = describeLoad(load, { ...cellView(shell), width: null })
    if (block !== null) {
      const { rows, columns } = block.size()
      block.draw(lines.slice(0, rows - 1).map((line) => line.slice(0, columns - 1)))
    } else if (before !== null) {
      if (globals.json) printJson(shell, load)
      else terminal.out(lines.map((line) => `${line}\n`).join(''))
      return exitCodes.done
    }
    last = now
    await sleep(block === null ? apartMs : interval, undefined, { signal })
  }
}
