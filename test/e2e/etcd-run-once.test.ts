// Programs that run once on another machine than that whose daemon is asked.
import { describe } from 'vitest'
import { usePairs } from './pair.js'
import { describeRunOnce } from './run-once.js'

const pairs = usePairs()

describe('service run across machines', () => {
  describeRunOnce(async () => {
    const manifest =
      'compute_type: process\ncommand: [/bin/sleep, "10000"]\nenvironment: {GREETING: hello, WHO: world}\n'
    return (await pairs.openAcross(manifest)).host
  })
})
