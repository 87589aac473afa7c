import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitWords } from '../../src/manifest/words.js'

const texts = (line: string) => splitWords(line).words.map(({ text }) => text)

describe('a line is split into words', () => {
  test.each([
    ['node server.js', ['node', 'server.js']],
    ['  a\t b\n c ', ['a', 'b', 'c']],
    [`say 'a  b' "c  d"`, ['say', 'a  b', 'c  d']],
    [`a'b'"c"d`, ['abcd']],
    [`a "" ''`, ['a', '', '']],
    ['a\\ b', ['a b']],
    ['"a\\"b\\\\ \\$x \\n"', ['a"b\\ $x \\n']],
    [`'a\\b'`, ['a\\b']],
    ['/bin/pilot \\\n  /bin/elastic \\\r\n --x', ['/bin/pilot', '/bin/elastic', '--x']],
    ['"a\\\nb"', ['ab']],
    ['', []],
    ['--x={{ default .service.name "a b" }} y', ['--x={{ default .service.name "a b" }}', 'y']],
    ['"{{ default .service.name "}}" }} z" y', ['{{ default .service.name "}}" }} z', 'y']],
    [`--format '\\{{.State.Running}}'`, ['--format', '\\{{.State.Running}}']],
    ['\\\\{{ .scale }}', ['\\\\{{ .scale }}']],
  ])('%j', (line, words) => {
    expect(texts(line)).toEqual(words)
  })

  test.each([
    [`a 'b`, 2],
    ['a "b\\"', 2],
    ['a\\', 1],
  ])('%j has a quote without end', (line, at) => {
    expect(splitWords(line).unclosed).toBe(at)
  })

  test.each([
    ['a | b', ['|']],
    ['a && b || c', ['&&', '||']],
    ['a > /tmp/x 2>&1', ['>']],
    ['a >/tmp/x', ['>']],
    ['a; b', [';']],
    ['echo $HOME ${X} $(date) `id`', ['$HOME', '${X}', '$(', '`', '`']],
  ])('%j has what only a shell would act on', (line, found) => {
    expect(splitWords(line).shellSyntax.map(({ text }) => text)).toEqual(found)
  })

  test.each([`awk '{ print $1 }'`, '"a | b" c', 'grep a|b', 'price \\$5', 'x=1&y=2', 'ls {{ .scale }}'])(
    '%j needs no shell',
    (line) => {
      expect(splitWords(line).shellSyntax).toEqual([])
    },
  )

  test('words that were quoted for a shell come back as they were', () => {
    const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('{{'))
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const line = words.map((text) => `'${text.replaceAll("'", `'\\''`)}'`).join(' ')
        expect(texts(line)).toEqual(words)
      }),
    )
  })

  test('every word says where it stands', () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        let from = 0
        for (const { start, end } of splitWords(line).words) {
          expect(start).toBeGreaterThanOrEqual(from)
          expect(end).toBeGreaterThan(start)
          from = end
        }
        expect(from).toBeLessThanOrEqual(line.length)
      }),
    )
  })
})
