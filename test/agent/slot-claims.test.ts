// Nobody starts with the volume of a slot while another unit of the machine may still write to it.
import { describe, expect, test } from 'vitest'
import type { Driver, VolumeUser } from '../../src/agent/driver.js'
import { SlotClaims } from '../../src/agent/io/slot-claims.js'
import { withSlots } from '../../src/agent/slot-volumes.js'
import type { MachineId } from '../../src/model/machine.js'
import type { ActiveState, DesiredUnit, ObservedUnit, UnitName } from '../../src/model/unit.js'
import type { VolumeName } from '../../src/model/volume.js'
import { keys, putOf } from '../../src/store/records.js'
import { ScratchStore } from '../../src/store/scratch.js'

const [old, young] = ['db@1.service' as UnitName, 'db@2.service' as UnitName]
const volume: VolumeName = { project: 'default', service: 'db', name: 'data', slot: 0 }
const own = { kind: 'process' } as const
const signal = new AbortController().signal

/** A driver that has marks of units in the volume, and knows how some of them are. */
function driverWith(users: readonly UnitName[], states: Readonly<Record<string, ActiveState>>): Driver {
  const marks = users.map((name): VolumeUser => ({ driver: 'process', name }))
  return {
    kind: 'process',
    listVolumes: () => Promise.resolve([{ ...volume, uuid: '1', createdAt: 0, users: marks }]),
    observe: (name: UnitName) => {
      const active = states[name]
      return Promise.resolve(active === undefined ? null : ({ name, active } as ObservedUnit))
    },
  } as unknown as Driver
}

const claim = async (driver: Driver): Promise<void> =>
  await new SlotClaims(() => [driver]).claim(young, own, [volume], signal)

describe('the volume of a slot', () => {
  test.each(['active', 'activating', 'deactivating', 'reloading'] as const)(
    'is not given to a second unit while the first is %s',
    async (active) => {
      await expect(
        claim(driverWith([old, young], { [old]: active, [young]: 'inactive' })),
      ).rejects.toMatchObject({
        code: 'volume/in-use',
        permanent: false,
        message: expect.stringContaining(old) as string,
      })
    },
  )

  test.each(['inactive', 'failed'] as const)('is given to it once that is %s', async (active) => {
    await claim(driverWith([old, young], { [old]: active }))
  })

  test('is given to it where the first is gone, and only its mark is left', async () => {
    await claim(driverWith([old], {}))
  })

  test('is not given to a second unit either by a driver that tells of it alone, and all others are left alone', async () => {
    const driver = {
      ...driverWith([], { [old]: 'active' }),
      listVolumes: () => Promise.reject(new Error('a look at all volumes')),
      volumeUsers: ({ slot }: VolumeName) =>
        Promise.resolve(slot === volume.slot ? [{ driver: 'process', name: old }] : []),
    } as unknown as Driver
    await expect(claim(driver)).rejects.toMatchObject({ code: 'volume/in-use' })
    const another = { ...volume, slot: 1 }
    await new SlotClaims(() => [driver]).claim(young, own, [another], signal)
  })

  test('is not given where nobody can tell', async () => {
    const driver = {
      ...driverWith([], {}),
      listVolumes: () => Promise.reject(new Error('no answer')),
    } as unknown as Driver
    await expect(claim(driver)).rejects.toThrow('no answer')
  })

  test('is given out of Docker’s hearing where Docker keeps none like it', async () => {
    const docker = {
      ...driverWith([], {}),
      kind: 'docker',
      listVolumes: () => Promise.reject(new Error('no answer')),
    } as unknown as Driver
    await claim(docker)
  })

  test('is not given to two that are just being started', async () => {
    const claims = new SlotClaims(() => [driverWith([], {})])
    await claims.claim(old, own, [volume], signal)
    await claims.claim(old, own, [volume], signal)
    await expect(claims.claim(young, own, [volume], signal)).rejects.toMatchObject({ code: 'volume/in-use' })
    await claims.claim(young, own, [{ ...volume, slot: 1 }], signal)
    claims.release(old)
    await claims.claim(young, own, [volume], signal)
  })

  test('is held while something is done with its data: nobody starts with it until it is let go of', async () => {
    const driver = driverWith([], {})
    const claims = new SlotClaims(() => [driver])
    const letGo = await claims.hold(volume, 'process', 'it moves', signal)
    expect(() => claims.begin(young, [volume])).toThrow('it moves')
    await expect(claims.hold(volume, 'process', 'a backup', signal)).rejects.toMatchObject({
      code: 'volume/held',
    })
    letGo()
    claims.begin(young, [volume])
    // Who is just being started has it first.
    await expect(claims.hold(volume, 'process', 'a backup', signal)).rejects.toMatchObject({
      code: 'volume/in-use',
    })
    claims.release(young)
    ;(await claims.hold(volume, 'process', 'a backup', signal))()
  })

  test('is not held while somebody runs with it', async () => {
    const claims = new SlotClaims(() => [driverWith([old], { [old]: 'active' })])
    await expect(claims.hold(volume, 'process', 'it moves', signal)).rejects.toMatchObject({
      code: 'volume/in-use',
    })
    // And nothing is left of that.
    claims.begin(young, [volume])
  })
})

describe('the volumes of a unit', () => {
  const [here, there] = ['a'.repeat(32) as MachineId, 'b'.repeat(32) as MachineId]
  const mount = { project: 'default', service: 'db', name: 'data', path: '/data', readonly: false } as const
  const instance = { project: 'default', service: 'db', name: 'db-2', n: 2, uuid: 'u', version: 'v', slot: 3 }
  const unit = { name: young, hash: '', desired: 'launched', instance, createdAt: 0 } satisfies DesiredUnit

  const viewWith = (machine: MachineId | null, generation: number) => {
    const store = new ScratchStore()
    const of = { project: 'default', service: 'db', name: 'data', slot: 3 }
    store.apply([putOf('volume', { ...of, uuid: 'of-store', machine, generation, createdAt: 0 })])
    expect(store.view.revisionOf(keys.volume('default', 'db', 'data', 3))).toBeGreaterThan(0)
    return store.view
  }

  test('of its slot are those that the store says are here', () => {
    const of = withSlots(viewWith(here, 2), here, unit, [{ ...mount, perSlot: true }, mount])
    expect(of).toEqual([{ ...mount, perSlot: true, slot: 3, generation: 2, uuid: 'of-store' }, mount])
  })

  test.each([there, null])('of its slot are refused where the store says another machine: %s', (machine) => {
    const ask = () => withSlots(viewWith(machine, 0), here, unit, [{ ...mount, perSlot: true }])
    expect(ask).toThrow('its volume data of slot 3 is not on this machine')
  })
})
