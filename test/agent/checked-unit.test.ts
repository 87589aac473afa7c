import { describe, expect, test } from 'vitest'
import { endpointOf } from '../../src/agent/io/checked-unit.js'
import type { MachineId } from '../../src/model/machine.js'
import { addressOn } from '../../src/model/network.js'
import type { Placement, PortBinding } from '../../src/model/unit.js'
import { asUnitName } from '../../src/unit/name.js'

const metadata = { 'network.back': '10.0.0.5', 'network.six': 'fd00::5', 'network.odd': 'node-1' }
const published: PortBinding = { ip: null, host: 20_080, container: 80, protocol: 'tcp' }

function where(address: string | null, ports: readonly PortBinding[]) {
  const unit = asUnitName('web@1.service')
  const placement: Placement = { unit, machine: 'm' as MachineId, ports, cause: { kind: 'new' }, at: 0 }
  return { observed: { address }, placement, addressOn: (name: string) => addressOn(name, metadata) }
}

describe('where a port answers', () => {
  test('by itself: a container on its own address, what shares the network of the host on the host port', () => {
    expect(endpointOf(where('172.17.0.2', [published]), 80, null)).toEqual({
      address: '172.17.0.2',
      port: 80,
    })
    expect(endpointOf(where('127.0.0.1', [published]), 80, null)).toEqual({
      address: '127.0.0.1',
      port: 20_080,
    })
    expect(endpointOf(where(null, [{ ...published, ip: '10.1.1.1' }]), 80, null)).toEqual({
      address: '10.1.1.1',
      port: 20_080,
    })
  })

  test('on a network: the host port at the address that the machine has there', () => {
    expect(endpointOf(where('172.17.0.2', [published]), 80, 'back')).toEqual({
      address: '10.0.0.5',
      port: 20_080,
    })
    expect(endpointOf(where('127.0.0.1', [published]), 80, 'six')).toEqual({
      address: 'fd00::5',
      port: 20_080,
    })
    expect(endpointOf(where(null, []), 80, 'back')).toEqual({ address: '10.0.0.5', port: 80 })
  })

  test.each(['none', 'odd', 'constructor'])('nowhere on %s, which the machine is not on', (network) => {
    expect(endpointOf(where(null, [published]), 80, network)).toEqual({
      why: `this machine has no address on the network ${network}`,
    })
  })

  test('nowhere on a network where a container does not publish it over TCP', () => {
    for (const ports of [[], [{ ...published, protocol: 'udp' as const }]]) {
      expect(endpointOf(where('172.17.0.2', ports), 80, 'back')).toEqual({
        why: 'the port is not published, so that it does not answer on the network back',
      })
    }
  })
})
