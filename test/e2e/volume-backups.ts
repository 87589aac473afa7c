// Backups of volumes and what is restored from them, whatever driver runs the programs.
import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { VolumeBody } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import type { Host } from './host.js'

/** Writes a line at each start, and one when it is told to stop. */
const script =
  'echo begun >> "$DIR/lines"; trap \'echo ended >> "$DIR/lines"; exit 0\' TERM; while :; do sleep 0.1; done'

const manifest = (kind: string, scope: string): string => `${kind}
command: [/bin/sh, "-c", ${JSON.stringify(script)}]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /mnt/data, scope: ${scope}}]
stop: {timeout: 5, preservestopped: "no"}
`

const volumesOf = async (host: Host, service: string) =>
  JSON.parse(
    (await host.done('volume', 'list', '--service', service, '--json')).stdout,
  ) as readonly VolumeBody[]

/** Root could put a file in the place of a device, and anybody one in the place of a pipe that somebody reads. */
async function leavesWhatIsNoFile(host: Host, seen: (path: string) => string): Promise<void> {
  const [pipe, link] = [join(host.dir, 'pipe'), join(host.dir, 'link')]
  execFileSync('mkfifo', [seen(pipe)])
  const refused = await host.run('volume', 'backup', 'db.data.0', pipe)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is not a file')])
  expect(lstatSync(seen(pipe)).isFIFO()).toBe(true)

  symlinkSync('linked', seen(link))
  await host.done('volume', 'backup', 'db.data.0', link)
  expect(lstatSync(seen(link)).isSymbolicLink()).toBe(true)
  expect(readFileSync(seen(`${link}ed.sha256`), 'utf8')).toMatch(/^[0-9a-f]{64} {2}linked\n$/)
}

/** `linesOf` tells what instances of a service have written into the volume of slot 0. */
export async function backsUp(
  host: Host,
  kind: string,
  linesOf: (service: string) => Promise<readonly string[]>,
  seen: (path: string) => string = (path) => path,
): Promise<void> {
  await host.startDaemon()
  const file = (name: string): string => join(host.dir, name)
  const deploy = async (name: string): Promise<void> => {
    await host.done('service', 'deploy', host.file(`${name}.yml`, manifest(kind, 'instance')))
    await until(async () => expect(await linesOf(name)).toEqual(['begun']))
  }
  await deploy('db')
  await deploy('db2')
  const backup = JSON.parse(
    (await host.done('volume', 'backup', 'db.data.0', file('live'), '--json')).stdout,
  ) as { readonly sha256: string; readonly bytes: number }
  expect(readFileSync(seen(file('live'))).length).toBe(backup.bytes)
  expect(readFileSync(seen(file('live.sha256')), 'utf8')).toBe(`${backup.sha256}  live\n`)
  expect(await linesOf('db')).toEqual(['begun'])
  await leavesWhatIsNoFile(host, seen)

  await host.done('volume', 'backup', 'db.data.0', file('stopped'), '--consistency', 'stopped')
  await until(async () => expect(await linesOf('db')).toEqual(['begun', 'ended', 'begun']))

  const refused = await host.run('volume', 'restore', file('stopped'), 'db2.data.0')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('add --force')])
  await host.done('volume', 'restore', file('stopped'), 'db2.data.0', '--force')
  // As the program had it that was stopped for the backup, and then what the new instance has written.
  await until(async () => expect(await linesOf('db2')).toEqual(['begun', 'ended', 'begun']))
  expect((await host.instances('db2')).map(({ slot }) => slot)).toEqual([0])
  expect((await volumesOf(host, 'db2')).map(({ state }) => state)).toEqual(['in-use'])

  const cut = readFileSync(seen(file('stopped')))
  writeFileSync(seen(file('cut')), cut.subarray(0, cut.length - 20))
  const broken = await host.run('volume', 'restore', file('cut'), 'db2.data.0', '--force')
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('cannot be unpacked')])
  // The next one would else stop an instance before it has begun.
  const back = ['begun', 'ended', 'begun', 'ended', 'begun']
  await until(async () => expect(await linesOf('db2')).toEqual(back))
  const wrong = ['--sha256', '0'.repeat(64)]
  const other = await host.run('volume', 'restore', file('stopped'), 'db2.data.0', '--force', ...wrong)
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('truncated or changed')])
  // Each time its instance was stopped and is back, and nothing of the backup came in.
  await until(async () => expect(await linesOf('db2')).toEqual([...back, 'ended', 'begun']))
}

/**
 * Restores into slots that have no volume yet; `dirOf` tells where the data of slot 0 lie, `linesOf` what instances have
 * written there.
 */
export async function restoresIntoNew(
  host: Host,
  kind: string,
  linesOf: (service: string) => Promise<readonly string[]>,
  dirOf: (service: string) => string,
  seen: (path: string) => string = (path) => path,
): Promise<void> {
  await host.startDaemon()
  const file = (name: string): string => join(host.dir, name)
  await host.done('service', 'deploy', host.file('origin.yml', manifest(kind, 'instance')))
  await until(async () => expect(await linesOf('origin')).toEqual(['begun']))
  await host.done('volume', 'backup', 'origin.data.0', file('whole'))
  await host.done('service', 'deploy', host.file('copy.yml', manifest(kind, 'instance')), '--scale', '0')
  await host.done('volume', 'restore', file('whole'), 'copy.data')
  expect(await linesOf('copy')).toEqual(['begun'])
  expect(await volumesOf(host, 'copy')).toMatchObject([
    { slot: 0, state: 'unused', incomplete: false, work: null, current: true },
  ])
  await host.done('service', 'scale', 'copy', '1')
  await until(async () => expect(await linesOf('copy')).toEqual(['begun', 'begun']))
  const { uid, gid, mode } = statSync(dirOf('origin'))
  expect(statSync(dirOf('copy'))).toMatchObject({ uid, gid, mode })

  const cut = readFileSync(seen(file('whole')))
  writeFileSync(seen(file('cut')), cut.subarray(0, cut.length - 20))
  const broken = await host.run('volume', 'restore', file('cut'), 'copy.data.1')
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('cannot be unpacked')])
  await host.run('service', 'scale', 'copy', '2', '--detach')
  await until(async () => {
    const told = JSON.parse((await host.done('service', 'show', 'copy', '--json')).stdout) as {
      reason: string
    }
    expect(told.reason).toContain('slot 1 waits: its volume data is incomplete')
  })
  expect((await host.instances('copy')).map(({ slot }) => slot)).toEqual([0])
  const refused = await host.run('volume', 'backup', 'copy.data.1', file('never'))
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is incomplete')])
  await host.done('volume', 'restore', file('whole'), 'copy.data.1')
  await until(async () =>
    expect((await host.instances('copy')).map(({ slot }) => slot).sort()).toEqual([0, 1]),
  )
  await until(async () =>
    expect((await volumesOf(host, 'copy')).map(({ incomplete, state }) => [incomplete, state])).toEqual([
      [false, 'in-use'],
      [false, 'in-use'],
    ]),
  )
  await host.done('volume', 'clone', 'origin.data.0', 'copy.data.0', '--force')
  // As `db` had it, and then what the new instance has written.
  await until(async () => expect(await linesOf('copy')).toEqual(['begun', 'begun']))
  expect(await linesOf('origin')).toEqual(['begun'])
}
