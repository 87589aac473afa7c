// With hysteresis, what is out for a reason that may pass leaves the answers little by little, and the last one last.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastStaysMs, leaveEveryMs, leaveTimes } from '../../src/dns/linger.js'
import { keys } from '../../src/store/records.js'
import { idOf } from '../world/world.js'
import { NamedWorld, privateName } from './asked.js'

const letters = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const web = privateName('web.svc')

function sixMachines(cns: string): NamedWorld {
  const world = new NamedWorld()
  for (const [index, letter] of letters.entries()) world.machine(letter, { outside: `10.0.0.${index}` })
  const checks = 'healthchecks: [{type: http, port: 8080, path: /}]'
  world.deploy(`compute_type: process\ncommand: [/bin/web]\nports: [8080]\n${checks}\n${cns}\n`, { scale: 6 })
  world.settle()
  expect(world.data(web)).toHaveLength(6)
  return world
}

const hysteresis = 'cns: {hysteresis: true}'

function sicken(world: NamedWorld, count: number): void {
  for (const instance of world.live('web').slice(0, count)) world.observe(instance, { health: 'unhealthy' })
}

test('a third leaves at once, a third each minute, and the last after ten minutes', () => {
  const world = sixMachines(hysteresis)
  sicken(world, 6)
  const seen = [0, 59, 61, 121, 599, 601].map((seconds, index, all) => {
    world.now += (seconds - (all[index - 1] ?? 0)) * 1000
    return world.data(web).length
  })
  expect(seen).toEqual([4, 4, 2, 1, 1, 0])
  expect(world.code(web)).toBe('NODATA')
})

test('what is well again is listed at once, and counts for those that are not', () => {
  const world = sixMachines(hysteresis)
  sicken(world, 6)
  expect(world.data(web)).toHaveLength(4)
  for (const instance of world.live('web').slice(0, 3)) world.observe(instance, { health: 'healthy' })
  expect(world.data(web)).toHaveLength(4)
  world.now += leaveEveryMs
  expect(world.data(web)).toHaveLength(3)
})

test('time counts from when it was out, whether somebody asked or not', () => {
  const world = sixMachines(hysteresis)
  sicken(world, 6)
  world.now += lastStaysMs
  expect(world.data(web)).toEqual([])
})

test('without it, and for what has ended or is to stop, nothing is waited for', () => {
  const plain = sixMachines('')
  sicken(plain, 6)
  expect(plain.data(web)).toEqual([])
  const world = sixMachines(hysteresis)
  for (const instance of world.live('web').slice(0, 3)) world.observe(instance, { active: 'failed' })
  world.stop('web')
  expect(world.data(web)).toHaveLength(3)
  world.servicePass()
  expect(world.data(web)).toEqual([])
})

test('machines that are gone, or taken out, leave likewise, at the addresses that they had', () => {
  const world = sixMachines(hysteresis)
  for (const letter of letters.slice(1)) world.apply([{ op: 'delete', key: keys.machine(idOf(letter)) }])
  expect(world.data(web)).toHaveLength(4)
  expect(world.data(web)).toContain('10.0.0.0')
  world.machine('f', { outside: '10.0.0.5' })
  expect(world.data(web)).toContain('10.0.0.5')
})

test('never do more leave within a minute than a third, nor the last before its time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { maxLength: 12 }), fc.nat(12), (instants, listed) => {
      const since = instants.toSorted((a, b) => a - b)
      const times = leaveTimes(since, listed)
      const atOnce = Math.max(1, Math.floor((since.length + listed) / 3))
      for (const [index, at] of times.entries()) {
        expect(at).toBeGreaterThanOrEqual(since[index] ?? 0)
        const within = times.filter((other) => other > at - leaveEveryMs && other <= at)
        expect(within.length).toBeLessThanOrEqual(atOnce)
      }
      const last = since.at(-1)
      if (last !== undefined && listed === 0) expect(times.at(-1)).toBeGreaterThanOrEqual(last + lastStaysMs)
    }),
  )
})
