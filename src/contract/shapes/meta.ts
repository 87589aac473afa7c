// Shapes of a project's metadata.
import { flag, list, number, orNull, part, shape, text } from './words.js'

export const metaBody = shape('MetaBody', "The contract's JSON for a key of a project's metadata.", {
  key: text(),
  value: orNull(text(), 'null for a secret.'),
  casId: text(),
  secret: flag(),
  updatedAt: text(),
})

export const secretRotateResponse = shape('SecretRotateResponse', null, {
  fingerprint: text('Of the key that is in use now.'),
  resealed: number('Secrets that were sealed with another one.'),
  made: list(
    part({ of: text(), secret: text() }),
    'Secrets of webhooks and trigger URLs in place of those that are lost. Nothing shows them again.',
  ),
  lost: list(text(), 'What no key of this daemon opens.'),
})

export const metaImportResponse = shape('MetaImportResponse', null, {
  set: list(metaBody),
  skipped: list(text(), 'Keys that were there already, and are as they were.'),
})
