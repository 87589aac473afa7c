// Links to named volumes in the working directories of programs: where they are made, where they are not, and when they go.
import { chmodSync, existsSync, lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import { openVolumeLinks } from '../../../src/drivers/process/io/volume-links.js'
import { asUnitName } from '../../../src/unit/name.js'
import { openProcessHost, type ProcessHost, serviceUnit } from './process-host.js'

const signal = AbortSignal.timeout(600_000)
const volume = { project: 'shop', service: 'db', name: 'data', path: '/mnt/data', readonly: false }
const isRoot = process.getuid?.() === 0

let host: ProcessHost
beforeEach(async () => {
  host = await openProcessHost({ idleExitMs: 200 })
})
afterEach(() => host.dispose())

function makeDirectory(name: string): string {
  const directory = join(host.dir, name)
  mkdirSync(directory)
  return directory
}

function unitIn(name: string, directory: string, ...more: readonly (readonly [string, string])[]): UnitToRun {
  const lines = [['WorkingDirectory', directory], ['ExecStart', '/bin/true'], ...more] as const
  return { ...serviceUnit(name, ...lines), volumes: [volume] }
}

it('makes one where the program runs, which goes with the last unit that has it', async () => {
  const link = join(makeDirectory('work'), 'data')
  const [first, second] = [unitIn('first', join(host.dir, 'work')), unitIn('second', join(host.dir, 'work'))]
  await host.driver.load(first, signal)
  expect(readlinkSync(link)).toBe(host.driver.volumePath?.(volume))
  const later = await host.reopen()
  await later.load(second, signal)
  await later.unload(first.name, signal)
  expect(readlinkSync(link)).toBe(host.driver.volumePath?.(volume))
  await later.unload(second.name, signal)
  expect(lstatSync(link, { throwIfNoEntry: false })).toBeUndefined()
})

it('leaves one be that somebody else has made', async () => {
  const link = join(makeDirectory('work'), 'data')
  symlinkSync(host.driver.volumePath?.(volume) ?? '', link)
  const unit = unitIn('web', join(host.dir, 'work'))
  await host.driver.load(unit, signal)
  await host.driver.unload(unit.name, signal)
  expect(readlinkSync(link)).toBe(host.driver.volumePath?.(volume))
})

it('makes none in a directory of another user, and loads the unit', async () => {
  chmodSync(host.dir, 0o711)
  const foreign = isRoot ? makeDirectory('foreign') : '/usr'
  const unit = unitIn('web', foreign, ...(isRoot ? [['User', '65534'] as const] : []))
  await host.driver.load(unit, signal)
  expect((await host.driver.observe(unit.name, signal))?.load).toBe('loaded')
  expect(existsSync(host.driver.volumePath?.(volume) ?? '')).toBe(true)
  expect(lstatSync(join(foreign, 'data'), { throwIfNoEntry: false })).toBeUndefined()
})

it('says why there is none, and refuses what is taken', () => {
  const links = openVolumeLinks(join(host.dir, 'links'))
  const name = asUnitName('web.service')
  const uid = process.getuid?.() ?? 0
  const foreign = isRoot ? makeDirectory('foreign') : '/usr'
  expect(links.make(name, foreign, { name: 'data', path: '/v' }, isRoot ? 65534 : uid)).toMatch(
    isRoot ? /belongs to user 0, and the unit runs as user 65534/ : /\/usr may not be written to: E/,
  )
  const own = makeDirectory('own')
  mkdirSync(join(own, 'data'))
  expect(() => links.make(name, own, { name: 'data', path: '/v' }, uid)).toThrow('exists already')
  symlinkSync(own, join(host.dir, 'around'))
  expect(() => links.make(name, join(host.dir, 'around'), { name: 'data', path: '/v' }, uid)).toThrow(
    `through a symbolic link: name ${own}`,
  )
})
