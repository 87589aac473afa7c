// fleet's API over units of a real systemd: what fleetctl waits for, where systemd refuses.
import { afterEach, describe, expect, test } from 'vitest'
import type { UnitBody } from '../../src/contract/contract.js'
import { until } from '../e2e/cluster.js'
import type { Host } from '../e2e/host.js'
import { type Fleetctl, type Option, openFleetctl } from '../fleet/fleetctl.js'
import { hostsOnSystemd, runInMachine } from './systemd-place.js'

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

describe('a unit with [Install] WantedBy=', () => {
  const hello = 'hello.service'
  const discovery = 'discovery.service'
  const optionsOfDiscovery = optionsOf(
    ['Unit', 'BindsTo', hello],
    sleeps,
    ['Install', 'WantedBy', hello],
    ['X-Fleet', 'MachineOf', hello],
  )
  const activeOf = async (ctl: Fleetctl, asked: string): Promise<string | undefined> =>
    (await ctl.states()).find(({ name }) => name === asked)?.systemdActiveState
  const pidOf = (name: string): string => runInMachine('systemctl', 'show', '--property=MainPID', name)

  test('is enabled while it is loaded, and runs with what wants it', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    const ctl = await clientOf(host)
    await ctl.create(hello, optionsOf(sleeps))
    await ctl.create(discovery, optionsOfDiscovery)
    for (const name of [hello, discovery]) await ctl.want(name, 'loaded')
    for (const name of [hello, discovery])
      await until(async () => expect((await ctl.unit(name))?.currentState).toBe('loaded'))
    expect(runInMachine('systemctl', 'is-enabled', discovery)).toBe('enabled-runtime')
    expect(await activeOf(ctl, discovery)).toBe('inactive')

    await ctl.want(hello, 'launched')
    await until(async () => expect(await activeOf(ctl, discovery)).toBe('active'))
    const pid = pidOf(discovery)
    // Whatever the agent would do about it, it has done by then.
    await start(ctl, 'later.service', optionsOf(sleeps))
    expect([await activeOf(ctl, discovery), (await ctl.unit(discovery))?.currentState]).toEqual([
      'active',
      'loaded',
    ])
    expect((await host.done('unit', 'list')).stdout).toMatch(/discovery\.service .*active/)

    daemon.signal('SIGKILL')
    await daemon.ended
    runInMachine('rm', '-r', '/run/systemd/system/hello.service.wants')
    await host.startDaemon()
    const again = await clientOf(host)
    await again.destroy('later.service')
    await until(async () => expect(await again.units()).toHaveLength(2))
    expect(runInMachine('systemctl', 'is-enabled', discovery)).toBe('enabled-runtime')
    expect(pidOf(discovery)).toBe(pid)

    await again.want(hello, 'loaded')
    await until(async () => expect(await activeOf(again, discovery)).toBe('inactive'))
    await again.want(discovery, 'inactive')
    const links = ['find', '/run/systemd/system', '-path', `*.wants/${discovery}`] as const
    await until(() => expect(runInMachine(...links)).toBe(''))
  })

  test('that is launched and stopped by its own orders is stopped, whatever wants it', async () => {
    const host = openHost()
    await host.startDaemon()
    await host.done('unit', 'start', host.file('a.service', '[Service]\nExecStart=/bin/sleep 3000\n'))
    const text = '[Service]\nExecStart=/bin/sleep 3000\n[Install]\nWantedBy=a.service\n'
    await host.done('unit', 'start', host.file('b.service', text))
    expect((await host.done('unit', 'stop', 'b.service')).stdout).toMatch(/b\.service: inactive/)
    await host.done('unit', 'stop', 'a.service')
    await host.done('unit', 'start', 'a.service')
    const ctl = await clientOf(host)
    await until(async () => expect(await activeOf(ctl, 'b.service')).toBe('active'))
    // It is loaded as it was asked to be, though it runs.
    await host.done('unit', 'unload', 'b.service')
    await host.done('unit', 'load', 'b.service')
    await host.done('unit', 'destroy', 'b.service')
    await until(async () => expect(await activeOf(ctl, 'b.service')).toBeUndefined())
  })
})
