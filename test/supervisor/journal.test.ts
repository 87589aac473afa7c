import { appendFileSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findJournal } from '../../src/supervisor/io/journal-file.js'
import { compactJournal, type JournalEntry, printEntry, replayJournal } from '../../src/supervisor/journal.js'
import { type Service, serviceDefaults } from '../../src/supervisor/service.js'
import { initialState } from '../../src/supervisor/state.js'
import { asUnitName } from '../../src/unit/name.js'
import { randomCases } from '../random-runs.js'
import { removeDir } from '../remove-dir.js'

const names = ['a', 'b', 'c'].map((name) => asUnitName(`${name}.service`))
const commands = { 'start-pre': [], start: [], 'start-post': [], stop: [], 'stop-post': [] }
const service: Service = { ...serviceDefaults, type: 'simple', commands }

const anyName = fc.constantFrom(...names)
const anyState = fc.nat(9).map((run) => ({ ...initialState, run }))
const anyEntry: fc.Arbitrary<JournalEntry> = fc.oneof(
  fc.record({
    kind: fc.constant('unit' as const),
    unit: fc.record({
      name: anyName,
      hash: fc.string(),
      service: fc.constant(service),
      placed: fc.constant({}),
    }),
    state: anyState,
    boot: fc.constant('boot'),
  }),
  fc.record({
    kind: fc.constant('state' as const),
    name: anyName,
    state: anyState,
    boot: fc.constant('boot'),
  }),
  fc.record({ kind: fc.constant('forgotten' as const), name: anyName }),
)
const write = (entries: readonly JournalEntry[]): string => entries.map(printEntry).join('')

describe('the journal of the supervisor', () => {
  it('says the same when it is made short', () => {
    fc.assert(
      fc.property(fc.array(anyEntry), (entries) => {
        const { records, damaged } = replayJournal(write(entries))
        expect(damaged).toEqual([])
        expect(replayJournal(compactJournal(records.values())).records).toEqual(records)
      }),
    )
  })

  it('tells which lines are no entries, and reads on', () => {
    const [first, second] = names.map(
      (name): JournalEntry => ({
        kind: 'unit',
        unit: { name, hash: '', service, placed: {} },
        state: initialState,
        boot: '',
      }),
    )
    if (first === undefined || second === undefined) throw new Error('no entries')
    const replay = replayJournal(`${printEntry(first)}{"kind":"st\n17\n${printEntry(second)}`)
    expect(replay.damaged).toEqual([2, 3])
    expect([...replay.records.keys()]).toEqual(names.slice(0, 2))
  })
})

describe('the file of the journal', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mariposa-journal-'))
    path = join(folder, 'journal')
  })
  afterEach(() => removeDir(folder))

  it('gives back what was appended, up to any byte at which the writer was killed', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 6 }), fc.nat(), (entries, cut) => {
        const bytes = Buffer.from(write(entries))
        const kept = bytes.subarray(0, cut % (bytes.length + 1))
        writeFileSync(path, kept)
        const whole = kept.toString().split('\n').length - 1
        const found = findJournal(path)
        expect(found.damaged).toEqual([])
        expect(found.records).toEqual(replayJournal(write(entries.slice(0, whole))).records)
        const journal = found.open()
        const last: JournalEntry = { kind: 'forgotten', name: asUnitName('a.service') }
        journal.append(last)
        journal.close()
        const [text, ...zeros] = readFileSync(path, 'utf8').split(/(?<=\n)(?=\0)/)
        expect(text).toBe(write([...entries.slice(0, whole), last]))
        // Room for what is to be written while the disk is full.
        expect(zeros.join('').length).toBeGreaterThan(100_000)
        const again = findJournal(path)
        expect([again.damaged, again.keptAside]).toEqual([[], null])
        expect(again.records).toEqual(replayJournal(text ?? '').records)
      }),
      { numRuns: randomCases(50) },
    )
  })

  it('reads what somebody has added behind its room to spare', () => {
    const entry: JournalEntry = {
      kind: 'unit',
      unit: { name: asUnitName('a.service'), hash: '', service, placed: {} },
      state: initialState,
      boot: '',
    }
    findJournal(path).open().close()
    appendFileSync(path, printEntry(entry))
    expect(findJournal(path)).toMatchObject({ damaged: [], keptAside: null })
    expect([...findJournal(path).records.keys()]).toEqual(['a.service'])
  })

  it('is for its owner alone', () => {
    findJournal(path).open().close()
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('is made short when it is long', () => {
    const record = {
      unit: { name: asUnitName('a.service'), hash: '', service, placed: {} },
      state: initialState,
      boot: '',
    }
    const journal = findJournal(path).open()
    journal.append({ kind: 'unit', ...record })
    const long: JournalEntry = {
      kind: 'state',
      name: asUnitName('a.service'),
      state: initialState,
      boot: 'x'.repeat(100_000),
    }
    for (let n = 0; n < 60; n += 1) {
      journal.append(long)
      journal.compactIfLong(() => [record])
    }
    journal.append({
      kind: 'state',
      name: asUnitName('a.service'),
      state: { ...initialState, run: 7 },
      boot: '',
    })
    journal.close()
    expect(statSync(path).size).toBeLessThan(3_000_000)
    expect(findJournal(path).records.get(asUnitName('a.service'))?.state.run).toBe(7)
  })

  it('keeps a damaged journal aside, once', () => {
    const entry: JournalEntry = {
      kind: 'unit',
      unit: { name: asUnitName('a.service'), hash: '', service, placed: {} },
      state: initialState,
      boot: '',
    }
    writeFileSync(path, printEntry(entry))
    appendFileSync(path, `{"kind"\n`)
    const found = findJournal(path)
    expect(found.keptAside).toBe(`${path}.damaged`)
    found.open().close()
    expect(existsSync(`${path}.damaged`)).toBe(true)
    const again = findJournal(path)
    expect(again).toMatchObject({ damaged: [], keptAside: null })
    expect(again.records).toEqual(found.records)
  })
})
