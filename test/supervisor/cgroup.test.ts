import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  cgroupMount,
  controllersFor,
  hierarchiesOf,
  joiningWords,
  killsIn,
  ownCgroup,
  settingsOf,
  withAncestors,
} from '../../src/supervisor/cgroup.js'

test('of the hierarchies that a process is in, one is of version 2', () => {
  expect(ownCgroup('9:memory:/x\n0::/system.slice/a b.service\n')).toBe('/system.slice/a b.service')
  expect(ownCgroup('0::/\n')).toBe('/')
  expect(ownCgroup('4:memory:/x\n')).toBeNull()
})

test.each([
  ['30 24 0:26 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate', '/sys/fs/cgroup'],
  ['30 24 0:26 / /a\\040b rw - cgroup2 none rw', '/a b'],
  ['30 24 0:26 /part /sys/fs/cgroup rw - cgroup2 cgroup2 rw', null],
  ['30 24 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory', null],
  ['', null],
])('%s is mounted at %s', (line, mount) => {
  expect(cgroupMount(`20 1 8:1 / / rw - ext4 /dev/sda rw\n${line}\n`)).toBe(mount)
})

test('a cgroup lies in others', () => {
  expect(withAncestors('/a/b')).toEqual(['/a/b', '/a', '/'])
  expect(withAncestors('/')).toEqual(['/'])
})

test('what is killed is killed whole, and counted', () => {
  const limits = { memoryBytes: 1024, cpuPercent: null, tasks: null }
  expect(settingsOf('memory', 2, limits)).toEqual([
    ['memory.max', '1024'],
    ['memory.oom.group', '1'],
  ])
  expect(settingsOf('memory', 1, limits)).toEqual([['memory.limit_in_bytes', '1024']])
  expect(killsIn('oom_kill_disable 0\nunder_oom 0\noom_kill 4\n')).toBe(4)
  expect(killsIn('low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n')).toBe(2)
  expect(killsIn('')).toBe(0)
})

test.each([{}, { PWD: '/own', SHLVL: '7', _: 'own' }])('a shell that joins leaves %j as it is', (env) => {
  const given: Record<string, string> = { PATH: '/usr/bin:/bin', ...env }
  const [program = '', ...words] = joiningWords(
    { files: ['/nowhere/cgroup.procs', '/nowhere/else'], isNeeded: false },
    ['/usr/bin/env'],
    given,
  )
  const seen = execFileSync(program, words, { env: given, encoding: 'utf8', cwd: '/' }).trim().split('\n')
  const names = seen.map((line) => line.slice(0, line.indexOf('=')))
  expect([...new Set(names)].sort()).toEqual([...Object.keys(given)].sort())
})

test('the time of cores and the number of processes are limited in the words of each version', () => {
  const limits = { memoryBytes: null, cpuPercent: 150, tasks: 20 }
  expect(controllersFor(limits)).toEqual(['cpu', 'pids'])
  expect(settingsOf('cpu', 2, limits)).toEqual([['cpu.max', '150000 100000']])
  expect(settingsOf('cpu', 1, limits)).toEqual([
    ['cpu.cfs_period_us', '100000'],
    ['cpu.cfs_quota_us', '150000'],
  ])
  expect(settingsOf('cpu', 2, { ...limits, cpuPercent: 0.1 })).toEqual([['cpu.max', '1000 100000']])
  for (const version of [1, 2] as const)
    expect(settingsOf('pids', version, limits)).toEqual([['pids.max', '20']])
})

test('hierarchies of both versions are found, with the cgroup of the process in each', () => {
  const mounts = `34 30 0:31 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
35 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
36 30 0:35 /part /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
40 30 0:37 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
`
  expect(hierarchiesOf(mounts, '4:memory:/a\n2:cpu,cpuacct:/\n3:pids:/\n0::/b\n')).toEqual([
    { version: 2, mount: '/sys/fs/cgroup/unified', own: '/b', controllers: [] },
    { version: 1, mount: '/sys/fs/cgroup/memory', own: '/a', controllers: ['memory'] },
    { version: 1, mount: '/sys/fs/cgroup/cpu,cpuacct', own: '/', controllers: ['cpu'] },
  ])
  expect(hierarchiesOf('', '')).toEqual([])
})

test('what has to be held does not run where it cannot join', () => {
  const [program = '', ...words] = joiningWords(
    { files: ['/nowhere/cgroup.procs'], isNeeded: true },
    ['/bin/echo', 'ran'],
    {},
  )
  expect(() => execFileSync(program, words, { encoding: 'utf8', stdio: 'pipe' })).toThrow()
})
