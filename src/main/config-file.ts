// The daemon's configuration file: YAML with the names of the options, or fleet's own INI file.
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { nearest } from '../lib/nearest.js'
import type { SettingName } from '../model/daemon-config.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { parseFleetConf } from './fleet-conf.js'
import type { Setting, Settings } from './settings.js'
import { isSettingName, settingNames, split } from './settings.js'

export interface ConfigFile {
  readonly settings: Settings
  /** Warnings for keys of fleet's that mean nothing here, errors for everything unknown. */
  readonly problems: readonly Diagnostic[]
}

/** Reads a file's text as YAML where its name ends in .yml, .yaml or .json, else as a fleet.conf. */
export function parseConfigFile(file: string, text: string): ConfigFile {
  if (text.trim() === '') return { settings: {}, problems: [emptyProblem(file)] }
  return /\.(ya?ml|json)$/i.test(file) ? parseYaml(file, text) : parseFleetConf(file, text)
}

/** Whoever writes a file empties it first, and a full disk or a crash leaves it so: that says nothing of any option. */
function emptyProblem(file: string): Diagnostic {
  return yamlProblem(file, 1, 'the file is empty', 'write a comment in it if no option is to be set')
}

function parseYaml(file: string, text: string): ConfigFile {
  const lines = new LineCounter()
  // Told nothing less than of errors, the parser passes over what follows the first document.
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' })
  const settings: Partial<Record<SettingName, Setting>> = {}
  const problems: Diagnostic[] = document.errors.map((error) => {
    const { line, col } = lines.linePos(error.pos[0])
    if (error.code === 'MULTIPLE_DOCS') return yamlProblem(file, line, ...anotherDocument)
    return {
      code: 'daemon/bad-option',
      severity: 'error',
      message: error.message.split('\n')[0] ?? '',
      file,
      line,
      column: col,
    }
  })
  const root = document.contents
  if (problems.length > 0 || root === null) return { settings, problems }
  if (!isMap(root))
    return { settings, problems: [yamlProblem(file, 1, 'the file has to hold a map of options')] }
  for (const { key, value } of root.items) {
    const name = isScalar(key) ? String(key.value) : ''
    const line = isScalar(key) ? lines.linePos(key.range?.[0] ?? 0).line : 1
    const values = isSettingName(name) ? yamlValues(name, value) : null
    if (!isSettingName(name)) problems.push(unknownOption(name, file, line))
    else if (values === null)
      problems.push(
        yamlProblem(file, line, `${name}: give a text, a list or, for metadata, entry and policy, a map`),
      )
    else settings[name] = { values, called: name, file, line }
  }
  return { settings, problems }
}

function unknownOption(name: string, file: string, line: number): Diagnostic {
  const near = nearest(name, settingNames)
  const hint = near === undefined ? `options: ${settingNames.join(', ')}` : `did you mean ${near}?`
  return yamlProblem(file, line, `'${name}' is not an option`, hint)
}

const anotherDocument = [
  'a second document begins here: only one is allowed',
  'join them, without --- between them',
] as const

function yamlValues(name: SettingName, value: unknown): readonly string[] | null {
  if (isScalar(value)) return split(name, String(value.value))
  if (isSeq(value) && value.items.every((item) => isScalar(item)))
    return value.items.map((item) => String(item))
  if (name === 'policy' && isMap(value)) return [JSON.stringify(value.toJSON())]
  if (
    (name === 'metadata' || name === 'entry') &&
    isMap(value) &&
    value.items.every((pair) => isScalar(pair.key) && isScalar(pair.value))
  ) {
    return [value.items.map((pair) => `${String(pair.key)}=${String(pair.value)}`).join(',')]
  }
  return null
}

function yamlProblem(file: string, line: number, message: string, hint?: string): Diagnostic {
  return {
    code: 'daemon/bad-option',
    severity: 'error',
    message,
    file,
    line,
    column: 1,
    ...(hint !== undefined && { hint }),
  }
}
