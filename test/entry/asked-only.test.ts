// Who serves requests that ask for nothing while versions are there that are only for requests that ask for them.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Instance } from '../../src/model/service.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { idOf, project } from '../world/world.js'
import { EnteredWorld } from './entered.js'

const text = (mark: string, entry = '{}'): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nports: [8080]\nmemory: 16M\nhealthchecks: [{type: tcp, port: 8080}]\nentry: ${entry}\n`

const onlyAsked = (mark: string): string => text(mark, '{weight: 0, canary: {header: "X-Canary: 1"}}')

let world: EnteredWorld

/** Three of version 1, on machines with one place each. */
beforeEach(() => {
  world = new EnteredWorld()
  for (const [n, name] of ['a', 'b', 'c', 'd', 'e', 'f', 'g'].entries())
    world.machine(name, { outside: `10.0.0.${n + 1}` })
  world.deploy(text('1'), { scale: 3 })
  world.settle()
})

function canary(mark: string): void {
  world.deploy(onlyAsked(mark), { canary: 1 })
  world.settle()
}

/** The versions of those that serve, one for each: by their ordinals. */
function versionsAt(upstreams: readonly string[]): readonly number[] {
  const at = new Map(
    world.live('web').map(({ unit, ordinal }) => [world.view.placements.get(unit)?.machine, ordinal]),
  )
  return upstreams
    .map((one) => at.get(idOf('abcdefg'[Number(/^10\.0\.0\.(\d+):/.exec(one)?.[1]) - 1] ?? '')) ?? 0)
    .toSorted()
}

const ordinary = (): readonly number[] => versionsAt(world.upstreams())
const asked = (): readonly number[] => versionsAt(world.askedUpstreams())
const states = (): readonly string[] =>
  world.standings().flatMap(({ state, instance }) => {
    const found = world.live('web').find(({ name }) => name === instance)
    return found === undefined ? [] : [`${found.ordinal} ${state}`]
  })

const current = (): number | undefined => world.view.versions.get(service()?.current ?? '')?.ordinal
const service = () => world.view.services.get(serviceKey(project, 'web'))

/** Passes until something holds; what is seen at each moment is told to `see`. */
function watch(
  until: () => boolean,
  see: () => void,
  healthy: (instance: Instance) => boolean = () => true,
): void {
  for (let round = 0; round < 400 && !until(); round++) {
    world.servicePass()
    world.enginePass()
    see()
    world.agentPass({ healthy })
    world.now += 500
    see()
  }
  expect(until()).toBe(true)
}

const isAllOf = (ordinal: number) => (): boolean =>
  world.live('web').every((instance) => instance.ordinal === ordinal) && service()?.rollout === null

function fail(...ordinals: readonly number[]): void {
  for (const instance of world.live('web'))
    if (ordinals.includes(instance.ordinal)) world.observe(instance, { health: 'unhealthy' })
}

describe('a version that is only for requests that ask for it', () => {
  test('gets no others while it is left for the one before', () => {
    canary('2')
    expect([ordinary(), asked()]).toEqual([[1, 1], [2]])
    expect(world.tryRevert('web', { version: '1' })).toBeNull()
    expect(states()).toContain('2 out')
    const seen = new Set<number>()
    watch(isAllOf(1), () => {
      for (const one of ordinary()) seen.add(one)
    })
    expect([...seen]).toEqual([1])
    expect(ordinary()).toEqual([1, 1, 1])
  })

  test('gets no others while a deploy goes back by itself', () => {
    world.deploy(onlyAsked('2'), { canary: 2, autoRevert: true, deadlineMs: 20_000 })
    const seen = new Set<number>()
    const comesUp = ({ n, ordinal }: Instance): boolean => ordinal === 1 || n === 4
    watch(
      () => current() === 1 && isAllOf(1)(),
      () => {
        for (const one of ordinary()) seen.add(one)
      },
      comesUp,
    )
    expect([...seen]).toEqual([1])
  })

  test('is not what a deploy that fails goes back to', () => {
    canary('2')
    world.deploy(text('3'), { autoRevert: true, deadlineMs: 20_000 })
    expect(current()).toBe(3)
    const seen = new Set<number>()
    watch(
      () => current() === 1 && isAllOf(1)(),
      () => {
        for (const one of ordinary()) seen.add(one)
      },
      ({ ordinal }) => ordinal < 3,
    )
    expect([...seen]).toEqual([1])
  })

  test('gets no others when yet another one is looked at beside it, and neither does that', () => {
    canary('2')
    canary('3')
    expect([ordinary(), asked()]).toEqual([[1], [3]])
    expect(states().toSorted()).toEqual(['1 serving', '2 out', '3 canary'])
    // What asks for the third while that is away goes to those that serve everybody.
    fail(3)
    expect([ordinary(), asked()]).toEqual([[1], [1]])
  })

  test('serves all where no others serve, and again none when they do', () => {
    canary('2')
    expect(world.tryRevert('web', { version: '1' })).toBeNull()
    fail(1)
    expect(ordinary()).toEqual([2])
    expect(states()).toContain('2 serving')
  })

  test('serves all from the moment on in which it is to replace all', () => {
    canary('2')
    expect(world.reprovision('web')).toBeNull()
    expect(ordinary()).toEqual([1, 1, 2])
    world.settle()
    expect(ordinary()).toEqual([2, 2, 2])
    expect(service()).not.toHaveProperty('askedOnly')
  })

  test('goes on serving all when another is looked at while it replaces all', () => {
    canary('2')
    expect(world.reprovision('web')).toBeNull()
    watch(
      () => ordinary().filter((one) => one === 2).length === 2,
      () => {},
    )
    world.deploy(onlyAsked('3'), { canary: 1 })
    watch(
      () => asked().includes(3),
      () => {
        expect(ordinary()).toContain(2)
        expect(ordinary()).not.toContain(3)
      },
    )
  })

  test('goes on serving all when another is looked at once it has replaced all, one by one as well', () => {
    canary('2')
    for (let n = 0; n < 2; n++) {
      expect(world.reprovision('web', { canary: 1 })).toBeNull()
      world.settle()
    }
    expect(ordinary()).toEqual([2, 2, 2])
    canary('3')
    expect([ordinary(), asked()]).toEqual([[2, 2], [3]])
    // The two are all there is, and both have served everybody before the fourth.
    canary('4')
    expect([ordinary(), asked()]).toEqual([[2], [4]])
    world.deploy(text('5'))
    world.settle()
    expect(ordinary()).toEqual([5, 5, 5])
  })

  test('serves all when it is gone back to', () => {
    canary('2')
    canary('3')
    expect(world.tryRevert('web', { version: '2' })).toBeNull()
    expect(service()?.askedOnly).toHaveLength(1)
    watch(isAllOf(2), () => {
      expect(ordinary()).not.toContain(3)
      expect(ordinary()).toContain(2)
    })
    expect(ordinary()).toEqual([2, 2, 2])
    canary('4')
    expect([ordinary(), asked()]).toEqual([[2, 2], [4]])
    expect(service()).not.toHaveProperty('askedOnly')
  })

  test('shares with those of its kind where all that is left was for them', () => {
    canary('2')
    canary('3')
    // The last of version 1 is replaced.
    expect(world.reprovision('web', { canary: 1 })).toBeNull()
    world.settle()
    const left = ordinary()
    expect(left).toHaveLength(3)
    canary('4')
    expect(ordinary()).not.toContain(4)
    expect(ordinary()).toHaveLength(2)
  })

  test('counts by its own word: one with a share of its own keeps that', () => {
    world.deploy(text('2', '{weight: 50, canary: {header: "X-Canary: 1"}}'), { canary: 1 })
    world.settle()
    canary('3')
    expect([ordinary(), asked()]).toEqual([[1, 2], [3]])
    expect(service()).not.toHaveProperty('askedOnly')
  })

  test('a record of before, which says nothing of earlier versions, is read as ever', () => {
    canary('2')
    canary('3')
    const record = service()
    if (record === undefined) throw new Error('no service')
    const { askedOnly: _, ...before } = record
    world.apply([putOf('service', before)])
    expect([ordinary(), asked()]).toEqual([[1, 2], [3]])
  })
})
