import { type ManifestSet, readManifests } from '../../src/manifest/manifest.js'
import type { ServiceManifest } from '../../src/manifest/schema.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import type { Diagnostic } from '../../src/model/diagnostic.js'
import type { OtherService } from '../../src/model/other-service.js'

/**
 * Reads a text as the file `web.yaml`, with a secret `password` among the project's metadata. What else there is nobody
 * knows where the text speaks of `meta.unsaid`; else there is nothing. The project has a service `db`.
 */
export function read(text: string, file = 'web.yaml'): ManifestSet {
  const meta = { values: new Map([['password', null]]), complete: !text.includes('meta.unsaid') }
  return readManifests([{ file, text }], (name) => ({
    ...standIns(name),
    meta,
    networks: ['backbone'],
    services: { of: (other) => (other === 'db' ? db : null), names: () => ['db'], complete: true },
  }))
}

const db: OtherService = {
  uuid: '11111111-0000-5000-8000-000000000000',
  isProcess: false,
  ports: [{ ip: null, host: null, container: 5432, protocol: 'tcp' }],
}

/** The one manifest of a text that must be free of errors. */
export function readGood(text: string): ServiceManifest {
  const { manifests, diagnostics } = read(text)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0 || !manifests[0]) throw new Error(JSON.stringify(diagnostics, null, 2))
  return manifests[0].manifest
}

/** `code line:column "what the caret is under"`. */
export function summary(text: string, { code, line = 0, column = 1, length = 0 }: Diagnostic): string {
  const letters = [...(text.split(/\r?\n/)[line - 1] ?? '')]
  return `${code} ${line}:${column} ${letters.slice(column - 1, column - 1 + length).join('')}`
}

export function summaries(text: string): string[] {
  return read(text).diagnostics.map((diagnostic) => summary(text, diagnostic))
}
