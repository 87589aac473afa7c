// What a daemon tells of its entry while it runs.
import { expect, test } from 'vitest'
import { lineLog } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import { followHaproxy } from '../../src/main/entry.js'
import type { Machine } from '../../src/model/machine.js'

test('HAProxy that comes and goes while the daemon runs is told of', async () => {
  // Every wait is over at once.
  const clock: Time = {
    now: () => 0,
    steady: () => 0,
    after: (_, done) => {
      const timer = setImmediate(done)
      const made = { cancel: () => clearImmediate(timer), unref: () => made }
      return made
    },
  }
  const [http, https] = [
    { host: '::1', port: 80 },
    { host: '', port: 443 },
  ]
  let looks = 0
  const told: Machine['entry'][] = []
  let stop = async (): Promise<void> => {}
  await new Promise<void>((resolve, reject) => {
    const tell = (entry: NonNullable<Machine['entry']>): void => {
      told.push(entry)
      if (told.length === 3) resolve()
    }
    const push = async (_: string, step: () => Promise<void>): Promise<void> => {
      stop = step
    }
    const parts = { options: { entry: { http, https } }, clock, log: lineLog(() => {}) }
    followHaproxy(parts, tell, { push }, () => ++looks === 2).catch(reject)
  })
  await stop()
  const at = { http: '[::1]:80', https: ':443' }
  expect(told.slice(0, 3)).toEqual([at, { ...at, tcp: true }, at])
})
