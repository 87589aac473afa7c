// When an instance is found healthy whose program answers from a moment on: by the rules that agents judge by.
import type { CheckState } from '../health/judge.js'
import { judge, nextProbeAt, summary } from '../health/judge.js'
import type { HealthCheck } from '../model/health-check.js'
import type { Health } from '../model/unit.js'

/** What an instance is found to be, so long after its program began. */
export interface Finding {
  readonly afterMs: number
  readonly health: Health
}

/** What the checks of a program find that begins at 0 and passes all of them from `answersMs` on, in order. */
export function findingsOf(checks: readonly HealthCheck[], answersMs: number): readonly Finding[] {
  const watched = checks.map((check) => ({ check, state: null as CheckState | null }))
  const findings: Finding[] = []
  let known: Health = 'unknown'
  while (known !== 'healthy') {
    const due = watched.map(({ check, state }) => nextProbeAt(state, check, 0, check.type))
    const at = Math.min(...due)
    for (const [n, one] of watched.entries()) {
      if (due[n] !== at) continue
      const failure = at >= answersMs ? null : ({ kind: 'no-answer', code: 'ECONNREFUSED' } as const)
      one.state = judge(one.state, { run: 0, askedAt: at, failure }, one.check, 0, at)
    }
    const { health } = summary(watched)
    if (health !== known) findings.push({ afterMs: at, health })
    known = health
    if (watched.length === 0) break
  }
  return findings
}
