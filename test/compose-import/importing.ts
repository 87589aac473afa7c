import { type ComposeImport, importCompose } from '../../src/compose-import/compose.js'
import { printManifest, printManifests } from '../../src/compose-import/print.js'
import { readManifests } from '../../src/manifest/manifest.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import type { Diagnostic } from '../../src/model/diagnostic.js'

export function imported(
  text: string,
  file = 'docker-compose.yml',
  beside: Readonly<Record<string, string>> = {},
): ComposeImport {
  return importCompose({ file, text }, (path) => beside[path] ?? null)
}

/** The manifests as the command prints them. */
export function printed({ services, remarks }: ComposeImport): string {
  return printManifests(services, remarks)
}

/** What a project's meta may well say of a key, so that a value which holds it can be read. */
const plausible: Readonly<Record<string, string>> = {
  INTERVAL: '10s',
  TIMEOUT: '5s',
  RETRIES: '3',
  MEMORY: '64M',
}

/** The errors of a project's own reader, the one text and one file per service alike. */
export function errorsIn(result: ComposeImport): readonly Diagnostic[] {
  const values = new Map(result.metaKeys.map((key) => [key, plausible[key] ?? '8081']))
  const variablesOf = (name: string) => ({ ...standIns(name), meta: { values, complete: true } })
  const whole = [{ file: 'project.yml', text: printed(result) }]
  const single = result.services.map((one) => ({ file: `${one.name}.yml`, text: printManifest(one) }))
  return [whole, single]
    .flatMap((sources) => readManifests(sources, variablesOf).diagnostics)
    .filter(({ severity }) => severity === 'error')
}
