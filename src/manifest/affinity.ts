// One affinity rule as text, read as sdc-docker reads it (DOCKER-630): `==` is looked for first, then `!=`; a `~`
// behind the operator makes the rule soft.
import { compileRegex } from '../lib/regex.js'
import type { AffinityRule } from './schema.js'

/** What is wrong with a rule, and which part of it. */
interface AffinityProblem {
  readonly offset: number
  readonly length: number
  readonly message: string
  readonly hint?: string
}

const keyShape = /^[a-z_][a-z0-9_.-]+$/i
/** As long as a regular expression may be. */
const longestValue = 256
const valueShape = /^[-a-z0-9:_\s.*/()?+[\]\\^$|]+$/i

/** Reads `key<op>value`; blanks around the parts do not count. `container` becomes `instance`: they are the same. */
export function parseAffinity(text: string): Omit<AffinityRule, 'by'> | AffinityProblem {
  const at = operatorIn(text)
  if (at === undefined) {
    const hint = 'write <key><operator><value>, such as role!=database; operators are == != ==~ !=~'
    return { offset: 0, length: text.length, message: 'there is no == and no != in this rule', hint }
  }
  const soft = text[at + 2] === '~'
  const behind = at + (soft ? 3 : 2)
  const [key, value] = [text.slice(0, at).trim(), text.slice(behind).trim()]
  const hard = text.startsWith('==', at) ? '==' : '!='
  return (
    keyProblem(key, text, at) ??
    valueProblem(value, text, behind) ?? {
      key: key === 'container' ? 'instance' : key,
      operator: soft ? `${hard}~` : hard,
      value,
    }
  )
}

/** Whether a text is one that a value picks: by a regular expression, by a glob, or by being equal. */
export function picks(value: string, text: string): boolean {
  if (!isRegex(value) && !value.includes('*')) return value === text
  const expression = isRegex(value) ? value.slice(1, -1) : `^${value.split('*').map(escaped).join('.*')}$`
  const matches = compileRegex(expression)
  return typeof matches === 'function' && matches(text)
}

/** Whether a value names one text alone. */
export function isExact(value: string): boolean {
  return !isRegex(value) && !value.includes('*')
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function isRegex(value: string): boolean {
  return value.length >= 3 && value.startsWith('/') && value.endsWith('/')
}

function operatorIn(text: string): number | undefined {
  const equal = text.indexOf('==')
  const at = equal === -1 ? text.indexOf('!=') : equal
  return at === -1 ? undefined : at
}

function keyProblem(key: string, text: string, at: number): AffinityProblem | undefined {
  if (keyShape.test(key)) return undefined
  const place = { offset: 0, length: Math.max(1, at) }
  if (key.includes('!='))
    return { ...place, message: `a value cannot hold ==, as in ${JSON.stringify(text)}` }
  const message =
    key === '' ? 'the key before the operator is missing' : `${JSON.stringify(key)} is not a key of a rule`
  return {
    ...place,
    message,
    hint: 'container, instance, service, machine.<key> or the name of a tag: letters, digits, _ . and -, at least two',
  }
}

function valueProblem(value: string, text: string, behind: number): AffinityProblem | undefined {
  const place = { offset: behind, length: Math.max(1, text.length - behind) }
  if (value === '')
    return { offset: 0, length: text.length, message: 'the value after the operator is missing' }
  if (value.length > longestValue)
    return { ...place, message: `a value has at most ${longestValue} characters` }
  if (!valueShape.test(value)) return { ...place, ...badSign(value) }
  if (!isRegex(value)) return undefined
  const compiled = compileRegex(value.slice(1, -1))
  return typeof compiled === 'function' ? undefined : { ...place, message: `${value}: ${compiled.problem}` }
}

function badSign(value: string): Pick<AffinityProblem, 'message' | 'hint'> {
  const sign = [...value].find((letter) => !valueShape.test(letter)) ?? ''
  if (sign === '=' || sign === '!')
    return {
      message: 'there is more than one rule here',
      hint: 'write each rule on a line of its own, after a dash',
    }
  const hint = /["']/.test(sign)
    ? 'values are not quoted'
    : 'letters, digits, blanks and : _ - . * / ( ) ? + [ ] \\ ^ $ | are allowed'
  return { message: `a value cannot hold ${JSON.stringify(sign)}`, hint }
}
