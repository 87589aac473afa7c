import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import {
  cgroupMount,
  joiningWords,
  killsIn,
  memorySettings,
  ownCgroup,
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
  expect(memorySettings(1024)).toEqual({ 'memory.max': '1024', 'memory.oom.group': '1' })
  expect(killsIn('low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n')).toBe(2)
  expect(killsIn('')).toBe(0)
})

test.each([{}, { PWD: '/own', SHLVL: '7', _: 'own' }])('a shell that joins leaves %j as it is', (env) => {
  const given: Record<string, string> = { PATH: '/usr/bin:/bin', ...env }
  const [program = '', ...words] = joiningWords('/nowhere/cgroup.procs', ['/usr/bin/env'], given)
  const seen = execFileSync(program, words, { env: given, encoding: 'utf8', cwd: '/' }).trim().split('\n')
  const names = seen.map((line) => line.slice(0, line.indexOf('=')))
  expect([...new Set(names)].sort()).toEqual([...Object.keys(given)].sort())
})
