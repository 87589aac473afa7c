// What instances wrote is still there once they are gone, whatever driver ran them.
import { expect } from 'vitest'
import type { InstanceBody, LogRecord } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import type { Host } from './host.js'

const script =
  'echo "$NAME begins"; echo "$NAME complains" >&2; trap "echo $NAME ends; exit 0" TERM; sleep 10000 & wait'

/** `kind` is what a manifest says of how it is run. */
const manifest = (kind: string): string => `${kind}
command: [/bin/sh, "-c", ${JSON.stringify(script)}]
environment: {NAME: "{{ .instance.name }}"}
stop: {timeout: 5, preservestopped: "no"}
`

/** Lines in the order of their text. */
const linesOf = (records: readonly LogRecord[]): readonly string[] =>
  records.map(({ instance, line }) => `${instance}: ${line}`).sort()

/** Deploys, scales down, kills the daemon, deletes the service, and keeps nothing in the end. */
export async function keepsWhatWasWritten(host: Host, kind: string): Promise<void> {
  const logs = async (name: string, ...args: readonly string[]): Promise<readonly LogRecord[]> =>
    JSON.parse((await host.done('service', 'logs', name, ...args, '--json')).stdout) as readonly LogRecord[]
  const previous = async (name: string, ...args: readonly string[]): Promise<readonly string[]> =>
    linesOf(await logs(name, '--previous', ...args))
  const whole = (name: string): readonly string[] =>
    ['begins', 'complains', 'ends'].map((what) => `${name}: ${name} ${what}`)

  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('kept.yml', manifest(kind)), '--scale', '2')
  await until(async () => expect(linesOf(await logs('kept'))).toHaveLength(4))
  expect(await previous('kept')).toEqual([])
  const uuids = (await host.instances('kept')).map(({ name, uuid }: InstanceBody) => ({ name, uuid }))
  await host.done('service', 'scale', 'kept', '1')
  const [left] = await host.instances('kept')
  const gone = uuids.find(({ name }) => name !== left?.name)
  await until(async () => expect(await previous('kept')).toEqual(whole(gone?.name ?? '')))
  expect(await previous(gone?.name ?? '')).toEqual(whole(gone?.name ?? ''))
  expect(await previous(gone?.uuid ?? '')).toEqual(whole(gone?.name ?? ''))
  expect(linesOf(await logs('kept'))).toHaveLength(2)

  daemon.signal('SIGKILL')
  await daemon.ended
  const next = await host.startDaemon()
  await host.done('service', 'delete', 'kept', '--force')
  const both = uuids.flatMap(({ name }) => whole(name)).sort()
  await until(async () => expect(await previous('kept')).toEqual(both))
  expect(await previous('kept', '--tail', '1')).toEqual([`${left?.name}: ${left?.name} ends`])
  const unknown = await host.run('service', 'logs', 'kpet', '--previous')
  expect([unknown.code, unknown.stdout]).toEqual([1, ''])
  const followed = await host.run('service', 'logs', 'kept', '--previous', '--follow')
  expect([followed.code, followed.stderr]).toEqual([2, expect.stringContaining('leave out --follow')])

  next.signal('SIGTERM')
  await next.ended
  await host.startDaemon('--keep-logs', 'none')
  await until(async () => expect((await host.run('service', 'logs', 'kept', '--previous')).code).toBe(1))
}
