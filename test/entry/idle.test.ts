// When the proxy has nothing under way any more for an instance that is to stop.
import { describe, expect, test } from 'vitest'
import { askable, idleOf, listLastsMs, outSince, readUnderWay, sumOf } from '../../src/entry/idle.js'
import { leavingUpstreams } from '../../src/entry/upstreams.js'
import { asUnitName } from '../../src/unit/name.js'
import { EnteredWorld } from './entered.js'

const [one, other] = [asUnitName('web@1.service'), asUnitName('web@2.service')]
const first = { unit: one, targets: ['10-0-0-1.four.entry:31000', '10-0-0-1.four.entry:31001'] }

describe('an instance that is to stop', () => {
  test('is asked about once no list of before can lead to it any more', () => {
    const since = outSince([first], new Map(), 5000)
    expect(askable([first], since, 5000)).toEqual([])
    expect(askable([first], since, 5000 + listLastsMs)).toEqual([first])
    expect(outSince([first, { unit: other, targets: null }], since, 9000)).toEqual(
      new Map([
        [one, 5000],
        [other, 9000],
      ]),
    )
  })

  test('is not asked about where it is not known at which addresses it was reached', () => {
    const unknown = { unit: other, targets: null }
    const since = outSince([unknown], new Map(), 0)
    expect(askable([unknown], since, 1_000_000)).toEqual([])
  })

  test('is idle when none of its targets has a request', () => {
    expect(idleOf([first], new Map([['10-0-0-1.four.entry:31000', 1]]))).toEqual([])
    expect(idleOf([first], new Map([['10-0-0-1.four.entry:31001', 2]]))).toEqual([])
    expect(idleOf([first], new Map([['10-0-0-1.four.entry:31001', 0]]))).toEqual([one])
    expect(idleOf([first], new Map([['10-0-0-2.four.entry:31000', 3]]))).toEqual([one])
  })
})

test("the proxy's answer is read as it comes, and nothing is made of any other", () => {
  const text = '[{"address":"10-0-0-1.four.entry.:31000","num_requests":2,"fails":0}]'
  expect(readUnderWay(text)).toEqual(new Map([['10-0-0-1.four.entry:31000', 2]]))
  expect(readUnderWay('null')).toEqual(new Map())
  for (const bad of ['', '{}', '[{}]', '[null]', '{"error":"no"}', '[{"address":"a","num_requests":"1"}]'])
    expect(readUnderWay(bad)).toBeNull()
})

test('what several proxies count for one target is counted together', () => {
  expect(
    sumOf([
      new Map([['a:1', 1]]),
      new Map(),
      new Map([
        ['a:1', 2],
        ['b:1', 0],
      ]),
    ]),
  ).toEqual(
    new Map([
      ['a:1', 3],
      ['b:1', 0],
    ]),
  )
})

test('those that are to stop are found with the names that the proxy has for them', () => {
  const world = new EnteredWorld()
  world.machine('a', { outside: '10.0.0.1' })
  world.machine('b', { outside: '10.0.0.2' })
  world.deploy(
    'compute_type: process\ncommand: /bin/web\nports: ["8080:8080"]\nentry: [{host: a.example}, {path: /b}]\n',
    { scale: 2 },
  )
  world.settle()
  const leaving = () => leavingUpstreams({ view: world.view, names: world.names }, world.routes())
  expect(leaving()).toEqual([])
  world.scale('web', 1)
  world.servicePass()
  world.names.refresh(world.now)
  const [gone] = world.all('web').filter(({ retired }) => retired !== null)
  const targets = leaving().map(({ unit, targets }) => [unit, targets?.map((target) => target.split('.')[0])])
  const at: unknown = expect.stringMatching(/^10-0-0-[12]$/)
  expect(targets).toEqual([[gone?.unit, [at, at]]])
})
