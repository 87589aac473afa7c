// fleet's API over units of a real systemd: what fleetctl waits for, where systemd refuses.
import { afterEach, describe, expect, test } from 'vitest'
import type { UnitBody } from '../../src/api/contract.js'
import { until } from '../e2e/cluster.js'
import type { Host } from '../e2e/host.js'
import { type Fleetctl, type Option, openFleetctl } from '../fleet/fleetctl.js'
import { hostsOnSystemd } from './systemd-place.js'

const openHost = hostsOnSystemd()
const clients: Fleetctl[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

async function clientOf(host: Host): Promise<Fleetctl> {
  const client = await openFleetctl({ path: host.socketPath }, 'path')
  clients.push(client)
  return client
}

function optionsOf(...options: readonly (readonly [string, string, string])[]): readonly Option[] {
  return options.map(([section, name, value]) => ({ section, name, value }))
}

const sleeps = ['Service', 'ExecStart', '/bin/sleep 3000'] as const

/** What `fleetctl start` does until its unit is launched. */
async function start(ctl: Fleetctl, name: string, options: readonly Option[]): Promise<void> {
  expect((await ctl.create(name, options)).status).toBe(201)
  expect((await ctl.want(name, 'launched')).status).toBe(204)
  await until(async () => expect((await ctl.unit(name))?.currentState).toBe('launched'))
}

describe('a start that systemd refuses reads as launched, with the reason to be seen', () => {
  const refused: readonly (readonly [string, string, readonly Option[], string, RegExp])[] = [
    [
      'a timer without its service',
      'lonely.timer',
      optionsOf(['Timer', 'OnActiveSec', '1h']),
      'loaded',
      /lonely\.service, which it starts, is not-found/,
    ],
    [
      'Requires= of what is not there',
      'needy.service',
      optionsOf(['Unit', 'Requires', 'nobody.service'], sleeps),
      'loaded',
      /nobody\.service not found/,
    ],
    [
      'a service without ExecStart=',
      'idle.service',
      optionsOf(['Service', 'Type', 'simple']),
      'bad-setting',
      /bad unit file setting/,
    ],
  ]
  test.each(refused)('%s', async (_, name, options, load, reason) => {
    const host = openHost()
    await host.startDaemon()
    const ctl = await clientOf(host)
    await start(ctl, name, options)
    expect(await ctl.states()).toMatchObject([{ name, systemdLoadState: load }])
    const [unit] = JSON.parse((await host.done('unit', 'list', '--json')).stdout) as readonly UnitBody[]
    expect(unit).toMatchObject({ state: 'loaded', load, reason: expect.stringMatching(reason) })
    await ctl.want(name, 'loaded')
    await until(async () => expect((await ctl.unit(name))?.currentState).toBe('loaded'))
    await ctl.destroy(name)
    await until(async () => expect(await ctl.units()).toEqual([]))
  })
})
