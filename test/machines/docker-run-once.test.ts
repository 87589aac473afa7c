// Programs that run once as instances of a service of containers.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { describeRunOnce } from '../e2e/run-once.js'
import { openTerminal } from '../e2e/terminal.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const docker = (...args: readonly string[]): string =>
  execFileSync('docker', ['-H', `unix://${inject('dockerSocket')}`, ...args], { encoding: 'utf8' }).trim()

const manifest = `image: ${testImage}
command: [/bin/sleep, "10000"]
stop: {timeout: 1, preservestopped: "no"}
environment: {GREETING: hello, WHO: world}
`

describe('service run with Docker', { timeout: 60_000 }, () => {
  const openHost = hostsOf(
    builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
    onDocker('docker-run', () => inject('dockerSocket')),
  )
  const deployed = async (text: string): Promise<Host> => {
    const host = openHost()
    await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', text))
    return host
  }
  const containers = (): string =>
    docker('ps', '-a', '--filter', 'name=default.web-2', '--format', '{{.Names}}')

  describeRunOnce(() => deployed(manifest))

  it('gives the program user, directory, files, volumes, memory and read-only root of the service, and no entrypoint', async () => {
    const more = [
      'entrypoint: [/bin/env]',
      'user: "1000:1000"',
      'working_dir: /tmp',
      'memory: 64M',
      'read_only: true',
      'files: [{path: /etc/greeting, content: "from a file"}]',
      'volumes: [{name: data, path: /data, scope: service, readonly: true}]',
    ]
    const host = await deployed(`${manifest}${more.join('\n')}\n`)
    const script = 'id -u; pwd; cat /etc/greeting; echo; touch /data/x; touch /x; sleep 10000'
    const run = host.start('service', 'run', 'web', '--', 'sh', '-c', script)
    await run.saw('from a file')
    const memory = docker('inspect', '--format', '{{.HostConfig.Memory}}', 'default.web-2.run')
    expect(memory).toBe(String(64 * 1024 ** 2))
    run.signal('SIGINT')
    const { stdout, stderr } = await run.ended
    expect(stdout).toContain('1000\n/tmp\nfrom a file\n')
    expect(stderr).toContain('/data/x: Read-only file system')
    expect(stderr).toContain('/x: Read-only file system')
  })

  it('gives the program every key of its terminal, also those at which Docker lets go of one', async () => {
    const { endpoint } = await deployed(manifest)
    const read = 'stty raw -echo; echo "beg"un; while :; do dd bs=1 count=1 2>/dev/null | od -An -tx1; done'
    const words = ['--endpoint', endpoint, 'service', 'run', '-it', 'web', '--', 'sh', '-c', read]
    const terminal = openTerminal(['node', join(import.meta.dirname, '../../dist/mariposa.js'), ...words])
    await terminal.shows(/begun/)
    terminal.type('\u0010')
    await terminal.shows(/ 10\s/)
    terminal.type('\u0010\u0011a')
    await terminal.shows(/ 10\s+11\s+61\s/)
    terminal.type('\u0003')
    await terminal.shows(/ 03\s/)
    execFileSync('docker', [...['-H', `unix://${inject('dockerSocket')}`, 'kill', 'default.web-2.run']])
    expect(await terminal.ended).toBe(137)
  })

  it('runs programs beside it in its container while it runs', async () => {
    const host = await deployed(manifest)
    const run = host.start(
      'service',
      'run',
      'web',
      '--',
      'sh',
      '-c',
      'echo mine > /tmp/x; echo up; exec sleep 10000',
    )
    await run.saw('up')
    const beside = await host.done('service', 'exec', 'web-2', '--', 'cat', '/tmp/x')
    expect(beside.stdout).toBe('mine\n')
    run.signal('SIGINT')
    await run.ended
    await expect.poll(containers, { timeout: 20_000 }).toBe('')
  })

  it.each(['the command', 'the daemon'])('takes everything away where %s is killed', async (which) => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', manifest))
    const run = host.start('service', 'run', 'web', '--', 'sh', '-c', 'echo up; exec sleep 10000')
    await run.saw('up')
    expect(containers().split('\n').toSorted()).toEqual(['default.web-2', 'default.web-2.run'])
    if (which === 'the command') run.signal('SIGKILL')
    else {
      daemon.signal('SIGKILL')
      await daemon.ended
      await host.startDaemon()
    }
    await expect.poll(containers, { timeout: 30_000 }).toBe('')
    // What ran is gone before its instance is forgotten.
    const names = async () => (await host.instances('web')).map(({ name }) => name)
    await expect.poll(names, { timeout: 20_000 }).toEqual(['web-1'])
    run.signal('SIGKILL')
  })
})
