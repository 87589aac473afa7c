// Units with a limit of memory where there are cgroups: a folder that has their files stands for the kernel's.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import { openHome } from '../../../src/supervisor/io/home.js'
import { removeDir } from '../../remove-dir.js'
import { allLines, hasEnded, isRunning, untilObserved } from '../driver-contract.js'
import { openProcessHost, type ProcessHost, serviceUnit } from './process-host.js'

const signal = AbortSignal.timeout(600_000)
const limit = ['MemoryMax', '64M'] as const
let mount: string
let host: ProcessHost

beforeEach(async () => {
  mount = mkdtempSync(join(tmpdir(), 'mariposa-cgroups-'))
  writeFileSync(join(mount, 'cgroup.controllers'), 'cpu memory pids\n')
  writeFileSync(join(mount, 'cgroup.subtree_control'), '\n')
  host = await openProcessHost({
    idleExitMs: 200,
    cgroups: [{ version: 2, mount, own: '/', controllers: [] }],
  })
})
afterEach(async () => {
  await host.dispose()
  removeDir(mount)
})

async function run(unit: UnitToRun): Promise<UnitToRun> {
  await host.driver.load(unit, signal)
  await host.driver.start(unit.name, signal)
  return unit
}

function file(unit: UnitToRun, name: string): string {
  return join(mount, `mariposa-${openHome(host.dir).id}`, unit.name, name)
}

it('joins its cgroup before it runs, and has the variables of its unit alone', async () => {
  const unit = await run(serviceUnit('held', ['ExecStart', '/usr/bin/env'], [...limit]))
  await untilObserved(host.driver, unit.name, hasEnded, signal)
  const names = (await allLines(host.driver, unit.name, signal)).map((line) => line.split('=')[0]).sort()
  expect(names).toEqual(['INVOCATION_ID', 'MARIPOSA_RUN', 'MARIPOSA_UNIT', 'PATH'])
  expect(readFileSync(file(unit, 'cgroup.procs'), 'utf8')).toBe('0\n')
  expect(readFileSync(file(unit, 'memory.max'), 'utf8')).toBe(String(64 * 1024 ** 2))
})

it('joins at once where a program is called by another name, which a shell could not do', async () => {
  const unit = await run(serviceUnit('named', ['ExecStart', '@/bin/sleep other 10000'], [...limit]))
  const { pid } = await untilObserved(host.driver, unit.name, isRunning, signal)
  expect(readFileSync(file(unit, 'cgroup.procs'), 'utf8')).toBe(String(pid))
})

it('tells of a program that the kernel has killed for its limit', async () => {
  const unit = await run(serviceUnit('greedy', ['ExecStart', '/bin/sleep 10000'], [...limit]))
  await untilObserved(host.driver, unit.name, isRunning, signal)
  writeFileSync(file(unit, 'memory.events'), 'oom_kill 1\n')
  for (const pid of host.processesOf(unit)) process.kill(pid, 'SIGKILL')
  expect(await untilObserved(host.driver, unit.name, hasEnded, signal)).toMatchObject({
    exit: { signal: 'SIGKILL', oom: true },
  })
})

it('takes no cgroup for a unit without a limit', async () => {
  const unit = await run(serviceUnit('free', ['ExecStart', '/bin/sleep 10000']))
  await untilObserved(host.driver, unit.name, isRunning, signal)
  expect(() => readFileSync(file(unit, 'cgroup.procs'))).toThrow('ENOENT')
})

it('refuses what it cannot hold with the reason, and says which key it is', async () => {
  writeFileSync(join(mount, 'cgroup.controllers'), 'memory\n')
  const unit = serviceUnit('shared', ['ExecStart', '/bin/sleep 10000'], ['CPUQuota', '50%'])
  await host.driver.load(unit, signal)
  await expect(host.driver.start(unit.name, signal)).rejects.toMatchObject({
    code: 'process/cannot-limit',
    message: expect.stringContaining('CPUQuota= (cpu): there is no controller cpu'),
  })
})
