// A text that is not the one that its hash was made of is not run, whoever has written it into the store.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { decode, keys, putOf } from '../../src/store/records.js'
import { unitHash } from '../../src/unit/print.js'
import { idle, machine, name, openRecords, startWith, want } from './small-agent.js'

const text = '[Container]\nImage=app:1\n'
const hash = unitHash(text)

test('a text that was changed in the store is told of and not run, until it is as it was', async () => {
  const registry = await openRecords()
  await want(registry, text, 'loaded')
  await registry.commit([], [putOf('file', { hash, text: '[Container]\nImage=evil:1\n' })])
  const told = new Promise<string>((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes) {
        if (change.key !== keys.report(machine, name) || change.type !== 'put') continue
        const { failure } = decode('report', change.entry)
        if (failure !== null) resolve(failure.code)
      }
    })
  })
  const images: (string | undefined)[] = []
  let isLoaded = (): void => {}
  const loaded = new Promise<void>((resolve) => {
    isLoaded = resolve
  })
  const driver: Driver = {
    ...idle,
    load: async ({ file }) => {
      images.push(file.options[0]?.value)
      isLoaded()
    },
  }
  const agent = await startWith(registry, driver)
  expect(await told).toBe('unit/altered')
  expect(images).toEqual([])
  await registry.commit([], [putOf('file', { hash, text })])
  await loaded
  expect(images).toEqual(['app:1'])
  await agent.stop()
  await registry.close()
})
