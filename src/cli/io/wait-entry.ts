// Waits until the entry serves what was deployed.
import { setTimeout as delay } from 'node:timers/promises'
import { ClientError } from '../../client/client-error.js'
import { unreadyEntries } from '../unready-entries.js'
import type { Shell } from './shell.js'

const waitsForMs = 10_000
const lookEveryMs = 200

/** Waits a while until each machine with an entry serves the routes of some services, and warns of those that do not. */
export async function waitForEntry(shell: Shell, services: readonly string[]): Promise<void> {
  if (services.length === 0) return
  const { client, globals, terminal, signal } = shell
  const look = async (): Promise<readonly string[]> =>
    unreadyEntries(await client.entry(globals.project, signal), services)
  try {
    let unready = await look()
    for (
      const until = Date.now() + waitsForMs;
      unready.length > 0 && Date.now() < until;
      unready = await look()
    )
      await delay(lookEveryMs, undefined, { signal })
    for (const one of unready) terminal.err(`warning: ${one}; see: mariposa entry list\n`)
  } catch (error) {
    // What was deployed runs: that nobody knows of the entry, or waits for it, is no failure of that.
    if (!(error instanceof ClientError) && !signal.aborted) throw error
  }
}
