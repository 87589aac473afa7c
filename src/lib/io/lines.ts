// The lines of a stream that somebody else writes, taken no faster than they are read here.
import { StringDecoder } from 'node:string_decoder'

/** Longer than any line that is sent: what one does not end before that is none of ours. */
const longestLine = 32 * 2 ** 20

/**
 * The lines of a stream, without their ends, as many at a time as have come; a last one that has none is a line, too. Only what was read at once is held:
 * Node's `readline` reads a thousand lines ahead, however long they are, and ends lines at characters that may stand in
 * JSON. Throws where a line does not end.
 */
export async function* lineBatches(
  stream: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new StringDecoder('utf8')
  let begun: string[] = []
  let length = 0
  for await (const chunk of stream) {
    const [first = '', ...others] = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n')
    begun.push(first)
    length += first.length
    if (length > longestLine) throw new Error(`a line is longer than ${longestLine} characters`)
    const rest = others.pop()
    if (rest === undefined) continue
    yield [begun.join(''), ...others].map(withoutReturn)
    begun = [rest]
    length = rest.length
  }
  const last = begun.join('') + decoder.end()
  if (last !== '') yield [withoutReturn(last)]
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
