// The journey of a service from manifest to removal, the same whichever driver runs it.
import { describe, expect, test } from 'vitest'
import type { InstanceBody } from '../../src/contract/contract.js'
import type { Host } from './host.js'

export interface Journey {
  readonly openHost: () => Host
  /** A manifest of a web server that answers with its version, has checks, and one port that can be asked. */
  readonly manifest: (version: string) => string
  /** Asks an instance; resolves to what it answers. */
  readonly ask: (instance: InstanceBody) => Promise<string>
  /** Kills the main program of an instance. */
  readonly kill: (instance: InstanceBody) => void
  /** A manifest whose program can never start, and what is said of it. */
  readonly impossible: { readonly manifest: string; readonly said: string }
}

const identity = ({ name, uuid, pid, container, restarts, startedAt }: InstanceBody): object => ({
  name,
  uuid,
  pid,
  container,
  restarts,
  startedAt,
})

/** Tests the whole path with one driver. */
export function describeJourney(
  driver: string,
  { openHost, manifest, ask, kill, impossible }: Journey,
): void {
  const deployed = async (scale: number): Promise<Host> => {
    const host = openHost()
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', manifest('v1')), '--scale', String(scale))
    return host
  }

  describe(`a service under ${driver}`, () => {
    test('is deployed, answers, is scaled up and down, and removed without a trace', async () => {
      const host = await deployed(2)
      const instances = await host.instances('web')
      expect(instances.map((one) => [one.name, one.state, one.health])).toEqual([
        ['web-1', 'running', 'healthy'],
        ['web-2', 'running', 'healthy'],
      ])
      for (const instance of instances) expect(await ask(instance)).toContain('v1')
      await host.done('service', 'scale', 'web', '+1')
      expect((await host.instances('web')).map((one) => one.name)).toEqual(['web-1', 'web-2', 'web-3'])
      await host.done('service', 'scale', 'web', '1')
      expect((await host.instances('web')).map((one) => one.name)).toEqual(['web-3'])
      await host.done('service', 'delete', 'web', '--force')
      expect(JSON.parse((await host.done('unit', 'list', '--json')).stdout)).toEqual([])
    })

    test('whose program is killed is started again in its place', async () => {
      const host = await deployed(1)
      const [before] = await host.instances('web')
      if (before === undefined) throw new Error('no instance')
      kill(before)
      await host.sawEvent('web', (event) => event.kind === 'instance-exited')
      const again = (event: { kind: string; message: string }): boolean =>
        event.kind === 'instance-started' && !event.message.endsWith(` ${before.pid}`)
      await host.sawEvent('web', again)
      const [after] = await host.instances('web')
      expect(after).toMatchObject({ name: 'web-1', uuid: before.uuid, state: 'running', restarts: 1 })
    })

    test('does not notice that the daemon is killed and comes back', async () => {
      const host = openHost()
      const daemon = await host.startDaemon()
      await host.done('service', 'deploy', host.file('web.yml', manifest('v1')), '--scale', '2')
      const before = await host.instances('web')
      daemon.signal('SIGKILL')
      await daemon.ended
      for (const instance of before) expect(await ask(instance)).toContain('v1')
      await host.startDaemon()
      expect((await host.instances('web')).map(identity)).toEqual(before.map(identity))
    })

    test('is updated one instance after the other', async () => {
      const host = await deployed(2)
      await host.done('service', 'deploy', host.file('web.yml', manifest('v2')))
      const instances = await host.instances('web')
      expect(instances.map((one) => [one.name, one.ordinal])).toEqual([
        ['web-3', 2],
        ['web-4', 2],
      ])
      for (const instance of instances) expect(await ask(instance)).toContain('v2')
    })

    test('can be looked into: logs, exec, status', async () => {
      const host = await deployed(1)
      expect((await host.done('service', 'logs', 'web-1')).stdout).toContain('serving')
      const inside = await host.run(
        'service',
        'exec',
        'web-1',
        '--',
        '/bin/sh',
        '-c',
        'echo "$VERSION"; exit 5',
      )
      expect([inside.code, inside.stdout]).toEqual([5, 'v1\n'])
      const [unit] = JSON.parse((await host.done('unit', 'list', '--json')).stdout)
      expect(unit).toMatchObject({ driver, active: 'active', sub: 'running' })
      expect((await host.done('unit', 'status', unit.name)).stdout).toContain('active')
    })

    test('whose program cannot be started fails with the reason', async () => {
      const host = openHost()
      await host.startDaemon()
      // A registry that cannot be reached may be back in a moment: it is waited for until the deadline.
      const file = host.file('x.yml', impossible.manifest)
      const ended = await host.run('service', 'deploy', file, '--deadline', '15s')
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(impossible.said)])
    })
  })
}
