// The supervisor and the daemon die at any moment; what runs goes on, and never runs twice.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import { allLines, forever, hasEnded, isRunning, sh, untilObserved, untilTrue } from '../driver-contract.js'
import { openProcessHost, type ProcessHost, serviceUnit } from './process-host.js'

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
    const path = join(on.dir, 'units', unit.name, 'state.json')
    const supervisor = on.supervisorPid()
    const [pid] = on.processesOf(unit)
    kill(on)
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    // As if the pid had gone to this very process, which must not be taken for the unit's.
    const record = JSON.parse(readFileSync(path, 'utf8')) as { state: { main: { pid: number } } }
    record.state.main.pid = process.pid
    writeFileSync(path, JSON.stringify(record))
    await anotherSupervisor(on, supervisor)
    expect(await on.driver.observe(unit.name, signal)).toMatchObject({ pid: null })
    await on.driver.stop(unit.name, signal)
  })

  it('finds a program that it had started when it was killed before it wrote that down', async () => {
    const on = await open()
    const unit = on.makeUnit({ name: 'unrecorded', argv: forever, restart: 'always' })
    await run(on, unit)
    const before = await untilObserved(on.driver, unit.name, isRunning, signal)
    const path = join(on.dir, 'units', unit.name, 'state.json')
    const supervisor = on.supervisorPid()
    kill(on)
    // The record as it is between the intent and the spawn.
    const record = JSON.parse(readFileSync(path, 'utf8')) as { state: object }
    const intent = { sub: 'start', main: null, sessions: [], spawning: 'main', mainSince: null }
    writeFileSync(path, JSON.stringify({ ...record, state: { ...record.state, ...intent } }))
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

  it('finds what runs of a unit whose record is damaged', async () => {
    const on = await open()
    const unit = on.makeUnit({ name: 'damaged', argv: forever })
    await run(on, unit)
    const before = await untilObserved(on.driver, unit.name, isRunning, signal)
    const path = join(on.dir, 'units', unit.name, 'state.json')
    const supervisor = on.supervisorPid()
    kill(on)
    writeFileSync(path, '{"bootId"')
    await anotherSupervisor(on, supervisor)
    const after = await untilObserved(on.driver, unit.name, isRunning, signal)
    expect(after.pid).toBe(before.pid)
    await on.driver.start(unit.name, signal)
    expect(on.processesOf(unit)).toEqual([before.pid])
  })

  it('never runs two copies, however often it is killed while it starts and stops units', async () => {
    const on = await open()
    const counted = join(on.dir, 'copies')
    // Each run notes its begin and holds a lock folder: a second copy at the same time finds it taken.
    const guarded = (name: string): readonly string[] =>
      sh(
        `mkdir ${on.dir}/lock-${name} || echo ${name} >> ${counted}; trap 'rmdir ${on.dir}/lock-${name}; exit 0' TERM; while :; do sleep 0.02; done`,
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
