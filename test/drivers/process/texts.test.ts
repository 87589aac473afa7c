import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signalName } from '../../../src/model/signal.js'
import { findAccount, findGroup, supplementaryGroups } from '../../../src/supervisor/accounts.js'
import { parseEnvironmentFile } from '../../../src/supervisor/environment-file.js'
import { instantOf, offsetSince, parseMarks, printMark } from '../../../src/supervisor/log-marks.js'
import { markVariables, readPlaceholder } from '../../../src/supervisor/marker.js'
import { judgeMemory } from '../../../src/supervisor/memory-guard.js'
import { parseProcStat } from '../../../src/supervisor/proc-stat.js'
import { asUnitName } from '../../../src/unit/name.js'

describe('an environment file', () => {
  it('is read as systemd reads it', () => {
    const text = [
      '# a comment',
      '; another \\',
      'that goes on',
      'PLAIN=some words   ',
      '  INDENTED = spaced',
      "SINGLE='keeps \\n and $HOME'  ",
      'DOUBLE="a \\"b\\" \\$c \\x"',
      'MIXED=one"two three"four',
      'LONG=first \\',
      'second',
      'LINES="one',
      'two"',
      'EMPTY=',
      'not an assignment',
      '1BAD=x',
      'LAST=end',
    ].join('\n')
    expect(parseEnvironmentFile(text)).toEqual({
      PLAIN: 'some words',
      INDENTED: 'spaced',
      SINGLE: 'keeps \\n and $HOME',
      DOUBLE: 'a "b" $c \\x',
      MIXED: 'onetwo threefour',
      LONG: 'first second',
      LINES: 'one\ntwo',
      EMPTY: '',
      LAST: 'end',
    })
  })

  it('gives back any value that is written in single quotes', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes("'")),
        (value) => {
          expect(parseEnvironmentFile(`A='${value}'\nB=b\n`)).toEqual({ A: value, B: 'b' })
        },
      ),
    )
  })

  it('ends whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('=', '"', "'", '\\', '\n', 'A', ' ', '#') }),
        (text) => void parseEnvironmentFile(text),
      ),
    )
  })
})

describe('marks of a log', () => {
  const marks = [
    { offset: 100, at: 1000 },
    { offset: 250, at: 2000 },
    { offset: 300, at: 5000 },
  ]

  it('survive being written, and a last line that is cut off', () => {
    expect(parseMarks(marks.map(printMark).join(''))).toEqual(marks)
    expect(parseMarks(`${marks.map(printMark).join('')}31`)).toEqual(marks)
    expect(parseMarks('')).toEqual([])
  })

  it('tell when a byte was written at the latest', () => {
    expect([0, 99, 100, 249, 250, 299, 300].map((offset) => instantOf(marks, offset, 9000))).toEqual([
      1000, 1000, 2000, 2000, 5000, 5000, 9000,
    ])
  })

  it('tell where to begin so that no later line is missed', () => {
    fc.assert(
      fc.property(fc.nat(6000), fc.nat(300), (since, offset) => {
        const from = offsetSince(marks, since)
        if (instantOf(marks, offset, 9000) >= since && offset < 300) expect(from).toBeLessThanOrEqual(offset)
      }),
    )
  })
})

describe('the mark of a process', () => {
  it('is found again in an environment', () => {
    const mark = {
      home: 'abc123',
      unit: asUnitName('a.b.v1@2.service'),
      run: 7,
      list: 'start',
      index: 0,
    } as const
    const environ = Object.entries({ PATH: '/bin', ...markVariables(mark), X: 'a=b' })
      .map(([key, value]) => `${key}=${value}`)
      .join('\0')
    expect(readPlaceholder(environ)).toEqual(mark)
    expect(readPlaceholder('PATH=/bin\0HOME=/')).toBeNull()
  })

  it('has an invocation id of its own for each run', () => {
    const mark = { home: 'abc123', unit: asUnitName('a.service'), list: 'start', index: 0 } as const
    const [one, two] = [1, 2].map((run) => markVariables({ ...mark, run })['INVOCATION_ID'])
    expect(one).toMatch(/^[0-9a-f]{32}$/)
    expect(one).not.toBe(two)
  })
})

it('a line of /proc/<pid>/stat is read past any name', () => {
  const line = `4711 (a) R (b)) S 1 4711 4711 0 -1 4194304 100 0 0 0 12 5 0 0 20 0 1 0 998877 8192 321 18446744073709551615`
  expect(parseProcStat(line)).toEqual({
    pid: 4711,
    state: 'S',
    parent: 1,
    session: 4711,
    cpuTicks: 17,
    userTicks: 12,
    threads: 1,
    ticks: 998_877,
    rssPages: 321,
  })
  expect(parseProcStat('')).toBeNull()
})

it('accounts are found by name and number', () => {
  const passwd = 'root:x:0:0:root:/root:/bin/bash\nweb:x:33:33::/var/www:\n'
  expect(findAccount(passwd, 'web')).toEqual({
    name: 'web',
    uid: 33,
    gid: 33,
    home: '/var/www',
    shell: '/bin/sh',
  })
  expect(findAccount(passwd, '33')?.name).toBe('web')
  expect(findAccount(passwd, '4000')).toMatchObject({ uid: 4000, gid: 4000, home: '/' })
  expect(findAccount(passwd, 'nobody')).toBeNull()
  const groups = 'root:x:0:\nweb:x:33:\nssl:x:110:web,mail\nlog:x:111:mail,web\n'
  expect([findGroup(groups, 'ssl'), findGroup(groups, '7'), findGroup(groups, 'none')]).toEqual([
    110,
    7,
    null,
  ])
  expect(supplementaryGroups(groups, 'web', 33)).toEqual([110, 111])
})

it('signals are known by name, short name and number', () => {
  expect(['SIGTERM', 'TERM', '15', 'SIGUSR1', '9', 'SIGX', '0'].map(signalName)).toEqual([
    'SIGTERM',
    'SIGTERM',
    'SIGTERM',
    'SIGUSR1',
    'SIGKILL',
    null,
    null,
  ])
})

it('the memory guard wants to see a unit above its limit twice in a row', () => {
  const unit = asUnitName('a.service')
  const sample = (usedBytes: number) => [{ unit, usedBytes, limitBytes: 100 }]
  const first = judgeMemory(sample(150), new Set())
  expect(first.over).toEqual([])
  expect(judgeMemory(sample(150), first.suspects).over).toEqual([unit])
  expect(judgeMemory(sample(100), first.suspects)).toEqual({ over: [], suspects: new Set() })
})
