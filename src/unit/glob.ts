/**
 * Whether a name matches a shell pattern, as Go's path.Match has it, which fleet uses: `*`, `?`, `[a-z]`, `[^a-z]`, and
 * a backslash for the next character as it is. `*` and `?` match no slash. A pattern that is none matches nothing.
 */
export function matchGlob(pattern: string, name: string): boolean {
  return compileGlob(pattern)?.(name) ?? false
}

/** Reads a pattern once for many names; null for a pattern that is none. */
export function compileGlob(pattern: string): ((name: string) => boolean) | null {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern
  const tokens = readPattern(pattern)
  if (tokens === null) return null
  const head = literalPrefix(pattern)
  const [, tail] = /^\*([^*?[\\]*)$/.exec(pattern.slice(head.length)) ?? []
  if (tail !== undefined) return (name) => isBetween(name, head, tail)
  return (name) => name.startsWith(head) && matches(tokens, [...name])
}

/** What most patterns ask, such as `web@*.service`: a beginning, an end, and no slash between them. */
function isBetween(name: string, head: string, tail: string): boolean {
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false
  const slash = name.indexOf('/', head.length)
  return slash === -1 || slash >= name.length - tail.length
}

/** What every name that a pattern matches begins with. */
export function literalPrefix(pattern: string): string {
  return /^[^*?[\\]*/.exec(pattern)?.[0] ?? ''
}

/** Matches one character; `null` stands for `*`. */
type Token = ((char: string) => boolean) | null

function readPattern(pattern: string): readonly Token[] | null {
  const tokens: Token[] = []
  const parts = /\*|\?|\[\^?(?:\\.|[^\]\\])+\]|\\.|[^[\\]/gsuy
  let end = 0
  for (const [part] of pattern.matchAll(parts)) {
    end += part.length
    if (part === '*') tokens.push(null)
    else if (part === '?') tokens.push((char) => char !== '/')
    else if (part.length > 1 && part.startsWith('[')) {
      const set = readSet(part.slice(1, -1))
      if (set === null) return null
      tokens.push(set)
    } else {
      const literal = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
      tokens.push((char) => char === literal)
    }
  }
  return end === pattern.length ? tokens : null
}

function readSet(text: string): Token {
  const negated = text.startsWith('^')
  const ranges = /(\\.|[^\\-])(?:-(\\.|[^\\-]))?/gsuy
  const pairs: [string, string][] = []
  let end = negated ? 1 : 0
  for (const [part, low = '', high = low] of text.slice(end).matchAll(ranges)) {
    pairs.push([low.slice(-1), high.slice(-1)])
    end += part.length
  }
  if (end !== text.length || pairs.length === 0) return null
  return (char) => pairs.some(([low, high]) => low <= char && char <= high) !== negated
}

/** Two pointers with one step back: no pattern takes longer than its length times the name's. */
function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    const char = name[at] ?? ''
    const test = tokens[token]
    if (test === null) {
      star = token++
      resume = at
    } else if (test?.(char)) {
      token++
      at++
    } else if (star !== -1 && name[resume] !== '/') {
      token = star + 1
      at = ++resume
    } else return false
  }
  return tokens.slice(token).every((rest) => rest === null)
}
