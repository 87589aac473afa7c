// Templates in values: `{{ .service.name }}`, with or without the leading dot. Handlebars reads what stands inside the
// braces; only plain variables and `default` pass, and nothing is ever compiled or looked up on an object, so there is
// no prototype to reach and no markup to inject. Values are inserted as text and never read again.
import { parse } from 'handlebars/dist/cjs/handlebars/compiler/base.js'
import type { ManifestCode } from './notes.js'
import {
  type DeployVariables,
  deferredPlaceholder,
  type Found,
  lookUp,
  type Stage,
  type VariableProblem,
} from './variables.js'

interface Rendered {
  readonly text: string
  readonly problems: readonly TemplateProblem[]
  /** Where something stands for what nobody knows yet (`template/stand-in`). */
  readonly standIns: readonly TemplateProblem[]
  /** Keys of the project's metadata that the text asks for, be they there or not. */
  readonly meta: readonly string[]
}

/** What is wrong with a template; `offset` and `length` are within the text that was rendered. */
interface TemplateProblem {
  readonly code: Extract<ManifestCode, `template/${string}`>
  readonly offset: number
  readonly length: number
  readonly message: string
  readonly hint?: string
}

/**
 * Fills in the templates of a text; `\{{` is a plain `{{` (see `openingAt`), `{{ "{" }}` a plain `{`. A template with a problem is left out of
 * the result.
 */
export function renderText(text: string, known: DeployVariables, stage: Stage): Rendered {
  if (!text.includes('{{')) return { text, problems: [], standIns: [], meta: [] }
  const pieces = piecesOf(text).map((piece): PieceRendered => {
    if (piece.kind === 'text') return { text: piece.text }
    const { problem, standIn, ...rest } = renderTemplate(piece.text, known, stage)
    return {
      ...rest,
      ...(problem !== undefined && { problem: moved(problem, piece.offset) }),
      ...(standIn !== undefined && { standIn: moved(standIn, piece.offset) }),
    }
  })
  return {
    text: pieces.map((piece) => piece.text ?? '').join(''),
    problems: pieces.flatMap((piece) => piece.problem ?? []),
    standIns: pieces.flatMap((piece) => piece.standIn ?? []),
    meta: pieces.flatMap((piece) => piece.meta ?? []),
  }
}

function moved(problem: TemplateProblem, by: number): TemplateProblem {
  return { ...problem, offset: problem.offset + by }
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

interface PieceRendered {
  /** Absent where there is a problem. */
  readonly text?: string
  readonly problem?: TemplateProblem
  readonly standIn?: TemplateProblem
  readonly meta?: readonly string[]
}

function renderTemplate(template: string, known: DeployVariables, stage: Stage): PieceRendered {
  const compiled = compileTemplate(template)
  if ('code' in compiled) return { problem: compiled }
  if (stage === 'none')
    return { problem: problemOf('template/not-allowed', template, 'this value cannot be a template') }
  if ('literal' in compiled) return { text: compiled.literal }
  const { variable, fallback } = compiled
  const meta = [variable, fallback].flatMap(metaKeyOf)
  const found = lookUp(variable.name, known, stage)
  if (fallback === null) return { ...renderFound(variable, found), meta }
  if (found.kind === 'late' && found.uncertain !== undefined) {
    return { ...withLateFallback(found.uncertain, fallback, known, stage), meta }
  }
  if (found.kind !== 'missing') return { ...renderFound(variable, found), meta }
  if (typeof fallback === 'string') return { text: fallback, meta }
  return { ...renderFound(fallback, lookUp(fallback.name, known, stage)), meta }
}

interface Variable {
  readonly name: string
  readonly offset: number
  readonly length: number
}

function metaKeyOf(part: Variable | string | null): readonly string[] {
  return part !== null && typeof part !== 'string' && part.name.startsWith('meta.')
    ? [part.name.slice('meta.'.length)]
    : []
}

function renderFound(variable: Variable, found: Found): PieceRendered {
  switch (found.kind) {
    case 'text':
    case 'late':
      return { text: found.text }
    case 'stand-in': {
      const message = `${variable.name} is not known here: ${JSON.stringify(found.text)} is used instead`
      const hint = 'a deploy fills it in'
      return { text: found.text, standIn: { code: 'template/stand-in', ...placeOf(variable), message, hint } }
    }
    case 'missing':
    case 'problem':
      return { problem: problemAt(variable, found.problem) }
  }
}

/** What is taken instead has to be known now: it travels with the mark. */
function withLateFallback(
  name: string,
  fallback: Variable | string,
  known: DeployVariables,
  stage: Stage,
): PieceRendered {
  if (typeof fallback === 'string') return { text: deferredPlaceholder(name, fallback) }
  const found = lookUp(fallback.name, known, stage)
  if (found.kind === 'text') return { text: deferredPlaceholder(name, found.text) }
  if (found.kind !== 'late') return renderFound(fallback, found)
  const message = `${fallback.name} is not known early enough to replace ${name}`
  return { problem: problemAt(fallback, { code: 'template/not-allowed', message }) }
}

function problemAt(variable: Variable, problem: VariableProblem): TemplateProblem {
  return { ...problem, ...placeOf(variable) }
}

function placeOf({ offset, length }: Variable): Pick<TemplateProblem, 'offset' | 'length'> {
  return { offset, length }
}

/** `{{ "text" }}` is the text: the way to write a brace in front of a template. */
interface Literal {
  readonly literal: string
}

interface Compiled {
  readonly variable: Variable
  /** What `default` falls back to: a variable or a text; null without `default`. */
  readonly fallback: Variable | string | null
}

const compiledTemplates = new Map<string, Compiled | Literal | TemplateProblem>()
const compiledAtMost = 1_000

function compileTemplate(template: string): Compiled | Literal | TemplateProblem {
  const cached = compiledTemplates.get(template)
  if (cached) return cached
  const compiled = compileNew(template)
  if (compiledTemplates.size >= compiledAtMost) compiledTemplates.clear()
  compiledTemplates.set(template, compiled)
  return compiled
}

function compileNew(template: string): Compiled | Literal | TemplateProblem {
  const statement = parseTemplate(template)
  if (!statement) {
    const unclosed = templateEnd(template, 0) === undefined
    const message = unclosed ? 'this template is not closed with }}' : 'this is not a valid template'
    return problemOf(
      'template/syntax',
      template,
      message,
      'write {{ .service.name }}; a plain {{ is written \\{{',
    )
  }
  const only = 'only variables, texts in quotes and `default` are allowed in a template'
  if (!isPlainMustache(statement)) return problemOf('template/syntax', template, only)
  const { path, params } = statement
  if (params.length === 0 && path.type === 'StringLiteral') return { literal: literalOf(path) ?? '' }
  if (params.length === 0) {
    const variable = variableOf(path, template)
    return variable ? { variable, fallback: null } : problemOf('template/syntax', template, only)
  }
  return (
    compileDefault(statement, template) ??
    problemOf('template/syntax', template, `${only}: {{ default .variable "text" }}`)
  )
}

/**
 * Handlebars' reading of one template. Every column stays: a leading dot gives way to a space, and the first digit of a
 * part that is a number (`port.8080`) to a letter that stands for it, since Handlebars would read an index.
 */
function parseTemplate(template: string): hbs.AST.Statement | undefined {
  const undotted = template.replace(
    /"[^"]*"|'[^']*'|(?<=[\s{])\.(?=[A-Za-z_[])|(?<=[A-Za-z_\]][\w-]*\.)\d(?=\d*[\s.}])/g,
    (part) => (part === '.' ? ' ' : /^\d$/.test(part) ? digitLetters.charAt(Number(part)) : part),
  )
  try {
    const { body } = parse(undotted)
    return body.length === 1 ? body[0] : undefined
  } catch {
    return undefined
  }
}

/** Private-use characters: no key of metadata and no name can begin with one. */
const digitLetters = '\uE110\uE111\uE112\uE113\uE114\uE115\uE116\uE117\uE118\uE119'

function withDigits(part: string): string {
  const digit = digitLetters.indexOf(part.charAt(0))
  return part === '' || digit === -1 ? part : `${digit}${part.slice(1)}`
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
  return {
    name: parts.map((part) => withDigits(String(part))).join('.'),
    offset,
    length: offsetOf(template, loc.end) - offset,
  }
}

function literalOf(node: hbs.AST.Node): string | undefined {
  if (!['StringLiteral', 'NumberLiteral', 'BooleanLiteral'].includes(node.type)) return undefined
  return String((node as hbs.AST.StringLiteral).value)
}

function offsetOf(template: string, at: hbs.AST.Position): number {
  const lines = template.split(/(?<=\n)/)
  return lines.slice(0, at.line - 1).join('').length + at.column
}

function problemOf(
  code: TemplateProblem['code'],
  template: string,
  message: string,
  hint?: string,
): TemplateProblem {
  return { code, offset: 0, length: template.length, message, ...(hint !== undefined && { hint }) }
}
