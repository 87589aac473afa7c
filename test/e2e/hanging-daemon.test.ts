// A daemon that is there and says nothing.
import { expect, test } from 'vitest'
import { idleManifest } from './cluster.js'
import { useHosts } from './host.js'

const openHost = useHosts()

test('a command ends when its --timeout is over, with 3, and says what may have been made and how to look', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const web = host.file('web.yml', idleManifest())
  const unit = host.file('plain.service', '[Service]\nExecStart=/bin/sleep 100000\n')
  await host.done('service', 'deploy', web)
  await host.done('unit', 'start', unit)
  const [task] = JSON.parse((await host.done('queue', 'list', '--json')).stdout) as [{ uuid: string }]
  const [machine] = JSON.parse((await host.done('machine', 'list', '--json')).stdout) as [{ id: string }]

  const changes: readonly (readonly [words: readonly string[], look: string])[] = [
    [['service', 'deploy', web], 'queue list -j default'],
    [['service', 'add', 'other', web], 'queue list -j default'],
    [['service', 'update', 'web', web], 'queue list -j default'],
    [['service', 'scale', 'web', '2', '-j', 'shop'], 'queue list -j shop'],
    [['service', 'stop', 'web'], 'queue list -j default'],
    [['service', 'stop', 'web', '--now'], 'queue list -j default'],
    [['service', 'start', 'web'], 'queue list -j default'],
    [['service', 'revert', 'web', '1'], 'queue list -j default'],
    [['service', 'reprovision', 'web'], 'queue list -j default'],
    [['service', 'delete', 'web'], 'queue list -j default'],
    [['project', 'stop'], 'queue list -j default'],
    [['project', 'start'], 'queue list -j default'],
    [['project', 'delete'], 'queue list -j default'],
    [['unit', 'stop', 'plain.service'], 'unit files'],
    [['unit', 'destroy', 'plain.service'], 'unit files'],
    [['machine', 'drain', machine.id], `machine show ${machine.id}`],
  ]
  daemon.signal('SIGSTOP')
  try {
    await Promise.all(
      changes.map(async ([words, look]) => {
        const { code, stdout, stderr } = await host.run(...words, '--timeout', '3s')
        const command = words.join(' ')
        expect([command, code, stdout]).toEqual([command, 3, ''])
        expect(stderr, command).toMatch(/^mariposa: the daemon at \S+ did not answer in time: 3s are over\n/)
        expect(stderr, command).toContain(`the change may have been made`)
        expect(stderr, command).toContain(`look with mariposa ${look}\n`)
      }),
    )
    const watched = await host.run('queue', 'watch', task.uuid, '--timeout', '1s', '--json')
    expect([watched.code, JSON.parse(watched.stdout)]).toEqual([
      3,
      { error: expect.objectContaining({ code: 'client/timeout', hint: null }) },
    ])
  } finally {
    daemon.signal('SIGCONT')
  }
  await host.done('queue', 'list')
}, 240_000)

test('version tells its own at once, says soon that the daemon does not answer, and gives it up', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  daemon.signal('SIGSTOP')
  try {
    const [text, json] = [host.start('version'), host.start('version', '--json')]
    await text.saw('mariposa ')
    await text.said('takes the connection and does not answer for 1 s; waiting until ')
    const { code, stdout, stderr } = await text.ended
    expect([code, stdout.split('\n').length]).toEqual([1, 2])
    expect(stderr).toContain('did not answer in time')
    expect(JSON.parse((await json.ended).stdout)).toEqual({
      error: expect.objectContaining({ code: 'client/timeout' }),
    })
  } finally {
    daemon.signal('SIGCONT')
  }
  expect((await host.done('version')).stdout).toMatch(/^mariposa \S+\ndaemon {3}\S+\n$/)
}, 60_000)

test('a daemon that hangs while a change is waited for does not hold the command up', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const never = 'healthchecks: [{type: command, command: [/bin/false], poll: 1, retries: 1000}]\n'
  const file = host.file('web.yml', `${idleManifest()}${never}`)
  const command = host.start('service', 'deploy', file, '--timeout', '4s')
  await host.sawEvent('web', ({ kind }) => kind === 'deploy')
  daemon.signal('SIGSTOP')
  try {
    expect(await command.ended).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the change stays in effect and continues'),
    })
  } finally {
    daemon.signal('SIGCONT')
  }
})

test('whatever is asked of a daemon that hangs says so soon, and ends as it would have when the daemon goes on', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()))
  await host.done('service', 'deploy', host.file('other.yml', idleManifest()))
  await host.done('meta', 'set', 'color', 'red')
  const asked: readonly (readonly string[])[] = [
    ['queue', 'list'],
    ['queue', 'freeze', '--service', 'web'],
    ['meta', 'get', 'color'],
    ['meta', 'set', 'other', 'blue'],
    ['machine', 'list'],
    ['unit', 'kill', 'default.other.v1@1.service', '-s', 'SIGTERM'],
    ['store', 'check'],
    ['service', 'events'],
  ]
  const goingOn: readonly (readonly string[])[] = [
    ['service', 'logs', 'web', '-f'],
    ['events', '-f'],
    ['service', 'exec', 'web-1', '--', '/bin/sleep', '1000'],
  ]
  const streams = goingOn.map((words) => host.start(...words))
  // Each has to have begun to be one that stops: a change that all but the last show, and a program that runs.
  await streams[1]?.saw('web')
  daemon.signal('SIGSTOP')
  const commands = asked.map((words) => ({ words, command: host.start(...words) }))
  try {
    await Promise.all(
      commands.map(({ command }) =>
        command.said('takes the connection and does not answer for 5 s; waiting until '),
      ),
    )
    await Promise.all(streams.map((stream) => stream.said(' for 5 s; waiting until ')))
  } finally {
    daemon.signal('SIGCONT')
  }
  for (const { words, command } of commands) {
    const { code, stderr } = await command.ended
    expect([words, code, stderr]).toEqual([words, 0, expect.stringContaining('answers again')])
  }
  // What is frozen could not be cleared away.
  await host.done('queue', 'unfreeze', '--service', 'web')
  await Promise.all(streams.map((stream) => stream.said('answers again')))
  for (const stream of streams) stream.signal('SIGINT')
  expect((await Promise.all(streams.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([
    130, 130, 130,
  ])
}, 120_000)

test('a command that waits says that no daemon leads, and ends well once one does', async () => {
  const host = openHost()
  const alone = await host.startDaemonUntil('is ready', '--no-engine')
  const command = host.start('service', 'deploy', host.file('web.yml', idleManifest()))
  await command.said('no change makes progress: no daemon leads the cluster')
  alone.signal('SIGTERM')
  await alone.ended
  await host.startDaemon()
  expect(await command.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('it continues\n') })
}, 120_000)
