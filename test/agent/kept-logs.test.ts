// Which logs of instances that are gone are kept, and how they are found and read.
import { expect, test } from 'vitest'
import {
  inRows,
  type KeptLog,
  keptLogsAtMost,
  logsNamed,
  logsToRemove,
  printKeptLine,
  readKeptLine,
  readKeptLog,
} from '../../src/agent/kept-logs.js'
import { elapsedAt } from '../../src/lib/elapsed.js'
import { asUnitName } from '../../src/unit/name.js'

function kept(id: string, more: Partial<KeptLog> = {}): KeptLog {
  return {
    ...{ id, unit: asUnitName(`default.web.v1@${id}.service`), project: 'default', service: 'web' },
    ...{ instance: `web-${id}`, uuid: `${id.padStart(8, '0')}-0000`, driver: 'process' as const },
    ...{ from: 0, until: 0, keptAt: 0, bytes: 100 },
    ...more,
  }
}

const idsOf = (logs: readonly KeptLog[]): readonly string[] => logs.map(({ id }) => id)

test('what is too old goes, by when the instance left and not by its last line', () => {
  const logs = [kept('1', { keptAt: 1000 }), kept('2', { until: 1, keptAt: 2001 })]
  const limits = { maxAgeMs: 1000, maxBytes: 1000 }
  expect(idsOf(logsToRemove(logs, limits, elapsedAt(3000)))).toEqual(['1'])
  expect(idsOf(logsToRemove(logs, limits, elapsedAt(1500)))).toEqual([])
  const jumped = [{ byMs: 1_000_000, before: 2100, after: 1_002_100 }]
  expect(idsOf(logsToRemove(logs, limits, elapsedAt(1_002_200, jumped)))).toEqual(['1'])
  expect(idsOf(logsToRemove(logs, { ...limits, maxAgeMs: 0 }, elapsedAt(3000)))).toEqual(['2', '1'])
})

test('of too much, or of too many, the oldest go', () => {
  const three = [1, 2, 3].map((n) => kept(String(n), { keptAt: n }))
  expect(idsOf(logsToRemove(three, { maxAgeMs: 1000, maxBytes: 200 }, elapsedAt(4)))).toEqual(['1'])
  expect(idsOf(logsToRemove(three, { maxAgeMs: 1000, maxBytes: 50 }, elapsedAt(4)))).toEqual(['3', '2', '1'])
  const many = Array.from({ length: keptLogsAtMost + 2 }, (_, n) =>
    kept(String(n + 1), { keptAt: n, bytes: null }),
  )
  const gone = logsToRemove(many, { maxAgeMs: 1e9, maxBytes: 0 }, elapsedAt(5000))
  expect(idsOf(gone)).toEqual(['2', '1'])
})

test('they are found by the service, the instance, and the beginning of its uuid', () => {
  const logs = [kept('1'), kept('2'), kept('3', { project: 'other' }), kept('4', { uuid: null })]
  expect(idsOf(logsNamed(logs, 'default', 'web'))).toEqual(['1', '2', '4'])
  expect(idsOf(logsNamed(logs, 'default', 'web-2'))).toEqual(['2'])
  expect(idsOf(logsNamed(logs, 'default', '00000002'))).toEqual(['2'])
  expect(idsOf(logsNamed(logs, 'default', '0000000'))).toEqual([])
})

test('those that follow each other are read one after the other', () => {
  const logs = [
    ...[kept('1', { from: 0, until: 10 }), kept('2', { from: 5, until: 20 })],
    ...[kept('3', { from: 11, until: 12 }), kept('4', { from: 20, until: 30 })],
  ]
  expect(inRows(logs).map(idsOf)).toEqual([['1', '3', '4'], ['2']])
})

test('lines and what is said of a log are read back; what is damaged is none', () => {
  const line = { at: 5, stream: 'stderr' as const, line: 'a "b"\t☂' }
  expect(readKeptLine(printKeptLine(line))).toEqual(line)
  for (const text of ['', '[5,1', '{}', '[5,1,2]', 'null']) expect(readKeptLine(text)).toBeNull()
  expect(readKeptLog(JSON.stringify(kept('1')))).toEqual(kept('1'))
  for (const text of ['', '{}', '[]', 'null', '{"id":"1"}']) expect(readKeptLog(text)).toBeNull()
})
