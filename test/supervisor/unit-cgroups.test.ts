// Cgroups in a folder that has the files of cgroupfs; what the kernel does about them it cannot show.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openUnitCgroups, UnitCgroups } from '../../src/supervisor/io/unit-cgroups.js'
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

function open(own: string): UnitCgroups | string {
  const found = openUnitCgroups({ mount, own, id: 'one', controller: 'memory' })
  return found instanceof UnitCgroups ? found : found.why
}

function opened(own: string): UnitCgroups {
  const found = open(own)
  if (typeof found === 'string') throw new Error(found)
  return found
}

const text = (...path: readonly string[]): string => readFileSync(join(mount, ...path), 'utf8')

it('makes one for all units below its own, with the controller', () => {
  cgroup('/', 'cpu memory pids')
  const { dir } = opened('/')
  expect(dir).toBe(join(mount, 'mariposa-one'))
  expect(text('cgroup.subtree_control')).toBe('+memory')
  expect(text('mariposa-one', 'cgroup.subtree_control')).toBe('+memory')
})

it('goes beside its own where that has processes, and enables nothing that is', () => {
  cgroup('/', 'memory')
  cgroup('/system.slice', 'memory', 'max', 'memory pids')
  cgroup('/system.slice/mariposa.service', 'memory', 'max')
  busy('/system.slice/mariposa.service')
  expect(opened('/system.slice/mariposa.service').dir).toBe(join(mount, 'system.slice', 'mariposa-one'))
  expect(text('system.slice', 'cgroup.subtree_control')).toBe('memory pids\n')
})

it('leaves no cgroup that has a limit', () => {
  cgroup('/', 'memory')
  cgroup('/box', 'memory', '1073741824')
  busy('/box')
  expect(open('/box')).toContain('has a limit of its own')
  expect(readdirSync(mount)).not.toContain('mariposa-one')
})

it('says why there is none', () => {
  cgroup('/', 'cpu pids')
  expect(open('/')).toBe('there is no controller memory')
  cgroup('/', 'memory')
  busy('/')
  expect(open('/')).toContain('EISDIR')
})

it('sets the limits of a unit, and knows what the kernel has killed since it was started', () => {
  cgroup('/', 'memory')
  const cgroups = opened('/')
  const events = join(cgroups.dir, unit, 'memory.events')
  expect(cgroups.hasKilled(unit)).toBe(false)
  expect(cgroups.holds(unit)).toBe(false)
  const joining = cgroups.prepare(unit, { 'memory.max': '4096', 'memory.oom.group': '1' })
  expect(joining).toBe(join(cgroups.dir, unit, 'cgroup.procs'))
  expect(text('mariposa-one', unit, 'memory.max')).toBe('4096')
  expect(text('mariposa-one', unit, 'memory.oom.group')).toBe('1')
  writeFileSync(joining, '7\n')
  expect(cgroups.holds(unit)).toBe(true)
  writeFileSync(events, 'oom 1\noom_kill 2\n')
  expect(cgroups.hasKilled(unit)).toBe(true)
  cgroups.prepare(unit, { 'memory.max': '8192' })
  expect(text('mariposa-one', unit, 'memory.max')).toBe('8192')
  expect(cgroups.hasKilled(unit)).toBe(false)
})

it('throws what the system says where a limit cannot be set', () => {
  cgroup('/', 'memory')
  const cgroups = opened('/')
  mkdirSync(join(cgroups.dir, unit, 'memory.max'), { recursive: true })
  expect(() => cgroups.prepare(unit, { 'memory.max': '1' })).toThrow('EISDIR')
})

it('removes what nothing is in, and with a new start what was left', () => {
  cgroup('/', 'memory')
  const cgroups = opened('/')
  const left = join(cgroups.dir, 'left.service')
  mkdirSync(left)
  cgroups.prepare(unit, {})
  cgroups.remove(unit)
  expect(readdirSync(cgroups.dir, { withFileTypes: true }).filter((one) => one.isDirectory())).toHaveLength(1)
  opened('/')
  expect(readdirSync(cgroups.dir, { withFileTypes: true }).filter((one) => one.isDirectory())).toHaveLength(0)
})
