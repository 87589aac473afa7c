// Cgroups of the kernel itself, of whichever version has the controllers: what holds a program, and what is told of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { joiningWords } from '../../src/supervisor/cgroup.js'
import { cgroupPlace, openUnitCgroups } from '../../src/supervisor/io/unit-cgroups.js'
import { asUnitName } from '../../src/unit/name.js'

const unit = asUnitName('web.service')

it('puts a program into cgroups of its unit before it runs, which hold it, and removes them when it has ended', async () => {
  const cgroups = openUnitCgroups(cgroupPlace(), `test-${process.pid}`)
  const limits = { memoryBytes: 64 * 1024 ** 2, cpuPercent: 50, tasks: 20 }
  const folders = cgroups.dirs.map((dir) => join(dir, unit))
  try {
    for (const one of ['memory', 'cpu', 'pids'] as const) expect(cgroups.whyNot(one)).toBeNull()
    const joining = cgroups.prepare(unit, limits)
    expect(joining).not.toBeNull()
    if (joining === null) return
    const nobody = ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']
    const bomb = 'n=0; while [ $n -lt 60 ]; do sleep 1000 & n=$((n+1)); done; echo all; read line'
    const [path = '', ...words] = joiningWords(joining, [...nobody, '/bin/sh', '-c', bomb], {})
    const child = spawn(path, words, { env: {}, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    const ended = once(child, 'exit')
    let refused = ''
    child.stderr.on('data', (piece: Buffer) => {
      refused += String(piece)
    })
    await expect.poll(() => refused).toMatch(/fork/i)
    expect(cgroups.holds(unit)).toBe(true)
    for (const file of joining.files)
      expect(readFileSync(file, 'utf8').trim().split('\n').length).toBeLessThanOrEqual(20)
    cgroups.remove(unit)
    for (const folder of folders) expect(existsSync(folder)).toBe(true)
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
  } finally {
    await expect
      .poll(() => {
        cgroups.prepare(unit, limits)
        cgroups.remove(unit)
        return folders.some((folder) => existsSync(folder))
      })
      .toBe(false)
    cgroups.close()
  }
  for (const dir of cgroups.dirs) expect(existsSync(dir)).toBe(false)
})
