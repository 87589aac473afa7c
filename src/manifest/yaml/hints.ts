// What to write instead of what looks right and is no YAML, the manifest seed's own examples first of all.

/** A hint for an error at `offset`, from what stands on its line and on the one before; undefined for none. */
export function hintAt(text: string, offset: number): string | undefined {
  const lines = text.slice(0, lineEnd(text, offset)).split(/\r?\n/)
  const line = lines.at(-1) ?? ''
  const before = lines.slice(0, -1).findLast((one) => one.trim() !== '') ?? ''
  const rule = affinityRule.exec(line) ?? affinityRule.exec(before)
  if (rule) return `write each rule after a dash: - ${rule[1]}`
  const pair = undashedPair.exec(line)
  if (pair && /^\s*- /.test(before)) return `write each pair after a dash: - ${pair[1]}=…`
  const operator = bareOperator.exec(line)
  if (operator) return `put the operator in quotes: "${operator[1]}"`
  const name = nameOf(line, nextLine(text, offset)) ?? nameOf(before, line)
  return name === undefined ? undefined : `a name with keys below it takes a colon: - ${name}:`
}

const affinityRule = /^\s*([A-Za-z_][\w.-]*(?:==|!=)~?[^\s#]*)/
/** Its value may be a secret. */
const undashedPair = /^\s*([A-Za-z_][\w.-]{0,60})=(?!=)/
const bareOperator = /:\s+(>=|!=)\s*(?:#.*)?$/
const bareName = /^(\s*)-\s+([A-Za-z][\w.-]*)\s*(?:#.*)?$/

/** The name of a list entry that has no colon, where a deeper key follows. */
function nameOf(line: string, below: string): string | undefined {
  const [, indent = '', name] = bareName.exec(line) ?? []
  const [, deeper = ''] = /^(\s+)[\w.-]+:/.exec(below) ?? []
  return deeper.length > indent.length ? name : undefined
}

function nextLine(text: string, offset: number): string {
  const start = lineEnd(text, offset) + 1
  return text.slice(start, lineEnd(text, start))
}

function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset)
  return at === -1 ? text.length : at
}
