// Which processes are a unit's where the kernel makes that hard: numbers that go to somebody else, and programs whose first thread
// has ended. As root, who may say which number comes next.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UnitToRun } from '../../src/agent/driver.js'
import { isProcessAlive, readStat } from '../../src/supervisor/io/proc.js'
import { replayJournal } from '../../src/supervisor/journal.js'
import { firstLines, isRunning, untilObserved } from '../drivers/driver-contract.js'
import { openProcessHost, type ProcessHost, serviceUnit } from '../drivers/process/process-host.js'
import { until } from '../e2e/cluster.js'

describe('the process driver', () => {
  let host: ProcessHost
  const signal = AbortSignal.timeout(600_000)
  const others: number[] = []
  beforeEach(async () => {
    host = await openProcessHost()
  })
  afterEach(async () => {
    for (const pid of others.splice(0)) if (readStat(pid) !== null) process.kill(pid, 'SIGKILL')
    await host.dispose()
  })

  const run = async (unit: UnitToRun): Promise<string> => {
    await host.driver.load(unit, signal)
    await host.driver.start(unit.name, signal)
    const [line = ''] = await firstLines(host.driver, unit.name, 1, signal)
    await untilObserved(host.driver, unit.name, isRunning, signal)
    return line
  }
  const sessionsOf = ({ name }: UnitToRun): readonly number[] => {
    const journal = readFileSync(join(host.dir, 'journal'), 'utf8')
    return (replayJournal(journal).records.get(name)?.state.sessions ?? []).map(({ pid }) => pid)
  }

  it('takes nobody else for what a step of a unit has left, though it has the number of that', async () => {
    const unit = serviceUnit(
      'steps',
      ['ExecStartPre', "/bin/sh -c 'echo $$$$'"],
      ['ExecStart', '/bin/sleep 1000'],
    )
    const step = Number(await run(unit))
    const { name } = unit
    const { pid } = await untilObserved(host.driver, name, isRunning, signal)
    await until(() => Promise.resolve(expect(sessionsOf(unit)).toEqual([pid])))
    const stranger = await inSessionOf(step)
    others.push(stranger)
    await host.driver.freeze?.(name, signal)
    expect(await host.driver.isFrozen?.(name, signal)).toBe(true)
    expect(readStat(stranger)).toMatchObject({ session: step, state: 'S' })
    await host.driver.thaw?.(name, signal)
    await host.driver.kill(name, 'SIGKILL', signal)
    await untilObserved(host.driver, name, ({ active }) => active === 'failed', signal)
    await host.driver.stop(name, signal)
    expect(readStat(stranger)).toMatchObject({ session: step, state: 'S' })
  })

  it('keeps a session for as long as a process is left in it, and ends that with the unit', async () => {
    const unit = serviceUnit(
      'helped',
      ['ExecStartPre', `/bin/sh -c 'env -i sleep 1005 & echo $$!'`],
      ['ExecStart', '/bin/sleep 1000'],
    )
    const helper = Number(await run(unit))
    others.push(helper)
    // Longer than it takes to let go of those that have ended.
    await new Promise((resolve) => setTimeout(resolve, 5000))
    const { session = 0, ticks = 0 } = readStat(helper) ?? {}
    expect(sessionsOf(unit)).toContain(session)
    await host.driver.stop(unit.name, signal)
    expect(isProcessAlive({ pid: helper, ticks })).toBe(false)
  })

  it('knows a program whose first thread has ended for one that runs', async () => {
    const program = join(host.dir, 'headless')
    buildHeadless(program)
    const count = join(host.dir, 'count')
    const unit = serviceUnit('headless', ['ExecStart', `${program} ${count}`], ['Restart', 'always'])
    const pid = Number(await run(unit))
    await until(() => Promise.resolve(expect(readStat(pid)?.state).toBe('Z')))
    const counted = (): number => readFileSync(count).length
    const goesOn = async (): Promise<void> => {
      const before = counted()
      await until(() => Promise.resolve(expect(counted()).toBeGreaterThan(before)))
    }
    await goesOn()
    expect(host.processesOf(unit)).toEqual([pid])

    await host.driver.freeze?.(unit.name, signal)
    const before = counted()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(counted()).toBe(before)
    expect(await host.driver.isFrozen?.(unit.name, signal)).toBe(true)
    await host.driver.thaw?.(unit.name, signal)
    await goesOn()

    // The next supervisor, which is not its parent, looks for it twice a second.
    const supervisor = host.supervisorPid()
    if (supervisor !== null) process.kill(supervisor, 'SIGKILL')
    await until(() => Promise.resolve(expect([null, supervisor]).not.toContain(host.supervisorPid())))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await host.driver.observe(unit.name, signal)).toMatchObject({ active: 'active', pid, restarts: 0 })
    expect(host.processesOf(unit)).toEqual([pid])
    await host.driver.stop(unit.name, signal)
    expect(host.processesOf(unit)).toEqual([])
  })
})

/** Gives the number of a process to another one, which leaves a process in its session and ends. Resolves to what it leaves. */
async function inSessionOf(wanted: number): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    writeFileSync('/proc/sys/kernel/ns_last_pid', String(wanted - 1))
    const child = spawn('/bin/sh', ['-c', 'sleep 1006 >/dev/null & echo $!'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const said: Buffer[] = await child.stdout.toArray()
    if (child.exitCode === null) await once(child, 'exit')
    const left = Number(Buffer.concat(said).toString())
    if (child.pid === wanted) return left
    // Somebody else was faster.
    process.kill(left, 'SIGKILL')
  }
  throw new Error(`${wanted} was always taken`)
}

/** Counts in a second thread, while its first one ends. Debian's packages tcc and musl-dev. */
function buildHeadless(to: string): void {
  const source = `${to}.c`
  writeFileSync(
    source,
    `#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *count(void *path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  for (;;) { if (write(fd, "x", 1) != 1) return 0; usleep(10000); }
}
int main(int argc, char **argv) {
  pthread_t thread;
  pthread_create(&thread, 0, count, argv[1]);
  printf("%d\\n", getpid()); fflush(stdout);
  pthread_exit(0);
}
`,
  )
  const from = '/usr/lib/x86_64-linux-musl'
  const words = ['-nostdinc', '-nostdlib', '-static', '-I/usr/include/x86_64-linux-musl', '-o', to]
  const parts = [`${from}/crt1.o`, `${from}/crti.o`, source, `${from}/libc.a`, `${from}/crtn.o`]
  execFileSync('tcc', [...words, ...parts])
}
