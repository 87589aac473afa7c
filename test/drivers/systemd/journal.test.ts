import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readField, readLimit, readResidentPages } from '../../../src/drivers/systemd/cgroup-files.js'
import {
  cleanEndArgs,
  journalArgs,
  readCleanEnd,
  readJournalLine,
} from '../../../src/drivers/systemd/journal.js'
import { readEnviron, readOwner } from '../../../src/drivers/systemd/process-files.js'
import { asUnitName } from '../../../src/unit/name.js'

const name = asUnitName('web.service')

describe('journalctl', () => {
  it('is asked for what the unit wrote, not for what systemd says of it', () => {
    expect(journalArgs(name, { follow: false, since: null, tail: null })).toContain(
      '_SYSTEMD_UNIT=web.service',
    )
  })

  it('gets the query as arguments', () => {
    const args = journalArgs(name, { follow: true, since: 1_500, tail: null })
    expect(args).toEqual(expect.arrayContaining(['--since=@1.500', '--lines=all', '--follow']))
    // With both, journalctl gives the first lines since then.
    expect(journalArgs(name, { follow: true, since: 1_500, tail: 7 }).join(' ')).not.toContain('--since')
    expect(journalArgs(name, { follow: true, since: null, tail: null })).toContain('--lines=all')
  })

  it('answers with lines of JSON', () => {
    const entry = { __REALTIME_TIMESTAMP: '1795252826646534', MESSAGE: 'out' }
    expect(readJournalLine(JSON.stringify(entry))).toEqual({
      at: 1_795_252_826_646,
      stream: 'stdout',
      line: 'out',
    })
  })

  it('is asked which units ended well, in lines of systemd alone', () => {
    const args = cleanEndArgs([name, asUnitName('db.service')], 1_500)
    expect(args).toEqual(expect.arrayContaining(['_PID=1', 'UNIT=web.service', 'UNIT=db.service']))
    expect(args).toContain('--since=@1.500')
  })

  it('answers when a unit ended well, and nothing for other texts', () => {
    const entry = { __REALTIME_TIMESTAMP: '1795252826646534', UNIT: 'web.service' }
    expect(readCleanEnd(JSON.stringify(entry))).toEqual({ name: 'web.service', at: 1_795_252_826_646 })
    for (const text of ['', 'null', '[]', '{}', '{"UNIT":"web.service"}', '{"__REALTIME_TIMESTAMP":"1"}'])
      expect(readCleanEnd(text)).toBe(null)
  })

  it('writes what is no printable text as bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.startsWith('\uFEFF')),
        (line) => {
          const MESSAGE = [...new TextEncoder().encode(line)]
          const text = JSON.stringify({ __REALTIME_TIMESTAMP: '1000', MESSAGE })
          expect(readJournalLine(text)).toEqual({
            at: 1,
            stream: 'stdout',
            line: new TextDecoder().decode(Uint8Array.from(MESSAGE)),
          })
        },
      ),
    )
  })

  it.each([
    '',
    'no json',
    '3',
    'null',
    '{}',
    '{"MESSAGE":"x"}',
    '{"MESSAGE":null,"__REALTIME_TIMESTAMP":"1"}',
  ])('may write what is no entry: %s', (text) => expect(readJournalLine(text)).toBeNull())
})

describe('files of the kernel', () => {
  it('tell the environment of a process, with signs of equality in values', () => {
    expect(readEnviron('A=1\0B=x=y\0C=\0=bad\0bad\0')).toEqual({ A: '1', B: 'x=y', C: '' })
  })

  it('tell as whom a process acts', () => {
    const status = 'Name:\tsh\nUid:\t0\t65534\t0\t0\nGid:\t0\t7\t0\t0\nGroups:\t7 9 \n'
    expect(readOwner(status)).toEqual({ uid: '65534', gid: '7', groups: '7,9' })
    expect(readOwner('Name:\tsh\n')).toEqual({ uid: '0', gid: '0', groups: '' })
  })

  it('tell times, memory and limits', () => {
    expect(readField('usage_usec 12\nuser_usec 5\n', 'usage_usec')).toBe(12)
    expect(readField('user_usec 5\n', 'usage_usec')).toBeNull()
    expect(readResidentPages('600 120 80 1 0 9 0\n')).toBe(120)
    expect(readLimit(67_108_864n)).toBe(67_108_864)
    expect(readLimit(2n ** 64n - 1n)).toBeNull()
  })
})
