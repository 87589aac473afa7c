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

test('a daemon that hangs while a change is waited for does not hold the command up', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const never = 'healthchecks: [{type: command, command: [/bin/false], poll: 1, retries: 1000}]\n'
  const file = host.file('web.yml', `${idleManifest()}${never}`)
  const command = host.start('service', 'deploy', file, '--timeout', '4s')
  await host.sawEvent('web', ({ kind }) => kind === 'deploy')
  daemon.signal('SIGSTOP')
  try {
    expect(await command.ended).toMatchObject({ code: 3, stderr: expect.stringContaining('goes on') })
  } finally {
    daemon.signal('SIGCONT')
  }
})
