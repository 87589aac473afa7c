// Rules of where instances go: ports and affinity.
import { isExact, picks } from './affinity.js'
import { itemOf, type Judged, lineOf, type Rule } from './rule.js'
import type { AffinityRule } from './schema.js'
import { maxRules } from './schema-placement.js'
import { childOf } from './tree.js'

export const placementRules: readonly Rule[] = [
  portsAreDistinct,
  affinityIsHardOrSoft,
  affinityIsPossible,
  machineRulesStandAlone,
]

function portsAreDistinct({ manifest, tree, notes }: Judged): void {
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
function affinityIsHardOrSoft({ manifest, tree, source, notes }: Judged): void {
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
    'end all operators in ~, or none',
  )
}

/** Near to and far from the same at once, or on machines with two values of one key. */
function affinityIsPossible({ manifest, tree, source, notes }: Judged): void {
  // More of them are refused by the schema, and need not be compared with each other.
  const rules = manifest.affinity.slice(0, maxRules)
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

function machineRulesStandAlone({ manifest, tree, notes }: Judged): void {
  manifest.affinity.forEach(({ key, by }, index) => {
    const rule = itemOf(tree, 'affinity', index)
    if (key === 'machine.') {
      notes.report('manifest/bad-affinity', rule, 'machine. is followed by a key of machine metadata')
    } else if (by !== undefined && key.startsWith('machine.')) {
      const message = `${key} is about the machine itself, so by: ${by} says nothing`
      notes.report('manifest/conflict', childOf(rule, 'by') ?? rule, message, 'leave by out')
    }
  })
}

function describeRule({ key, operator, value }: AffinityRule): string {
  return `${key}${operator}${value}`
}
