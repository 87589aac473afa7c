// Programs that run once on another machine than that whose daemon is asked.
import { describe, test } from 'vitest'
import { usePairs } from './pair.js'
import { describeRunOnce } from './run-once.js'

const pairs = usePairs()

const manifest =
  'compute_type: process\ncommand: [/bin/sleep, "10000"]\nenvironment: {GREETING: hello, WHO: world}\n'

describe('service run across machines', () => {
  describeRunOnce(async () => (await pairs.openAcross(manifest)).host)
})

test('service run on a machine that has just died says what it waits for, and since when', async () => {
  const { host, daemons } = await pairs.openAcross(manifest)
  daemons[1]?.signal('SIGKILL')
  const run = host.start('service', 'run', 'web', '--', 'true')
  await run.said('web-2 waits for the machine ')
  await run.said('which has not renewed its lease since ')
  run.signal('SIGINT')
  await run.ended
})
