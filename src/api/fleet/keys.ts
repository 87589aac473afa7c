// The JSON of requests as fleetd reads it, which is as Go does (encoding/json): without regard to case in keys, and of keys that
// are given several times every one in its turn.

/** An object as it was written, with all its keys in order. */
export class WrittenObject {
  readonly members: readonly (readonly [key: string, value: unknown])[]
  constructor(members: WrittenObject['members']) {
    this.members = members
  }
}

/** Deeper than any request is; Go has a bound too. */
const maxDepth = 1000

/** The value of a JSON text, its objects as they were written. Throws SyntaxError where it is none. */
export function parseWritten(text: string): unknown {
  // It says what is wrong; after it the text is known to be JSON.
  JSON.parse(text)
  return new Reader(text).value(0)
}

/** What a JSON object says under each of these names, in order; other keys are ignored. */
export function fieldsOf<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Readonly<Record<Name, readonly unknown[]>> {
  const members = value instanceof WrittenObject ? value.members : []
  const said = (name: Name): readonly unknown[] =>
    members.flatMap(([key, one]) => (fold(key) === fold(name) ? [one] : []))
  return Object.fromEntries(names.map((name) => [name, said(name)])) as Record<Name, readonly unknown[]>
}

/** The text that comes of all that is said of a field: the last, and null says nothing. Undefined where one is no text. */
export function textOf(said: readonly unknown[]): string | undefined {
  const texts = said.filter((one) => one !== null)
  return texts.every((one) => typeof one === 'string') ? (texts.at(-1) ?? '') : undefined
}

function fold(key: string): string {
  return key.toUpperCase().toLowerCase()
}

/** Reads a text that is known to be JSON. */
class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): unknown {
    if (depth > maxDepth) throw new SyntaxError('exceeded max depth')
    const first = this.#peek()
    if (first === '{') return new WrittenObject(this.#all('}', () => this.#member(depth)))
    if (first === '[') return this.#all(']', () => this.value(depth + 1))
    return first === '"' ? this.#string() : this.#word()
  }

  #member(depth: number): readonly [string, unknown] {
    const key = this.#string()
    this.#peek()
    this.#at += 1
    return [key, this.value(depth + 1)]
  }

  /** What stands up to an end, with commas between. */
  #all<T>(end: string, read: () => T): readonly T[] {
    const found: T[] = []
    this.#at += 1
    while (this.#peek() !== end) {
      if (this.#text[this.#at] === ',') this.#at += 1
      this.#peek()
      found.push(read())
    }
    this.#at += 1
    return found
  }

  #string(): string {
    const from = this.#at
    do {
      this.#at = this.#text.indexOf('"', this.#at + 1)
    } while (this.#isEscaped())
    this.#at += 1
    return JSON.parse(this.#text.slice(from, this.#at)) as string
  }

  #isEscaped(): boolean {
    let before = this.#at
    while (this.#text[before - 1] === '\\') before -= 1
    return (this.#at - before) % 2 === 1
  }

  #word(): unknown {
    const from = this.#at
    while (this.#at < this.#text.length && !/[\s,\]}]/.test(this.#text[this.#at] ?? '')) this.#at += 1
    return JSON.parse(this.#text.slice(from, this.#at)) as unknown
  }

  /** The next character that is no space. */
  #peek(): string {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1
    return this.#text[this.#at] ?? ''
  }
}
