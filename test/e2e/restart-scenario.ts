// The scenario that the manifest's specification tells of `restart`, whatever runs the units: a machine goes offline, its
// instances are replaced elsewhere, the machine returns and what it ran is restarted there. That is more than the scale,
// and is brought down to it by the rule of `service scale`.
import { expect } from 'vitest'
import type { InstanceBody } from '../../src/contract/contract.js'
import { until } from './cluster.js'

export interface RestartScene {
  readonly scale: number
  /** The machine that goes offline. */
  readonly machine: string
  /** The instances, as a machine that stays knows them. */
  instances(): Promise<readonly InstanceBody[]>
  /** Takes the machine away, and ends what runs on it. */
  goOffline(running: readonly InstanceBody[]): Promise<void>
  comeBack(): Promise<void>
}

export async function playRestartScenario(scene: RestartScene): Promise<void> {
  const { scale, machine } = scene
  const running = async (): Promise<readonly InstanceBody[]> =>
    (await scene.instances()).filter(({ state }) => state === 'running')
  await until(async () => expect(await running()).toHaveLength(scale))
  const had = (await running()).filter((one) => one.machine === machine)
  expect(had.length).toBeGreaterThan(0)

  await scene.goOffline(had)
  await until(async () => {
    const now = await running()
    expect(now).toHaveLength(scale)
    expect(now.filter((one) => one.machine === machine)).toEqual([])
  })

  await scene.comeBack()
  let fewest = Number.POSITIVE_INFINITY
  const look = async (): Promise<readonly InstanceBody[]> => {
    const now = await running()
    fewest = Math.min(fewest, now.length)
    return now
  }
  const names = (list: readonly InstanceBody[]): readonly string[] => list.map(({ name }) => name)
  await until(async () => {
    const now = await look()
    expect(names(now)).toEqual(expect.arrayContaining([...names(had)]))
    expect(now).toHaveLength(scale + had.length)
  })
  // Of one version the oldest go, wherever they run.
  const newest = Array.from({ length: scale }, (_, n) => `idle-${had.length + n + 1}`)
  await until(async () => {
    const now = await look()
    expect([...names(now)].sort()).toEqual([...newest].sort())
    expect(await scene.instances()).toHaveLength(scale)
  })
  expect(fewest).toBeGreaterThanOrEqual(scale)
}
