// Shapes of a project's metadata.
import { flag, list, orNull, shape, text } from './words.js'

export const metaBody = shape('MetaBody', "The contract's JSON for a key of a project's metadata.", {
  key: text(),
  value: orNull(text(), 'null for a secret.'),
  casId: text(),
  secret: flag(),
  updatedAt: text(),
})

export const metaImportResponse = shape('MetaImportResponse', null, {
  set: list(metaBody),
  skipped: list(text(), 'Keys that were there already, and are as they were.'),
})
