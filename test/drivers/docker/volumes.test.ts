// The volumes that an image asks for, with labels that outlive their container.
import { expect, test } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import type { CreateRequest } from '../../../src/drivers/docker/api.js'
import { usersByVolume, volumeLabels, withLabelledVolumes } from '../../../src/drivers/docker/volumes.js'
import { asUnitName } from '../../../src/unit/name.js'

const request = (HostConfig: object) => ({ HostConfig }) as unknown as CreateRequest
const image = { Volumes: { '/data': {}, '/var/lib/x/': {} } }
const targets = (made: CreateRequest) => made.HostConfig.Mounts?.map(({ Target }) => Target)

test('each path of the image has one', () => {
  const made = withLabelledVolumes(request({}), image, { of: 'web' })
  expect(made.HostConfig.Mounts).toEqual([
    { Type: 'volume', Target: '/data', VolumeOptions: { Labels: { of: 'web' } } },
    { Type: 'volume', Target: '/var/lib/x/', VolumeOptions: { Labels: { of: 'web' } } },
  ])
})

test('not where the unit mounts something else', () => {
  expect(targets(withLabelledVolumes(request({ Binds: ['own:/data:ro'] }), image, {}))).toEqual([
    '/var/lib/x/',
  ])
  expect(targets(withLabelledVolumes(request({ Tmpfs: { '/var//lib/x': '' } }), image, {}))).toEqual([
    '/data',
  ])
  expect(
    withLabelledVolumes(request({ Binds: ['/h:/data/', 'n:/var/lib/x'] }), image, {}).HostConfig,
  ).not.toHaveProperty('Mounts')
})

test('an image without any changes nothing', () => {
  const plain = request({})
  expect(withLabelledVolumes(plain, {}, {})).toBe(plain)
  expect(withLabelledVolumes(plain, { Volumes: null }, {})).toBe(plain)
})

test('they say whose they are: of an instance with its service, by uuid too, of a unit its name', () => {
  const name = asUnitName('web@1.service')
  const instance = { project: 'shop', service: 'web', name: 'web-1', n: 1, uuid: 'i', version: 'v' }
  const unit = { name, instance, serviceUuid: 's' } as unknown as UnitToRun
  expect(volumeLabels(unit, 'm')).toEqual({
    'io.mariposa.machine': 'm',
    'io.mariposa.unit': name,
    'io.mariposa.project': 'shop',
    'io.mariposa.service': 'web',
    'io.mariposa.instance': 'web-1',
    'io.mariposa.service-uuid': 's',
  })
  expect(volumeLabels({ ...unit, instance: null }, 'm')).toEqual({
    'io.mariposa.machine': 'm',
    'io.mariposa.unit': name,
  })
})

test('who has a volume is told by its containers: of ours the unit, of others what they are called', () => {
  const mounts = (...names: readonly string[]) => names.map((Name) => ({ Type: 'volume', Name }))
  const users = usersByVolume([
    { Id: '1', Names: ['/x'], Labels: { 'io.mariposa.unit': 'db@1.service' }, Mounts: mounts('v', 'w') },
    { Id: '2', Names: ['/backup'], Labels: {}, Mounts: [...mounts('v', 'v'), { Type: 'bind' }] },
  ])
  expect(users).toEqual(
    new Map([
      [
        'v',
        [
          { driver: 'docker', name: 'db@1.service' },
          { driver: 'docker', name: 'backup' },
        ],
      ],
      ['w', [{ driver: 'docker', name: 'db@1.service' }]],
    ]),
  )
})
