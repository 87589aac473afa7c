// A simulation of what is in a world, for tests of what it predicts.

import { toEnd } from '../../src/lib/sliced-work.js'
import { Simulation } from '../../src/simulate/simulation.js'
import { opsLike } from '../../src/store/scratch.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { lossWindowMs, project, type World } from '../world/world.js'

export const leaseMs = 30_000
export const startMs = 5000

/** A simulation that begins with all that is in a world. */
export function simulationOf(world: World, stopMs: number | null = null): Simulation {
  const simulation = new Simulation({
    settings: defaultSettings,
    lossWindowMs,
    now: world.now,
    durations: { startMs, stopMs },
  })
  const records = [...opsLike(world.view, [project])].flatMap((op) => (op.op === 'put' ? [op] : []))
  toEnd(simulation.load(records))
  return simulation
}

export const dayMs = 86_400_000

/** Plays it to its end. */
export function playOut(simulation: Simulation, limitMs = dayMs): boolean {
  return toEnd(simulation.run(limitMs))
}
