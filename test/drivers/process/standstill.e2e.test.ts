// Units whose processes are all stopped while a backup is read, and go on afterwards: exactly those.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import type { ProcessDriver } from '../../../src/drivers/process/io/driver.js'
import { readStat } from '../../../src/supervisor/io/proc.js'
import { removeDir } from '../../remove-dir.js'
import { firstLines, sh, untilObserved } from '../driver-contract.js'
import { openProcessHost, type ProcessHost } from './process-host.js'

describe('a unit that stands still', () => {
  let host: ProcessHost
  const signal = AbortSignal.timeout(600_000)
  const others: number[] = []
  beforeEach(async () => {
    host = await openProcessHost()
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const pid of others.splice(0)) if (readStat(pid) !== null) process.kill(pid, 'SIGKILL')
    await host.dispose()
  })

  /** Starts a unit that says numbers of processes of its own. */
  const run = async (
    script: string,
  ): Promise<{ readonly unit: UnitToRun; readonly pids: readonly number[] }> => {
    const unit = host.makeUnit({ name: 'still', argv: sh(script) })
    await host.driver.load(unit, signal)
    await host.driver.start(unit.name, signal)
    const [line = ''] = await firstLines(host.driver, unit.name, 1, signal)
    const pids = line.split(' ').map(Number)
    others.push(...pids)
    return { unit, pids }
  }
  const freeze = async ({ name }: UnitToRun): Promise<void> => await host.driver.freeze?.(name, signal)
  const thaw = async ({ name }: UnitToRun, driver: ProcessDriver = host.driver): Promise<void> =>
    await driver.thaw?.(name, signal)
  const isFrozen = async ({ name }: UnitToRun): Promise<boolean | undefined> =>
    await host.driver.isFrozen?.(name, signal)
  const states = (pids: readonly number[]): readonly ('T' | 'runs' | 'gone')[] =>
    pids.map((pid) => {
      const { state } = readStat(pid) ?? {}
      return state === undefined || state === 'T' ? (state ?? 'gone') : 'runs'
    })

  /** Its session and its environment are its own: only its parent tells whose it is. */
  const apart = 'env -i setsid sleep 1001 & child=$!'
  const selfStopped = 'sleep 1002 & stopped=$!; kill -STOP $stopped'

  it('goes on with all of it, also with what has lost its parent meanwhile', async () => {
    const { unit, pids } = await run(`${apart}; echo $$ $child; wait`)
    await vi.waitFor(() => expect(readStat(pids[1] ?? 0)).toMatchObject({ session: pids[1] }))
    await freeze(unit)
    expect(states(pids)).toEqual(['T', 'T'])
    process.kill(pids[0] ?? 0, 'SIGKILL')
    await untilObserved(host.driver, unit.name, ({ active }) => active === 'failed', signal)
    expect(states(pids.slice(1))).toEqual(['T'])
    await thaw(unit)
    expect(states(pids.slice(1))).toEqual(['runs'])
  })

  it('goes on when it is not loaded any more', async () => {
    const { unit, pids } = await run(`${apart}; echo $child; wait`)
    await vi.waitFor(() => expect(readStat(pids[0] ?? 0)).toMatchObject({ session: pids[0] }))
    await freeze(unit)
    await host.driver.kill(unit.name, 'SIGKILL', signal)
    await untilObserved(host.driver, unit.name, ({ active }) => active === 'failed', signal)
    await host.driver.unload(unit.name, signal)
    expect(states(pids)).toEqual(['T'])
    await thaw(unit)
    expect(states(pids)).toEqual(['runs'])
  })

  it('leaves alone what the program itself had stopped, whoever has it go on', async () => {
    const { unit, pids } = await run(`${selfStopped}; echo $stopped $$; sleep 1000; exit`)
    for (const driver of [host.driver, await host.reopen()]) {
      await freeze(unit)
      expect([await isFrozen(unit), states(pids)]).toEqual([true, ['T', 'T']])
      await thaw(unit, driver)
      expect(states(pids)).toEqual(['T', 'runs'])
    }
    // Again, where all of it stands still by itself.
    process.kill(pids[1] ?? 0, 'SIGSTOP')
    await vi.waitFor(() => expect(states(pids)).toEqual(['T', 'T']))
    await freeze(unit)
    await thaw(unit)
    expect(states(pids)).toEqual(['T', 'T'])
  })

  it.each([
    ['a version of before has noted nothing', removeDir],
    [
      'what was noted cannot be read',
      (notes: string) => {
        for (const name of readdirSync(notes)) writeFileSync(join(notes, name), '{"processes": [')
      },
    ],
  ])('goes on whole where %s', async (_, damage) => {
    const { unit, pids } = await run(`${selfStopped}; echo $stopped $$; sleep 1000; exit`)
    await freeze(unit)
    damage(join(host.dir, 'stopped'))
    await thaw(unit)
    expect(states(pids)).toEqual(['runs', 'runs'])
  })

  it('is refused where it cannot be noted what is stopped, and runs on', async () => {
    const { unit, pids } = await run('echo $$; sleep 1000; exit')
    writeFileSync(join(host.dir, 'stopped'), '')
    await expect(freeze(unit)).rejects.toMatchObject({
      code: 'volume/cannot-pause',
      message: expect.stringContaining('cannot record') as string,
    })
    expect(states(pids)).toEqual(['runs'])
    await thaw(unit)
  })

  it('goes on as far as it can where one process cannot be told, which is tried again', async () => {
    const { unit, pids } = await run('sleep 1003 & echo $! $$; sleep 1000; exit')
    await freeze(unit)
    const kill = process.kill.bind(process)
    const refused = Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
    vi.spyOn(process, 'kill').mockImplementation((pid, how) => {
      if (pid === pids[1] && how === 'SIGCONT') throw refused
      return kill(pid, how)
    })
    await expect(thaw(unit)).rejects.toMatchObject({
      message: `process ${pids[1]} of ${unit.name} cannot be sent SIGCONT: EPERM`,
    })
    expect(states(pids)).toEqual(['runs', 'T'])
    vi.restoreAllMocks()
    await thaw(unit)
    expect(states(pids)).toEqual(['runs', 'runs'])
  })

  it('is refused where one process cannot be stopped, which is left alone then', async () => {
    const { unit, pids } = await run('sleep 1004 & echo $! $$; sleep 1000; exit')
    const kill = process.kill.bind(process)
    const told: unknown[] = []
    vi.spyOn(process, 'kill').mockImplementation((pid, how) => {
      told.push([pid, how])
      if (pid === pids[0]) throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
      return kill(pid, how)
    })
    await expect(freeze(unit)).rejects.toMatchObject({ code: 'volume/cannot-pause' })
    await thaw(unit)
    expect(told).not.toContainEqual([pids[0], 'SIGCONT'])
    expect(states(pids)).toEqual(['runs', 'runs'])
  })
})
