// Backups of volumes by schedule, by the real daemon, into a directory.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EventBody, VolumeBackupBody } from '../../src/contract/contract.js'
import { removeDir } from '../remove-dir.js'
import { until } from './cluster.js'
import { type Host, useHosts } from './host.js'
import { linesOf } from './named-volumes.js'

const openHost = useHosts()

const manifest = (backup: string, more = ''): string => `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /mnt/data, backup: ${backup}}]
stop: {timeout: 5, preservestopped: "no"}
${more}`

const dataOf = (host: Host, service: string, slot = 0): string =>
  join(host.dataDir, `volumes/default/${service}/data.${slot}/data`)

async function deployed(host: Host, service: string, text: string): Promise<void> {
  await host.done('service', 'deploy', host.file(`${service}.yml`, text))
  await until(() => expect(linesOf(join(dataOf(host, service), 'lines'))).toEqual(['begun']))
}

const archivesIn = (dir: string): readonly string[] =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.tar.zst'))
    .sort()

const eventsOf = async (host: Host, kind: string): Promise<readonly EventBody[]> =>
  (await host.done('events', '--kind', kind, '--jsonl')).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EventBody)

/** A firing is missed while the backup of the one before still runs, as on a busy machine. */
const isOver: ReadonlySet<string> = new Set(['whole', 'missed'])

const backupsOf = async (host: Host): Promise<readonly VolumeBackupBody[]> =>
  await host.client.volumeBackups('default')

test('backups are made by schedule, the newest are kept, and each can be restored', async () => {
  const host = openHost()
  await host.startDaemon()
  const to = join(host.dir, 'backups')
  mkdirSync(to)
  // None of them is of the daemon, whatever their names are like.
  const foreign = ['default.db.data.0.20200101T000000.000Z.00000000.tar.zst', 'note']
  for (const name of foreign) writeFileSync(join(to, name), 'x')
  await deployed(host, 'db', manifest(`{schedule: "R//PT1S", to: ${to}, keep: 2}`))
  await until(async () => expect((await eventsOf(host, 'backup-succeeded')).length).toBeGreaterThan(3))
  // Once the next firing is years away, none is being made or due, and as many are kept as are to be.
  const later = `{schedule: "R/2099-01-01T00:00:00Z/PT1H", to: ${to}, keep: 2}`
  await host.done('service', 'deploy', host.file('db.yml', manifest(later)))
  await until(async () =>
    expect((await backupsOf(host)).filter(({ result }) => !isOver.has(result))).toEqual([
      expect.objectContaining({ result: 'planned', dueAt: '2099-01-01T00:00:00.000Z' }),
    ]),
  )
  await until(() => expect(readdirSync(to).filter((name) => !foreign.includes(name)).length).toBe(4))
  const kept = archivesIn(to).filter((name) => !foreign.includes(name))
  for (const name of kept) {
    expect(name).toMatch(/^default\.db\.data\.0\.\d{8}T\d{6}\.\d{3}Z\.[0-9a-f]{8}\.tar\.zst$/)
    const sum = createHash('sha256')
      .update(readFileSync(join(to, name)))
      .digest('hex')
    expect(readFileSync(join(to, `${name}.sha256`), 'utf8')).toBe(`${sum}  ${name}\n`)
  }
  // The newest of those that were told.
  const told = (await eventsOf(host, 'backup-succeeded')).map(({ message }) => message)
  const newest = told.slice(-kept.length)
  expect(newest.filter((message, n) => !message.includes(kept[n] ?? '-'))).toEqual([])
  const shown = (await host.done('volume', 'show', 'db.data.0')).stdout
  expect(shown).toMatch(new RegExp(`Backup: +\\d{4}-.* ago\\): .*${kept.at(-1) ?? '-'}`))
  await deployed(host, 'db2', manifest('{before_backup: ["true"]}'))
  const restored = await host.done('volume', 'restore', join(to, kept[1] ?? ''), 'db2.data.0', '--force')
  expect(restored.stdout).toContain('SHA-256 correct')
})

test('a backup that fails deletes nothing, says why, and the next firing is tried anew', async () => {
  const host = openHost()
  await host.startDaemon()
  const to = join(host.dir, 'backups')
  await deployed(host, 'db', manifest(`{schedule: "R//PT1S", to: ${to}, keep: 1}`))
  await until(async () =>
    expect((await eventsOf(host, 'backup-failed'))[0]?.message).toContain(`there is no directory ${to}`),
  )
  expect(existsSync(to)).toBe(false)
  mkdirSync(to)
  await until(() => expect(archivesIn(to).length).toBe(1))
  removeDir(to)
  writeFileSync(to, 'in its place')
  await until(async () =>
    expect((await eventsOf(host, 'backup-failed')).at(-1)?.message).toContain('is not a directory'),
  )
  expect(readFileSync(to, 'utf8')).toBe('in its place')
  const rows = await backupsOf(host)
  expect(rows.map(({ result }) => result)).toEqual(expect.arrayContaining(['whole', 'failed', 'planned']))
})

test('a file that somebody has put in the place of a backup is not deleted', async () => {
  const host = openHost()
  await host.startDaemon()
  const to = join(host.dir, 'backups')
  mkdirSync(to)
  await deployed(host, 'db', manifest(`{schedule: "R//PT3S", to: ${to}, keep: 1}`))
  await until(() => expect(archivesIn(to).length).toBe(1))
  const [first = ''] = archivesIn(to)
  writeFileSync(join(to, first), 'something else')
  await until(async () =>
    expect((await backupsOf(host)).some((one) => one.to?.endsWith(first) === true)).toBe(false),
  )
  await until(async () => expect((await eventsOf(host, 'backup-succeeded')).length).toBeGreaterThan(2))
  expect(readFileSync(join(to, first), 'utf8')).toBe('something else')
})

test('what a daemon leaves that is killed in the middle is taken away and told, and the next firing makes a backup', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const to = join(host.dir, 'backups')
  mkdirSync(to)
  const hook = JSON.stringify('touch "$DIR/hooked"; until [ -e "$DIR/go" ]; do sleep 0.1; done')
  const backup = `{schedule: "R//PT2S", to: ${to}, keep: 3, before_backup: [sh, -c, ${hook}]}`
  await deployed(host, 'db', manifest(backup))
  await until(() => expect(readdirSync(to)).toEqual([expect.stringMatching(/\.part$/)]))
  daemon.signal('SIGKILL')
  await daemon.ended
  const [half = ''] = readdirSync(to)
  writeFileSync(join(dataOf(host, 'db'), 'go'), '')
  await host.startDaemon()
  await until(async () =>
    expect((await eventsOf(host, 'backup-failed')).map(({ message }) => message)).toEqual([
      expect.stringContaining('its daemon stopped before the end'),
    ]),
  )
  await until(() => expect(archivesIn(to).length).toBeGreaterThan(0))
  expect(readdirSync(to)).not.toContain(half)
})

test('a volume that nothing has is backed up once, and again when it was used', async () => {
  const host = openHost()
  await host.startDaemon()
  const to = join(host.dir, 'backups')
  mkdirSync(to)
  const backup = `{schedule: "R//PT1S", to: ${to}, keep: 50, before_backup: ["true"]}`
  await deployed(host, 'db', manifest(backup))
  await host.done('service', 'scale', 'db', '0')
  const atRest = async (): Promise<number> =>
    (await backupsOf(host)).filter(
      ({ result, consistency }) => result === 'whole' && consistency === 'stopped',
    ).length
  await until(async () => expect(await atRest()).toBe(1))
  const due = async (): Promise<string> => (await backupsOf(host)).at(-1)?.dueAt ?? ''
  const before = await due()
  await until(async () => expect(Date.parse(await due()) - Date.parse(before)).toBeGreaterThan(3000))
  expect(await atRest()).toBe(1)
  await host.done('service', 'scale', 'db', '1')
  await host.done('service', 'scale', 'db', '0')
  await until(async () => expect(await atRest()).toBe(2))
})
