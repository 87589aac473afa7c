// Records of the store.
import { manifestSettings } from './model.js'
import { flag, number, orNull, shape, text, told, words, yes } from './words.js'

export const unreadableBody = shape(
  'UnreadableBody',
  'A record that cannot be read. It is set aside, and nothing is decided about the object that it describes.',
  {
    key: text(),
    kind: text('Kind of the record.'),
    unfit: words(['damaged', 'newer'], '`newer`: a newer version of Mariposa wrote it.'),
    problem: text(),
    revision: number('Revision of the store at which it was written.'),
  },
)

export const recordBody = shape('RecordBody', 'A record of the store.', {
  key: text(),
  kind: text(),
  unfit: orNull(unreadableBody.properties.unfit, 'null if the record can be read.'),
  problem: orNull(text()),
  revision: number(),
  value: text(),
})

export const exportHeader = shape('ExportHeader', 'The first line of an export.', {
  mariposaExport: number('Format of the export.'),
  records: number('Format of its records.'),
  program: text('Version of Mariposa that wrote it.'),
  cluster: text(),
  revision: number('Revision of the store that was exported.'),
  at: text(),
  history: flag('Whether the export contains events and deliveries.'),
  manifests: told(manifestSettings, 'Options of the daemon that manifests depend on.'),
})

export const exportFooter = shape('ExportFooter', 'The last line of an export.', {
  end: yes(),
  count: number(),
  sha1: text('SHA-1 of all lines before this one.'),
})
