// An agent has the volumes of a unit held to their sizes before its program starts.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { VolumeToHold } from '../../src/agent/io/volume-quotas.js'
import { runNothing } from '../../src/health/io/own-probe.js'
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
    const holdToSize = async ({ name, sizeMb, dataDir }: VolumeToHold): Promise<void> =>
      void steps.push([name, sizeMb, await dataDir()])
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
