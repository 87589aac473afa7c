// A canonical manifest as YAML that reads back as the same manifest.
import { Document, visit } from 'yaml'
import type { ServiceManifest } from './schema.js'
import { placeholderEnd, placeholderStart, readPlaceholder } from './variables.js'

/**
 * The canonical form as YAML. What is filled in at placement is shown as the template that it was. Texts of several
 * lines are quoted, since the yaml package loses spaces in some block scalars (`" \n"`); in double quotes each stands on
 * one line, since the package escapes a space between two line breaks twice (`"…\n \n"`).
 */
export function printManifest(manifest: ServiceManifest): string {
  const document = new Document(asWritten(manifest), { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (String(node.value).includes(orderMark)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document
    .toString({ lineWidth: 0, blockQuote: false, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY })
    .replaceAll(orderMark, '\\uFEFF')
}

/** Readers of YAML drop it where it is not escaped. */
const orderMark = '\uFEFF'

/** The canonical form as data, every text as an author would write it: marks as templates, a plain `{{` escaped. */
export function asWritten(value: unknown): unknown {
  if (typeof value === 'string') return writtenText(value)
  if (Array.isArray(value)) return value.map(asWritten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asWritten(item)]))
}

/** A brace in front of a mark would begin its template. */
const openings = new RegExp(
  `(\\\\*)(?:\\{\\{|(\\{)(?=${placeholderStart})|${placeholderStart}([^${placeholderEnd}]*)${placeholderEnd})`,
  'g',
)

function writtenText(text: string): string {
  return text.replace(
    openings,
    (_, backslashes: string, brace: string | undefined, mark: string | undefined) => {
      const doubled = backslashes.repeat(2)
      if (brace !== undefined) return `${doubled}{{ "{" }}`
      return mark === undefined ? `${doubled}\\{{` : `${doubled}${writtenMark(mark)}`
    },
  )
}

function writtenMark(mark: string): string {
  const { name, fallback } = readPlaceholder(mark)
  const path = `.${name.split('.').map(writtenStep).join('.')}`
  if (fallback === null) return `{{ ${path} }}`
  const quote = fallback.includes('"') ? "'" : '"'
  return `{{ default ${path} ${quote}${fallback}${quote} }}`
}

/** Numbers and a few words of Handlebars are names only in brackets. */
function writtenStep(step: string): string {
  return /^(\d+|true|false|null|undefined|this)$/.test(step) ? `[${step}]` : step
}
