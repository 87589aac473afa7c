// The text of an export: what it holds, and what is told of one that is not whole.
import { describe, expect, it } from 'vitest'
import { ExportReader, exportLines } from '../../src/api/export.js'
import type { Entry } from '../../src/store/store.js'
import { defaultSettings } from '../manifest/default-settings.js'

const of = {
  program: '0.1.0',
  cluster: 'c1',
  revision: 7,
  at: '2026-01-01T00:00:00.000Z',
  manifests: defaultSettings,
}

function entry(key: string, value: string): Entry {
  return { key, value, createRevision: 1, modRevision: 1, lease: null }
}

const entries = [entry('services/p/web', '{"ü":1}'), entry('events/1', '[]'), entry('claims/m', '{}')]

function linesOf(history = true): readonly string[] {
  return [...exportLines(of, entries, history)].map((line) => JSON.stringify(line))
}

function read(lines: readonly string[]): ReturnType<ExportReader['end']> {
  const reader = new ExportReader()
  for (const line of lines) reader.take(line)
  return reader.end()
}

describe('an export', () => {
  it('reads back as it was written', () => {
    const whole = read(linesOf())
    expect(whole).toMatchObject({ header: { ...of, mariposaExport: 1, history: true } })
    const records = entries.map(({ key, value }) => ({ key, value }))
    expect(whole).toMatchObject({ records })
  })

  it('leaves events out where no history is asked for', () => {
    expect(read(linesOf(false))).toMatchObject({
      header: { history: false },
      records: [{ key: 'services/p/web' }, { key: 'claims/m' }],
    })
  })

  const lines = linesOf()
  const damages: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['is empty', [], /truncated/],
    ['is cut off', lines.slice(0, -1), /truncated/],
    ['lacks a record', lines.toSpliced(1, 1), /2 records, but 3 were written/],
    ['has another value', lines.with(1, '["services/p/web","{}"]'), /SHA-1/],
    ['has another header', [(lines[0] ?? '').replace('c1', 'c2'), ...lines.slice(1)], /SHA-1/],
    ['goes on after its end', [...lines, '["a","b"]'], /after its end/],
    ['holds something else', lines.with(2, '{"a":1}'), /not a record/],
    ['is some other JSON', ['{"version":1}'], /does not begin/],
    ['is not JSON', ['services:', '  web:'], /does not begin/],
    ['says nothing of itself', ['{"mariposaExport":1,"records":1}'], /lacks/],
  ]
  for (const [what, text, problem] of damages)
    it(`is told to be damaged where it ${what}`, () => {
      expect(read(text)).toMatchObject({ kind: 'damaged', problem: expect.stringMatching(problem) as string })
    })

  it('is told to be newer where its format, or that of its records, is', () => {
    for (const key of ['mariposaExport', 'records']) {
      const header = JSON.stringify({
        ...(JSON.parse(lines[0] ?? '') as object),
        program: '9.0.0',
        [key]: 99,
      })
      expect(read([header, ...lines.slice(1)])).toMatchObject({
        kind: 'newer',
        line: 1,
        problem: expect.stringContaining('9.0.0') as string,
      })
    }
  })
})
