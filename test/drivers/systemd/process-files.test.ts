import { describe, expect, it } from 'vitest'
import { isProgram, limitWords, readRights } from '../../../src/drivers/systemd/process-files.js'

describe('what /proc tells of a process', () => {
  it('is said as options of prlimit, soft and hard', () => {
    const limits = `Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max open files            77                   88                   files
Max nice priority         0                    0
Max something new         1                    2                    parsecs
`
    expect(limitWords(limits)).toEqual(['--cpu=unlimited:unlimited', '--nofile=77:88', '--nice=0:0'])
  })

  it('tells the program of a unit from the systemd that it was forked from', () => {
    expect(isProgram('/usr/lib/systemd/systemd', 'PATH=/bin\0')).toBe(false)
    expect(isProgram('/usr/lib/systemd/systemd (deleted)', 'PATH=/bin\0')).toBe(false)
    expect(isProgram('/usr/lib/systemd/systemd-executor', 'PATH=/bin\0')).toBe(false)
    expect(isProgram('/usr/bin/systemd-run', 'PATH=/bin\0')).toBe(true)
    expect(isProgram('/usr/bin/sleep', 'PATH=/bin\0')).toBe(true)
    expect(isProgram('/usr/bin/sleep', '')).toBe(false)
  })

  it('has its bounding set as setpriv takes it, by numbers, and gets new privileges or not', () => {
    expect(readRights('CapBnd:\t0000000000000000\nNoNewPrivs:\t1\n')).toEqual({
      isHeld: true,
      bounding: '-all',
    })
    expect(readRights('CapBnd:\t000001000000000a\nNoNewPrivs:\t0\n')).toEqual({
      isHeld: false,
      bounding: '-all,+cap_1,+cap_3,+cap_40',
    })
    expect(readRights('')).toEqual({ isHeld: false, bounding: null })
  })
})
