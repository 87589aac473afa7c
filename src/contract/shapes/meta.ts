// Metadata of projects.
import { flag, list, number, orNull, part, shape, text } from './words.js'

export const metaBody = shape('MetaBody', 'A key of the metadata of a project.', {
  key: text(),
  value: orNull(text(), 'null for a secret.'),
  casId: text(),
  secret: flag(),
  updatedAt: text(),
})

export const secretRotateResponse = shape('SecretRotateResponse', null, {
  fingerprint: text('Fingerprint of the key that is in use now.'),
  resealed: number('Number of secrets that were encrypted with another key before.'),
  made: list(
    part({ of: text(), secret: text() }),
    'New secrets of webhooks and trigger URLs whose secret was lost. No listing shows them; the same request tells them again until the key changes.',
  ),
  lost: list(text(), 'Secrets that no key of this daemon can decrypt.'),
})

export const metaImportResponse = shape('MetaImportResponse', null, {
  set: list(metaBody),
  skipped: list(text(), 'Keys that existed already and were left unchanged.'),
})
