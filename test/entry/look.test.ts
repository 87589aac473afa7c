// What the entry tells of is as of one moment, however long a proxy or its keeper takes to answer.
import { expect, test } from 'vitest'
import { adminSocket } from '../../src/entry/io/caddy.js'
import { keeperProtocol, keeperSocket } from '../../src/entry/keeper-protocol.js'
import type { UpstreamTable } from '../../src/entry/upstreams.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Time } from '../../src/lib/time.js'
import { putOf } from '../../src/store/records.js'
import { idOf } from '../world/world.js'
import { EnteredWorld } from './entered.js'
import { answerAt, entryFolder, followEntry } from './followed.js'

const state = JSON.stringify({
  ...{ protocol: keeperProtocol, pid: 1, caddy: 2, isCurrent: true, problem: null, tcp: {} },
})

/** A service of two instances with routes, and a steady clock that stands still. */
class Site {
  readonly world = new EnteredWorld()
  steadyMs = 0
  readonly clock: Time = { ...systemClock, now: () => this.world.now, steady: () => this.steadyMs }

  constructor() {
    const { world } = this
    const machine = world.view.machines.get(world.machine('a'))
    if (machine)
      world.apply([putOf('machine', { ...machine, entry: { http: ':80', https: ':443', tcp: true } })])
    world.deploy(
      `compute_type: process
command: [/bin/web]
ports: ["0:8080"]
entry: [{host: shop.example, tls: off}, {tcp: 5432}]
`,
      { scale: 2 },
    )
    world.settle()
  }

  /** One of the two is to stop, and runs on until it is idle. */
  scaleDown(): void {
    this.world.scale('web', 1)
    this.world.servicePass()
  }

  idleUnits(): number | undefined {
    return this.world.view.entryIdle.get(idOf('a'))?.units.length
  }
}

const copiesIn = (table: string | undefined): number[] =>
  Object.values(JSON.parse(table ?? '{}') as UpstreamTable).map((targets) => targets.length)

test('the keeper is told who serves once it has been found, not who did before', async () => {
  const site = new Site()
  const dir = await entryFolder()
  const told: string[] = []
  await answerAt(dir, keeperSocket, ({ url }, body) => {
    if (url === '/state' && told.length === 0) site.scaleDown()
    if (url === '/upstreams') told.push(body)
    return url === '/state' ? state : ''
  })
  followEntry(site.world, { dir, clock: site.clock })
  await expect.poll(() => told.length).toBeGreaterThan(0)
  expect(copiesIn(told[0])).toEqual([1, 1])
})

test('an instance that is to stop is asked about only a second after the keeper was told of that', async () => {
  const site = new Site()
  const dir = await entryFolder()
  let told = 0
  let looks = 0
  let asked = 0
  await answerAt(dir, keeperSocket, ({ url }) => {
    if (url === '/upstreams' && ++told === 1) site.scaleDown()
    // The keeper learns of it long after.
    if (url === '/state' && told === 1) site.steadyMs = 60_000
    if (url === '/state' && told === 2) looks++
    if (url === '/tcp/under-way') return '[]'
    return url === '/state' ? state : ''
  })
  await answerAt(dir, adminSocket, () => {
    asked++
    return '[]'
  })
  followEntry(site.world, { dir, clock: site.clock })
  await expect.poll(() => looks).toBeGreaterThan(3)
  expect([asked, site.idleUnits()]).toEqual([0, 0])
  site.steadyMs += 1000
  await expect.poll(() => site.idleUnits()).toBe(1)
})

test('a proxy that does not say what it has under way holds up nothing of what the keeper is told', async () => {
  const site = new Site()
  const dir = await entryFolder()
  const told: string[] = []
  let isAsked = false
  let endSilence = () => {}
  const silence = new Promise<string>((resolve) => {
    endSilence = () => resolve('[]')
  })
  await answerAt(dir, keeperSocket, ({ url }, body) => {
    if (url === '/upstreams') told.push(body)
    if (url === '/tcp/under-way') {
      isAsked = true
      return silence
    }
    return url === '/state' ? state : ''
  })
  await answerAt(dir, adminSocket, () => '[]')
  followEntry(site.world, { dir, clock: site.clock })
  await expect.poll(() => told.length).toBe(1)
  site.scaleDown()
  await expect.poll(() => told.length).toBe(2)
  await expect
    .poll(() => {
      site.steadyMs += 1000
      return isAsked
    })
    .toBe(true)
  const askedAt = systemClock.steady()
  for (const instance of site.world.live('web')) site.world.observe(instance, { active: 'inactive' })
  await expect.poll(() => told.length).toBe(3)
  expect(copiesIn(told[2])).toEqual([0, 0])
  expect(systemClock.steady() - askedAt).toBeLessThan(4500)
  endSilence()
})
