// The scheduler against an oracle: histories of small clusters whose units are printed from the test's own data, each
// pass judged by the test's own slow reading of the specification. A failure names its seed and its shortest history.
import { describe, expect, test } from 'vitest'
import { randomRuns } from '../random-runs.js'
import { type Flavour, type Happening, historyOf } from './oracle/histories.js'
import { judge } from './oracle/judge.js'
import { Play } from './oracle/play.js'

/** All histories together; SCHEDULER_HISTORIES=1000000 looks longer, SCHEDULER_SEED=N from another start. */
const histories = randomRuns('SCHEDULER_HISTORIES', 20_000)
const firstSeed = Number(process.env['SCHEDULER_SEED'] ?? 1)

const room = { memoryMb: 0.7, cpu: 0.3, ports: 0.5, container: 0.3 }
const flavours: readonly (readonly [string, Flavour])[] = [
  ['followers with their targets', { memoryMb: 0.5, machineOf: 0.6, metadata: 0.3, conflicts: 0.2 }],
  ['room, ports and metadata', { ...room, metadata: 0.3, machineId: 0.05, network: 0.1, spread: 0.2 }],
  ['affinity and conflicts', { role: 0.5, rules: 0.6, conflicts: 0.3, memoryMb: 0.2, spread: 0.2 }],
  [
    'units that replace others, and global ones',
    { replaces: 0.5, global: 0.3, conflicts: 0.2, memoryMb: 0.4 },
  ],
  [
    'everything together',
    {
      ...room,
      machineOf: 0.3,
      role: 0.3,
      rules: 0.3,
      conflicts: 0.2,
      replaces: 0.2,
      global: 0.15,
      metadata: 0.2,
    },
  ],
]

describe('whatever happens to a small cluster', () => {
  for (const [at, [what, flavour]] of flavours.entries()) {
    test(`no rule is broken and nobody waits in vain: ${what}`, () => {
      const count = Math.ceil(histories / flavours.length)
      for (let n = 0; n < count; n++) {
        const seed = (firstSeed * 1_000_003 + n) * flavours.length + at
        const history = historyOf(seed, flavour)
        if (problemOf(history) !== null) expect.fail(tellOf(seed, shortest(history)))
      }
    }, 600_000)
  }
})

/** The first thing that is wrong in a history; null where nothing is. */
function problemOf(history: readonly Happening[]): string | null {
  const play = new Play()
  try {
    for (const [at, happening] of history.entries()) {
      const outcome = play.happen(happening, at === history.length - 1)
      const problems = outcome === null ? [] : judge(outcome)
      if (problems.length > 0) return problems.join('; ')
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return null
}

/** Leaves out whatever is not needed for something to be wrong. */
function shortest(history: readonly Happening[]): readonly Happening[] {
  for (let at = 0; at < history.length; at++) {
    const without = history.filter((_, index) => index !== at)
    if (problemOf(without) !== null) return shortest(without)
  }
  return history
}

function tellOf(seed: number, history: readonly Happening[]): string {
  const lines = history.map((happening) => JSON.stringify(happening))
  return [`seed ${seed}: ${problemOf(history)}`, ...lines].join('\n')
}
