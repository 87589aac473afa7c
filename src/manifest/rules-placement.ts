// Rules of where instances go, and by which names they are found: ports, affinity, labels.
import { isExact, picks } from './affinity.js'
import { cnsLabelProblem, labelsOfCns } from './cns-labels.js'
import { itemOf, lineOf, placeFor, type Rule, type RuleInput } from './rule.js'
import type { AffinityRule } from './schema.js'
import { childOf } from './tree.js'
import { serviceSchema } from './validators.js'

export const placementRules: readonly Rule[] = [
  portsAreDistinct,
  affinityIsHardOrSoft,
  affinityIsPossible,
  machineRulesStandAlone,
  cnsLabelsAreRead,
  cnsIsRead,
]

function portsAreDistinct({ manifest, tree, notes }: RuleInput): void {
  const seen = new Set<string>()
  manifest.ports.forEach(({ ip, host, container, protocol }, index) => {
    const fixed = host !== undefined && host !== 0
    const key = fixed ? `host ${ip ?? '*'} ${host}/${protocol}` : `port ${ip ?? '*'} ${container}/${protocol}`
    if (seen.has(key)) {
      const port = fixed ? `host port ${host}/${protocol}` : `port ${container}/${protocol}`
      const place = itemOf(tree, 'ports', index)
      notes.report('manifest/duplicate-port', place, `${port} is given twice`, 'keep one of them')
    }
    seen.add(key)
  })
}

/** "Mixing of soft and hard filters is not supported", says the seed. */
function affinityIsHardOrSoft({ manifest, tree, source, notes }: RuleInput): void {
  const [first, ...others] = manifest.affinity
  if (!first) return
  const isSoft = ({ operator }: AffinityRule): boolean => operator.endsWith('~')
  const index = others.findIndex((rule) => isSoft(rule) !== isSoft(first)) + 1
  const other = manifest.affinity[index]
  if (index === 0 || !other) return
  const [hard, soft] = isSoft(first) ? [other, first] : [first, other]
  const elsewhere = lineOf(source, itemOf(tree, 'affinity', 0))
  notes.report(
    'manifest/conflict',
    itemOf(tree, 'affinity', index),
    `hard rules (${describeRule(hard)}) and soft ones (${describeRule(soft)}) cannot be mixed; the other kind is on ${elsewhere}`,
    'end all operators with ~, or none',
  )
}

/** Near to and far from the same at once, or on machines with two values of one key. */
function affinityIsPossible({ manifest, tree, source, notes }: RuleInput): void {
  // More of them are refused by the schema, and need not be compared with each other.
  const rules = manifest.affinity.slice(0, serviceSchema.properties.affinity.maxItems)
  rules.forEach((rule, index) => {
    const before = rules.slice(0, index).findIndex((other) => contradict(rule, other))
    const other = rules[before]
    if (!other) return
    notes.report(
      'manifest/conflict',
      itemOf(tree, 'affinity', index),
      `${describeRule(rule)} contradicts ${describeRule(other)} on ${lineOf(source, itemOf(tree, 'affinity', before))}`,
      'no machine can satisfy both: keep one of them',
    )
  })
}

function contradict(one: AffinityRule, other: AffinityRule): boolean {
  if (one.key !== other.key || one.by !== other.by) return false
  const [oneIsNear, otherIsNear] = [isNear(one), isNear(other)]
  if (oneIsNear && otherIsNear) {
    const both = isExact(one.value) && isExact(other.value) && one.value !== other.value
    return both && one.key.startsWith('machine.')
  }
  if (!oneIsNear && !otherIsNear) return false
  const [near, far] = oneIsNear ? [one, other] : [other, one]
  return near.value === far.value || (isExact(near.value) && picks(far.value, near.value))
}

function isNear({ operator }: AffinityRule): boolean {
  return operator.startsWith('==')
}

function machineRulesStandAlone({ manifest, tree, notes }: RuleInput): void {
  manifest.affinity.forEach(({ key, by }, index) => {
    const rule = itemOf(tree, 'affinity', index)
    if (key === 'machine.') {
      notes.report('manifest/bad-affinity', rule, 'machine. is followed by a key of machine metadata')
    } else if (by !== undefined && key.startsWith('machine.')) {
      const message = `${key} is about the machine itself, so by: ${by} has no effect`
      notes.report('manifest/conflict', childOf(rule, 'by') ?? rule, message, 'leave by out')
    }
  })
}

/** A label that nobody can read would leave names out, and nobody would be told. */
function cnsLabelsAreRead({ manifest, tree, notes }: RuleInput): void {
  const labels = childOf(tree, 'labels')
  for (const [key, value] of Object.entries(manifest.labels)) {
    const problem = cnsLabelProblem(key, value)
    if (problem === null) continue
    const place = (labels?.kind === 'map' ? childOf(labels, key) : labels) ?? placeFor(tree, 'labels')
    notes.report('manifest/bad-label', place, `${key}: ${problem.message}`, problem.hint)
  }
}

/** The same for what `cns` says, which is said once. */
function cnsIsRead({ manifest, tree, notes }: RuleInput): void {
  const node = childOf(tree, 'cns')
  for (const [key, value] of Object.entries(labelsOfCns(manifest.cns ?? {}))) {
    const name = key.slice(key.lastIndexOf('.') + 1)
    const place = (node === undefined ? undefined : childOf(node, name)) ?? placeFor(tree, 'cns')
    // The schema checks its bounds.
    const problem = name === 'ttl' ? null : cnsLabelProblem(key, value)
    if (problem !== null) notes.report('manifest/bad-label', place, problem.message, problem.hint)
    if (Object.hasOwn(manifest.labels, key))
      notes.report('manifest/conflict', place, `the label ${key} sets it as well`, 'keep one of them')
  }
}

function describeRule({ key, operator, value }: AffinityRule): string {
  return `${key}${operator}${value}`
}
