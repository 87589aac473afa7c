// A machine whose disk is full, as its operator meets it: a small file system of its own for all that the daemon keeps.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { VolumeBody } from '../../src/contract/contract.js'
import { type RunningProgram, useProgram } from '../cli/program.js'
import { idleManifest, programsUnder, until } from '../e2e/cluster.js'
import { askedOver, type Host, hostsOf } from '../e2e/host.js'
import { linesOf } from '../e2e/named-volumes.js'
import { removeDir } from '../remove-dir.js'

let mounted: string | null = null
// Hooks run last first: the host ends while its disk is still there.
afterEach(() => {
  if (mounted === null) return
  // The supervisor may take a moment more to end.
  execFileSync('umount', ['--lazy', mounted])
  removeDir(mounted)
  mounted = null
})
const openHost = hostsOf(useProgram(), () => ({
  driver: 'process',
  env: {},
  makeDir: () => {
    mounted = mkdtempSync(join(tmpdir(), 'full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', mounted])
    const dir = mkdtempSync(join(mounted, 'host-'))
    return { inside: dir, outside: dir }
  },
}))

const noSpace = /^\{"status":"disk full: no space left to write to \S+"\}$/

/** What fills a host's disk. */
function ballastOf(host: Host) {
  const ballast = join(host.dir, 'ballast')
  const fill = (): void => {
    const { bavail, bsize } = statfsSync(host.dir)
    appendFileSync(ballast, Buffer.alloc(bavail * bsize))
  }
  return { ballast, fill }
}

/** What a change needs may fit into the last page of the journal: until not even the smallest does. */
async function refuses(host: Host): Promise<void> {
  for (const size of [8000, 1])
    await until(async () => {
      const { code, stderr } = await host.run('meta', 'set', 'long', 'x'.repeat(size))
      expect([code, stderr]).toEqual([1, expect.stringMatching(/no space left.*\n.*free some space/)])
    })
}

/** Ends all that runs on a host as a loss of power does. */
async function losePower(host: Host, daemon: RunningProgram): Promise<void> {
  daemon.signal('SIGKILL')
  await daemon.ended
  const programs = programsUnder(host.dataDir)
  // Supervisors first, so that they see nothing end.
  const pids = new Set([...programs.map(({ parent }) => parent), ...programs.map(({ pid }) => pid)])
  expect(pids.size).toBeGreaterThan(1)
  for (const pid of pids) process.kill(Number(pid), 'SIGKILL')
}

test('on a full disk changes are refused with the reason, what runs goes on, and all heals when there is room', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const file = host.file('web.yml', idleManifest())
  await host.done('service', 'deploy', file, '--scale', '2')
  const programs = (): readonly string[] =>
    programsUnder(host.dataDir)
      .map(({ name, pid }) => `${name} ${pid}`)
      .sort()
  const before = programs()
  expect(before).toHaveLength(2)
  const ready = () => askedOver(host.socketPath, '/readyz')

  const { ballast, fill } = ballastOf(host)
  fill()
  await refuses(host)
  const refused = await host.run('service', 'scale', 'web', '3', '--json')
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('store/full')])
  expect(await ready()).toEqual({ status: 503, text: expect.stringMatching(noSpace) })
  expect(programs()).toEqual(before)
  // What has happened since cannot be written down, so what is listed may be from before.
  const listed = await host.done('service', 'instances', 'web')
  expect(listed.stderr).toMatch(/^stale since \d{4}-\S+: the store of the daemon has no space left/)

  rmSync(ballast)
  await until(async () => expect(await ready()).toEqual({ status: 200, text: '{"status":"ok"}' }))
  expect((await host.done('service', 'instances', 'web')).stderr).toBe('')
  await host.done('service', 'scale', 'web', '3')
  expect(programs()).toEqual(expect.arrayContaining([...before]))
  const then = programs()
  expect(then).toHaveLength(3)

  // Nor does anything stop because the daemon dies on the full disk.
  fill()
  await refuses(host)
  daemon.signal('SIGKILL')
  await daemon.ended
  expect(programs()).toEqual(then)
  rmSync(ballast)
  await host.startDaemon()
  expect(programs()).toEqual(then)
  await host.done('service', 'scale', 'web', '2')
}, 240_000)

test('a daemon that starts on a full disk brings back what ran, refuses changes, and goes on when there is room', async () => {
  const host = openHost()
  const first = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()), '--scale', '2')
  await host.done('service', 'deploy', host.file('job.yml', `${idleManifest()}service_type: event\n`))
  const names = (): readonly string[] =>
    programsUnder(host.dataDir)
      .map(({ name }) => name)
      .sort()
  expect(names()).toEqual(['web-1', 'web-2'])
  const { ballast, fill } = ballastOf(host)
  fill()
  await refuses(host)
  await losePower(host, first)
  fill()

  const daemon = await host.startDaemonUntil('store is full')
  await until(async () => expect(names()).toEqual(['web-1', 'web-2']))
  expect(await askedOver(host.socketPath, '/readyz')).toEqual({
    status: 503,
    text: expect.stringMatching(noSpace),
  })
  expect((await host.done('service', 'exec', 'web-1', '--', 'echo', 'inside')).stdout).toContain('inside')
  for (const words of [
    ['service', 'scale', 'web', '3'],
    ['service', 'start', 'job'],
    ['service', 'deploy', host.file('web.yml', idleManifest('2'))],
  ]) {
    const { code, stderr } = await host.run(...words)
    const told = expect.stringMatching(/no space left.*\n.*free some space/)
    expect([code, stderr], words.join(' ')).toEqual([1, told])
  }
  // It ends in order there, and starts again.
  daemon.signal('SIGTERM')
  expect((await daemon.ended).code).toBe(0)
  const second = await host.startDaemonUntil('store is full')
  expect(names()).toEqual(['web-1', 'web-2'])

  rmSync(ballast)
  await second.said('rejoined the cluster')
  await until(async () => expect(await askedOver(host.socketPath, '/readyz')).toMatchObject({ status: 200 }))
  await host.done('service', 'scale', 'web', '3')
  await host.done('service', 'start', 'job')
  expect(names()).toEqual(['job-1', 'web-1', 'web-2', 'web-3'])
}, 240_000)

test('a daemon that starts for the first time on a full disk says so', async () => {
  const host = openHost()
  const { ballast, fill } = ballastOf(host)
  fill()
  const daemon = host.start('daemon', '--data-dir', host.dataDir, '--listen', `unix:${host.socketPath}`)
  const { code, stderr } = await daemon.ended
  rmSync(ballast)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/no space left.*\n.*free some space/)])
  // What it had begun is in nobody's way.
  await host.startDaemon()
  await host.done('meta', 'set', 'a', '1')
}, 240_000)

const keeper = `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: ["data:/mnt/data"]
stop: {timeout: 5, preservestopped: "no"}
`

test('a restore for which the disk has no room says so, and leaves the volume as it was, or incomplete where it is new', async () => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', keeper))
  const below = join(host.dataDir, 'volumes/default/db/data.0')
  const lines = () => linesOf(join(below, 'data/lines'))
  await until(() => expect(lines()).toEqual(['begun']))
  const good = join(host.dir, 'good')
  await host.done('volume', 'backup', 'db.data.0', good)
  const large = largeBackup(host)

  const refused = await host.run('volume', 'restore', large, 'db.data.0', '--force')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/No space left on device/)])
  await until(() => expect(lines()).toEqual(['begun', 'begun']))
  expect(readdirSync(below).filter((name) => name.startsWith('data'))).toEqual(['data'])
  await until(async () => expect(await askedOver(host.socketPath, '/readyz')).toMatchObject({ status: 200 }))
  await host.done('volume', 'restore', good, 'db.data.0', '--force')
  await until(() => expect(lines()).toEqual(['begun', 'begun']))

  await host.done('service', 'deploy', host.file('copy.yml', keeper), '--scale', '0')
  const unmade = await host.run('volume', 'restore', large, 'copy.data')
  expect([unmade.code, unmade.stderr]).toEqual([1, expect.stringMatching(/No space left on device/)])
  const incomplete = async () =>
    (JSON.parse((await host.done('volume', 'list', '--json')).stdout) as VolumeBody[])
      .filter((volume) => volume.incomplete)
      .map(({ service, work }) => [service, work])
  await until(async () => expect(await incomplete()).toEqual([['copy', null]]))
  await host.done('volume', 'restore', good, 'copy.data.0')
  expect(await incomplete()).toEqual([])
}, 240_000)

/** A backup that is small, and for which the host's disk has no room. */
function largeBackup(host: Host): string {
  const from = join(host.dir, 'large')
  mkdirSync(from)
  writeFileSync(join(from, 'whole'), 'whole')
  const file = join(host.dir, 'large.tar.zst')
  const pack = 'head -c 32M /dev/zero >/dev/shm/$2-zeros; trap "rm /dev/shm/$2-zeros" EXIT'
  execFileSync('sh', [
    '-c',
    `${pack}; tar -c -C "$1" . -C /dev/shm $2-zeros | zstd -q -o "$3"`,
    'sh',
    from,
    `mariposa-${process.pid}`,
    file,
  ])
  removeDir(from)
  return file
}
