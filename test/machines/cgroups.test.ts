// Cgroups of the kernel itself: those of version 2 that this machine has, with whatever controller is among them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { joiningWords } from '../../src/supervisor/cgroup.js'
import { cgroupPlace, openUnitCgroups, UnitCgroups } from '../../src/supervisor/io/unit-cgroups.js'
import { asUnitName } from '../../src/unit/name.js'

const unit = asUnitName('web.service')

/** Those that a program can be in without any of their limits. */
function someController(mount: string): string {
  const there = readFileSync(join(mount, 'cgroup.controllers'), 'utf8').trim().split(/\s+/)
  return ['memory', 'pids', 'hugetlb'].find((one) => there.includes(one)) ?? 'none'
}

it('puts a program into a cgroup of its unit before it runs, and removes that when it has ended', async () => {
  const place = cgroupPlace()
  expect(place, 'a hierarchy of version 2 is mounted').not.toBeNull()
  if (place === null) return
  const options = {
    mount: place.mount,
    own: '/',
    id: `test-${process.pid}`,
    controller: someController(place.mount),
  }
  const cgroups = openUnitCgroups(options)
  expect(cgroups).toBeInstanceOf(UnitCgroups)
  if (!(cgroups instanceof UnitCgroups)) return
  const folder = join(cgroups.dir, unit)
  const nobody = ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
  const program = [...nobody, '/bin/sh', '-c', 'cat /proc/self/cgroup; read line']
  try {
    const [path = '', ...words] = joiningWords(cgroups.prepare(unit, {}), program, {})
    const child = spawn(path, words, { env: {}, stdio: ['pipe', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    const seen = await firstChunk(child.stdout)
    expect(seen).toContain(`0::${folder.slice(place.mount.length)}\n`)
    expect(cgroups.holds(unit)).toBe(true)
    cgroups.remove(unit)
    expect(existsSync(folder)).toBe(true)
    child.stdin.end('\n')
    await ended
    cgroups.prepare(unit, {})
    cgroups.remove(unit)
    expect(existsSync(folder)).toBe(false)
  } finally {
    cgroups.close()
  }
  expect(existsSync(cgroups.dir)).toBe(false)
})

async function firstChunk(stream: NodeJS.ReadableStream): Promise<string> {
  const [chunk] = (await once(stream, 'data')) as [Buffer]
  return String(chunk)
}
