// Rules of runs.
import type { Rule, RuleInput } from './rule.js'
import { childOf } from './tree.js'

export const runRules: readonly Rule[] = [onlyRunsHaveThem, retriesAreOnce]

function onlyRunsHaveThem({ manifest, tree, notes }: RuleInput): void {
  if (manifest.service_type !== 'continuous') return
  for (const key of ['concurrency', 'timeout', 'retries']) {
    const node = childOf(tree, key)
    const message = `a continuous service has no runs, and so no ${key}`
    if (node) notes.report('manifest/conflict', node, message, 'leave it out, or use service_type: event')
  }
}

function retriesAreOnce({ manifest, tree, notes }: RuleInput): void {
  const { retries, restart } = manifest
  const node = childOf(tree, 'retries')
  if (!node || manifest.service_type === 'continuous') return
  if (restart.policy === 'on-failure' && restart.max === retries) return
  notes.report('manifest/conflict', node, 'restart contradicts it', 'keep retries or restart')
}
