// What no schema can say: rules between keys of one service.
import type { Rule, RuleInput } from './rule.js'
import { afterRules } from './rules-after.js'
import { entryRules } from './rules-entry.js'
import { fileRules } from './rules-files.js'
import { initRules } from './rules-init.js'
import { lifeRules } from './rules-life.js'
import { limitRules } from './rules-limits.js'
import { placementRules } from './rules-placement.js'
import { programRules } from './rules-program.js'
import { runRules } from './rules-runs.js'
import { scalingRules } from './rules-scaling.js'
import { secretRules } from './rules-secrets.js'
import { volumeRules } from './rules-volumes.js'

const rules: readonly Rule[] = [
  ...programRules,
  ...afterRules,
  ...initRules,
  ...placementRules,
  ...lifeRules,
  ...runRules,
  ...scalingRules,
  ...secretRules,
  ...volumeRules,
  ...fileRules,
  ...entryRules,
  ...limitRules,
]

/** Reports every rule that a manifest breaks. */
export function checkRules(input: RuleInput): void {
  for (const rule of rules) rule(input)
}
