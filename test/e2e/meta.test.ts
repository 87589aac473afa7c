// Metadata and secrets through the real command line and a real daemon.
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { MetaBody } from '../../src/contract/contract.js'
import { ask, type Host, hostPort, useHosts } from './host.js'

const host = useHosts()

/** A service that answers with a variable of its environment. */
function answering(value: string): string {
  const source = [
    'require("http").createServer((_, answer) => answer.end(process.env.VALUE)).listen(Number(process.env.PORT))',
    'process.on("SIGTERM", () => process.exit(0))',
  ].join('; ')
  return `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(source)}]
environment:
  VALUE: ${JSON.stringify(value)}
ports: ["0:8080"]
healthchecks: {type: http, port: 8080, path: /, poll: 1, timeout: 1}
`
}

async function values(here: Host): Promise<readonly string[]> {
  const instances = (await here.instances('web')).filter(({ state }) => state === 'running')
  return Promise.all(instances.map((instance) => ask(hostPort(instance))))
}

describe('mariposa meta', () => {
  it('sets, shows, counts, imports and removes keys, guarded by their CAS ids', async () => {
    const here = host()
    await here.startDaemon()
    const meta = async <T = MetaBody>(...args: readonly string[]) =>
      JSON.parse((await here.done('meta', ...args, '--json')).stdout) as T

    const first = await meta('set', 'db.host', 'one')
    expect(first).toMatchObject({ key: 'db.host', value: 'one', secret: false })
    const second = await meta('update', 'db.host', 'two', first.casId)
    expect(second.casId).not.toBe(first.casId)
    const late = await here.run('meta', 'set', 'db.host', 'three', '--cas', first.casId, '--json')
    expect({ code: late.code, error: JSON.parse(late.stdout).error }).toMatchObject({
      code: 1,
      error: { code: 'meta/cas-mismatch', message: expect.stringContaining(second.casId) },
    })
    expect((await here.done('metadata', 'show', 'db.host')).stdout).toBe('two\n')

    expect((await here.done('meta', 'incr', 'builds')).stdout).toBe('1\n')
    expect((await here.done('meta', 'increment', 'builds', '9')).stdout).toBe('10\n')
    expect((await here.done('meta', 'decr', 'builds', '3')).stdout).toBe('7\n')

    const imported = await here.done('meta', 'import', here.file('x.env', 'builds=1\nzone=north\n'))
    expect(imported.stdout).toBe('1 key is imported\n')
    expect(imported.stderr).toBe(
      'warning: builds: there already, so it is unchanged (--force replaces them)\n',
    )
    const forced = here.file('x.yml', 'builds: 1\n')
    expect(await meta('import', forced, '--force')).toMatchObject({ set: [{ value: '1' }], skipped: [] })
    const bad = await here.run('meta', 'import', here.file('y.yml', 'a b: 1\nc: [1]\n'))
    expect({ code: bad.code, places: bad.stderr.match(/y\.yml:\d+:\d+/g) }).toEqual({
      code: 2,
      places: ['y.yml:1:1', 'y.yml:2:4'],
    })

    const table = (await here.done('meta', 'list', '-o', 'key,value')).stdout
    expect(table).toBe('KEY      VALUE\nbuilds   1\ndb.host  two\nzone     north\n')
    await here.done('meta', 'rm', 'zone')
    expect((await here.done('meta', 'ls', '-q')).stdout).toBe('builds\ndb.host\n')
    expect((await here.run('meta', 'get', 'zone')).code).toBe(1)
    expect((await here.run('meta', 'set', 'a/b', 'x')).code).toBe(2)
  })

  it('counts exactly, however many count at once', async () => {
    const here = host()
    await here.startDaemon()
    await Promise.all(Array.from({ length: 8 }, () => here.done('meta', 'incr', 'n')))
    expect((await here.done('meta', 'get', 'n')).stdout).toBe('8\n')
  })
})

describe('metadata in a manifest', () => {
  it('is seen by the next instance, and leaves those that run alone', async () => {
    const here = host()
    await here.startDaemon()
    const missing = await here.run(
      'service',
      'deploy',
      here.file('web.yml', answering('{{ .meta.greeting }}')),
    )
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('project default has no meta key "greeting"')
    await here.done('meta', 'set', 'greeting', 'hello "you" 100% $HOME')
    await here.done('service', 'deploy', join(here.dir, 'web.yml'))
    const rendered = await here.done('manifest', 'render', join(here.dir, 'web.yml'), '--json')
    expect([rendered.stdout, rendered.stderr]).toEqual([expect.stringContaining('100% $HOME'), ''])
    await here.done('meta', 'set', 'greeting', 'ciao')
    await here.done('service', 'scale', 'web', '2')
    expect(await values(here)).toEqual(['hello "you" 100% $HOME', 'ciao'])

    await here.done('meta', 'rm', 'greeting')
    const short = await here.run('service', 'scale', 'web', '3')
    const message = 'no instance of web can be created: project default has no meta key "greeting"'
    expect(short.code).toBe(1)
    expect(short.stderr).toContain(message)
    expect((await here.done('service', 'explain', 'web')).stdout).toContain(message)
    await here.done('meta', 'set', 'greeting', 'back')
    await here.sawEvent('web', ({ kind, instance }) => kind === 'health' && instance === 'web-3')
    expect(await values(here)).toEqual(['hello "you" 100% $HOME', 'ciao', 'back'])
  })

  it('knows the instance and its machine', async () => {
    const here = host()
    await here.startDaemon(
      '--metadata',
      'rack=r7',
      '--public-ip',
      '192.0.2.9',
      '--cns-suffix-private',
      'cns.test',
    )
    const value =
      '{{ .instance.uuid }} {{ .machine.ip }} {{ .machine.metadata.rack }} {{ default .machine.metadata.row "-" }} {{ .cns.inst.private }}'
    await here.done('service', 'deploy', here.file('web.yml', answering(value)))
    const [instance] = await here.instances('web')
    expect(await values(here)).toEqual([`${instance?.uuid} 192.0.2.9 r7 - web-1.inst.default.cns.test`])
  })
})

describe('a secret', () => {
  const secret = 'correct-horse "battery" $staple%n'
  /** What of it a search would find in any escaping. */
  const needle = 'correct-horse'

  it('reaches the program, and is found nowhere else', async () => {
    const here = host()
    const daemon = await here.startDaemon()
    await here.done('meta', 'set', 'password', '--secret', '--file', here.file('secret.txt', `${secret}\n`))
    const manifest = here.file('web.yml', answering('u:{{ .meta.password }}@h'))
    await here.done('service', 'deploy', manifest)
    expect(await values(here)).toEqual([`u:${secret}@h`])

    const shown = await Promise.all(
      [
        ['meta', 'list', '--json'],
        ['meta', 'list', '-l'],
        ['meta', 'get', 'password'],
        ['meta', 'get', 'password', '--json'],
        ['service', 'list', '--json'],
        ['service', 'show', 'web', '--json'],
        ['service', 'explain', 'web', '--json'],
        ['service', 'instances', '--json'],
        ['service', 'events', '--json'],
        ['service', 'logs', 'web'],
        ['unit', 'list', '--json'],
        ['unit', 'status', 'default.web.v1@1.service', '--json'],
        ['manifest', 'lint', manifest, '--json'],
        ['manifest', 'render', manifest, '--json'],
        ['manifest', 'compile', manifest, '--json'],
      ].map((args) => here.done(...args)),
    )
    for (const { stdout, stderr } of shown) expect(stdout + stderr).not.toContain(needle)
    expect(shown[2]?.stdout).toBe('(secret)\n')
    expect(JSON.parse(shown[3]?.stdout ?? '')).toMatchObject({ key: 'password', value: null })
    expect(shown[11]?.stdout).toContain('{{ meta.password }}')
    expect(daemon.saidSoFar()).not.toContain(needle)
    // Where a host has no folder that a boot empties, the program's own variables lie in one that only its owner may read.
    const written = filesWith(here.dataDir, needle)
    expect(written.filter((path) => !path.startsWith(join(here.dataDir, 'process/secrets/')))).toEqual([])
    for (const path of written) expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(here.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  it('that changes restarts nothing; the next instance has it as it is then', async () => {
    const here = host()
    await here.startDaemon()
    await here.done('meta', 'set', 'password', 'one', '--secret')
    await here.done('service', 'deploy', here.file('web.yml', answering('{{ .meta.password }}')))
    const [before] = await here.instances('web')
    await here.done('meta', 'set', 'password', 'two')
    await here.done('service', 'scale', 'web', '2')
    expect(await values(here)).toEqual(['one', 'two'])
    const [after] = await here.instances('web')
    expect(after).toMatchObject({ uuid: before?.uuid, pid: before?.pid, restarts: 0 })
  })

  it('is told to have drifted by its key alone, and new instances have it with --refresh', async () => {
    const here = host()
    await here.startDaemon()
    await here.done('meta', 'set', 'password', 'correct-horse', '--secret')
    const file = here.file('web.yml', answering('{{ .meta.password }}'))
    await here.done('service', 'deploy', file, '--scale', '2')
    const list = async () => (await here.done('service', 'list', '-H', '-o', 'reason')).stdout
    await here.done('meta', 'set', 'password', 'correct-horse')
    expect(await list()).toBe('-\n')
    await here.done('meta', 'set', 'password', 'staple')
    expect(await list()).toBe('drifted: meta.password\n')
    const shown = (await here.done('service', 'get', 'web', '--json')).stdout
    expect(JSON.parse(shown)).toMatchObject({ drifted: ['meta.password'], instances: [{}, {}] })
    expect(shown).not.toMatch(/staple|correct/)

    const same = await here.done('service', 'deploy', file)
    expect(same.stdout).toBe('web: unchanged, still version 1; drifted: meta.password\n')
    expect(same.stderr).toContain('--refresh')
    expect((await here.done('service', 'plan', file)).stdout).toContain('drifted: meta.password (--refresh')
    expect(await values(here)).toEqual(['correct-horse', 'correct-horse'])

    const plan = (await here.done('service', 'plan', file, '--refresh', '--json')).stdout
    const { id } = JSON.parse(plan) as { readonly id: string }
    const done = await here.done('service', 'deploy', file, '--refresh', '--expect', id, '--rolling', '2')
    expect(done.stdout).toContain('web: updated, now version 2')
    expect(done.stderr).not.toContain('not as planned')
    expect(await values(here)).toEqual(['staple', 'staple'])
    expect(await list()).toBe('-\n')
    const again = await here.done('service', 'deploy', file, '--refresh')
    expect(again.stdout).toBe('web: unchanged, still version 2\n')
  })

  it('is refused wherever it would be seen', async () => {
    const here = host()
    await here.startDaemon()
    await here.done('meta', 'set', 'password', 'one', '--secret')
    const text = 'compute_type: process\ncommand: ["serve", "--password", "{{ .meta.password }}"]\n'
    const refused = await here.run('service', 'deploy', here.file('web.yml', text), '--json')
    expect(refused.code).toBe(2)
    expect(JSON.parse(refused.stdout).error.details).toMatchObject([
      { code: 'template/secret', line: 2, column: 39, message: 'meta.password is a secret' },
    ])
  })

  it('that cannot be opened is said so, and the instance waits until the key is there', async () => {
    const here = host()
    const key = join(here.dir, 'key')
    const daemon = await here.startDaemon('--secret-key-file', key)
    await here.done('meta', 'set', 'password', 'one', '--secret')
    expect(existsSync(key)).toBe(true)
    daemon.signal('SIGTERM')
    await daemon.ended
    const other = join(here.dir, 'other')
    const without = await here.startDaemon('--secret-key-file', other)
    await without.said('does not have the key of the secrets')
    expect((await here.done('machine', 'list')).stdout).toContain('up, no secret key')
    const id = (await here.done('machine', 'list', '-q')).stdout.trim()
    expect((await here.done('machine', 'show', id)).stdout).toMatch(/Secrets:? +it has no key: it gets no/)
    const manifest = here.file('web.yml', answering('{{ .meta.password }}'))
    const deployed = await here.run('service', 'deploy', manifest)
    expect(deployed.code).not.toBe(0)
    expect(deployed.stderr).toContain('does not have the key of the secrets that the unit uses')
    const set = await here.run('meta', 'set', 'password', 'two', '--secret')
    expect([set.code, set.stderr]).toEqual([1, expect.stringContaining('their key is not at')])
    const waiting = here.start('service', 'deploy', manifest, '--wait-for-room')
    copyFileSync(key, other)
    without.signal('SIGHUP')
    expect((await waiting.ended).code).toBe(0)
    expect(await values(here)).toEqual(['one'])
  })
})

/** Files below a directory that hold a text. */
function filesWith(dir: string, text: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text))
}
