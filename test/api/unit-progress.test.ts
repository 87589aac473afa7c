// How far a unit is on the way to what a command waits for.
import { expect, test } from 'vitest'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { unitProgressOf } from '../../src/api/unit-bodies.js'
import { putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { World } from '../world/world.js'

test('nobody waits for a global unit on a machine that is down', () => {
  const world = new World()
  const [a, b] = [world.machine('a'), world.machine('b')]
  const text = '[Service]\nExecStart=/bin/x\n[X-Fleet]\nGlobal=true\n'
  const [name, hash] = [asUnitName('app.service'), unitHash(text)]
  const known = world.view.machines.get(a)
  world.apply([
    ...(known === undefined ? [] : [putOf('knownMachine', known)]),
    putOf('file', { hash, text }),
    putOf('unit', { name, hash, desired: 'launched', instance: null, createdAt: 0 }),
  ])
  world.enginePass()
  world.loseMachine(a)
  world.enginePass()
  expect([...world.view.globalPlacementsOf(name).keys()].sort()).toEqual([a, b].sort())
  const outcome = () => {
    const { view, units, explainer, now } = world
    const options = { now, isSettling: () => false }
    return unitProgressOf(view, units.needs, explainer, name, 'launched', options).outcome
  }
  expect(outcome()).toBe('going')
  const running = { ...absentUnit(name, 'process'), load: 'loaded', active: 'active', hash } as const
  world.apply([putOf('report', reportOf(b, running, { ...freshMemory, launched: true }))])
  expect(outcome()).toBe('done')
})
