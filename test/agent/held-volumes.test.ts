// An agent has the volumes of a unit held to their sizes before its program starts.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { VolumeToHold } from '../../src/agent/io/volume-quotas.js'
import { runNothing } from '../../src/health/io/own-probe.js'
import { DriverError } from '../../src/model/driver-error.js'
import { decode, prefixes } from '../../src/store/records.js'
import { idle, openRecords, startWith, want } from './small-agent.js'

const text = `[Service]
ExecStart=/bin/true

[X-Mariposa]
Project=default
Service=web
Volume=data:/data
Volume=free:/free
Volume=fixed:/fixed:ro
VolumeSize=data:8
`

test('volumes are held to what the unit says before it starts; what it only reads is left alone', async () => {
  const registry = await openRecords()
  await want(registry, text, 'launched')
  const steps: unknown[] = []
  const started = new Promise<void>((resolve, reject) => {
    const driver: Driver = {
      ...idle,
      kind: 'process',
      load: async () => void steps.push('load'),
      volumeData: async ({ name }) => `/volumes/${name}`,
      start: async () => {
        steps.push('start')
        resolve()
      },
    }
    const holdToSize = async ({ name, sizeMb, dir }: VolumeToHold): Promise<void> =>
      void steps.push([name, sizeMb, dir])
    const host = { refuseTakenPorts: async () => {}, ownProbe: runNothing, holdToSize }
    startWith(registry, driver, { host }).then((agent) => started.then(() => agent.stop()), reject)
  })
  await started
  expect(steps).toEqual([
    'load',
    ['web.data', 8, '/volumes/data'],
    ['web.free', null, '/volumes/free'],
    'start',
  ])
  await registry.close()
})

test('that a volume is full is told before the program starts, once until it has room again', async () => {
  const registry = await openRecords()
  await want(registry, text, 'launched')
  let starts = 0
  const seen: string[] = []
  registry.onChange((_, changes) => {
    for (const change of changes) {
      if (change.type !== 'put' || !change.key.startsWith(prefixes.event)) continue
      for (const { kind, message } of decode('event', change.entry)) if (kind === 'volume') seen.push(message)
    }
  })
  let startedTwice = (): void => {}
  const again = new Promise<void>((resolve) => {
    startedTwice = resolve
  })
  const driver: Driver = {
    ...idle,
    kind: 'process',
    load: async () => {},
    volumeData: async ({ name }) => `/volumes/${name}`,
    start: async () => {
      starts += 1
      if (starts === 3) startedTwice()
      throw new DriverError('process/refused', 'it does not begin')
    },
  }
  const whyFull = async (dir: string): Promise<string | null> =>
    dir === '/volumes/data' ? 'its disk has 0 kB left' : null
  const host = { refuseTakenPorts: async () => {}, ownProbe: runNothing, holdToSize: async () => {}, whyFull }
  const agent = await startWith(registry, driver, { host })
  await again
  await expect
    .poll(() => seen)
    .toEqual(['web.service starts with the volume web.data, which is full: its disk has 0 kB left'])
  await agent.stop()
  await registry.close()
})
