import { describe, expect, it, test } from 'vitest'
import { parseMetaFile } from '../../src/cli/meta-file.js'

const read = (text: string, file = '<stdin>') => parseMetaFile({ file, text })
const values = (text: string, file?: string) => {
  const { values: found, diagnostics } = read(text, file)
  expect(diagnostics).toEqual([])
  return found
}
const problems = (text: string, file?: string) =>
  read(text, file).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)

describe('a file of metadata', () => {
  test.each([
    ['YAML', 'db.host: a\nport: 0755\nno: no\nempty:\nlong: |\n  one\n  two\n', 'x.yml'],
    ['JSON', '{"db.host": "a", "port": "0755", "no": "no", "empty": null, "long": "one\\ntwo\\n"}', 'x.json'],
  ])('is a map in %s, each value as it is written', (_, text, file) => {
    const wanted = { 'db.host': 'a', port: '0755', no: 'no', empty: '', long: 'one\ntwo\n' }
    expect(values(text, file)).toEqual(wanted)
    expect(values(text)).toEqual(wanted)
  })

  it('may be lines, whose values are taken as they stand', () => {
    const text = '# settings\n\nA=1\nexport B = "x" \r\nC==#\nD=\n'
    expect(values(text)).toEqual({ A: '1', B: ' "x" ', C: '=#', D: '' })
    expect(values(text, 'prod.env')).toEqual({ A: '1', B: ' "x" ', C: '=#', D: '' })
  })

  it('keeps keys that are names of every object', () => {
    expect(values('constructor=1\ntoString=2\n')).toEqual({ constructor: '1', toString: '2' })
  })

  it('is told all that is wrong with it at once, with the places', () => {
    expect(problems('a: {b: c}\n"x y": 1\nd: [1]\nd2: 1\nd2: 2\n', 'x.yml')).toEqual([
      'manifest/duplicate-key 5:1',
      'manifest/bad-value 1:4',
      'manifest/bad-key 2:1',
      'manifest/bad-value 3:4',
    ])
    expect(problems('A=1\nB\nx y=1\nA=2\n')).toEqual([
      'manifest/bad-value 2:1',
      'manifest/bad-key 3:1',
      'manifest/duplicate-key 4:1',
    ])
    expect(problems('- a\n')).toEqual(['manifest/bad-value 1:1'])
    expect(problems('a: "x\n')).toHaveLength(1)
  })

  test.each(['', '# nothing\n', '---\n'])('%j is nothing to import', (text) => {
    expect(read(text).diagnostics).toMatchObject([{ code: 'manifest/empty' }])
  })
})
