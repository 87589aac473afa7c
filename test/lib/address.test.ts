import { BlockList, isIPv4 } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLocalName, isMisspeltAddress, isPublicAddress } from '../../src/lib/address.js'

describe('isPublicAddress', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::1',
    '::',
    '[::1]',
    'fe80::1%eth0',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    '2001:db8::1',
    'ff02::1',
  ])('%s is none', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })

  it.each([
    '1.1.1.1',
    '172.32.0.1',
    '192.169.0.1',
    '9.255.255.255',
    '2606:4700::1111',
    '64:ff9b::1.1.1.1',
    '::ffff:1.1.1.1',
  ])('%s is one', (text) => {
    expect(isPublicAddress(text)).toBe(true)
  })

  it.each(['example.com', '1.2.3', '1.2.3.256', '01.2.3.4', ':::', '1::2::3', '1:2:3:4:5:6:7', ''])(
    '%j is not an address',
    (text) => {
      expect(isPublicAddress(text)).toBeNull()
    },
  )

  it('agrees with the block list of Node on every private network', () => {
    const list = new BlockList()
    for (const [network, length] of [
      ['10.0.0.0', 8],
      ['127.0.0.0', 8],
      ['172.16.0.0', 12],
      ['192.168.0.0', 16],
      ['169.254.0.0', 16],
    ] as const)
      list.addSubnet(network, length, 'ipv4')
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isIPv4(ip)).toBe(true)
        if (list.check(ip, 'ipv4')) expect(isPublicAddress(ip)).toBe(false)
        expect(isPublicAddress(`::ffff:${ip}`)).toBe(isPublicAddress(ip))
      }),
    )
  })

  it('knows names that are this machine, whoever resolves them', () => {
    expect(['localhost', 'a.localhost', 'LOCALHOST.', 'localhost.example'].map(isLocalName)).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})

describe('a host that ends in a number', () => {
  it.each([
    '10.0.0.01',
    '010.0.0.1',
    '1.2.3',
    '10.0.0.256',
    '10.0.0.1.',
    '10..0.1',
    '1',
    '0x7f.1',
    'shop.7',
    '1.2.3.4.5',
  ])('%s is refused, as resolvers read it as an address of their own', (host) => {
    expect(isMisspeltAddress(host)).toBe(true)
  })

  it.each([
    '10.0.0.1',
    '255.255.255.255',
    '0.0.0.0',
    'shop.example',
    'shop7',
    'n1.shop.',
    '[::1]',
    '::ffff:10.0.0.1',
    '',
  ])('%s is not taken for a misspelt one', (host) => {
    expect(isMisspeltAddress(host)).toBe(false)
  })
})
