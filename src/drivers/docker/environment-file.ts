/**
 * The variables of an environment file as container engines read it: one `NAME=value` per line, taken as it is, without
 * quotes or escapes; blank lines and those that begin with `#` do not count. A name alone, which an engine's command
 * line would take from its own environment, is a problem here.
 */
export function parseEnvironmentFile(text: string): {
  readonly environment: Readonly<Record<string, string>>
  readonly problems: readonly string[]
} {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line: line.trimStart(), at: index + 1 }))
  const filled = lines.filter(({ line }) => line !== '' && !line.startsWith('#'))
  const wrong = filled.filter(({ line }) => !/^[^=\s]+=/.test(line))
  const pairs = filled
    .filter(({ line }) => /^[^=\s]+=/.test(line))
    .map(({ line }) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
  return {
    environment: Object.fromEntries(pairs),
    problems: wrong.map(({ at }) => `line ${at} is not of the form NAME=value`),
  }
}
