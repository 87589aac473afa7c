// What the drivers of a machine tell of its volumes, as one list.
import { expect, test } from 'vitest'
import type { VolumeInUse, VolumeUser } from '../../src/agent/driver.js'
import { mergeReportedVolumes } from '../../src/agent/reported-volumes.js'
import type { DriverKind } from '../../src/model/driver-kind.js'

const data = (...users: readonly VolumeUser[]): VolumeInUse => ({
  ...{ project: 'default', service: 'db', name: 'data', uuid: 'u-data', createdAt: 1, users },
})
const by = (driver: DriverKind, name: string): VolumeUser => ({ driver, name })

test('a directory that two drivers see is one volume, with the units of both', () => {
  const told = mergeReportedVolumes(
    new Map([
      ['process', [data(by('process', 'a.service'))]],
      ['systemd', [data(by('systemd', 'b.service'))]],
    ]),
  )
  expect(told).toEqual([data(by('process', 'a.service'), by('systemd', 'b.service'))])
})

test('of its own units a driver knows best: what it has no more counts for nobody', () => {
  const told = mergeReportedVolumes(
    new Map([
      ['process', [data(by('systemd', 'gone.service'))]],
      ['systemd', [data()]],
    ]),
  )
  expect(told).toEqual([data()])
})

test('a unit of a driver that does not tell is taken for one that has the volume', () => {
  const told = mergeReportedVolumes(new Map([['process', [data(by('systemd', 'b.service'))]]]))
  expect(told).toEqual([data(by('systemd', 'b.service'))])
})

test('they are in order of their names, whatever order drivers answer in', () => {
  const named = (name: string, uuid: string): VolumeInUse => ({ ...data(), name, uuid })
  const told = mergeReportedVolumes(
    new Map([
      ['docker', [named('logs', '2'), named('data', '3')]],
      ['process', [named('data', '1')]],
    ]),
  )
  expect(told.map(({ uuid }) => uuid)).toEqual(['1', '3', '2'])
})
