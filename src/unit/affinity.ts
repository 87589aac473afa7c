// [X-Mariposa] Affinity=: near or far from which other units a unit runs (fidelity §3d, after DOCKER-630).
import { compileRegex, type Matcher } from '../lib/regex.js'
import { compileGlob } from './glob.js'
import { quoteWord, splitWords } from './words.js'

/** One rule. `==` near, `!=` far; with `~` only where that is possible. */
export interface AffinityRule {
  /** `instance` (a name or uuid), `service`, `machine.<metadata key>`, else the name of a label. */
  readonly key: string
  readonly operator: AffinityOperator
  /** An exact text, a glob with `*`, or `/regular expression/`. */
  readonly value: string
  /** Machines count as the same that have the same value of this metadata key; null: each for itself. */
  readonly by: string | null
}

type AffinityOperator = '==' | '!=' | '==~' | '!=~'

/** Reads the value of an `Affinity=` line, or says why it is no rule: `<key><operator><value> [by=<key>]`, as words. */
export function parseAffinity(text: string): { value: AffinityRule } | { problem: string } {
  const { words, problem, unknownEscapes } = splitWords(text)
  if (problem !== null) return { problem }
  if (unknownEscapes[0] !== undefined) return { problem: `${unknownEscapes[0]} is not an escape` }
  const [rule, by, ...rest] = words
  if (rule === undefined) return { problem: 'it is empty' }
  const byKey = by === undefined ? null : (/^by=([A-Za-z0-9_.-]{1,128})$/.exec(by)?.[1] ?? null)
  if (rest.length > 0 || (by !== undefined && byKey === null))
    return { problem: `only by=<metadata key> may follow the rule; quote a rule that has blanks` }
  return readRule(rule, byKey)
}

function readRule(text: string, by: string | null): { value: AffinityRule } | { problem: string } {
  const [, key = '', sign, soft, value = ''] = ruleForm.exec(text) ?? []
  if (sign === undefined) return { problem: `"${text}" is not a rule such as role!=database` }
  const operator = `${sign}${soft ?? ''}` as AffinityOperator
  const ofMachine = key.startsWith(machinePrefix)
  if (ofMachine && by !== null)
    return { problem: `${key} is about single machines, so by=${by} has no effect` }
  if (key === machinePrefix) return { problem: 'machine. is followed by a metadata key' }
  const pattern = compilePattern(value)
  if ('problem' in pattern) return { problem: `${value}: ${pattern.problem}` }
  return { value: { key: key === 'container' ? 'instance' : key, operator, value, by } }
}

const ruleForm = /^([A-Za-z_][A-Za-z0-9_.-]+)(==|!=)(~?)([^=~].*)$/s
export const machinePrefix = 'machine.'

/** A rule as its line says it; `parseAffinity` reads it back. */
export function printAffinity({ key, operator, value, by }: AffinityRule): string {
  return `${quoteWord(`${key}${operator}${value}`)}${by === null ? '' : ` by=${by}`}`
}

/** How a value picks: `/…/` of three characters or more is searched for, one with `*` is a glob, else it is equal. */
export function compilePattern(value: string): Matcher | { readonly problem: string } {
  if (value.length >= 3 && value.startsWith('/') && value.endsWith('/'))
    return compileRegex(value.slice(1, -1))
  if (value.includes('*')) return compileGlob(value) ?? { problem: 'it is not a glob' }
  return (text) => text === value
}

/** Whether a rule must hold. */
export function isHard(rule: AffinityRule): boolean {
  return !rule.operator.endsWith('~')
}

/** Whether it is about being near; else it is about being far. */
export function isNear(rule: AffinityRule): boolean {
  return rule.operator.startsWith('==')
}
