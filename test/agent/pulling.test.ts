// Loads that take long, as a pull does: what is told of them meanwhile, and when they are given up; and drivers that come
// when the agent runs already.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Driver, PullListener, UnitToRun } from '../../src/agent/driver.js'
import type { DriversHere } from '../../src/agent/drivers-here.js'
import type { Agent } from '../../src/agent/io/agent.js'
import { ConnectingDriver } from '../../src/drivers/io/connecting-driver.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { DesiredState, PullProgress } from '../../src/model/unit.js'
import type { Registry } from '../../src/store/io/registry.js'
import { decode, keys } from '../../src/store/records.js'
import { unitHash } from '../../src/unit/print.js'
import { idle, machine, name, openRecords, startWith, want as wantText } from './small-agent.js'

const textOf = (image: string): string => `[Container]\nImage=${image}\n`
const progress: PullProgress = { image: 'app:1', since: 1, layers: 3, layersDone: 1, bytes: 7, totalBytes: 9 }

/** A load that goes on until it is aborted. */
interface Load {
  readonly unit: UnitToRun
  readonly signal: AbortSignal
  readonly tell: PullListener
}

let registry: Registry
let loads: Load[]
/** The kinds of events so far. */
let happened: string[]
let agent: Agent | null
beforeEach(async () => {
  registry = await openRecords()
  loads = []
  agent = null
  happened = []
  registry.onChange((kinds, changes) => {
    if (!kinds.has('event')) return
    for (const change of changes)
      if (change.type === 'put' && change.key.startsWith('events/'))
        happened.push(...decode('event', change.entry).map(({ kind }) => kind))
  })
})
afterEach(async () => {
  await agent?.stop()
  await registry.close()
})

const hanging: Driver = {
  ...idle,
  load: (unit, signal, tell = () => {}) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      loads.push({ unit, signal, tell })
      tell(progress)
    }),
}

async function begin(driver: Driver, onDrivers?: (here: DriversHere) => Promise<void>): Promise<void> {
  agent = await startWith(registry, driver, { ...(onDrivers !== undefined && { onDrivers }) })
}

function want(image: string, desired: DesiredState): Promise<void> {
  return wantText(registry, textOf(image), desired)
}

/** Resolves when something holds, looked at whenever a record has changed. */
function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!holds()) return
      end()
      resolve()
    }
    const end = registry.onChange(look)
    look()
  })
}

const reported = () => registry.view.reportsOf(machine).get(name)
const events = (): readonly string[] => happened
const aborted = (load: Load | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (load === undefined || load.signal.aborted) return resolve()
    load.signal.addEventListener('abort', () => resolve(), { once: true })
  })

test.each(['loaded', 'launched'] as const)(
  'a pull for a unit that is to be %s is told of, and given up with its place',
  async (desired) => {
    await want('app:1', desired)
    await begin(hanging)
    await until(() => reported()?.pulling !== undefined)
    expect(reported()).toMatchObject({ pulling: progress, hash: '', active: 'inactive', launched: false })
    loads[0]?.tell({ ...progress, bytes: 8 })
    await until(() => reported()?.pulling?.bytes === 8)
    await registry.commit([], [{ op: 'delete', key: keys.placement(name) }])
    await aborted(loads[0])
    await until(() => reported() === undefined && events().includes('image-not-pulled'))
    expect(events()).toEqual(['image-pulling', 'image-not-pulled'])
    expect(loads).toHaveLength(1)
  },
)

test('a pull is given up for the one that is wanted in its place', async () => {
  await want('app:1', 'launched')
  await begin(hanging)
  await until(() => reported()?.pulling !== undefined)
  await want('app:2', 'launched')
  await aborted(loads[0])
  await until(() => loads.length === 2)
  expect(loads[1]?.unit.hash).toBe(unitHash(textOf('app:2')))
  expect(loads[1]?.signal.aborted).toBe(false)
})

test('a pull goes on where its unit is to be started besides', async () => {
  await want('app:1', 'loaded')
  await begin(hanging)
  await until(() => reported()?.pulling !== undefined)
  await want('app:1', 'launched')
  loads[0]?.tell({ ...progress, bytes: 9 })
  await until(() => reported()?.pulling?.bytes === 9)
  expect(loads).toHaveLength(1)
  expect(loads[0]?.signal.aborted).toBe(false)
})

test('a driver that nothing was known of counts from when it answers', async () => {
  let answers = false
  const late = new ConnectingDriver({
    kind: 'docker',
    expected: false,
    open: () => (answers ? Promise.resolve(hanging) : Promise.reject(new Error('nobody there'))),
    log: silentLog,
  })
  const here: DriversHere[] = []
  const came = new Promise<void>((resolve) => {
    begin(late, async (drivers) => {
      here.push(drivers)
      resolve()
    }).catch(() => {})
  })
  expect(late).toMatchObject({ absent: true, unexpected: true })
  answers = true
  await came
  expect(here).toEqual([{ drivers: ['docker'] }])
  await want('app:1', 'launched')
  await until(() => reported()?.pulling !== undefined)
  await late.close()
})

test('a driver that is expected counts as away until it answers', async () => {
  let answers = false
  const late = new ConnectingDriver({
    kind: 'docker',
    expected: true,
    open: () => (answers ? Promise.resolve(hanging) : Promise.reject(new Error('nobody there'))),
    log: silentLog,
  })
  expect(late).toMatchObject({ absent: true, unexpected: false })
  const came = new Promise<DriversHere>((resolve) => {
    begin(late, async (drivers) => resolve(drivers)).catch(() => {})
  })
  answers = true
  expect(await came).toEqual({ drivers: ['docker'] })
  await late.close()
})
