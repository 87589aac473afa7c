// Where in the documentation a problem is explained.

import type { Diagnostic } from '../model/diagnostic.js'
import { serviceSchema } from './validators.js'

const page = 'docs/manifest.md'

/** What is no matter of one key, by what the code begins with. */
const chapters: Readonly<Record<string, string>> = {
  'import/': 'docs/errors.md#import',
  'template/': `${page}#templates`,
  'manifest/unquoted-template': `${page}#templates`,
  'manifest/shell-syntax': `${page}#command-lines`,
  'manifest/swallowed-item': `${page}#yaml-traps`,
  'manifest/duplicate-service': `${page}#several-services`,
  'manifest/syntax': `${page}#yaml-traps`,
  'manifest/unknown-tag': `${page}#yaml-traps`,
  'manifest/duplicate-key': `${page}#yaml-traps`,
  'manifest/bad-key': `${page}#yaml-traps`,
  'manifest/bad-name': `${page}#name`,
}

/** Adds the place to read about the problem. Every such link leads somewhere: a test follows them. */
export function withDocs(diagnostic: Diagnostic): Diagnostic {
  const { code, path } = diagnostic
  const chapter = Object.keys(chapters).find((start) => code.startsWith(start))
  const docs = chapter === undefined ? `${page}#${keyOf(code, path) ?? 'keys'}` : chapters[chapter]
  return docs === undefined ? diagnostic : { ...diagnostic, docs }
}

/** The manifest's key that a path leads through. What is missing stands nowhere, so only a path into a key names one. */
function keyOf(code: string, path = ''): string | undefined {
  const [first, name, ...rest] = path.split('/').slice(1)
  const steps = first === 'services' ? rest : first === 'defaults' ? [name, ...rest] : [first, name]
  const key = steps[0]
  if (key === undefined || (code === 'manifest/missing' && steps[1] === undefined)) return undefined
  return key === 'tags' || Object.hasOwn(serviceSchema.properties, key) ? key : undefined
}
