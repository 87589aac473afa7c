// What a machine tells the cluster of itself.
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { announcedAddress } from '../../src/main/access-options.js'
import { describeMachine } from '../../src/main/machine.js'
import type { MachineId } from '../../src/model/machine.js'

const describe = (publicIp: string | null, amongOthers: boolean) =>
  describeMachine({
    id: 'a'.repeat(32) as MachineId,
    dataDir: tmpdir(),
    publicIp,
    amongOthers,
    metadata: {},
    drivers: { drivers: [] },
    engine: true,
    entry: null,
    version: '0',
    certificates: [],
    apiAt: (ip) => announcedAddress([{ kind: 'tcp', host: '0.0.0.0', port: 7443 }], ip),
    clock: { now: () => 0 },
  })

test('a machine announces where its programs are reached where it is told to, or others belong to its cluster', async () => {
  expect(await describe('192.0.2.7', false)).toMatchObject({ ip: '192.0.2.7', outside: '192.0.2.7' })
  expect(await describe('192.0.2.7', true)).toMatchObject({ outside: '192.0.2.7' })
  expect(await describe(null, false)).not.toHaveProperty('outside')
  expect(await describe('127.0.0.1', true)).not.toHaveProperty('outside')
})

test('a daemon that listens on all addresses announces the one that is listed for its machine', async () => {
  const { ip, api } = await describe(null, true)
  expect(api).toBe(`https://${ip.includes(':') ? `[${ip}]` : ip}:7443`)
})
