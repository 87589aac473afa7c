// The supervisor and the daemon die at any moment; what runs goes on, and never runs twice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import { openHome } from '../../../src/supervisor/io/home.js'
import { printEntry, replayJournal } from '../../../src/supervisor/journal.js'
import type { UnitState } from '../../../src/supervisor/state.js'
import { allLines, forever, hasEnded, isRunning, sh, untilObserved, untilTrue } from '../driver-contract.js'
import { bundledSupervisor, openProcessHost, type ProcessHost, serviceUnit } from './process-host.js'

describe('the process supervisor', () => {
  let host: ProcessHost | null = null
  const signal = AbortSignal.timeout(600_000)
  afterEach(async () => {
    await host?.dispose()
    host = null
  })

  const open = async (): Promise<ProcessHost> => {
    host = await openProcessHost()
    return host
  }
  const run = async ({ driver }: ProcessHost, unit: UnitToRun): Promise<void> => {
    await driver.load(unit, signal)
    await driver.start(unit.name, signal)
  }
  const kill = ({ supervisorPid }: ProcessHost): void => {
    const pid = supervisorPid()
    if (pid !== null) process.kill(pid, 'SIGKILL')
  }
  const anotherSupervisor = async (on: ProcessHost, before: number | null): Promise<void> => {
    await untilTrue(async () => on.supervisorPid() !== null && on.supervisorPid() !== before, signal)
  }

  it('adopts what runs after it was killed, without an exit or a restart', async () => {
    const on = await open()
    const unit = on.makeUnit({ name: 'adopted', argv: sh('echo up; exec sleep 1000'), restart: 'always' })
    await run(on, unit)
    const before = await untilObserved(on.driver, unit.name, isRunning, signal)
    const pid = on.supervisorPid()
    kill(on)
    await anotherSupervisor(on, pid)
    const after = await untilObserved(on.driver, unit.name, isRunning, signal)
    expect(after).toEqual(before)
    expect(on.processesOf(unit)).toEqual([before.pid])
    await on.driver.stop(unit.name, signal)
    expect(on.processesOf(unit)).toEqual([])
  })

  it('loses nothing that is written while neither it nor the daemon is there, and no program waits for it', async () => {
    const on = await open()
    const [go, wrote] = [join(on.dir, 'go'), join(on.dir, 'wrote')]
    const lines = 20_000
    const script = [
      `echo first; while [ ! -e ${go} ]; do sleep 0.05; done`,
      `seq -f 'line %.0f of what nobody reads while it is written' ${lines}; seq ${lines} >&2; touch ${wrote}; exec sleep 1000`,
    ].join('; ')
    const unit = on.makeUnit({ name: 'unread', argv: sh(script) })
    await run(on, unit)
    const { pid } = await untilObserved(on.driver, unit.name, isRunning, signal)
    await on.driver.close()
    kill(on)
    await untilTrue(async () => on.supervisorPid() === null, signal)
    writeFileSync(go, '')
    await untilTrue(async () => existsSync(wrote), signal)
    const next = await on.reopen()
    try {
      expect(await untilObserved(next, unit.name, isRunning, signal)).toMatchObject({ pid })
      const streams = { stdout: 0, stderr: 0 }
      for await (const some of next.logs(unit.name, { follow: false, since: null, tail: null }, signal))
        for (const { stream } of some) streams[stream] += 1
      expect(streams).toEqual({ stdout: lines + 1, stderr: lines })
    } finally {
      await next.close()
    }
  })

  it('is the only one of its folder, by a lock in that folder and under no name that others could take', async () => {
    const on = await open()
    await run(on, on.makeUnit({ name: 'held', argv: forever }))
    const pid = on.supervisorPid()
    expect(readFileSync('/proc/net/unix', 'utf8')).not.toContain(openHome(on.dir).id)
    const second = spawn(process.execPath, [await bundledSupervisor(), JSON.stringify({ dir: on.dir })])
    const [code] = (await once(second, 'exit')) as [number | null]
    expect([code, on.supervisorPid()]).toEqual([0, pid])
    expect(statSync(on.dir).mode & 0o077).toBe(0)
  })

  it('sees that an adopted program ends, does not know how, and restarts it by its rule', async () => {
    const on = await open()
    const always = on.makeUnit({ name: 'always', argv: forever, restart: 'always' })
    const never = on.makeUnit({ name: 'never', argv: forever, restart: 'no' })
    await run(on, always)
    await run(on, never)
    const first = await untilObserved(on.driver, always.name, isRunning, signal)
    const second = await untilObserved(on.driver, never.name, isRunning, signal)
    const supervisor = on.supervisorPid()
    kill(on)
    await anotherSupervisor(on, supervisor)
    for (const { pid } of [first, second]) if (pid !== null) process.kill(pid, 'SIGKILL')
    const again = await untilObserved(
      on.driver,
      always.name,
      (seen) => seen.restarts === 1 && isRunning(seen),
      signal,
    )
    expect(again.pid).not.toBe(first.pid)
    const ended = await untilObserved(on.driver, never.name, hasEnded, signal)
    expect(ended).toMatchObject({
      active: 'failed',
      exit: { code: null, signal: null },
      failure: { code: 'process/exit-unseen' },
    })
  })

  it('does not run a oneshot a second time that ended unseen', async () => {
    const on = await open()
    const file = join(on.dir, 'ran')
    const unit = serviceUnit(
      'once',
      ['Type', 'oneshot'],
      ['ExecStart', `/bin/sh -c "echo ran >> ${file}; exec sleep 1"`],
      ['Restart', 'on-failure'],
    )
    await run(on, unit)
    await untilTrue(async () => existsSync(file), signal)
    const pid = on.supervisorPid()
    kill(on)
    await anotherSupervisor(on, pid)
    await untilObserved(on.driver, unit.name, hasEnded, signal)
    expect(readFileSync(file, 'utf8')).toBe('ran\n')
  })

  it('begins nothing again that runs once, and was cut off by an end of its machine', async () => {
    const on = await open()
    const count = join(on.dir, 'begun')
    const once = (name: string, script: string): UnitToRun => ({
      ...on.makeUnit({ name, argv: sh(`echo ${name} >> ${count}; ${script}`), restart: 'always' }),
      runsOnce: true,
    })
    const [runs, waits] = [once('runs', 'exec sleep 1000'), once('waits', 'exit 3')]
    const goesOn = on.makeUnit({
      name: 'goes-on',
      argv: sh(`echo goes-on >> ${count}; exec sleep 1000`),
      restart: 'always',
    })
    writeFileSync(count, '')
    const begun = (name: string): number =>
      readFileSync(count, 'utf8')
        .split('\n')
        .filter((line) => line === name).length
    for (const unit of [runs, waits, goesOn]) await run(on, unit)
    // Each counts as running as soon as its shell does, which may be before that has written.
    await untilTrue(async () => begun('runs') === 1 && begun('goes-on') === 1, signal)
    await untilObserved(on.driver, waits.name, ({ restarts }) => restarts > 2, signal)
    const supervisor = on.supervisorPid()
    const ended = { code: 3, signal: null, oom: false, at: Date.now() }
    kill(on)
    for (const unit of [runs, waits, goesOn]) {
      for (const pid of on.processesOf(unit)) process.kill(pid, 'SIGKILL')
      rewriteState(
        on,
        unit,
        (state) =>
          unit === waits
            ? { ...state, sub: 'auto-restart', main: null, deadlineAt: Date.now() + 1000, exit: ended }
            : state,
        'an earlier boot',
      )
    }
    const before = begun('waits')
    await anotherSupervisor(on, supervisor)
    const cutOff = await untilObserved(on.driver, runs.name, hasEnded, signal)
    expect(cutOff).toMatchObject({ active: 'failed', exit: { code: null, cutOff: true } })
    expect(await untilObserved(on.driver, waits.name, hasEnded, signal)).toMatchObject({ exit: { code: 3 } })
    await untilTrue(async () => begun('goes-on') === 2, signal)
    expect([begun('runs'), begun('waits'), begun('goes-on')]).toEqual([1, before, 2])
    // Whoever takes over next tells of the same end.
    const second = on.supervisorPid()
    kill(on)
    await anotherSupervisor(on, second)
    expect((await on.driver.observe(runs.name, signal))?.exit).toEqual(cutOff.exit)
    expect([begun('runs'), begun('waits')]).toEqual([1, before])
  })

  it('keeps every line that is written while no supervisor is there', async () => {
    const on = await open()
    const script = 'i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo "line $i"; sleep 0.01; done'
    const unit = on.makeUnit({ name: 'writer', argv: sh(script) })
    await run(on, unit)
    for (let times = 0; times < 3; times += 1) {
      const pid = on.supervisorPid()
      kill(on)
      await anotherSupervisor(on, pid)
    }
    await untilObserved(on.driver, unit.name, hasEnded, signal)
    const lines = await allLines(on.driver, unit.name, signal)
    expect(lines).toEqual(Array.from({ length: 300 }, (_, n) => `line ${n + 1}`))
  })

  it('takes a later process with the same pid for another one', async () => {
    const on = await open()
    const unit = on.makeUnit({ name: 'reused', argv: forever })
    await run(on, unit)
    await untilObserved(on.driver, unit.name, isRunning, signal)
    const supervisor = on.supervisorPid()
    const [pid] = on.processesOf(unit)
    kill(on)
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    // As if the pid had gone to this very process, which must not be taken for the unit's.
    rewriteState(on, unit, (state) => ({ ...state, main: state.main && { ...state.main, pid: process.pid } }))
    await anotherSupervisor(on, supervisor)
    expect(await on.driver.observe(unit.name, signal)).toMatchObject({ pid: null })
    await on.driver.stop(unit.name, signal)
  })

  it('finds a program that it had started when it was killed before it wrote that down', async () => {
    const on = await open()
    const unit = on.makeUnit({ name: 'unrecorded', argv: forever, restart: 'always' })
    await run(on, unit)
    const before = await untilObserved(on.driver, unit.name, isRunning, signal)
    const supervisor = on.supervisorPid()
    kill(on)
    // The record as it is between the intent and the spawn.
    const intent = { sub: 'start', main: null, sessions: [], spawning: 'main', mainSince: null } as const
    rewriteState(on, unit, (state) => ({ ...state, ...intent }))
    await anotherSupervisor(on, supervisor)
    const after = await untilObserved(on.driver, unit.name, isRunning, signal)
    expect(after).toMatchObject({ pid: before.pid, restarts: 0 })
    expect(on.processesOf(unit)).toEqual([before.pid])
  })

  it('runs each program once that kills it at once', async () => {
    const on = await open()
    const units = Array.from({ length: 5 }, (_, n) =>
      on.makeUnit({ name: `killer-${n}`, argv: sh('kill -9 $PPID; exec sleep 1000'), restart: 'always' }),
    )
    for (const unit of units) await run(on, unit)
    for (const unit of units) {
      await untilObserved(on.driver, unit.name, isRunning, signal)
      expect(leaders(on.processesOf(unit)).length).toBe(1)
    }
  })

  it('finds what runs although its journal has lost what it knew of it', async () => {
    const on = await open()
    const [known, unknown, left] = ['known', 'unknown', 'left'].map((name) =>
      on.makeUnit({ name, argv: sh('sleep 1000 & exec sleep 1000') }),
    ) as [UnitToRun, UnitToRun, UnitToRun]
    for (const unit of [known, unknown, left]) {
      await run(on, unit)
      await untilTrue(async () => on.processesOf(unit).length === 2, signal)
    }
    const pids = [known, unknown].map((unit) => on.processesOf(unit))
    const supervisor = on.supervisorPid()
    kill(on)
    // Of the first unit all states are lost, of the second its text too, and the main process of the third has ended.
    const journal = join(on.dir, 'journal')
    const lines = readFileSync(journal, 'utf8').split('\n')
    const isLost = (line: string): boolean =>
      line.includes('"kind":"state"') || line.includes('unknown.service')
    writeFileSync(journal, lines.map((line) => (isLost(line) ? line.slice(0, 20) : line)).join('\n'))
    for (const pid of leaders(on.processesOf(left))) process.kill(pid, 'SIGKILL')
    await anotherSupervisor(on, supervisor)
    expect((await on.driver.list(signal)).map(({ name }) => name)).toEqual([known.name, left.name])
    expect(existsSync(`${journal}.damaged`)).toBe(true)

    await on.driver.load(unknown, signal)
    for (const [n, unit] of [known, unknown].entries()) {
      await on.driver.start(unit.name, signal)
      expect(await on.driver.observe(unit.name, signal)).toMatchObject({
        failure: { code: 'process/state-unreadable' },
        sub: 'running',
      })
      expect(on.processesOf(unit)).toEqual(pids[n])
    }
    await untilObserved(on.driver, left.name, ({ active }) => active === 'failed', signal)
    expect(on.processesOf(left)).toEqual([])
  })

  it('never runs two copies, however often it is killed while it starts and stops units', async () => {
    const on = await open()
    const counted = join(on.dir, 'copies')
    // Each run holds a lock file: a second copy at the same time finds it there. What is told to end before it can hear
    // that has made none yet, and no other program takes part that could be told to end on its own.
    const guarded = (name: string): readonly string[] =>
      sh(
        `trap 'rm -f ${on.dir}/lock-${name}; exit 0' TERM; set -C; true > ${on.dir}/lock-${name} || echo ${name} >> ${counted}; while :; do sleep 0.02; done`,
      )
    const units = Array.from({ length: 6 }, (_, n) =>
      on.makeUnit({ name: `unit-${n}`, argv: guarded(`unit-${n}`), restart: 'always' }),
    )
    for (const unit of units) await on.driver.load(unit, signal)
    appendFileSync(counted, '')
    let over = false
    const churn = units.map(async ({ name }) => {
      while (!over) {
        await on.driver.start(name, signal).catch(() => {})
        await sleep(Math.random() * 30)
        await on.driver.stop(name, signal).catch(() => {})
      }
    })
    for (let kills = 0; kills < 25; kills += 1) {
      const pid = on.supervisorPid()
      kill(on)
      await anotherSupervisor(on, pid)
      await sleep(Math.random() * 150)
      for (const unit of units) expect(leaders(on.processesOf(unit)).length).toBeLessThanOrEqual(1)
    }
    over = true
    await Promise.all(churn)
    for (const { name } of units) await on.driver.stop(name, signal)
    for (const unit of units) expect(on.processesOf(unit)).toEqual([])
    expect(readFileSync(counted, 'utf8')).toBe('')
  }, 180_000)
})

/** Adds a state to the journal of a supervisor that is not there, of an earlier boot where that is said. */
function rewriteState(
  on: ProcessHost,
  { name }: UnitToRun,
  change: (state: UnitState) => UnitState,
  boot?: string,
): void {
  const journal = join(on.dir, 'journal')
  const record = replayJournal(readFileSync(journal, 'utf8')).records.get(name)
  if (record === undefined) throw new Error(`the journal does not know ${name}`)
  appendFileSync(
    journal,
    printEntry({ kind: 'state', name, state: change(record.state), boot: boot ?? record.boot }),
  )
}

/** Of a unit's processes those that lead a session: one for each copy. */
function leaders(pids: readonly number[]): readonly number[] {
  return pids.filter((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')
      return Number(fields[3]) === pid
    } catch {
      return false
    }
  })
}
