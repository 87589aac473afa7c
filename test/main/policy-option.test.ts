// The policy as an operator writes it.
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { CommandError } from '../../src/cli/command-error.js'
import { readDaemonOptions } from '../../src/main/options.js'
import { openPolicies } from '../../src/main/policy-option.js'
import { openReload, reloaded } from '../../src/main/reload.js'
import { removeDir } from '../remove-dir.js'

const dir = mkdtempSync(join(tmpdir(), 'mariposa-policy-'))
afterAll(() => removeDir(dir))

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}

const account = { root: false, home: '/home/u', env: {} }
const read = (text: string) => readDaemonOptions({ config: file('daemon.yml', text) }, account).options

function problemsOf(text: string): readonly string[] {
  try {
    read(text)
    return []
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return error.details.map(({ message, hint = '' }) => `${message} (${hint})`)
  }
}

const whole = `policy:
  drivers: [docker, process]
  root: false
  host-paths: [/srv]
  host-network: false
  capabilities: [cap_net_bind_service]
  devices: [/dev/fuse, gpus]
  privileged: true
  sysctls: [net.core]
  images: [registry.example/]
`
const policy = {
  drivers: ['docker', 'process'],
  root: false,
  hostPaths: ['/srv'],
  hostNetwork: false,
  capabilities: ['NET_BIND_SERVICE'],
  devices: ['/dev/fuse', 'gpus'],
  privileged: true,
  sysctls: ['net.core'],
  images: ['registry.example/'],
}

test('is a map in the configuration file, or a file of its own', () => {
  expect(read(whole).policy).toEqual(policy)
  const own = file('policy.yml', whole.replace('policy:\n', '').replaceAll(/^ {2}/gm, ''))
  expect(readDaemonOptions({ policy: own }, account).options.policy).toEqual(policy)
  expect(readDaemonOptions({}, { ...account, env: { MARIPOSA_POLICY: own } }).options.policy).toEqual(policy)
})

test('lets everything be that it says nothing of', () => {
  expect(readDaemonOptions({}, account).options.policy).toBeNull()
  expect(read('policy: {root: false}\n').policy).toEqual({
    ...{ drivers: null, root: false, hostPaths: null, hostNetwork: true },
    ...{ capabilities: null, devices: null, privileged: false, sysctls: null, images: null },
  })
})

test.each([
  ['policy: {rot: false}', 'policy: there is no rot (did you mean root?)'],
  ['policy: {root: "no"}', 'policy: root: write true or false ()'],
  [
    'policy: {drivers: [podman]}',
    "policy: drivers: 'podman' is not a driver (drivers: systemd, docker, process) ()",
  ],
  ['policy: {host-paths: /srv}', 'policy: host-paths: give a list, [] for none ()'],
  ['policy: {host-paths: [srv]}', "policy: host-paths: 'srv' is not an absolute path ()"],
  ['policy: {host-paths: [/srv/../etc]}', "policy: host-paths: '/srv/../etc' is not an absolute path ()"],
  ['policy: {devices: [gpu]}', "policy: devices: 'gpu' is not an absolute path ()"],
  ['policy: {sysctls: ["*"]}', "policy: sysctls: '*' is not a kernel parameter such as net.core ()"],
  ['policy: {privileged: 1}', 'policy: privileged: write true or false ()'],
  ['policy: {capabilities: [1]}', 'policy: capabilities: 1 is not a string ()'],
  ['policy: {images: ["*"]}', "policy: images: '*' is not the beginning of an image name ()"],
])('%s is refused', (text, problem) => {
  expect(problemsOf(text)).toEqual([problem])
})

test('a file that is not there is a problem, and no policy that lets everything be', () => {
  expect(problemsOf(`policy: ${join(dir, 'none.yml')}`)[0]).toContain('cannot be read')
  expect(problemsOf(`policy: ${file('list.yml', '- a\n')}`)[0]).toContain('has to hold a map')
})

test('takes effect at once when it is read anew, and is the same one until then', () => {
  const [before, after] = [read('policy: {root: false}\n'), read(whole)]
  expect(reloaded(before, after)).toMatchObject({ changed: ['policy'], options: { policy } })
  let options = before
  const policies = openPolicies({ now: () => options })
  const first = policies.now()
  expect(policies.now()).toBe(first)
  options = reloaded(before, read('policy: {root: false}\n')).options
  expect(policies.now()).toBe(first)
  options = after
  expect(policies.now()).toMatchObject({ policy })
})

test('is refused from a file that another user could change, at the start and when it is read anew', () => {
  const own = file('changeable.yml', 'root: false\n')
  const options = () => readDaemonOptions({ policy: own }, account).options
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (_: string, message: string) => void told.push(message),
  }
  const told: string[] = []
  const reload = openReload(options(), options, log)
  writeFileSync(own, 'root: true\n')
  chmodSync(own, 0o646)
  const why = `everybody may write to ${own}, and so make this daemon run anything`
  expect(options).toThrow(
    expect.objectContaining({
      details: [
        expect.objectContaining({ message: `--policy: ${why}`, hint: `chmod o-w ${own}` }),
      ] as unknown,
    }),
  )
  reload.reload()
  expect(reload.now().policy?.root).toBe(false)
  expect(told.join()).toContain(why)
})
