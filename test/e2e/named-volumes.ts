// Data of a service outlives its instances, versions and itself, whatever driver runs it.
import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { until } from './cluster.js'
import type { Host } from './host.js'

/** Each run writes a line of its own behind those that are there. */
const script = (version: string): string => `echo ${version} >> "$FILE"; exec sleep 1000`
export const manifest = (kind: string, version: string): string => `${kind}
command: [/bin/sh, "-c", ${JSON.stringify(script(version))}]
environment: {FILE: "{{ .volume.data.path }}/lines"}
volumes: [{name: data, path: /mnt/data, scope: service}]
stop: {timeout: 1, preservestopped: "no"}
`

/** Deploys, replaces, scales, deletes, and kills the daemon; `read` tells the lines that are there. */
export async function outlives(
  host: Host,
  kind: string,
  read: () => Promise<readonly string[]>,
): Promise<void> {
  const file = (version: string): string => host.file('db.yml', manifest(kind, version))
  const sees = async (...lines: readonly string[]): Promise<void> => {
    await until(async () => expect(await read()).toEqual(lines))
  }
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', file('v1'))
  await sees('v1')
  await host.done('service', 'deploy', file('v2'))
  await sees('v1', 'v2')
  await host.done('service', 'scale', 'db', '0')
  daemon.signal('SIGKILL')
  await daemon.ended
  await host.startDaemon()
  await host.done('service', 'scale', 'db', '1')
  await sees('v1', 'v2', 'v2')
  await host.done('service', 'delete', 'db', '--force')
  await sees('v1', 'v2', 'v2')
  await host.done('service', 'deploy', file('v3'))
  await sees('v1', 'v2', 'v2', 'v3')
  const [instance] = await host.instances('db')
  const inside = await host.done(
    'service',
    'exec',
    instance?.name ?? '',
    '--',
    'sh',
    '-c',
    'cat "$MARIPOSA_VOLUME_DATA/lines"',
  )
  expect(inside.stdout).toBe('v1\nv2\nv2\nv3\n')
  await host.done('service', 'delete', 'db', '--force', '--volumes')
  await sees()
}

export function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}
