// What two reports in a row come to in the history of an instance.
import { expect, it } from 'vitest'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { eventsBetween } from '../../src/agent/report-events.js'
import type { MachineId } from '../../src/model/machine.js'
import { asUnitName } from '../../src/unit/name.js'

const name = asUnitName('default.web.v1@1.service')
const instance = { project: 'default', service: 'web', name: 'web-1', n: 1, uuid: 'u', version: 'v' }

it('says of an instance that starts which of its limits nothing holds it to', () => {
  const unit = { ...absentUnit(name, 'systemd'), active: 'active', sub: 'running', since: 1, pid: 7 } as const
  const unheld = ['CPUQuota=', 'TasksMax=']
  const report = reportOf('m' as MachineId, { ...unit, unheld }, freshMemory)
  expect(report).not.toHaveProperty('unheld')
  const messages = (options?: readonly string[]): readonly string[] =>
    eventsBetween(instance, null, report, options).map(({ message }) => message)
  expect(messages()).toEqual(['web-1 runs as process 7'])
  expect(messages(unheld)).toEqual([
    'web-1 runs as process 7, but CPUQuota=, TasksMax= cannot be enforced: this machine has no control groups for that',
  ])
})
