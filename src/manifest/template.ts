// Templates in values: `{{ .service.name }}`, with or without the leading dot. Handlebars reads what stands inside the
// braces; only plain variables and `default` pass, and nothing is ever compiled or looked up on an object, so there is
// no prototype to reach and no markup to inject. Values are inserted as text and never read again.
import Handlebars from 'handlebars'
import { nearest } from '../lib/nearest.js'
import type { ManifestCode } from './notes.js'

/** What is known when a service is deployed. */
export interface DeployVariables {
  readonly project: { readonly name: string }
  readonly service: {
    readonly name: string
    readonly uuid: string
    /** uuid of the service version. */
    readonly version: string
    readonly ordinal: number
  }
  readonly scale: number
}

/** Which variables a value may use: none, those of the deploy, or those of the placement too. */
export type Stage = 'none' | 'deploy' | 'placement'

export interface Rendered {
  readonly text: string
  readonly problems: readonly TemplateProblem[]
}

/** What is wrong with a template; `offset` and `length` are within the text that was rendered. */
export interface TemplateProblem {
  readonly code: Extract<ManifestCode, `template/${string}`>
  readonly offset: number
  readonly length: number
  readonly message: string
  readonly hint?: string
}

const deployVariables = {
  'project.name': (known) => known.project.name,
  'service.name': (known) => known.service.name,
  'service.uuid': (known) => known.service.uuid,
  'service.version': (known) => known.service.version,
  'service.ordinal': (known) => String(known.service.ordinal),
  scale: (known) => String(known.scale),
} as const satisfies Record<string, (known: DeployVariables) => string>

/** Known only once an instance has its machine; rendered into marks until then. */
export const placementVariables = ['instance.name', 'instance.n', 'machine.id', 'machine.name'] as const
export type PlacementVariable = (typeof placementVariables)[number]

const laterNamespaces = ['meta', 'package', 'cns']
const variableNames = [...Object.keys(deployVariables), ...placementVariables]
const namespaces = new Set(variableNames.map((name) => name.split('.')[0]))

/** Private-use characters that fence a mark. Text of users that holds them is refused. */
export const markStart = '\uE000'
export const markEnd = '\uE001'

/** What stands in a value for a variable that is filled in at placement. */
export function placementMark(name: PlacementVariable): string {
  return `${markStart}${name}${markEnd}`
}

/** Fills in the templates of a text; `\{{` is a plain `{{` (see `openingAt`). A template with a problem is left out of the result. */
export function renderText(text: string, known: DeployVariables, stage: Stage): Rendered {
  if (!text.includes('{{')) return { text, problems: [] }
  const problems: TemplateProblem[] = []
  const rendered = piecesOf(text).map((piece) => {
    if (piece.kind === 'text') return piece.text
    const value = renderTemplate(piece.text, known, stage)
    if (typeof value === 'string') return value
    problems.push({ ...value, offset: piece.offset + value.offset })
    return ''
  })
  return { text: rendered.join(''), problems }
}

/** Where the template that begins at `start` ends (exclusive); undefined when it never does. */
export function templateEnd(text: string, start: number): number | undefined {
  let quote = ''
  for (let at = start + 2; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (quote !== '') {
      if (letter === quote) quote = ''
    } else if (letter === '"' || letter === "'") {
      quote = letter
    } else if (text.startsWith('}}', at)) {
      return text.startsWith('}}}', at) && text.startsWith('{{{', start) ? at + 3 : at + 2
    }
  }
  return undefined
}

/**
 * The `{{` at `at` or behind the backslashes there. Backslashes in front of `{{` count in pairs, each pair a
 * backslash; one that is left over makes the `{{` plain text.
 */
export function openingAt(
  text: string,
  at: number,
): { readonly braces: number; readonly escaped: boolean } | undefined {
  let braces = at
  while (text[braces] === '\\') braces += 1
  return text.startsWith('{{', braces) ? { braces, escaped: (braces - at) % 2 === 1 } : undefined
}

type Piece = { readonly kind: 'text' | 'template'; readonly text: string; readonly offset: number }

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  for (const { index } of text.matchAll(/(?<!\\)\\*\{\{/g)) {
    const opening = index >= done ? openingAt(text, index) : undefined
    if (!opening) continue
    const { braces, escaped } = opening
    const before = text.slice(done, index) + '\\'.repeat(Math.floor((braces - index) / 2))
    pieces.push({ kind: 'text', text: escaped ? `${before}{{` : before, offset: done })
    done = escaped ? braces + 2 : (templateEnd(text, braces) ?? text.length)
    if (!escaped) pieces.push({ kind: 'template', text: text.slice(braces, done), offset: braces })
  }
  pieces.push({ kind: 'text', text: text.slice(done), offset: done })
  return pieces
}

function renderTemplate(template: string, known: DeployVariables, stage: Stage): string | TemplateProblem {
  const compiled = compileTemplate(template)
  if ('code' in compiled) return compiled
  if (stage === 'none') return problem('template/not-allowed', template, 'this value cannot be a template')
  const value = lookUp(compiled.variable, known, stage)
  if (typeof value === 'string' || compiled.fallback === null) return value
  const missing =
    value.code === 'template/unknown-variable' && namespaces.has(compiled.variable.name.split('.')[0])
  if (!missing) return value
  return typeof compiled.fallback === 'string' ? compiled.fallback : lookUp(compiled.fallback, known, stage)
}

interface Variable {
  readonly name: string
  readonly offset: number
  readonly length: number
}

function lookUp(variable: Variable, known: DeployVariables, stage: Stage): string | TemplateProblem {
  const { name } = variable
  if (isDeployVariable(name)) return deployVariables[name](known)
  if (isPlacementVariable(name)) {
    if (stage === 'placement') return placementMark(name)
    return {
      code: 'template/not-allowed',
      ...variable,
      message: `${name} is known only once an instance has its machine, too late for this value`,
      hint: 'use it in environment, command, entrypoint, labels, or the path or command of a healthcheck',
    }
  }
  if (laterNamespaces.includes(name.split('.')[0] ?? '')) {
    return {
      code: 'template/not-supported-yet',
      ...variable,
      message: `the variable ${name} is not supported yet`,
    }
  }
  const near = nearest(name, variableNames)
  return {
    code: 'template/unknown-variable',
    ...variable,
    message: `there is no variable ${JSON.stringify(name)}`,
    hint: near ? `did you mean ${near}?` : `there are ${variableNames.join(', ')}`,
  }
}

function isDeployVariable(name: string): name is keyof typeof deployVariables {
  return Object.hasOwn(deployVariables, name)
}

function isPlacementVariable(name: string): name is PlacementVariable {
  return (placementVariables as readonly string[]).includes(name)
}

interface Compiled {
  readonly variable: Variable
  /** What `default` falls back to: a variable or a text; null without `default`. */
  readonly fallback: Variable | string | null
}

const compiledTemplates = new Map<string, Compiled | TemplateProblem>()
const compiledAtMost = 1_000

function compileTemplate(template: string): Compiled | TemplateProblem {
  const cached = compiledTemplates.get(template)
  if (cached) return cached
  const compiled = compileNew(template)
  if (compiledTemplates.size >= compiledAtMost) compiledTemplates.clear()
  compiledTemplates.set(template, compiled)
  return compiled
}

function compileNew(template: string): Compiled | TemplateProblem {
  const statement = parseTemplate(template)
  if (!statement) {
    const unclosed = templateEnd(template, 0) === undefined
    const message = unclosed ? 'this template is not closed with }}' : 'this is no template that can be read'
    return problem(
      'template/syntax',
      template,
      message,
      'write {{ .service.name }}; a plain {{ is written \\{{',
    )
  }
  const only = 'only variables and `default` may stand in a template'
  if (!isPlainMustache(statement)) return problem('template/syntax', template, only)
  const { path, params } = statement
  if (params.length === 0) {
    const variable = variableOf(path, template)
    return variable ? { variable, fallback: null } : problem('template/syntax', template, only)
  }
  return (
    compileDefault(statement, template) ??
    problem('template/syntax', template, `${only}: {{ default .variable "text" }}`)
  )
}

/** Handlebars' reading of one template. A leading dot gives way to a space, so that every column stays. */
function parseTemplate(template: string): hbs.AST.Statement | undefined {
  const undotted = template.replace(/"[^"]*"|'[^']*'|(?<=[\s{])\.(?=[A-Za-z_[])/g, (part) =>
    part === '.' ? ' ' : part,
  )
  try {
    const { body } = Handlebars.parse(undotted)
    return body.length === 1 ? body[0] : undefined
  } catch {
    return undefined
  }
}

function isPlainMustache(statement: hbs.AST.Statement): statement is hbs.AST.MustacheStatement {
  if (statement.type !== 'MustacheStatement') return false
  const { escaped, strip, hash } = statement as hbs.AST.MustacheStatement
  return escaped && !strip.open && !strip.close && !hash?.pairs.length
}

function compileDefault(statement: hbs.AST.MustacheStatement, template: string): Compiled | undefined {
  const [first, second, ...rest] = statement.params
  const helper = variableOf(statement.path, template)
  if (helper?.name !== 'default' || !first || !second || rest.length > 0) return undefined
  const variable = variableOf(first, template)
  const fallback = variableOf(second, template) ?? literalOf(second)
  return variable && fallback !== undefined ? { variable, fallback } : undefined
}

function variableOf(node: hbs.AST.Node, template: string): Variable | undefined {
  if (node.type !== 'PathExpression') return undefined
  const { parts, data, depth, loc } = node as hbs.AST.PathExpression
  if (data || depth > 0 || parts.length === 0) return undefined
  const offset = offsetOf(template, loc.start)
  return { name: parts.map(String).join('.'), offset, length: offsetOf(template, loc.end) - offset }
}

function literalOf(node: hbs.AST.Node): string | undefined {
  if (!['StringLiteral', 'NumberLiteral', 'BooleanLiteral'].includes(node.type)) return undefined
  return String((node as hbs.AST.StringLiteral).value)
}

function offsetOf(template: string, at: hbs.AST.Position): number {
  const lines = template.split(/(?<=\n)/)
  return lines.slice(0, at.line - 1).join('').length + at.column
}

function problem(
  code: TemplateProblem['code'],
  template: string,
  message: string,
  hint?: string,
): TemplateProblem {
  return { code, offset: 0, length: template.length, message, ...(hint !== undefined && { hint }) }
}
