// Which processes are those of a unit, from looks at all of the machine.
import { expect, it } from 'vitest'
import { endedSessions, everyProcessOf, processesOf, processTable } from '../../src/supervisor/processes.js'
import { asUnitName } from '../../src/unit/name.js'

const mark = { home: 'home', unit: asUnitName('web.service'), run: 1 }
const seen = (pid: number, session: number, ticks: number, more: object = {}) => ({
  ...{ pid, session, ticks, parent: 1, state: 'S', threads: 1, cpuTicks: 0, userTicks: 0, rssPages: 1 },
  ...{ mark: null, ...more },
})

it('a session is the unit’s while something is in it, and somebody else’s once nothing was', () => {
  const sessions = [
    { pid: 10, ticks: 100 },
    { pid: 20, ticks: 110 },
    { pid: 30, ticks: 120 },
  ]
  // The first process of 10 has ended and left another one; that of 20 lives; nothing is in 30.
  const table = processTable([seen(11, 10, 101), seen(20, 20, 110)])
  expect(endedSessions(table, sessions)).toEqual([{ pid: 30, ticks: 120 }])
  // Somebody else's process has had the number since, and has ended too: nothing but that look tells.
  const later = processTable([seen(11, 10, 101), seen(20, 20, 110), seen(31, 30, 900)])
  const kept = sessions.slice(0, 2)
  for (const found of [processesOf(later, mark, kept), everyProcessOf(later, mark, kept)])
    expect(found.map(({ pid }) => pid)).toEqual([11, 20])
  // It leads a session of its own.
  expect(endedSessions(processTable([seen(10, 10, 900), seen(20, 20, 110)]), kept)).toEqual([
    { pid: 10, ticks: 100 },
  ])
})

it('a process of which only the first thread has ended lives', () => {
  const table = processTable([
    seen(1, 1, 1, { state: 'Z', threads: 2 }),
    seen(2, 2, 2, { state: 'Z', threads: 1 }),
  ])
  expect([...table.keys()]).toEqual([1])
})
