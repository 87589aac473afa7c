// Data of a service outlives its instances, versions and itself, whatever driver runs it.
import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { EventBody, VolumeBody } from '../../src/contract/contract.js'
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

/** Lists and shows a volume while an instance has it, and after its service is gone; deletes it when nothing names it. */
export async function isListed(host: Host, kind: string): Promise<void> {
  const json = async <T>(...args: readonly string[]): Promise<T> =>
    JSON.parse((await host.done(...args, '--json')).stdout) as T
  await host.startDaemon()
  expect(await json('volume', 'list')).toEqual([])
  await host.done('service', 'deploy', host.file('db.yml', manifest(kind, 'v1')))
  const [volume, ...more] = await json<readonly VolumeBody[]>('volume', 'list')
  expect(more).toEqual([])
  expect(volume).toMatchObject({ project: 'default', service: 'db', name: 'data', scope: 'service' })
  expect(volume).toMatchObject({ state: 'in-use', instances: ['db-1'], others: [], usedBytes: null })
  const uuid = volume?.uuid ?? ''
  expect(await json('volumes', 'get', 'db.data')).toEqual(volume)
  expect(await json('vol', 'show', uuid.slice(0, 8))).toEqual(volume)
  expect((await host.done('volume', 'show', 'data')).stdout).toMatch(/^Used by: +db-1$/m)
  const here = ['--service', 'db', '--machine', volume?.machine ?? '']
  expect((await host.done('volume', 'ls', '-q', ...here)).stdout).toBe(`${uuid}\n`)
  expect((await host.done('completion', 'words', '--', 'volume', 'show', 'db')).stdout).toContain('db.data\t')

  const refusal = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout } = await host.run(...args, '--json')
    expect(code).toBe(1)
    return (JSON.parse(stdout) as { readonly error: { readonly code: string } }).error.code
  }
  expect(await refusal('volume', 'rm', 'data', '--force')).toBe('volume/in-use')
  await host.done('service', 'scale', 'db', '0')
  expect(await refusal('volume', 'rm', 'data', '--force')).toMatch(/^volume\/(named|in-use)$/)

  await host.done('service', 'delete', 'db', '--force')
  const unused = await host.done('volume', 'list', '-A', '-H', '-o', 'project,service,name,state')
  expect(unused.stdout).toBe('default  db  data  unused\n')
  expect(await host.run('volume', 'show', 'nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no volume "nothing" in default') as string,
  })
  expect(await refusal('volume', 'rm', 'data')).toBe('volume/not-forced')
  const removed = await host.done('volumes', 'delete', 'db.data', '--force')
  expect(removed.stdout).toMatch(/^db\.data \([0-9a-f]{8}\) on .* is deleted\n$/)
  expect(await json('volume', 'list')).toEqual([])
  const history = await json<readonly EventBody[]>('events', '--kind', 'delete', '--service', 'db')
  expect(history.at(-1)).toMatchObject({
    machine: volume?.machine,
    message: `the volume db.data (${uuid}) on ${volume?.hostname} is deleted`,
    by: { client: expect.stringContaining('mariposa') as string },
  })
}

export function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}
