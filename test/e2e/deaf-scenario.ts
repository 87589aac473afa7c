// Programs that heed no signal, with a stop that waits without end: a deploy of a smaller `stop.timeout` is the way out,
// whatever runs them.
import { expect } from 'vitest'
import type { Host } from './host.js'

const deaf = "trap '' TERM; while :; do sleep 1; done"

/** A service whose program heeds no signal; `base` says what runs it. */
export function deafManifest(base: string, version: string, timeout: number): string {
  return `${base}command: [/bin/sh, "-c", ${JSON.stringify(deaf)}]
environment: {VERSION: ${JSON.stringify(version)}}
stop: {timeout: ${timeout}, preservestopped: "no"}
`
}

/** One instance is stopping without end when the deploy comes, the other one is stopped by it. */
export async function playDeafScenario(host: Host, base: string): Promise<void> {
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', deafManifest(base, '1', -1)), '--scale', '2')
  await host.done('service', 'scale', 'web', '1', '--detach')
  const states = async (): Promise<readonly string[]> =>
    (await host.instances('web')).map(({ state }) => state).sort()
  while ((await states())[1] !== 'stopping');
  // All that is known of the stop by then is in the records.
  daemon.signal('SIGKILL')
  await daemon.ended
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', deafManifest(base, '2', 1)))
  expect(await host.instances('web')).toMatchObject([{ ordinal: 2, state: 'running' }])
}
