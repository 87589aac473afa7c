// Getting rid of a program that heeds no signal and may take for ever to stop.
import { expect, test } from 'vitest'
import type { UnitKillBody } from '../../src/contract/contract.js'
import { playDeafScenario } from './deaf-scenario.js'
import { useHosts } from './host.js'

const openHost = useHosts()
const deaf = `compute_type: process
command: [/bin/sh, "-c", "trap '' TERM; while :; do sleep 1; done"]
stop: {timeout: -1}
`

test('unit kill ends what a stop waits for without end', async () => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', deaf))
  const [instance] = await host.instances('web')
  const unit = instance?.unit ?? ''
  const stopping = host.start('service', 'delete', 'web', '--force')
  while ((await host.instances('web'))[0]?.state !== 'stopping');
  const { stdout } = await host.done('unit', 'kill', unit, '--json')
  expect(JSON.parse(stdout) as UnitKillBody[]).toMatchObject([{ unit, signal: 'SIGKILL' }])
  expect((await stopping.ended).code).toBe(0)
  const refused = await host.run('unit', 'kill', unit)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is on no machine') as string])
  const strange = await host.run('unit', 'kill', unit, '--signal', 'SIGSTOP')
  expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining('not a signal') as string])
}, 120_000)

test('unit kill says that nothing runs of a program that has ended, and signals the others', async () => {
  const host = openHost()
  await host.startDaemon()
  const once = (name: string, command: string) =>
    host.file(`${name}.service`, `[Service]\nExecStart=/bin/sh -c "${command}"\n`)
  await host.done('unit', 'start', once('ended', 'exit 0'), once('lasting', 'exec sleep 100000'))
  const ended = await host.run('unit', 'kill', 'ended.service')
  expect([ended.code, ended.stdout, ended.stderr]).toEqual([
    1,
    '',
    expect.stringContaining('nothing of ended.service is running, so no signal was sent') as string,
  ])
  const both = await host.run('unit', 'kill', 'ended.service', 'lasting.service')
  expect([both.code, both.stdout]).toEqual([1, 'lasting.service: SIGKILL sent\n'])
  expect(both.stderr).toContain('nothing of ended.service is running')
}, 120_000)

test('service stop --now and delete --now do not wait for a program that heeds no signal', async () => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', deaf))
  await host.done('service', 'stop', 'web', '--now')
  expect((await host.service('web'))?.status).toBe('stopped')
  await host.done('service', 'start', 'web')
  await host.done('service', 'delete', 'web', '--force', '--now')
  expect(await host.service('web')).toBeUndefined()
  const detached = await host.run('service', 'stop', 'web', '--now', '--detach')
  expect([detached.code, detached.stderr]).toEqual([
    2,
    expect.stringContaining('leave out --detach') as string,
  ])
}, 120_000)

test('--now speeds up a stop and a deletion that go on already', async () => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', deaf))
  await host.done('service', 'stop', 'web', '--detach')
  const busy = await host.run('service', 'stop', 'web')
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining('service stop web --now') as string])
  expect((await host.service('web'))?.status).toBe('stopping')
  await host.done('service', 'stop', 'web', '--now')
  expect((await host.service('web'))?.status).toBe('stopped')
  await host.done('service', 'start', 'web')
  await host.done('service', 'delete', 'web', '--force', '--detach')
  await host.done('service', 'delete', 'web', '--now')
  expect(await host.service('web')).toBeUndefined()
}, 120_000)

test('a deploy of a smaller stop.timeout kills what is stopping already', async () => {
  await playDeafScenario(openHost(), 'compute_type: process\n')
}, 120_000)
