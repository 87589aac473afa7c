// Cgroups in a folder that has the files of cgroupfs; what the kernel does about them it cannot show.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openUnitCgroups, type UnitCgroups } from '../../src/supervisor/io/unit-cgroups.js'
import { asUnitName } from '../../src/unit/name.js'
import { removeDir } from '../remove-dir.js'

let mount: string
beforeEach(() => {
  mount = mkdtempSync(join(tmpdir(), 'mariposa-cgroups-'))
})
afterEach(() => removeDir(mount))

const unit = asUnitName('web.service')

function cgroup(path: string, controllers: string, max: string | null = null, enabled = ''): void {
  const folder = join(mount, path)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'cgroup.controllers'), `${controllers}\n`)
  writeFileSync(join(folder, 'cgroup.subtree_control'), `${enabled}\n`)
  if (max !== null) writeFileSync(join(folder, 'memory.max'), `${max}\n`)
}

/** As where processes are in it: the kernel lets it have no children with limits. */
function busy(path: string): void {
  removeDir(join(mount, path, 'cgroup.subtree_control'))
  mkdirSync(join(mount, path, 'cgroup.subtree_control'))
}

function opened(own: string): UnitCgroups {
  return openUnitCgroups([{ version: 2, mount, own, controllers: [] }], 'one')
}

function dirOf({ dirs }: UnitCgroups): string {
  const [dir] = dirs
  if (dir === undefined) throw new Error('there is none')
  return dir
}

const limits = { memoryBytes: 4096, cpuPercent: null, tasks: null }

const text = (...path: readonly string[]): string => readFileSync(join(mount, ...path), 'utf8')

it('makes one for all units below its own, with the controller', () => {
  cgroup('/', 'cpu memory pids')
  const cgroups = opened('/')
  expect(cgroups.dirs).toEqual([join(mount, 'mariposa-one')])
  expect((['memory', 'cpu', 'pids'] as const).map((one) => cgroups.whyNot(one))).toEqual([null, null, null])
})

it('goes beside its own where that has processes, and enables nothing that is', () => {
  cgroup('/', 'memory')
  cgroup('/system.slice', 'memory', 'max', 'memory pids')
  cgroup('/system.slice/mariposa.service', 'memory', 'max')
  busy('/system.slice/mariposa.service')
  expect(opened('/system.slice/mariposa.service').dirs).toEqual([join(mount, 'system.slice', 'mariposa-one')])
  expect(text('system.slice', 'cgroup.subtree_control')).toBe('memory pids\n')
})

it('leaves no cgroup that has a limit', () => {
  cgroup('/', 'memory')
  cgroup('/box', 'memory', '1073741824')
  busy('/box')
  expect(opened('/box').whyNot('memory')).toContain('has a limit of its own')
  expect(readdirSync(mount)).not.toContain('mariposa-one')
})

it('says why there is none', () => {
  cgroup('/', 'cpu pids')
  expect(opened('/').whyNot('memory')).toBe('there is no controller memory')
  expect(opened('/').whyNot('pids')).toBeNull()
  cgroup('/', 'memory')
  busy('/')
  expect(opened('/').whyNot('memory')).toContain('EISDIR')
})

it('sets the limits of a unit, and knows what the kernel has killed since it was started', () => {
  cgroup('/', 'memory')
  const cgroups = opened('/')
  const events = join(dirOf(cgroups), unit, 'memory.events')
  expect(cgroups.hasKilled(unit)).toBe(false)
  expect(cgroups.holds(unit)).toBe(false)
  const joining = cgroups.prepare(unit, limits)
  expect(joining).toEqual({ isNeeded: false, files: [join(dirOf(cgroups), unit, 'cgroup.procs')] })
  expect(text('mariposa-one', unit, 'memory.max')).toBe('4096')
  expect(text('mariposa-one', unit, 'memory.oom.group')).toBe('1')
  writeFileSync(join(dirOf(cgroups), unit, 'cgroup.procs'), '7\n')
  expect(cgroups.holds(unit)).toBe(true)
  writeFileSync(events, 'oom 1\noom_kill 2\n')
  expect(cgroups.hasKilled(unit)).toBe(true)
  cgroups.prepare(unit, { ...limits, memoryBytes: 8192 })
  expect(text('mariposa-one', unit, 'memory.max')).toBe('8192')
  expect(cgroups.hasKilled(unit)).toBe(false)
})

it('throws what the system says where a limit cannot be set', () => {
  cgroup('/', 'memory')
  const cgroups = opened('/')
  mkdirSync(join(dirOf(cgroups), unit, 'memory.max'), { recursive: true })
  expect(() => cgroups.prepare(unit, limits)).toThrow('EISDIR')
})

it('removes what nothing is in, and with a new start what was left', () => {
  cgroup('/', 'memory')
  const cgroups = opened('/')
  const left = join(dirOf(cgroups), 'left.service')
  mkdirSync(left)
  expect(
    readdirSync(dirOf(cgroups), { withFileTypes: true }).filter((one) => one.isDirectory()),
  ).toHaveLength(1)
  opened('/')
  expect(
    readdirSync(dirOf(cgroups), { withFileTypes: true }).filter((one) => one.isDirectory()),
  ).toHaveLength(0)
})

it('uses version 1 for what version 2 has not, below its own cgroup, and joins both', () => {
  cgroup('/two', 'memory')
  mkdirSync(join(mount, 'pids', 'own'), { recursive: true })
  const cgroups = openUnitCgroups(
    [
      { version: 2, mount: join(mount, 'two'), own: '/', controllers: [] },
      { version: 1, mount: join(mount, 'pids'), own: '/own', controllers: ['memory', 'pids'] },
    ],
    'one',
  )
  expect(cgroups.whyNot('cpu')).toBe('there is no controller cpu')
  const folders = [join(mount, 'two', 'mariposa-one', unit), join(mount, 'pids', 'own', 'mariposa-one', unit)]
  expect(cgroups.prepare(unit, { ...limits, tasks: 20 })).toEqual({
    files: folders.map((folder) => join(folder, 'cgroup.procs')),
    isNeeded: true,
  })
  expect(text('pids', 'own', 'mariposa-one', unit, 'pids.max')).toBe('20')
  expect(readdirSync(join(mount, 'pids', 'own', 'mariposa-one', unit))).toEqual(['pids.max'])
})
