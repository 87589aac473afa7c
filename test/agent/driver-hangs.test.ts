// What an agent does while one of its drivers takes questions and gives no answers.
import { afterEach, expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { Agent } from '../../src/agent/io/agent.js'
import type { ObservedUnit, UnitName } from '../../src/model/unit.js'
import type { Registry } from '../../src/store/io/registry.js'
import { asUnitName } from '../../src/unit/name.js'
import { hasty, idle, openRecords, reported, startWith, want } from './small-agent.js'

const container = asUnitName('box.service')
const program = asUnitName('idle.service')
const never = (): Promise<never> => new Promise(() => {})
let agent: Agent | null = null
let registry: Registry
afterEach(async () => {
  await agent?.stop()
  await registry.close()
})

function seen(name: UnitName, driver: Driver['kind']): ObservedUnit {
  return {
    ...{ name, hash: '', driver, load: 'loaded', active: 'active', sub: 'running', since: 1, pid: 1 },
    ...{ containerId: null, address: null, restarts: 0, exit: null, failure: null },
  }
}

test('a driver that does not tell of its units in time is silent, and others go on', async () => {
  registry = await openRecords()
  await want(registry, '[Container]\nImage=app:1\n', 'launched', container)
  await want(registry, '[Service]\nExecStart=/bin/true\n', 'loaded', program)
  const loaded = new Set<UnitName>()
  let isLoaded: () => void = () => {}
  const otherLoaded = new Promise<void>((resolve) => {
    isLoaded = resolve
  })
  const load = async ({ name }: { readonly name: UnitName }): Promise<void> => {
    loaded.add(name)
    isLoaded()
  }
  const hung: Driver = { ...idle, list: never, load }
  const other: Driver = { ...idle, kind: 'process', load }
  const unknown = reported(registry, ({ unknownSince }) => unknownSince !== undefined, container)
  agent = await startWith(registry, hung, {
    clock: hasty,
    drivers: new Map([
      ['docker', hung],
      ['process', other],
    ]),
  })
  await Promise.all([unknown, otherLoaded])
  expect([...loaded]).toEqual([program])
})

test('a unit that cannot be looked at is unknown until it can; what it shares a driver with goes on', async () => {
  registry = await openRecords()
  await want(registry, '[Container]\nImage=app:1\n', 'loaded', container)
  await want(registry, '[Container]\nImage=app:2\n', 'loaded', program)
  let tell: (name: UnitName) => void = () => {}
  let answer: () => void = () => {}
  const driver: Driver = {
    ...idle,
    list: async () => [container, program].map((name) => ({ ...seen(name, 'docker'), active: 'inactive' })),
    load: async () => {},
    observe: (name) =>
      name === container
        ? new Promise((resolve) => (answer = () => resolve(seen(name, 'docker'))))
        : Promise.resolve({ ...seen(name, 'docker'), active: 'active' }),
    watch: (onChange) => {
      tell = onChange
    },
  }
  const unknown = reported(registry, ({ unknownSince }) => unknownSince !== undefined, container)
  const other = reported(registry, ({ active }) => active === 'active', program)
  agent = await startWith(registry, driver, { clock: hasty })
  tell(container)
  tell(program)
  expect((await other).unknownSince).toBeUndefined()
  await unknown
  const known = reported(
    registry,
    ({ unknownSince, active }) => unknownSince === undefined && active === 'active',
    container,
  )
  answer()
  await known
})
