// Limits and rights of an instance: their forms, and what is refused.
import { describe, expect, test } from 'vitest'
import { parseManifest } from '../../src/manifest/manifest.js'

function read(text: string): object {
  const { manifests, diagnostics } = parseManifest({ file: 'web.yml', text: `image: x\n${text}\n` })
  expect(diagnostics).toEqual([])
  return manifests[0]?.manifest ?? {}
}

function problems(text: string): string {
  const { diagnostics } = parseManifest({ file: 'web.yml', text })
  return diagnostics.map(({ code, line, message }) => `${code} ${line} ${message}`).join('\n')
}

describe('limits and rights', () => {
  test.each([
    ['cpu: 1', { cpu: 1 }],
    ['cpu: "0.50"', { cpu: 0.5 }],
    ['cpu: .25', { cpu: 0.25 }],
    ['ulimits: {nofile: 64}', { ulimits: { nofile: { soft: 64, hard: 64 } } }],
    [
      'ulimits: ["nofile=64:128", core=-1]',
      { ulimits: { nofile: { soft: 64, hard: 128 }, core: { soft: -1, hard: -1 } } },
    ],
    ['ulimits: {nproc: {soft: 5, hard: -1}}', { ulimits: { nproc: { soft: 5, hard: -1 } } }],
    ['cap_add: cap_net_admin', { cap_add: ['NET_ADMIN'] }],
    ['cap_drop: [all]', { cap_drop: ['ALL'] }],
    ['devices: /dev/fuse', { devices: ['/dev/fuse'] }],
    ['gpus: 2', { gpus: '2' }],
    ['group_add: 44', { group_add: ['44'] }],
    ['extra_hosts: ["a=::1", "b:[fe80::1]"]', { extra_hosts: ['a:::1', 'b:fe80::1'] }],
    ['extra_hosts: {c: 192.0.2.1}', { extra_hosts: ['c:192.0.2.1'] }],
    ['stop_signal: 2', { stop_signal: 'SIGINT' }],
    ['stop_signal: RTMIN+3', { stop_signal: 'SIGRTMIN+3' }],
    ['memory: 64\nmemory_swap: 1G', { memory_swap: 1024 }],
    ['shm_size: 1.5G', { shm_size: 1536 }],
    ['log: {max_size: 1G}', { log: { max_size: 1024 } }],
    ['sysctls: [net.x=1 2]', { sysctls: { 'net.x': '1 2' } }],
    [
      'tmpfs: [/run, "/t/:size=1G"]\nvolumes: ["/etc:/e"]',
      {
        volumes: [
          { host: '/etc', path: '/e', readonly: false },
          { tmpfs: true, path: '/run', readonly: false },
          { tmpfs: true, path: '/t', readonly: false, size: 1024 },
        ],
      },
    ],
    ['tmpfs: /run', { volumes: [{ tmpfs: true, path: '/run', readonly: false }] }],
  ])('%s is read', (text, manifest) => {
    expect(read(text)).toMatchObject(manifest)
  })

  test.each([
    ['cpu: 0', 'cpu is 0, expected a number of cores'],
    ['cpu: 0.125', 'expected a number of cores with at most two decimals'],
    ['cpu: 50%', 'expected a number of cores'],
    ['pids: 0', 'pids is 0, expected a whole number from 1'],
    ['pids: 1.5', 'expected a whole number from 1'],
    ['ulimits: {nofiles: 3}', 'there is no key "nofiles" here'],
    ['ulimits: {nofile: "5:4"}', 'soft not above hard'],
    ['ulimits: {nofile: {soft: 5, hard: 4}}', 'soft of nofile is above hard'],
    ['ulimits: {nofile: {soft: -1, hard: 4}}', 'soft of nofile is above hard'],
    ['ulimits: {nofile: {soft: 5}}', 'hard is missing'],
    ['ulimits: [nofile]', 'expected'],
    ['cap_add: [NET_ADMINN]', 'expected a capability such as NET_ADMIN'],
    ['cap_add: [CHOWN]\ncap_drop: [cap_chown]', 'CHOWN is in cap_add too'],
    ['privileged: true\ncap_drop: [ALL]', 'a privileged container has all capabilities'],
    ['privileged: maybe', 'expected true or false'],
    ['devices: [ttyS0]', 'expected a device such as /dev/fuse'],
    ['devices: [/etc/passwd]', 'expected a device such as /dev/fuse'],
    ['gpus: 0', 'expected all, a number'],
    ['group_add: ["a b"]', 'expected the name or the number of a group'],
    ['hostname: a b', 'expected the name of a host'],
    ['extra_hosts: [db]', 'expected NAME:ADDRESS'],
    ['extra_hosts: {db: other}', 'expected NAME:ADDRESS'],
    ['stop_signal: TERMINATE', 'expected a signal such as SIGINT'],
    ['memory_swap: 1G', 'memory is missing'],
    ['memory: 2G\nmemory_swap: 1G', 'less than the 2048 MiB of memory'],
    ['memory: 2G\nmemory_swap: -2', 'or -1'],
    ['shm_size: 1G\ntmpfs: /dev/shm', 'there is a volume at /dev/shm too'],
    ['log: {max_files: 3}', 'max_files has no effect without max_size'],
    ['log: {max_size: 1M, options: {max-size: 2m}}', 'the option max-size is already set by another key'],
    ['log: {max: 3}', 'there is no key "max" here'],
    ['tmpfs: run', 'expected /PATH'],
    ['tmpfs: "/run:mode=700"', 'expected /PATH'],
    ['tmpfs: /e\nvolumes: ["/etc:/e"]', 'there is already a volume at /e'],
  ])('%s is refused', (text, why) => {
    const lines = text.split('\n').length
    const told = problems(`image: x\n${text}\n`)
    expect(told).toContain(why)
    expect(told).toMatch(new RegExp(`^manifest/\\S+ [${lines === 1 ? '2' : '23'}] `))
  })

  test.each([
    ['hostname: a', 'shares the name of its machine'],
    ['extra_hosts: ["a:1.2.3.4"]', 'reads /etc/hosts of its machine'],
    ['init: true', 'the init of the machine'],
    ['privileged: true', 'not in a container'],
    ['gpus: all', 'sees the GPUs of its machine'],
    ['sysctls: {net.x: 1}', 'shares the kernel parameters'],
    ['log: {driver: x}', 'is kept by the journal'],
    ['devices: ["/dev/a:/dev/b:r"]', 'a process sees /dev/a at its path on the machine'],
  ])('a process cannot have %s', (text, why) => {
    expect(problems(`compute_type: process\ncommand: x\n${text}\n`)).toContain(`manifest/conflict 3 `)
    expect(problems(`compute_type: process\ncommand: x\n${text}\n`)).toContain(why)
  })

  test('cpu is what a percentage of cpu_used is of', () => {
    const trigger =
      '{name: busy, metric: containermonitor.cpu_used, operator: ">", value: 80%, time: 60, action: increment}'
    expect(problems(`image: x\ncpu: 2\ntriggers: [${trigger}]\n`)).toBe('')
    expect(problems(`image: x\ntriggers: [${trigger}]\n`)).toContain('no cpu limit of an instance is known')
  })

  test('other compute types have none', () => {
    expect(problems('compute_type: kvm\nimage: x\ncpu: 2\n')).toBe(
      'manifest/conflict 3 compute_type: kvm has no cpu',
    )
  })

  test('those of the defaults of a project merge where they are maps', () => {
    const text =
      'defaults: {sysctls: [a.b=1, a.c=1], ulimits: {core: 0}}\nservices:\n  web: {image: x, sysctls: {a.c: 2}, ulimits: [nofile=5]}\n'
    const { manifests } = parseManifest({ file: 'p.yml', text })
    expect(manifests[0]?.manifest).toMatchObject({
      sysctls: { 'a.b': '1', 'a.c': '2' },
      ulimits: { core: { soft: 0, hard: 0 }, nofile: { soft: 5, hard: 5 } },
    })
  })
})
