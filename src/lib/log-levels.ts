// Which lines a log writes: a level for everything, and others for single parts.

/** The parts of the programs, as lines name them. */
export const logParts = [
  'agent',
  'api',
  'autoscale',
  'daemon',
  'dns',
  'docker',
  'engine',
  'entry',
  'events',
  'health',
  'machine',
  'metrics',
  'process',
  'schedule',
  'secrets',
  'service',
  'store',
  'systemd',
  'trigger',
  'volumes',
  'webhook',
] as const
export type LogPart = (typeof logParts)[number]

/** From what says the most to what says the least. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/** The level of everything, and those of the parts that have one of their own. */
export interface LogLevels {
  readonly all: LogLevel
  readonly parts: Readonly<Partial<Record<LogPart, LogLevel>>>
}

export const defaultLogLevels: LogLevels = { all: 'info', parts: {} }

/** What is wrong with a text of levels, and what would be right. */
interface LevelProblem {
  readonly problem: string
  readonly hint: string
}

/** Reads `warn`, `engine=debug`, or both: one level for everything at most, and one for each part. */
export function parseLogLevels(words: readonly string[]): LogLevels | LevelProblem {
  let all: LogLevel | null = null
  const parts: Partial<Record<LogPart, LogLevel>> = {}
  for (const word of words) {
    const [name, value] = word.includes('=') ? word.split(/=(.*)/s) : [null, word]
    const level = logLevels.find((one) => one === value)
    if (level === undefined) return unknown(`'${value ?? ''}' is no level`, 'levels', logLevels)
    if (name == null) {
      if (all !== null) return twice('everything', word)
      all = level
      continue
    }
    const part = logParts.find((one) => one === name)
    if (part === undefined) return unknown(`'${name}' is no part of the log`, 'parts', logParts)
    if (parts[part] !== undefined) return twice(part, word)
    parts[part] = level
  }
  return { all: all ?? defaultLogLevels.all, parts }
}

function unknown(problem: string, what: string, words: readonly string[]): LevelProblem {
  return { problem, hint: `${what}: ${words.join(', ')}` }
}

function twice(what: string, word: string): LevelProblem {
  return { problem: `'${word}' gives ${what} a second level`, hint: 'example: warn,engine=debug' }
}

/** Levels as they are written in an option. */
export function printLogLevels({ all, parts }: LogLevels): string {
  return [all, ...Object.entries(parts).map(([part, level]) => `${part}=${level}`)].join(',')
}

/** Whether a line of a part is written. */
export function isLogged({ all, parts }: LogLevels, part: LogPart, level: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(parts[part] ?? all)
}
