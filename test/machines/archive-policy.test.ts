// What a restore by root may bring onto a machine whose policy lets nothing run as root.
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunningProgram } from '../cli/program.js'
import { type Host, useHosts } from '../e2e/host.js'

const openHost = useHosts()

const manifest = `compute_type: process
command: [/bin/sleep, "1000"]
user: nobody
volumes: ["data:/mnt/data"]
`

/** A backup that somebody has made of a directory. */
function backupOf(host: Host, name: string, script: string): string {
  const [dir, file] = [join(host.dir, name), join(host.dir, `${name}.tar.zst`)]
  mkdirSync(dir)
  execFileSync('sh', ['-euc', script], { cwd: dir })
  execFileSync('tar', ['--zstd', '--xattrs', '--xattrs-include=*', '-cf', file, '-C', dir, '.'])
  return file
}

const loaded = async (daemon: RunningProgram, file: string, policy: string): Promise<void> => {
  writeFileSync(file, `policy: ${policy}\n`)
  daemon.signal('SIGHUP')
  await daemon.said('configuration reloaded')
}

test('devices and programs of root are restored, copied and made only as far as the policy goes', async () => {
  const host = openHost()
  const config = host.file('daemon.yml', 'policy: {root: false}\n')
  const daemon = await host.startDaemon('--config', config)
  for (const name of ['db', 'db2'])
    await host.done('service', 'deploy', host.file(`${name}.yml`, manifest), '--scale', '0')
  const data = (service: string): string => join(host.dataDir, `volumes/default/${service}/data.0/data`)
  const plain = 'mkdir main; echo 17 > main/PG_VERSION; chmod 700 main; mkdir -m 2775 log; mknod gone c 0 0'
  await host.done('volume', 'restore', backupOf(host, 'honest', plain), 'db.data')
  expect(readFileSync(join(data('db'), 'main/PG_VERSION'), 'utf8')).toBe('17\n')
  expect(statSync(join(data('db'), 'log')).mode & 0o7777).toBe(0o2775)

  const evil = backupOf(host, 'evil', `${plain}; mkdir bin; cp /bin/sh bin/sh; chmod 4755 bin/sh`)
  const forced = await host.run('volume', 'restore', evil, 'db.data.0', '--force')
  const reason = 'bin/sh in the archive runs as root, by its set-id bit: the policy lets nothing run as root'
  expect([forced.code, forced.stderr]).toEqual([1, expect.stringContaining(reason)])
  expect(readdirSync(data('db')).sort()).toEqual(['gone', 'log', 'main'])
  expect(readdirSync(join(data('db'), '..')).filter((name) => name.startsWith('data'))).toEqual(['data'])

  // What somebody else has put there is not copied on either, and stays where it is.
  execFileSync('mknod', [join(data('db'), 'memory'), 'c', '1', '1'])
  const cloned = await host.run('volume', 'clone', 'db.data.0', 'db2.data')
  expect([cloned.code, cloned.stderr]).toEqual([1, expect.stringContaining('memory in the archive is a')])
  expect(lstatSync(join(data('db'), 'memory')).isCharacterDevice()).toBe(true)
  expect(existsSync(join(data('db2'), 'memory'))).toBe(false)
  await loaded(daemon, config, '{}')
  await host.done('volume', 'clone', 'db.data.0', 'db2.data')
  expect(lstatSync(join(data('db2'), 'memory')).isCharacterDevice()).toBe(true)
  await host.done('volume', 'restore', evil, 'db.data.0', '--force')
  expect(statSync(join(data('db'), 'bin/sh')).mode & 0o7777).toBe(0o4755)
})
