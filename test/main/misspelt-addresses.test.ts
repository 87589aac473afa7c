// What resolvers read as an IPv4 address in ways of their own is refused wherever it is written.
import { describe, expect, it } from 'vitest'
import { CommandError } from '../../src/cli/command-error.js'
import { parseEndpoint } from '../../src/client/endpoint.js'
import { type DaemonFlags, readDaemonOptions } from '../../src/main/options.js'
import { parseManifest } from '../../src/manifest/manifest.js'
import { registryName } from '../../src/model/registry-login.js'
import { parsePorts } from '../../src/unit/ports.js'

function isAccepted(flags: DaemonFlags): boolean {
  try {
    readDaemonOptions(flags, { root: true, home: '/root', env: {} })
    return true
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}

function isFine(text: string): boolean {
  const { diagnostics } = parseManifest({ file: 'web.yml', text: `image: x\nports: [8080]\n${text}\n` })
  return diagnostics.every(({ severity }) => severity !== 'error')
}

const places: readonly (readonly [place: string, accepts: (host: string) => boolean])[] = [
  ['entry', (host) => isFine(`entry: {host: ${host}, tls: off}`)],
  ['healthchecks', (host) => isFine(`healthchecks: [{type: https, host: ${host}}]`)],
  ['extra_hosts', (host) => isFine(`extra_hosts: ["db:${host}"]`)],
  ['dns', (host) => isFine(`dns: ${host}`)],
  ['image', (host) => isFine(`init: [{image: "${host}:5000/x", command: [a]}]`)],
  ['ports of a unit', (host) => typeof parsePorts(`${host}:80:80`, 'chosen') !== 'string'],
  ['--endpoint', (host) => parseEndpoint(`http://${host}:7070`) !== null],
  ['registry login', (host) => registryName(`${host}:5000`) !== null],
  ['--listen', (host) => isAccepted({ insecureListen: [`tcp://${host}:7070`], triggerListen: [] })],
  ['--public-ip', (host) => isAccepted({ publicIp: host })],
  ['--smtp', (host) => isAccepted({ smtp: `smtp://${host}:25`, smtpFrom: 'a@shop.example' })],
  ['--store', (host) => isAccepted({ store: `etcd://${host}:2379` })],
  ['--advertise', (host) => isAccepted({ advertise: `https://${host}:7443` })],
]

describe.each(places)('%s', (_place, accepts) => {
  it('takes an address, and none that is misspelt', () => {
    expect(accepts('10.0.0.1')).toBe(true)
    for (const host of ['10.0.0.01', '010.0.0.1', '1.2.3', '10.0.0.256'])
      expect([host, accepts(host)]).toEqual([host, false])
  })
})

it('an announced address has no zone, which no other machine knows', () => {
  expect(isAccepted({ publicIp: 'fe80::1%eth0' })).toBe(false)
})
