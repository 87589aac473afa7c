// How the processes that a daemon starts are told to log: as it does itself.
import { defaultLogSettings, type Log, type LogFormat, type LogSettings, lineLog } from '../lib/io/log.js'
import { defaultLogLevels, type LogLevels, parseLogLevels, printLogLevels } from '../lib/log-levels.js'
import { KnownSecrets } from '../lib/redact.js'

const format = '--log-format='
const level = '--log-level='

/** The words for a process that a daemon starts; none where the daemon logs as everything does by itself. */
export function logWords(logFormat: LogFormat, logLevels: LogLevels): readonly string[] {
  const levels = printLogLevels(logLevels)
  return [
    ...(logFormat === defaultLogSettings.format ? [] : [`${format}${logFormat}`]),
    ...(levels === printLogLevels(defaultLogLevels) ? [] : [`${level}${levels}`]),
  ]
}

/** The log of a process that a daemon has started with such words, and the words that are left. */
export function openStartedLog(words: readonly string[]): {
  readonly log: Log
  readonly rest: readonly string[]
} {
  const settings = readLogWords(words)
  const log = lineLog((line) => process.stderr.write(line), {
    settings: () => settings,
    secrets: new KnownSecrets(),
  })
  return { log, rest: words.filter((word) => !word.startsWith('--log-')) }
}

/** What such words say. A daemon of another version may say what is not known here: that is no reason not to run. */
export function readLogWords(words: readonly string[]): LogSettings {
  const said = (option: string) => words.find((word) => word.startsWith(option))?.slice(option.length)
  const levels = parseLogLevels(said(level)?.split(',') ?? [])
  return {
    format: said(format) === 'json' ? 'json' : 'text',
    levels: 'problem' in levels ? defaultLogLevels : levels,
  }
}
