// Volumes that each slot of a service has for itself, whatever driver runs it.
import { expect } from 'vitest'
import type { VolumeBody } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import type { Host } from './host.js'

/** Writes down that it was there, and where it can tell, whether another one had not let go of the volume. */
const script = (version: string): string =>
  `exec 9>"$DIR/lock"; if command -v flock >/dev/null; then flock -n 9 || echo second >> "$DIR/lines"; fi; echo ${version} >> "$DIR/lines"; exec sleep 1000`

const manifest = (kind: string, version: string): string => `${kind}
command: [/bin/sh, "-c", ${JSON.stringify(script(version))}]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: ["data:/mnt/data"]
stop: {timeout: 1, preservestopped: "no"}
`

/** Deploys, replaces, scales, kills the daemon, deletes; `read` tells what instances of a slot have written. */
export async function keepsSlots(
  host: Host,
  kind: string,
  read: (slot: number) => Promise<readonly string[]>,
): Promise<void> {
  const deploy = async (version: string, ...args: readonly string[]): Promise<string> =>
    (await host.done('service', 'deploy', host.file('db.yml', manifest(kind, version)), ...args)).stdout
  const sees = async (slot: number, ...lines: readonly string[]): Promise<void> => {
    await until(async () => expect(await read(slot)).toEqual(lines))
  }
  const slots = async () => (await host.instances('db')).map(({ name, slot }) => [name, slot] as const)
  const volumes = async () => {
    const list = JSON.parse((await host.done('volume', 'list', '--json')).stdout) as readonly VolumeBody[]
    return list.map(({ name, slot, scope, state, instance }) => [name, slot, scope, state, instance])
  }
  const daemon = await host.startDaemon()
  await deploy('v1', '--scale', '2')
  expect(await slots()).toEqual([
    ['db-1', 0],
    ['db-2', 1],
  ])
  for (const slot of [0, 1]) await sees(slot, 'v1')
  expect(await deploy('v2', '--plan')).toContain('starts once this one has released the volumes')
  await deploy('v2')
  for (const slot of [0, 1]) await sees(slot, 'v1', 'v2')

  await host.done('service', 'scale', 'db', '1')
  expect((await slots()).map(([, slot]) => slot)).toEqual([0])
  expect(await volumes()).toEqual([
    ['data', 0, 'instance', 'in-use', expect.stringMatching(/^db-[34]$/) as string],
    ['data', 1, 'instance', 'unused', null],
  ])
  const explained = await host.done('service', 'explain', 'db')
  expect(explained.stdout).toContain('its volume data is on it')
  daemon.signal('SIGKILL')
  await daemon.ended
  await host.startDaemon()
  await host.done('service', 'scale', 'db', '2')
  await sees(1, 'v1', 'v2', 'v2')
  await sees(0, 'v1', 'v2')
  expect((await host.run('volume', 'rm', 'db.data.1', '--force')).code).toBe(1)

  await host.done('service', 'delete', 'db', '--force')
  expect((await volumes()).map(([, , , state]) => state)).toEqual(['unused', 'unused'])
  await host.done('volume', 'rm', 'db.data.1', '--force')
  await deploy('v3', '--scale', '2')
  await sees(0, 'v1', 'v2', 'v3')
  await sees(1, 'v3')
  await host.done('service', 'delete', 'db', '--force', '--volumes')
  await until(async () => expect(await volumes()).toEqual([]))
}
