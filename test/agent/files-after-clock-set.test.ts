// The clock is set back while the files of a unit, which could not be written, wait to be tried again.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { Time } from '../../src/lib/time.js'
import type { Meta } from '../../src/model/meta.js'
import { putOf } from '../../src/store/records.js'
import { printFile } from '../../src/unit/files.js'
import { unsetClock } from '../unset-clock.js'
import { hasty, idle, openRecords, reported, shownUnits, startWith, want } from './small-agent.js'

const day = 86_400_000
const file = printFile({
  ...{ path: 'a', mode: null, owner: null, secret: false, data: null },
  text: [{ kind: 'meta', key: 'told' }],
  onChange: 'SIGHUP',
})
const text = `[Container]\nImage=app:1\n\n[X-Mariposa]\nProject=shop\nFile=${file}\n`
const told = (value: string): Meta => ({
  ...{ project: 'shop', key: 'told', value, casId: value, secret: false, updatedAt: 0 },
})

test('they are tried again as soon as they would have been', { timeout: 20_000 }, async () => {
  let offMs = 0
  const clock: Time = { ...hasty, now: () => hasty.now() + offMs }
  let jumped = (_byMs: number): void => {}
  const clockWatch = {
    ...unsetClock,
    onJump: (tell: (byMs: number) => void) => {
      jumped = tell
      return () => {}
    },
  }
  const registry = await openRecords()
  await registry.decide(() => ({ decidedOn: [], ops: [putOf('meta', told('1'))] }))
  await want(registry, text, 'launched')
  const { seen, see } = shownUnits()
  let isChanged = false
  let tries = 0
  let hasWritten = (): void => {}
  const written = new Promise<void>((resolve) => (hasWritten = resolve))
  const driver: Driver = {
    ...idle,
    load: async ({ name: of, hash }) => see(of, { load: 'loaded', hash }),
    start: async (of) => see(of, { active: 'active', sub: 'running', since: 1 }),
    list: async () => [...seen.values()],
    observe: async (of) => seen.get(of) ?? null,
    replaceFiles: () => {
      if (!isChanged) return []
      tries += 1
      if (tries > 1) {
        hasWritten()
        return []
      }
      queueMicrotask(() => queueMicrotask(setBack))
      throw new Error('the disk is full')
    },
    tell: async () => {},
  }
  const setBack = (): void => {
    offMs -= day
    jumped(-day)
  }
  const runs = reported(registry, ({ active }) => active === 'active')
  const agent = await startWith(registry, driver, { clock, clockWatch })
  await runs
  isChanged = true
  await registry.decide(() => ({ decidedOn: [], ops: [putOf('meta', told('2'))] }))
  await written
  expect(tries).toBe(2)
  await agent.stop()
  await registry.close()
})
