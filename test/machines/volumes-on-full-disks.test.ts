// Volumes that are copied to where the disk is full: a small file system of its own for what the copy goes to.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { EventBody, VolumeBackupBody, VolumeBody } from '../../src/contract/contract.js'
import { until } from '../e2e/cluster.js'
import { type Host, useHosts } from '../e2e/host.js'
import { linesOf } from '../e2e/named-volumes.js'
import { idB, usePairs } from '../e2e/pair.js'
import { freePort } from '../free-port.js'

const openHost = useHosts()
const pairs = usePairs()

const mounts: string[] = []
// Hooks run last first: a host cannot remove what is mounted.
afterEach(() => {
  for (const dir of mounts.splice(0)) execFileSync('umount', ['--lazy', dir])
})

/** A disk with room for 8 MB. */
function smallDisk(dir: string): string {
  mkdirSync(dir, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', dir])
  mounts.push(dir)
  return dir
}

const enlarge = (dir: string): Buffer => execFileSync('mount', ['-o', 'remount,size=64m', dir])

const manifest = (more = '') => `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /mnt/data${more}}]
stop: {timeout: 5, preservestopped: "no"}
`
const volumeOf = ({ dataDir }: Host, service: string, name = 'data.0'): string =>
  join(dataDir, 'volumes/default', service, name)
const linesIn = (host: Host, service = 'db', name?: string): readonly string[] =>
  linesOf(join(volumeOf(host, service, name), 'data/lines'))

/** Deploys a service whose volume has 5 MB that no compression makes smaller. */
async function deployed(host: Host): Promise<Buffer> {
  await host.done('service', 'deploy', host.file('db.yml', manifest()))
  await until(() => expect(linesIn(host)).toEqual(['begun']))
  const large = randomBytes(5_000_000)
  writeFileSync(join(volumeOf(host, 'db'), 'data/large'), large)
  return large
}

const largeIn = (host: Host, service: string, name = 'data.0'): Buffer =>
  readFileSync(join(volumeOf(host, service, name), 'data/large'))

const volumes = async (host: Host): Promise<readonly VolumeBody[]> =>
  JSON.parse((await host.done('volume', 'list', '--json')).stdout) as VolumeBody[]

const besides = (dir: string): readonly string[] =>
  readdirSync(dir).filter((name) => name.startsWith('data') && name !== 'data')

test('a copy for which the disk has no room says so, stops nothing for good, and is made when there is room', async () => {
  const host = openHost()
  const disk = smallDisk(join(host.dataDir, 'volumes'))
  await host.startDaemon()
  const large = await deployed(host)
  await host.done('service', 'deploy', host.file('copy.yml', manifest()), '--scale', '0')
  await host.done('service', 'deploy', host.file('other.yml', manifest()))
  await until(() => expect(linesIn(host, 'other')).toEqual(['begun']))
  const refused = async (to: string): Promise<void> => {
    const args = ['db.data.0', to, '--consistency', 'stopped', '--force'] as const
    const { code, stdout } = await host.run('volume', 'clone', ...args, '--json')
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        error: expect.objectContaining({ code: 'volume/disk-full', message: expect.stringContaining(disk) }),
      },
    ])
  }
  await refused('copy.data.0')
  await until(() => expect(linesIn(host)).toEqual(['begun', 'begun']))
  expect(existsSync(volumeOf(host, 'copy')) ? besides(volumeOf(host, 'copy')) : []).toEqual([])
  await refused('other.data.0')
  await until(() => expect(linesIn(host)).toEqual(['begun', 'begun', 'begun']))
  await until(() => expect(linesIn(host, 'other')).toEqual(['begun', 'begun']))
  expect(besides(volumeOf(host, 'other'))).toEqual([])
  expect(largeIn(host, 'db').equals(large)).toBe(true)
  const works = (await volumes(host)).map(({ service, incomplete, work }) => [service, incomplete, work])
  expect(works.sort()).toEqual([
    ['copy', true, null],
    ['db', false, null],
    ['other', false, null],
  ])
  // Nothing starts with what is not whole.
  const scaled = host.start('service', 'scale', 'copy', '1')

  enlarge(disk)
  await host.done('volume', 'clone', 'db.data.0', 'copy.data.0', '--consistency', 'stopped')
  await scaled.ended
  expect(largeIn(host, 'copy').equals(large)).toBe(true)
  await until(() => expect(linesIn(host, 'copy')).toEqual(['begun', 'begun', 'begun', 'begun']))
})

test('that a volume is full is told before its program starts', async () => {
  const host = openHost()
  const disk = smallDisk(join(host.dataDir, 'volumes'))
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', manifest()))
  const told = async (): Promise<string> => (await host.done('events', '--kind', 'volume')).stdout
  expect(await told()).not.toContain('full')
  appendFileSync(join(disk, 'ballast'), Buffer.alloc(7_500_000))
  await host.done('service', 'reprovision', 'db')
  await until(async () =>
    expect(await told()).toMatch(
      /db-2 starts with the volume db\.data\.0, which is full: its disk has \d+ kB left/,
    ),
  )
})

test('a backup for which the disk has no room leaves the one before, and its instance runs again', async () => {
  const host = openHost()
  await host.startDaemon()
  const disk = smallDisk(join(host.dir, 'small'))
  const large = await deployed(host)
  const file = join(disk, 'db.tar.zst')
  const backUp = ['volume', 'backup', 'db.data.0', file, '--consistency', 'stopped'] as const
  await host.done(...backUp)
  await until(() => expect(linesIn(host)).toEqual(['begun', 'begun']))
  const [before, sum] = [readFileSync(file), readFileSync(`${file}.sha256`, 'utf8')]
  for (const [runs, args] of [backUp, [...backUp, '--json']].entries()) {
    const { code, stdout, stderr } = await host.run(...args)
    expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringContaining(file)])
    expect(`${stdout}${stderr}`).toMatch(/no space left/i)
    expect(readdirSync(disk).sort()).toEqual(['db.tar.zst', 'db.tar.zst.sha256'])
    await until(() => expect(linesIn(host)).toHaveLength(runs + 3))
  }
  expect([readFileSync(file).equals(before), readFileSync(`${file}.sha256`, 'utf8')]).toEqual([true, sum])
  await host.done('volume', 'restore', file, 'db.data.0', '--force')
  expect(largeIn(host, 'db').equals(large)).toBe(true)

  enlarge(disk)
  await host.done(...backUp)
})

test('a backup by schedule for which the disk has no room fails and says so, and the next one is made when there is room', async () => {
  const host = openHost()
  await host.startDaemon()
  const disk = smallDisk(join(host.dir, 'small'))
  appendFileSync(join(disk, 'ballast'), Buffer.alloc(6_000_000))
  // All of the data are there before the first backup is due.
  const large = await deployed(host)
  const backup = `, backup: {schedule: R//PT4S, to: ${disk}, keep: 1, consistency: stopped}`
  await host.done('service', 'deploy', host.file('db.yml', manifest(backup)))
  const reasons = async () =>
    (await host.done('events', '--kind', 'backup-failed', '--jsonl')).stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as EventBody).message)
  await until(async () =>
    expect(await reasons()).toContainEqual(expect.stringMatching(new RegExp(`${disk}.*disk is full`))),
  )
  await until(() => expect(readdirSync(disk)).toEqual(['ballast']))
  const backups = async (): Promise<readonly VolumeBackupBody[]> =>
    (await host.client.volumeBackups('default')).filter(({ result }) => result === 'whole')
  expect(await backups()).toEqual([])
  rmSync(join(disk, 'ballast'))
  enlarge(disk)
  await until(async () => expect((await backups()).length).toBeGreaterThan(0))
  await host.done('service', 'deploy', host.file('db.yml', manifest()))
  await until(async () => expect((await host.instances('db')).map(({ state }) => state)).toEqual(['running']))
  expect(largeIn(host, 'db').equals(large)).toBe(true)
})

test('a volume whose new machine has no room stays where it is, and moves when there is room', async () => {
  const { a, b } = pairs.open()
  // Before its daemon starts, which has its own view of what is mounted.
  const disk = smallDisk(join(b.dataDir, 'volumes'))
  appendFileSync(join(disk, 'ballast'), Buffer.alloc(5_000_000))
  for (const host of [a, b]) {
    const address = `127.0.0.1:${await freePort()}`
    const listening = ['--listen', `tcp://${address}`, '--advertise', `http://${address}`]
    await host.startDaemon('--insecure-listen', ...listening)
  }
  await a.done('machine', 'cordon', idB)
  const large = await deployed(a)
  await a.done('machine', 'uncordon', idB)
  const refused = await a.run('volume', 'move', 'db.data.0', idB)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`the disk of ${disk}`)])
  await until(() => expect(linesIn(a)).toEqual(['begun', 'begun']))
  expect(largeIn(a, 'db').equals(large)).toBe(true)
  const left = (): readonly string[] =>
    existsSync(join(disk, 'default/db')) ? readdirSync(join(disk, 'default/db')) : []
  await until(() => expect(left()).toEqual([]))
  const { stdout } = await a.done('events', '--kind', 'volume')
  expect(stdout).toMatch(/is not moved: .*No space left on device/)

  enlarge(disk)
  await a.done('volume', 'move', 'db.data.0', idB)
  await until(() => expect(linesIn(b, 'db', 'data.0.1')).toEqual(['begun', 'begun', 'begun']))
  expect(largeIn(b, 'db', 'data.0.1').equals(large)).toBe(true)
  await a.done('service', 'delete', 'db', '--force', '--volumes')
})
