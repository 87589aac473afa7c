// Files that follow the metadata: when their unit is looked at, and what its program is told.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beginsAnew,
  changedKeys,
  type FollowingFile,
  type FollowingUnit,
  followingFiles,
  lookAtFiles,
  signalsFor,
} from '../../src/agent/file-updates.js'
import { type OwnedFile, openPlacedFiles } from '../../src/drivers/io/placed-files.js'
import { asUnitName } from '../../src/unit/name.js'
import { randomCases } from '../random-runs.js'
import { removeDir } from '../remove-dir.js'

const up: FollowingUnit['observed'] = { active: 'active', sub: 'running', driver: 'process' }
const unit: FollowingUnit = {
  now: { a: '2' },
  lookedAt: { a: '1' },
  observed: up,
  isBusy: false,
  isWanted: true,
  retryAt: null,
  failedWith: null,
}

describe('a unit is looked at', () => {
  test.each<[string, Partial<FollowingUnit>, 'now' | number | null]>([
    ['when a value has changed', {}, 'now'],
    ['when nobody has looked yet', { lookedAt: null }, 'now'],
    ['not where nothing has changed', { now: { a: '1' } }, null],
    ['when it reads another key', { now: { a: '1', b: '' } }, 'now'],
    ['not while something is done to it', { isBusy: true }, null],
    ['not where it is to stop', { isWanted: false }, null],
    ['not where it does not run', { observed: { active: 'inactive', sub: 'dead', driver: 'process' } }, null],
    [
      'not while it starts',
      { observed: { active: 'activating', sub: 'start-pre', driver: 'systemd' } },
      null,
    ],
    ['not while it is paused', { observed: { active: 'active', sub: 'paused', driver: 'docker' } }, null],
    ['not before it is known', { observed: null }, null],
    ['again later after a look that failed', { retryAt: 11 }, 11],
    ['again when that time has come', { retryAt: 10 }, 'now'],
    ['later where it failed with the same values', { retryAt: 11, failedWith: { a: '2' } }, 11],
    ['at once where it failed with others', { retryAt: 11, failedWith: {} }, 'now'],
  ])('%s', (_, change, when) => {
    expect(lookAtFiles({ ...unit, ...change }, 10)).toBe(when)
  })
})

test('each signal is sent once, for the files that were replaced', () => {
  const files: readonly FollowingFile[] = [
    { path: 'a', signal: 'SIGUSR1', keys: ['x'] },
    { path: 'b', signal: 'SIGHUP', keys: ['x'] },
    { path: 'c', signal: 'SIGUSR1', keys: ['y'] },
  ]
  expect(signalsFor(files, ['c', 'a'])).toEqual(['SIGUSR1'])
  expect(signalsFor(files, ['b', 'c'])).toEqual(['SIGHUP', 'SIGUSR1'])
  expect(signalsFor(files, ['gone'])).toEqual([])
})

test('the keys that changed are named, and none where nobody knows', () => {
  expect(changedKeys({ now: { b: '2', a: '1', c: '' }, lookedAt: { b: '1', a: '1', c: '3' } })).toEqual([
    'meta.b',
    'meta.c',
  ])
  expect(changedKeys({ now: { a: '1' }, lookedAt: null })).toEqual([])
})

test('the files that follow are those with a signal, each with its keys', () => {
  const file = { path: 'a', mode: null, owner: null, secret: false, data: null }
  const text = [
    { kind: 'meta', key: 'y' },
    { kind: 'text', text: ' ' },
    { kind: 'meta', key: 'x' },
    { kind: 'meta', key: 'y' },
  ] as const
  expect(
    followingFiles([
      { ...file, onChange: 'SIGHUP', text },
      { ...file, onChange: null, text },
    ]),
  ).toEqual([{ path: 'a', signal: 'SIGHUP', keys: ['x', 'y'] }])
})

/** What happens to an agent and its program. */
type Happening = { readonly set: string } | { readonly lookUpTo: number } | 'agent-ends' | 'program-starts'

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ set: fc.constantFrom('', 'a', 'b', 'long and longer') }) },
  { weight: 4, arbitrary: fc.record({ lookUpTo: fc.constantFrom(0, 1, 2, 3, 3) }) },
  fc.constantFrom<Happening>('agent-ends', 'program-starts'),
)

test('what begins anew is looked at anew, also where the values are those of before', () => {
  expect(beginsAnew(null, false)).toBe(true)
  expect(beginsAnew({ active: 'active', sub: 'running', driver: 'process' }, true)).toBe(true)
  expect(beginsAnew({ active: 'activating', sub: 'start', driver: 'process' }, false)).toBe(true)
  expect(beginsAnew({ active: 'active', sub: 'running', driver: 'process' }, false)).toBe(false)
})

test('whatever ends an agent in whichever step, the program knows the last text, and is told of no other', () => {
  const dir = mkdtempSync(join(tmpdir(), 'file-updates-'))
  let runs = 0
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const files: readonly FollowingFile[] = [{ path: 'a', signal: 'SIGHUP', keys: ['key'] }]
  try {
    fc.assert(
      fc.property(fc.constantFrom('a', '/etc/a'), fc.array(happening, { maxLength: 25 }), (path, story) => {
        const name = asUnitName(`web-${runs++}.service`)
        const placed = openPlacedFiles(dir)
        const of = (text: string): readonly OwnedFile[] => [
          { path, content: new TextEncoder().encode(text), mode: 0o400, ...own },
        ]
        const followed = files.map((one) => ({ ...one, path }))
        let value = 'first'
        let lookedAt: FollowingUnit['lookedAt'] = null
        placed.write(name, of(value))
        let known = value
        let [signals, needless, cut] = [0, 0, 0]
        /** As the shell does it; ends after so many steps, as by SIGKILL. */
        const look = (steps: number): void => {
          const now = { key: value }
          if (lookAtFiles({ ...unit, now, lookedAt }, 0) !== 'now') return
          const ends = (after: number): boolean => {
            if (steps < after) lookedAt = null
            return steps < after
          }
          if (ends(1)) return
          const replaced = placed.replace(name, of(value))
          if (ends(2)) return
          for (const _ of signalsFor(followed, replaced)) {
            signals += 1
            const seen = readFileSync(placed.pathOf(name, path), 'utf8')
            if (seen === known) needless += 1
            known = seen
          }
          if (ends(3)) {
            cut += 1
            return
          }
          placed.taken(name)
          lookedAt = now
        }
        let changes = 0
        for (const one of story) {
          if (one === 'agent-ends') lookedAt = null
          else if (one === 'program-starts') {
            if (beginsAnew(null, false)) lookedAt = null
            placed.write(name, of(value))
            known = value
          } else if ('set' in one) {
            if (one.set !== value) changes += 1
            value = one.set
          } else look(one.lookUpTo)
        }
        look(3)
        expect(readFileSync(placed.pathOf(name, path), 'utf8')).toBe(value)
        expect(known).toBe(value)
        // Nothing is told twice but where nobody can know whether it was.
        expect(signals).toBeLessThanOrEqual(changes + cut)
        if (
          cut === 0 &&
          story.every(
            (s) => s === 'program-starts' || typeof s === 'string' || 'set' in s || s.lookUpTo !== 1,
          )
        )
          expect(needless).toBe(0)
        const settled = signals
        look(3)
        expect(signals).toBe(settled)
      }),
      { numRuns: randomCases(300) },
    )
  } finally {
    removeDir(dir)
  }
})
