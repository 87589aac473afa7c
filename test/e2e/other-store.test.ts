// A daemon that is started on another store than before: what runs is nobody's to stop until somebody says so.
import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MachineAdoptBody } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import { useHosts } from './host.js'

const openHost = useHosts()

test('a daemon with an empty store leaves what runs as it is, replaces it by a deploy, and ends the rest when told to', async () => {
  const host = openHost()
  /** The pid that a program has written; on a busy machine its shell may come to that after it counts as up. */
  const pidOf = async (name: string, before = 0): Promise<number> => {
    let pid = 0
    await until(() => {
      pid = Number(readFileSync(join(host.dir, `${name}.pid`), 'utf8'))
      expect(pid).toBeGreaterThan(0)
      expect(pid).not.toBe(before)
    })
    return pid
  }
  const deploy = (name: string) => {
    const path = `${host.dir}/${name}.pid`
    const script = `echo $$ > ${path}.new; mv ${path}.new ${path}; exec sleep 86400`
    const text = `compute_type: process\ncommand: [/bin/sh, -c, ${JSON.stringify(script)}]\n`
    return host.done('service', 'deploy', host.file(`${name}.yml`, text))
  }
  const daemon = await host.startDaemon()
  for (const name of ['web', 'db']) await deploy(name)
  const [web, db] = [await pidOf('web'), await pidOf('db')]
  daemon.signal('SIGTERM')
  await daemon.ended
  renameSync(join(host.dataDir, 'store'), join(host.dataDir, 'store-before'))
  const again = await host.startDaemon()
  await again.said('runs units that this cluster does not know')
  const [machine] = JSON.parse((await host.done('machine', 'list', '--json')).stdout) as { id: string }[]
  const adopt = async (...flags: readonly string[]): Promise<readonly string[]> =>
    (
      JSON.parse(
        (await host.done('machine', 'adopt', machine?.id ?? '', '--json', ...flags)).stdout,
      ) as MachineAdoptBody
    ).unknown
  expect(await adopt()).toEqual(['default.db.v1@1.service', 'default.web.v1@1.service'])

  await deploy('web')
  // Its text names the instance, which is another one: the old program makes way for the new, never beside it.
  expect(isAlive(web)).toBe(false)
  expect(await adopt()).toEqual(['default.db.v1@1.service'])
  expect(isAlive(db)).toBe(true)

  // Still there after one more start, which finds what it found before.
  again.signal('SIGTERM')
  await again.ended
  await host.startDaemon()
  expect([isAlive(await pidOf('web', web)), isAlive(db), await adopt()]).toEqual([
    true,
    true,
    ['default.db.v1@1.service'],
  ])
  expect((await host.done('machine', 'adopt', machine?.id ?? '')).stderr).toContain('--stop')
  await adopt('--stop')
  while (isAlive(db));
  expect(await adopt()).toEqual([])
  expect(isAlive(await pidOf('web', web))).toBe(true)
}, 180_000)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
