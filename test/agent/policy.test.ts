// An agent whose machine has a policy: what breaks it is not begun, what runs is left alone, and a change counts at once.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { absentUnit } from '../../src/agent/report.js'
import type { PolicyHere } from '../../src/model/policy.js'
import type { ObservedUnit, UnitReport } from '../../src/model/unit.js'
import { idle, name, openRecords, reported, startWith, want } from './small-agent.js'

const asRoot = '[Container]\nImage=app:1\n'
const asOther = '[Container]\nImage=app:1\nUser=1000\n'

const strict: PolicyHere = {
  policy: {
    ...{ drivers: null, root: false, hostPaths: null, hostNetwork: true },
    ...{ capabilities: null, devices: null, images: null },
  },
  asRoot: true,
}

/** A driver that notes what it is told, and shows it. */
function noting(first: Partial<ObservedUnit> = {}) {
  const steps: string[] = []
  let seen: ObservedUnit = { ...absentUnit(name, 'docker'), ...first }
  const driver: Driver = {
    ...idle,
    list: async () => (seen.load === 'loaded' ? [seen] : []),
    load: async ({ hash, file }) => {
      steps.push(`load ${file.options.map(({ value }) => value).join(' ')}`)
      seen = { ...seen, load: 'loaded', hash }
    },
    start: async () => {
      steps.push('start')
      seen = { ...seen, active: 'active', sub: 'running', since: 1 }
    },
    stop: async () => {
      steps.push('stop')
      seen = { ...seen, active: 'inactive', sub: 'dead' }
    },
    observe: async () => seen,
  }
  return { driver, steps }
}

const isRefused = ({ failure }: UnitReport) => failure?.code === 'policy/root'
const runs = ({ active, failure }: UnitReport) => active === 'active' && failure === null

test('what breaks it fails for good, and is not tried again until the policy is another', async () => {
  const registry = await openRecords()
  await want(registry, asRoot, 'launched')
  const { driver, steps } = noting()
  let policy: PolicyHere | null = strict
  const refused = reported(registry, isRefused)
  const agent = await startWith(registry, driver, { policy: () => policy })
  agent.join()
  const { failure, retryAt, attempts } = await refused
  expect(failure).toMatchObject({
    permanent: true,
    message: expect.stringContaining('this machine refuses it'),
  })
  expect((retryAt ?? 0) - Date.now()).toBeGreaterThan(3_600_000)
  expect(attempts).toBe(1)
  expect(steps).toEqual([])
  policy = null
  const up = reported(registry, runs)
  agent.lookAgain()
  await up
  expect(steps).toEqual(['load app:1', 'start'])
  await agent.stop()
  await registry.close()
})

test('another text is tried at once', async () => {
  const registry = await openRecords()
  await want(registry, asRoot, 'launched')
  const { driver, steps } = noting()
  const refused = reported(registry, isRefused)
  const agent = await startWith(registry, driver, { policy: () => strict })
  agent.join()
  await refused
  const up = reported(registry, runs)
  await want(registry, asOther, 'launched')
  await up
  expect(steps).toEqual(['load app:1 1000', 'start'])
  await agent.stop()
  await registry.close()
})

test('what runs goes on running, and is not stopped for a text that would be refused', async () => {
  const registry = await openRecords()
  await want(registry, asRoot, 'launched')
  const { driver, steps } = noting()
  let policy: PolicyHere | null = null
  const up = reported(registry, runs)
  const agent = await startWith(registry, driver, { policy: () => policy })
  agent.join()
  await up
  policy = strict
  agent.lookAgain()
  const refused = reported(registry, isRefused)
  await want(registry, `${asRoot}Volume=a:/b\n`, 'launched')
  await refused
  expect(steps).toEqual(['load app:1', 'start'])
  await want(registry, `${asOther}Volume=a:/b\n`, 'launched')
  await reported(registry, runs)
  expect(steps.slice(2)).toEqual(['stop', 'load app:1 1000 a:/b', 'start'])
  await agent.stop()
  await registry.close()
})
