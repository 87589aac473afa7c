// Files and secrets under real drivers.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { filesArrive } from '../e2e/arriving-files.js'
import { bodiesArrive } from '../e2e/call-bodies.js'
import { until } from '../e2e/cluster.js'
import { filesFollow } from '../e2e/following-files.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { insideMachine } from './nspawn.js'

const program = join(import.meta.dirname, '../../dist/mariposa.js')
const openDockerHost = hostsOf(
  builtProgram(program),
  onDocker('files', () => inject('dockerSocket')),
)

const enter = (): readonly string[] => inject('systemdMachine').enter
const openSystemdHost = hostsOf(builtProgram(join(insideMachine.project, 'dist/mariposa.js'), enter), () => ({
  driver: 'systemd',
  env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
  makeDir: () => {
    const [command = '', ...words] = [...enter(), 'mktemp', '-d', '/var/tmp/files-XXXXXX']
    const inside = execFileSync(command, words, { encoding: 'utf8' }).trim()
    return { inside, outside: join(inject('systemdMachine').root, inside) }
  },
}))

const run = async (host: Host, script: string) => {
  const [instance] = await host.instances('web')
  return await host.run('service', 'exec', instance?.name ?? '', '--', 'sh', '-c', script)
}

const manifest = (kind: string, path: string): string => `${kind}
command: [/bin/sh, "-c", "exec sleep 1000"]
files: [{path: ${path}, content: ours, mode: 0666}]
secrets: [password]
stop: {timeout: 1, preservestopped: "no"}
`

test('files of a container arrive with it and go with it', async () => {
  await filesArrive(openDockerHost(), `image: ${testImage}`)
})

test('files of a container follow the metadata, also where one is mounted by itself', async () => {
  await filesFollow(openDockerHost(), {
    kind: `image: ${testImage}`,
    paths: ['app.conf', '/run/secrets/both', '/etc/app.conf'],
    words: ['/run/mariposa/files/app.conf', '/run/secrets/both', '/etc/app.conf'],
  })
})

test('files of a unit of systemd follow the metadata, also where one is mounted by itself', async () => {
  const host = openSystemdHost()
  const root = inject('systemdMachine').root
  const path = `/var/tmp/${basename(host.dir)}.conf`
  writeFileSync(join(root, path), 'of the machine')
  await filesFollow(host, {
    kind: 'compute_type: process',
    paths: ['app.conf', '/run/secrets/both', path],
    words: ['$MARIPOSA_FILES_DIR/app.conf', '/run/secrets/both', path],
  })
  expect(readFileSync(join(root, path), 'utf8')).toBe('of the machine')
  rmSync(join(root, path))
})

test('files of a container are at their paths, where nobody can write to them', async () => {
  const host = openDockerHost()
  await host.startDaemon()
  await host.done('meta', 'set', 'password', 'hidden', '--secret')
  const text = manifest(`image: ${testImage}\nuser: "1234"`, '/etc/shadow')
  await host.done('service', 'deploy', host.file('web.yml', text))
  expect((await run(host, 'cat /etc/shadow /run/secrets/password')).stdout).toBe('ourshidden')
  expect((await run(host, 'ls -ln /run/secrets/password')).stdout).toMatch(/^-r-------- +1 1234 /)
  expect((await run(host, 'echo x > /etc/shadow')).code).not.toBe(0)
  expect((await run(host, 'echo x > /run/secrets/other')).code).not.toBe(0)
  await host.done('service', 'delete', 'web', '--force')
})

test('the body of a call arrives in a container', async () => {
  const host = openDockerHost()
  const kind = `image: ${testImage}\nuser: "1234"`
  const [mode, user, path] = await bodiesArrive(host, kind, join(host.dir, 'trigger.sock'))
  expect([mode, user, path]).toEqual(['-r--------', '1234', '/run/mariposa/files/.trigger-body'])
  await host.done('service', 'delete', 'job', '--force')
})

test('the body of a call arrives in a unit of systemd', async () => {
  const host = openSystemdHost()
  const socket = join(inject('systemdMachine').root, host.dir, 'trigger.sock')
  const [mode, user, path] = await bodiesArrive(host, 'compute_type: process\nuser: nobody', socket)
  const nobody = '65534'
  expect([mode, user, path]).toEqual([
    '-r--------',
    nobody,
    expect.stringMatching(/^\/run\/.*\/\.trigger-body$/),
  ])
  await host.done('service', 'delete', 'job', '--force')
})

test('files of a unit of systemd arrive with it and go with it', async () => {
  const host = openSystemdHost()
  const { ownDirectory } = await filesArrive(host, 'compute_type: process\nuser: nobody')
  expect(existsSync(dirname(ownDirectory))).toBe(false)
})

test('files of a unit of systemd are at paths that the machine has, in its own view alone', async () => {
  const host = openSystemdHost()
  const root = inject('systemdMachine').root
  const path = `/var/tmp/${basename(host.dir)}.conf`
  writeFileSync(join(root, path), 'of the machine')
  await host.startDaemon()
  await host.done('meta', 'set', 'password', 'hidden', '--secret')
  const text = manifest('compute_type: process\nuser: nobody', path)
  await host.done('service', 'deploy', host.file('web.yml', text))
  expect((await run(host, `cat ${path} /run/secrets/password`)).stdout).toBe('ourshidden')
  expect((await run(host, `echo x > ${path}`)).code).not.toBe(0)
  expect(readFileSync(join(root, path), 'utf8')).toBe('of the machine')
  await host.done('service', 'delete', 'web', '--force')
  expect(readFileSync(join(root, path), 'utf8')).toBe('of the machine')
  rmSync(join(root, path))
})

test('systemd makes no file on the machine to mount one over it', async () => {
  const host = openSystemdHost()
  await host.startDaemon()
  await host.done('meta', 'set', 'password', 'hidden', '--secret')
  const path = join(host.dir, 'nowhere/app.conf')
  const text = manifest('compute_type: process', path)
  await host.run('service', 'deploy', '--detach', host.file('web.yml', text))
  await until(async () => {
    const [instance] = await host.instances('web')
    expect(JSON.stringify(instance)).toContain('there is no file')
  })
  expect(existsSync(join(inject('systemdMachine').root, path))).toBe(false)
  await host.done('service', 'delete', 'web', '--force')
})
