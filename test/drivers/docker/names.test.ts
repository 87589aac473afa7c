import { describe, expect, it } from 'vitest'
import { askingNetwork, gatewayOf, resolverSettings } from '../../../src/drivers/docker/names.js'

const Config = [{ Subnet: '172.17.0.0/16', Gateway: '172.17.0.1' }]

describe('the gateway of a network', () => {
  it('is the address of its bridge', () => {
    const six = { Subnet: 'fd00::/64', Gateway: 'fd00::1' }
    const wanted = { address: '172.17.0.1', subnet: '172.17.0.0/16' }
    expect(gatewayOf({ Driver: 'bridge', IPAM: { Config: [six, ...Config] } })).toEqual(wanted)
  })

  it('is nobody whom containers could ask on networks without a bridge, or where Docker does not say', () => {
    expect(gatewayOf({ Driver: 'macvlan', IPAM: { Config } })).toBeNull()
    expect(gatewayOf({ Driver: 'bridge', IPAM: { Config: null } })).toBeNull()
    expect(gatewayOf({ Driver: 'bridge', IPAM: { Config: [{ Subnet: '172.17.0.0/16' }] } })).toBeNull()
  })
})

describe('a container', () => {
  it.each([
    [['a.b'], {}, 'bridge'],
    [['a.b'], { NetworkMode: 'default' }, 'bridge'],
    [[], { NetworkMode: 'shop' }, 'shop'],
    [['a.b'], { NetworkMode: 'host' }, null],
    [['a.b'], { NetworkMode: 'container:x' }, null],
    [['a.b'], { Dns: ['192.0.2.1'] }, null],
    [null, {}, null],
  ])('whose unit says names %j, with %j, asks on the network %j', (names, host, network) => {
    expect(askingNetwork(names, host)).toBe(network)
  })

  it('asks the daemon first, then those of its host, and keeps the domains of both', () => {
    const resolver = { nameservers: ['172.17.0.1', '192.0.2.53'], search: ['corp.example'] }
    expect(resolverSettings(['svc.a.internal'], {}, resolver)).toEqual({
      Dns: ['172.17.0.1', '192.0.2.53'],
      DnsSearch: ['svc.a.internal', 'corp.example'],
    })
    const own = { DnsSearch: ['example.org'] }
    expect(resolverSettings([], own, resolver)).toMatchObject({ DnsSearch: ['example.org'] })
  })
})
