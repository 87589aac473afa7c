// Versions that nothing needs go with their units; nothing else does, whatever happens before and after.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Service, ServiceVersion } from '../../src/model/service.js'
import { forgetOps, versionsToForget } from '../../src/service/retention.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { randomCases } from '../random-runs.js'
import { project, World } from '../world/world.js'

const keep = 3
const manifest = (n: number): string => `compute_type: process
command: [/bin/sleep, "${n}"]
stop: {preservestopped: "no"}
`

class Kept extends World {
  deploys = 0

  constructor() {
    super()
    this.machine('one')
    this.machine('two')
    this.another()
  }

  get service(): Service {
    const service = this.view.services.get(serviceKey(project, 'web'))
    if (service === undefined) throw new Error('web is gone')
    return service
  }

  get versions(): readonly ServiceVersion[] {
    return this.view.versionsOf(serviceKey(project, 'web'))
  }

  another(options: Parameters<World['tryDeploy']>[1] = {}): void {
    this.deploys += 1
    this.tryDeploy(manifest(this.deploys), options)
  }

  forget(): void {
    const gone = versionsToForget(this.view, this.service, keep)
    if (gone.length > 0) this.apply(forgetOps(this.view, this.service, gone))
  }

  /** Every version that anything speaks of is there, with its unit; and so is the unit of everything that is to run. */
  check(newest: readonly string[]): void {
    const uuids = new Set(this.versions.map(({ uuid }) => uuid))
    const named = [this.service.current, this.service.rollout?.revertTo ?? null, ...newest]
    for (const instance of this.all('web')) named.push(instance.version)
    for (const { order } of this.view.tasks.values())
      if (order?.kind === 'rollout' && order.version !== null) named.push(order.version)
    for (const uuid of named) if (uuid !== null) expect(uuids).toContain(uuid)
    for (const { hash } of this.versions) expect(this.view.files.has(hash)).toBe(true)
    for (const { hash } of this.view.units.values()) expect(this.view.files.has(hash)).toBe(true)
  }
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.constant('deploy' as const) },
  fc.constantFrom(
    ...(['canary', 'revert-oldest', 'auto-revert', 'scale', 'stop', 'start', 'queued'] as const),
  ),
  { weight: 4, arbitrary: fc.constantFrom(...(['pass', 'settle'] as const)) },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function take(world: Kept, what: Step): void {
  const oldest = world.versions.at(-1)
  switch (what) {
    case 'deploy':
      world.another()
      return
    case 'canary':
      world.another({ canary: 1, scale: 3 })
      return
    case 'auto-revert':
      world.another({ autoRevert: true })
      return
    case 'revert-oldest':
      if (oldest !== undefined) world.tryRevert('web', { version: oldest.uuid })
      return
    case 'scale':
      world.tryScale('web', 1 + (world.deploys % 4))
      return
    case 'stop':
      world.tryStop('web')
      return
    case 'start':
      world.start('web', oldest?.uuid)
      return
    case 'queued':
      world.tryScale('web', 2)
      if (oldest !== undefined) world.start('web', String(oldest.ordinal))
      return
    case 'pass':
      world.servicePass()
      world.enginePass()
      world.agentPass({ healthy: () => true })
      world.now += 500
      return
    case 'settle':
      world.settle(undefined, 60)
  }
}

describe('versions', () => {
  test('of which nothing is left but the newest and those in use, whatever was done', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const world = new Kept()
        for (const one of steps) {
          take(world, one)
          const newest = world.versions.slice(0, keep).map(({ uuid }) => uuid)
          world.forget()
          world.check(newest)
        }
        world.settle()
        world.forget()
        world.check([])
        const running = new Set(world.all('web').map(({ version }) => version))
        expect(world.versions.length).toBeLessThanOrEqual(keep + running.size + 1)
        const files = new Set([...world.versions, ...world.view.units.values()].map(({ hash }) => hash))
        expect(new Set(world.view.files.keys())).toEqual(files)
      }),
      { numRuns: randomCases(60) },
    )
  })

  test('go with their units, oldest first, and never with a number that is used again', () => {
    const world = new Kept()
    for (let n = 0; n < 9; n += 1) {
      world.another()
      world.settle(undefined, 60)
    }
    expect(versionsToForget(world.view, world.service, keep).map(({ ordinal }) => ordinal)).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ])
    const before = world.view.files.size
    world.forget()
    expect(world.versions.map(({ ordinal }) => ordinal)).toEqual([10, 9, 8])
    expect(world.view.files.size).toBe(before - 7)
    world.another()
    expect(world.versions[0]?.ordinal).toBe(11)
    expect(world.tryRevert('web', { version: '1' })?.code).toBe('service/unknown-version')
  })

  test('take the revision of their service along, so that a change decided while they were there is decided anew', () => {
    const world = new Kept()
    for (let n = 0; n < 5; n += 1) world.another()
    world.settle(undefined, 60)
    const gone = versionsToForget(world.view, world.service, keep)
    expect(forgetOps(world.view, world.service, gone)).toContainEqual(putOf('service', world.service))
  })
})
