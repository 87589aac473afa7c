// Files and secrets through the real command line, a real daemon and the embedded supervisor.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskBody } from '../../src/contract/contract.js'
import { filesArrive } from './arriving-files.js'
import { until } from './cluster.js'
import { filesFollow } from './following-files.js'
import { useHosts } from './host.js'

const openHost = useHosts()

test('files arrive with an instance, stay when the daemon is killed, and go with it', async () => {
  const host = openHost()
  const { ownDirectory } = await filesArrive(host, 'compute_type: process')
  expect(existsSync(dirname(ownDirectory))).toBe(false)
  // Nor is anything secret in what the store has on its disk.
  const kept = readdirSync(host.dataDir, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  expect(kept.length).toBeGreaterThan(0)
  for (const file of kept)
    expect(readFileSync(join(file.parentPath, file.name)).includes('correct-horse-battery')).toBe(false)
})

test('files follow the metadata while their program runs, which is told', async () => {
  await filesFollow(openHost(), {
    kind: 'compute_type: process',
    paths: ['app.conf', '/run/secrets/both'],
    words: ['$MARIPOSA_FILES_DIR/app.conf', '$MARIPOSA_SECRETS_DIR/both'],
  })
})

test('a daemon that was away writes what it has missed, and tells what another has written and not told', async () => {
  const host = openHost()
  const first = await host.startDaemon()
  await host.done('meta', 'set', 'color', 'red')
  const text = `compute_type: process
command: [/bin/sh, "-c", 'trap "echo told: \\$(cat $MARIPOSA_FILES_DIR/a)" HUP; echo ready; while :; do sleep 1000 & wait $!; done']
files: [{path: a, template: "{{ .meta.color }}", on_change: {signal: HUP}}]
stop: {timeout: 1, preservestopped: "no"}
`
  await host.done('service', 'deploy', host.file('web.yml', text))
  const logs = async (): Promise<readonly string[]> =>
    (await host.done('service', 'logs', 'web')).stdout.match(/ready|told.*/g) ?? []
  const [instance] = await host.instances('web')
  const script = 'printf %s "$MARIPOSA_FILES_DIR"'
  const { stdout: directory } = await host.done(
    'service',
    'exec',
    instance?.name ?? '',
    '--',
    'sh',
    '-c',
    script,
  )
  await until(async () => expect(await logs()).toEqual(['ready']))
  first.signal('SIGKILL')
  await first.ended
  rmSync(join(directory, 'a'))
  writeFileSync(join(directory, 'a'), 'yellow')
  const second = await host.startDaemon()
  await until(async () => expect(await logs()).toEqual(['ready', 'told: red']))
  second.signal('SIGKILL')
  await second.ended
  writeFileSync(join(dirname(directory), '#replaced'), '["a"]')
  await host.startDaemon()
  await until(async () => expect(await logs()).toEqual(['ready', 'told: red', 'told: red']))
  expect(existsSync(join(dirname(directory), '#replaced'))).toBe(false)
  await host.done('service', 'delete', 'web', '--force')
})

test('a file whose key is taken away stays as it is, and holds up no other file of its instance', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  for (const key of ['color', 'size']) await host.done('meta', 'set', key, 'first')
  await host.done('meta', 'set', 'password', 'hidden', '--secret')
  const text = `compute_type: process
command: [/bin/sh, "-c", 'cd $MARIPOSA_FILES_DIR; trap "echo told: \\$(cat a b)" HUP; echo ready; while :; do sleep 1000 & wait $!; done']
files:
  - {path: a, template: "{{ .meta.color }} ", on_change: {signal: HUP}}
  - {path: b, template: "{{ .meta.size }}", on_change: {signal: HUP}}
  - {path: c, template: "{{ .meta.password }}"}
stop: {timeout: 1, preservestopped: "no"}
`
  await host.done('service', 'deploy', host.file('web.yml', text))
  const told = async (): Promise<readonly string[]> =>
    (await host.done('service', 'logs', 'web')).stdout.match(/ready|told.*/g) ?? []
  await until(async () => expect(await told()).toEqual(['ready']))
  await host.done('meta', 'rm', 'size')
  await host.done('meta', 'rm', 'password')
  await daemon.said('b: the project has no meta key size')
  const events = async (): Promise<string> =>
    (await host.done('events', '--service', 'web', '--kind', 'files-not-replaced')).stdout
  await until(async () => expect(await events()).toContain('b: the project has no meta key size'))
  await host.done('meta', 'set', 'color', 'second')
  await until(async () => expect(await told()).toEqual(['ready', 'told: second first']))
  await host.done('meta', 'set', 'size', 'third')
  await until(async () => expect((await told()).slice(2)).toEqual(['told: second third']))
  expect((await events()).match(/no meta key/g)).toHaveLength(1)
  expect(await host.instances('web')).toEqual([expect.objectContaining({ name: 'web-1', restarts: 0 })])
  await host.done('service', 'delete', 'web', '--force')
})

test('a change restarts instances one after the other, none twice where the daemon is killed meanwhile', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('meta', 'set', 'level', 'info')
  const text = `compute_type: process
command: [/bin/sh, "-c", 'echo level $(cat $MARIPOSA_FILES_DIR/app.conf); exec sleep 1000']
files: [{path: app.conf, template: "{{ .meta.level }}", on_change: restart}]
stop: {timeout: 1, preservestopped: "no"}
`
  await host.done('service', 'deploy', host.file('web.yml', text), '--scale', '3')
  await host.done('meta', 'set', 'level', 'debug')
  const names = async (): Promise<readonly string[]> => (await host.instances('web')).map(({ name }) => name)
  await until(async () => expect(await names()).toContain('web-5'))
  daemon.signal('SIGKILL')
  await daemon.ended
  await host.startDaemon()
  const restarts = async (): Promise<unknown> =>
    (JSON.parse((await host.done('queue', 'list', '--json')).stdout) as TaskBody[])
      .filter(({ task }) => task === 'reprovision')
      .map(({ state }) => state)
  await until(async () => expect(await restarts()).toEqual(['completed']))
  expect(await names()).toEqual(['web-4', 'web-5', 'web-6'])
  for (const { state, restarts: again, ordinal } of await host.instances('web'))
    expect([state, again, ordinal]).toEqual(['running', 0, 1])
  const { stdout: logs } = await host.done('service', 'logs', 'web')
  expect(logs.match(/level debug/g)).toHaveLength(3)
  const { stdout: events } = await host.done('service', 'events', 'web')
  expect(events).toContain('3 instances are restarted for meta.level, 1 at a time')

  // One that does not come up ends it; it is told, and not begun again.
  await host.done('meta', 'rm', 'level')
  const shown = async (): Promise<string> => (await host.done('service', 'get', 'web')).stdout
  await until(async () => expect(await shown()).toMatch(/Restart held: +no instance of web can be created/))
  expect(await names()).toEqual(['web-4', 'web-5', 'web-6'])
  await host.done('meta', 'set', 'level', 'debug')
  await until(async () => expect(await shown()).not.toContain('Restart held'))
  await host.done('service', 'delete', 'web', '--force')
})

test('the last of many quick changes arrives, in whatever state of its instances and its daemon, and then nothing more happens', async () => {
  const host = openHost()
  let daemon = await host.startDaemon()
  const burst = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n++)
      for (const key of ['told', 'made']) await host.client.metaSet('default', key, { value: `value-${n}` })
  }
  await burst(0, 0)
  const text = `compute_type: process
command: [/bin/sh, "-c", 'cd $MARIPOSA_FILES_DIR; say() { echo "has $(cat a) $(cat b)"; }; trap say HUP; say; while :; do sleep 1000 & wait $!; done']
files:
  - {path: a, template: "{{ .meta.told }}", on_change: {signal: HUP}}
  - {path: b, template: "{{ .meta.made }}", on_change: restart}
stop: {timeout: 1, preservestopped: "no"}
`
  await host.done('service', 'deploy', host.file('web.yml', text), '--scale', '2')
  /** What each instance that is there has said last. */
  const last = async (): Promise<readonly (string | undefined)[]> =>
    await Promise.all(
      (await host.instances('web')).map(async ({ name }) =>
        (await host.done('service', 'logs', name)).stdout.match(/has \S* \S*/g)?.at(-1),
      ),
    )
  const settles = async (value: number): Promise<void> => {
    const wanted = `has value-${value} value-${value}`
    await until(async () => expect(await last()).toEqual([wanted, wanted]))
  }
  await burst(1, 50)
  await settles(50)
  await host.done('service', 'stop', 'web')
  await burst(51, 60)
  const starting = host.start('service', 'start', 'web')
  await burst(61, 70)
  await starting.ended
  await settles(70)
  await host.done('queue', 'freeze', '--service', 'web')
  await burst(71, 80)
  daemon.signal('SIGKILL')
  await daemon.ended
  daemon = await host.startDaemon()
  await burst(81, 90)
  await host.done('queue', 'unfreeze', '--service', 'web')
  await settles(90)

  const tasks = async (): Promise<readonly TaskBody[]> =>
    JSON.parse((await host.done('queue', 'list', '--json')).stdout) as TaskBody[]
  const states = async () => (await tasks()).map(({ state }) => state)
  await until(async () => expect(await states()).not.toContain('active'))
  const runs = async () =>
    (await host.instances('web')).map(({ name, restarts }): readonly [string, number] => [name, restarts])
  const before = [(await tasks()).length, await runs()]
  // A daemon that begins anew finds nothing left to do.
  daemon.signal('SIGKILL')
  await daemon.ended
  await host.startDaemon()
  await burst(90, 90)
  await settles(90)
  expect([(await tasks()).length, await runs()]).toEqual(before)
})

test('what is secret is in the environment and the words of no process but those whose environment names it', async () => {
  const host = openHost()
  await host.startDaemon()
  for (const key of ['filed', 'named'])
    await host.client.metaSet('default', key, { value: `${key}-horse-battery`, secret: true })
  const text = `compute_type: process
command: [/bin/sh, "-c", 'touch "$DIR/up"; sleep 1000']
environment: {DIR: "{{ .volume.data.path }}", WORD: "{{ .meta.named }}"}
secrets: [filed]
files: [{path: both, template: "{{ .meta.filed }} {{ .meta.named }}", secret: true, on_change: {signal: HUP}}]
volumes: ["data:/mnt/data"]
stop: {timeout: 1, preservestopped: "no"}
`
  await host.done('service', 'deploy', host.file('db.yml', text))
  await until(() => expect(existsSync(join(host.dataDir, 'volumes/default/db/data.0/data/up'))).toBe(true))
  const seen = readdirSync('/proc').flatMap((pid) =>
    ['environ', 'cmdline'].flatMap((what) => {
      try {
        const found = readFileSync(`/proc/${pid}/${what}`, 'latin1').match(
          /\S{0,20}(filed|named)-horse-battery/g,
        )
        return (found ?? []).map((one) => [what, one, readFileSync(`/proc/${pid}/comm`, 'utf8').trim()])
      } catch {
        // It is no process, one of somebody else, or has ended.
        return []
      }
    }),
  )
  expect(seen.length).toBeGreaterThan(0)
  for (const [what, found, name] of seen)
    expect([what, found, name]).toEqual([
      'environ',
      expect.stringMatching(/WORD=named-horse-battery$/),
      expect.stringMatching(/^(sh|sleep)$/),
    ])
  await host.done('service', 'delete', 'db', '--force', '--volumes')
})

test('a file at a path of the machine is refused where there is no namespace for it, and why is said', async () => {
  const host = openHost()
  await host.startDaemon()
  const text = (path: string): string =>
    `compute_type: process\ncommand: [/bin/sleep, "1000"]\nfiles: [{path: ${path}, content: root}]\n`
  const refused = await host.run('service', 'deploy', host.file('web.yml', text('/etc/shadow')))
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatch(/web\.yml:3:\d+ error .* \/etc\/shadow \[process\/file-path\]/)
  const plan = await host.run('service', 'deploy', '--plan', host.file('web.yml', text('etc/shadow')))
  expect(plan.code).toBe(0)
})

test('files of the deployed directory are part of the version: a change makes another, and a revert brings them back', async () => {
  const host = openHost()
  await host.startDaemon()
  mkdirSync(join(host.dir, 'conf'))
  const binary = join(host.dir, 'conf/data.bin')
  writeFileSync(binary, Buffer.of(0, 255, 10, 13))
  const manifest = host.file(
    'web.yml',
    'compute_type: process\ncommand: [/bin/sleep, "1000"]\nfiles: [{path: data.bin, source: ./conf/data.bin}]\nstop: {timeout: 1, preservestopped: "no"}\n',
  )
  const inside = async (): Promise<string> => {
    const [instance] = await host.instances('web')
    const script = 'od -An -tx1 "$MARIPOSA_FILES_DIR/data.bin"'
    return (await host.done('service', 'exec', instance?.name ?? '', '--', 'sh', '-c', script)).stdout.trim()
  }
  await host.done('service', 'deploy', manifest)
  expect(await inside()).toBe('00 ff 0a 0d')
  expect((await host.done('service', 'deploy', manifest)).stdout).toContain('unchanged')
  writeFileSync(binary, 'x')
  const plan = await host.done('service', 'deploy', '--plan', manifest)
  expect(plan.stdout).toMatch(/- # conf\/data\.bin: [0-9a-f]{12}\n.*\+ # conf\/data\.bin: [0-9a-f]{12}/s)
  await host.done('service', 'deploy', manifest)
  expect(await inside()).toBe('78')
  await host.done('service', 'revert', 'web', '1')
  expect(await inside()).toBe('00 ff 0a 0d')
  await host.done('service', 'delete', 'web', '--force')
})

test('what leads out of the deployed directory, or is no file, is refused with its place', async () => {
  const host = openHost()
  symlinkSync('/etc/passwd', join(host.dir, 'link'))
  mkdirSync(join(host.dir, 'folder'))
  writeFileSync(join(host.dir, 'large'), Buffer.alloc(300_000))
  const sources = ['link', 'folder', 'large', 'nowhere', 'folder/none']
  const lines = sources.map((source, index) => `  - {path: f${index}, source: ${source}}\n`).join('')
  const text = `compute_type: process\ncommand: [/bin/true]\nfiles:\n${lines}`
  const { code, stderr } = await host.run('manifest', 'lint', '--offline', host.file('web.yml', text))
  expect(code).toBe(2)
  for (const [line, why] of [
    [4, 'link: it leads out of the directory of the manifest'],
    [5, 'folder: it is not a file'],
    [6, 'large: it holds 300000 bytes, and 262144 are the most'],
    [7, 'nowhere: there is no such file'],
    [8, 'folder/none: there is no such file'],
  ])
    expect(stderr).toMatch(new RegExp(`web\\.yml:${line}:\\d+ error ${why}`))
})
