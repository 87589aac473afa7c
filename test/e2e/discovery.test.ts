// A file that follows what runs, as others read it.
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunningProgram } from '../cli/program.js'
import { type Host, useHosts, webManifest } from './host.js'

const openHost = useHosts()

/** Each instance with its port, so that a test sees who is in the file. */
const template = '{{#each services.web.instances}}{{name}}={{address}}:{{port}};{{/each}}'

const text = (host: Host, name: string): string => readFileSync(join(host.dir, name), 'utf8')

/** A command that shows on standard output what the file says when it runs. */
const shows = (host: Host, name: string): string => `/bin/sh -c "echo ran; cat ${join(host.dir, name)}; echo"`

const names = (told: string): readonly string[] => [...told.matchAll(/web-\d+/g)].map(([name]) => name)

async function ends(program: RunningProgram): Promise<void> {
  program.signal('SIGINT')
  expect((await program.ended).code).toBe(130)
}

describe('discovery render', { timeout: 120_000 }, () => {
  test('writes the file once, and runs the command only where the text differs', async () => {
    const host = openHost()
    await host.startDaemon('--public-ip', '127.0.0.1')
    await host.done('service', 'deploy', host.file('web.yml', webManifest('1')), '--scale', '2')
    const [from, to] = [host.file('t.hbs', template), join(host.dir, 'out')]
    const words = ['discovery', 'render', from, to, '--once', '--exec', shows(host, 'out')]
    const [first, again] = [await host.done(...words), await host.done(...words)]
    expect(first.stdout).toMatch(/out: written\nran\nweb-1=127\.0\.0\.1:\d+;web-2=127\.0\.0\.1:\d+;\n$/)
    expect(again.stdout).toBe(`${to}: unchanged\n`)
    expect(JSON.parse((await host.done(...words.slice(0, 5), '--json')).stdout)).toEqual({
      file: to,
      changed: false,
    })
    expect((await host.done('discovery', 'render', from, '-', '--once')).stdout).toBe(text(host, 'out'))
  })

  test('keeps the mode of a file, and writes through a link', async () => {
    const host = openHost()
    await host.startDaemon()
    const file = host.file('real', 'old')
    chmodSync(file, 0o640)
    symlinkSync(file, join(host.dir, 'link'))
    await host.done('discovery', 'render', host.file('t.hbs', 'new'), join(host.dir, 'link'), '--once')
    expect(text(host, 'real')).toBe('new')
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  test('follows what runs, and stays as it is while the daemon is away', async () => {
    const host = openHost()
    const daemon = await host.startDaemon('--public-ip', '127.0.0.1')
    const from = host.file('t.hbs', template)
    const to = join(host.dir, 'out')
    const words = ['discovery', 'render', from, to, '--exec', shows(host, 'out'), '--quiet', '0s']
    const renders = host.start(...words)
    // Nothing is in the file that the template asks for: it is written when it is there.
    await renders.said("uses 'instances' of a value that does not exist")
    await host.done('service', 'deploy', host.file('web.yml', webManifest('1')), '--scale', '2')
    await renders.saw('web-2=')
    daemon.signal('SIGKILL')
    await daemon.ended
    await renders.said('the file is unchanged')
    expect(names(text(host, 'out'))).toEqual(['web-1', 'web-2'])
    await host.startDaemon('--public-ip', '127.0.0.1')
    await host.done('service', 'scale', 'web', '3')
    await renders.saw('web-3=')
    expect(names(text(host, 'out'))).toEqual(['web-1', 'web-2', 'web-3'])
    await ends(renders)
  })

  test('an instance leaves the file before it is stopped', async () => {
    const host = openHost()
    await host.startDaemon('--public-ip', '127.0.0.1')
    await host.done(
      'service',
      'deploy',
      host.file('web.yml', webManifest('1').replace(/^cns:.*$/m, 'cns: {ttl: 60}')),
      '--scale',
      '2',
    )
    const to = join(host.dir, 'out')
    const one = `{{services.web.others.0.name}} is out: {{services.web.others.0.reason}}`
    const renders = host.start('discovery', 'render', host.file('t.hbs', one), to, '--quiet', '0s')
    await host.done('service', 'scale', 'web', '1', '--detach')
    await renders.saw('written')
    expect(text(host, 'out')).toContain('web-1 is out')
    expect((await host.instances('web')).map(({ state }) => state)).toContain('stopping')
    await ends(renders)
    await host.done('service', 'delete', 'web', '--force', '--now')
  })

  test('a program that is started once gets the signal, and its end is the end', async () => {
    const host = openHost()
    await host.startDaemon()
    await host.done('meta', 'set', 'colour', 'blue')
    const script = host.file(
      'follows.sh',
      'trap "echo heard; cat $1; echo" USR2; trap "exit 7" TERM; echo began; cat $1; echo\nwhile :; do sleep 0.05; done\n',
    )
    const to = join(host.dir, 'out')
    const exec = `/bin/sh ${script} ${to}`
    const from = host.file('t.hbs', 'colour {{meta.colour}}')
    const words = ['discovery', 'render', from, to, '--exec', exec, '--signal', 'usr2', '--quiet', '0s']
    const renders = host.start(...words)
    await renders.saw('began\ncolour blue')
    await host.done('meta', 'set', 'colour', 'green')
    await renders.saw('heard\ncolour green')
    renders.signal('SIGTERM')
    expect((await renders.ended).code).toBe(143)
    const ended = await host.run(
      'discovery',
      'render',
      from,
      to,
      '--exec',
      '/bin/sh -c "exit 7"',
      '--signal',
      'HUP',
    )
    expect(ended.code).toBe(7)
  })

  test('a command that fails is run again until it does not', async () => {
    const host = openHost()
    await host.startDaemon()
    const marker = join(host.dir, 'ready')
    const exec = `/bin/sh -c "test -e ${marker} && echo done"`
    const from = host.file('t.hbs', 'text')
    const renders = host.start('discovery', 'render', from, join(host.dir, 'out'), '--exec', exec)
    await renders.said('exit status 1; tried again')
    host.file('ready', '')
    await renders.saw('done')
    await ends(renders)
  })

  test('what cannot be is refused, and the file is left alone', async () => {
    const host = openHost()
    await host.startDaemon()
    host.file('t.hbs', 'text')
    host.file('bad.hbs', '{{#each}}')
    const refused: readonly (readonly [string, readonly string[]])[] = [
      ['cli/usage', ['t.hbs', 'out', '--signal', 'HUP']],
      ['cli/usage', ['t.hbs', 'out', '--exec', 'true', '--signal', 'NONE']],
      ['cli/usage', ['t.hbs', 'out', '--exec', 'a | b']],
      ['cli/usage', ['t.hbs', 'out', '--exec', 'true', '--signal', 'HUP', '--once']],
      ['cli/usage', ['t.hbs', '-']],
      ['cli/usage', ['t.hbs', './t.hbs', '--once']],
      ['cli/unreadable', ['none.hbs', 'out']],
      ['cli/bad-template', ['bad.hbs', 'out']],
      ['cli/not-written', ['t.hbs', '.']],
      ['cli/not-written', ['t.hbs', 'none/out', '--once']],
      ['project/unknown', ['t.hbs', 'out', '-j', 'nobody']],
    ]
    for (const [code, words] of refused) {
      const ended = await host.run('discovery', 'render', ...words, '--json')
      expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code } })
      expect(ended.code).not.toBe(0)
      expect(ended.stderr).not.toMatch(/\n {4}at /)
    }
    expect(existsSync(join(host.dir, 'out'))).toBe(false)
  })
})
