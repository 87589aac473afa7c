// Shapes of records as the store has them.
import { manifestSettings } from './model.js'
import { flag, number, orNull, shape, text, told, words, yes } from './words.js'

export const unreadableBody = shape(
  'UnreadableBody',
  'A record that cannot be read: it is set aside, and nothing it is about is decided.',
  {
    key: text(),
    kind: text('What it would be a record of.'),
    unfit: words(['damaged', 'newer'], '`newer`: a later Mariposa wrote it.'),
    problem: text(),
    revision: number("The store's revision at which it was written."),
  },
)

export const recordBody = shape('RecordBody', 'A record as the store has it.', {
  key: text(),
  kind: text(),
  unfit: orNull(unreadableBody.properties.unfit, 'Null where it can be read.'),
  problem: orNull(text()),
  revision: number(),
  value: text(),
})

export const exportHeader = shape('ExportHeader', 'The first line of an export.', {
  mariposaExport: number('The format of the export.'),
  records: number('The format of its records.'),
  program: text('The version of the Mariposa that wrote it.'),
  cluster: text(),
  revision: number('The revision of the store that it shows.'),
  at: text(),
  history: flag('Whether events and deliveries are in it.'),
  manifests: told(manifestSettings, "What the daemon's own options say that manifests depend on."),
})

export const exportFooter = shape('ExportFooter', 'The last line of an export.', {
  end: yes(),
  count: number(),
  sha1: text('Over all lines before.'),
})
