// A unit that is to stop while its files are written.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { Meta } from '../../src/model/meta.js'
import { putOf } from '../../src/store/records.js'
import { printFile } from '../../src/unit/files.js'
import { asUnitName } from '../../src/unit/name.js'
import { idle, name, openRecords, reported, shownUnits, startWith, want } from './small-agent.js'

const file = printFile({
  ...{ path: 'a', mode: null, owner: null, secret: false, data: null },
  text: [{ kind: 'meta', key: 'told' }],
  onChange: 'SIGHUP',
})
const text = `[Container]
Image=app:1

[X-Mariposa]
Project=shop
File=${file}
`
const told = (value: string): Meta => ({
  ...{ project: 'shop', key: 'told', value, casId: value, secret: false, updatedAt: 0 },
})

test('it is stopped once they are, though nothing else of it changes', async () => {
  const registry = await openRecords()
  await registry.decide(() => ({ decidedOn: [], ops: [putOf('meta', told('1'))] }))
  await want(registry, text, 'launched')
  const { seen, see } = shownUnits()
  let isChanged = false
  let isWriting = (): void => {}
  const writing = new Promise<void>((resolve) => {
    isWriting = resolve
  })
  let written = (): void => {}
  const end = new Promise<void>((resolve) => {
    written = resolve
  })
  let hasStopped = (): void => {}
  const stopped = new Promise<void>((resolve) => {
    hasStopped = resolve
  })
  const driver: Driver = {
    ...idle,
    load: async ({ name: of, hash }) => see(of, { load: 'loaded', hash }),
    start: async (of) => see(of, { active: 'active', sub: 'running', since: 1 }),
    stop: async (of) => {
      see(of, { active: 'inactive', sub: 'dead' })
      hasStopped()
    },
    list: async () => [...seen.values()],
    observe: async (of) => seen.get(of) ?? null,
    replaceFiles: () => (isChanged ? ['a'] : []),
    tell: async () => {
      isWriting()
      await end
    },
  }
  const runs = reported(registry, ({ active }) => active === 'active')
  const agent = await startWith(registry, driver)
  await runs
  isChanged = true
  await registry.decide(() => ({ decidedOn: [], ops: [putOf('meta', told('2'))] }))
  await writing
  await want(registry, text, 'loaded')
  // What is told of another unit, which came later, is told by a pass that has seen both.
  const other = asUnitName('other.service')
  const seesBoth = reported(registry, ({ load }) => load === 'loaded', other)
  await want(registry, '[Container]\nImage=app:1\n', 'loaded', other)
  await seesBoth
  written()
  await stopped
  expect(seen.get(name)?.active).toBe('inactive')
  await agent.stop()
  await registry.close()
})
