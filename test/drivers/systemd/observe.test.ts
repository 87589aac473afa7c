import { describe, expect, it } from 'vitest'
import {
  type HeldUnit,
  neverRan,
  observeUnit,
  type Properties,
  recall,
} from '../../../src/drivers/systemd/observe.js'
import { asUnitName } from '../../../src/unit/name.js'

const held: HeldUnit = {
  name: asUnitName('web.service'),
  hash: 'abcd',
  type: 'exec',
  dockerRestarts: false,
  maxRestarts: null,
  startedBy: [],
  unheld: [],
}
const us = (ms: number): bigint => BigInt(ms) * 1000n

const running: Properties = {
  LoadState: 'loaded',
  ActiveState: 'active',
  SubState: 'running',
  MainPID: 42,
  NRestarts: 2,
  ExecMainCode: 0,
  ExecMainStatus: 0,
  ExecMainExitTimestamp: 0n,
  Result: 'success',
  InactiveExitTimestamp: us(1000),
  ActiveEnterTimestamp: us(2000),
  ActiveExitTimestamp: 0n,
  InactiveEnterTimestamp: 0n,
}

const ended = (code: number, status: number, more: Properties = {}): Properties => ({
  ...running,
  ActiveState: code === 1 && status === 0 ? 'inactive' : 'failed',
  SubState: code === 1 && status === 0 ? 'dead' : 'failed',
  MainPID: 0,
  ExecMainCode: code,
  ExecMainStatus: status,
  ExecMainExitTimestamp: us(3000),
  InactiveEnterTimestamp: us(3001),
  ...more,
})

describe('what systemd tells of a unit', () => {
  it('is passed on in its own words', () => {
    expect(observeUnit(held, running)).toEqual({
      name: 'web.service',
      hash: 'abcd',
      driver: 'systemd',
      load: 'loaded',
      active: 'active',
      sub: 'running',
      since: 2000,
      pid: 42,
      containerId: null,
      address: '127.0.0.1',
      restarts: 2,
      exit: null,
      failure: null,
    })
  })

  it('has no times and no exit before the first start', () => {
    expect(observeUnit(held, neverRan)).toMatchObject({
      active: 'inactive',
      sub: 'dead',
      since: null,
      exit: null,
      failure: null,
    })
  })

  it.each([
    ['active', 2000],
    ['reloading', 2000],
    ['activating', 1000],
    ['deactivating', 2500],
    ['inactive', 4000],
    ['failed', 4000],
  ])('counts the time in %s from the border that it crossed last', (state, since) => {
    const times = { ActiveExitTimestamp: us(2500), InactiveEnterTimestamp: us(4000) }
    expect(observeUnit(held, { ...running, ...times, ActiveState: state }).since).toBe(since)
  })

  it.each([
    [1, 0, { code: 0, signal: null, oom: false, at: 3000 }],
    [1, 7, { code: 7, signal: null, oom: false, at: 3000 }],
    [2, 15, { code: null, signal: 'SIGTERM', oom: false, at: 3000 }],
    [3, 11, { code: null, signal: 'SIGSEGV', oom: false, at: 3000 }],
    [2, 34, { code: null, signal: 'SIG34', oom: false, at: 3000 }],
  ])('reads how a program ended: code %i, status %i', (code, status, exit) => {
    expect(observeUnit(held, ended(code, status))).toMatchObject({ exit, failure: null, pid: null })
  })

  it('sees that a program was killed: out of memory', () => {
    expect(observeUnit(held, ended(2, 9, { Result: 'oom-kill' })).exit).toMatchObject({
      signal: 'SIGKILL',
      oom: true,
    })
  })

  it('tells a program that is not there from one that ended', () => {
    const seen = observeUnit(held, ended(1, 203))
    expect(seen.failure).toMatchObject({ code: 'systemd/not-executable', permanent: true })
  })

  it('names the result where the program did not even run', () => {
    const never = ended(0, 0, { ActiveState: 'failed', ExecMainExitTimestamp: 0n, Result: 'exit-code' })
    expect(observeUnit(held, never)).toMatchObject({
      exit: null,
      failure: { code: 'systemd/start-failed', permanent: false },
    })
  })

  it.each([
    ['bad-setting', 'error', 'systemd/bad-unit'],
    ['error', 'error', 'systemd/bad-unit'],
    ['not-found', 'not-found', 'systemd/bad-unit'],
    ['masked', 'masked', 'systemd/bad-unit'],
  ])('says that a unit is not loaded: %s', (LoadState, load, code) => {
    const properties = { ...neverRan, LoadState, LoadError: ['org.freedesktop.systemd1.X', 'a reason'] }
    const seen = observeUnit(held, properties)
    expect(seen).toMatchObject({ load, failure: { code, permanent: true } })
    expect(seen.failure?.message).toContain('a reason')
  })

  it('says when a unit is restarted that waits for that', () => {
    const waits = ended(1, 1, { ActiveState: 'activating', SubState: 'auto-restart', RestartUSec: us(5000) })
    expect(observeUnit(held, waits)).toMatchObject({ since: 1000, restartAt: 6000 })
    expect(observeUnit(held, { ...waits, RestartUSecNext: us(9000) })).toMatchObject({ restartAt: 10_000 })
    expect(observeUnit(held, running)).not.toHaveProperty('restartAt')
  })

  it('does not count the restart that the limit refused', () => {
    expect(observeUnit({ ...held, maxRestarts: 1 }, ended(1, 1)).restarts).toBe(1)
  })
})

describe('what is known of a unit that systemd has forgotten', () => {
  const forgotten = neverRan

  it('stays: its exit and its times', () => {
    const known = recall(ended(1, 0), forgotten)
    expect(observeUnit(held, known)).toMatchObject({ active: 'inactive', since: 3001, exit: { code: 0 } })
  })

  it('has no process any more, whatever it was when last seen', () => {
    expect(observeUnit(held, recall(running, forgotten))).toMatchObject({
      active: 'inactive',
      sub: 'dead',
      pid: null,
    })
  })

  it('gives way to what systemd does tell', () => {
    expect(recall(ended(1, 3), running)).toBe(running)
    expect(recall(null, forgotten)).toBe(forgotten)
    expect(recall(neverRan, forgotten)).toBe(forgotten)
  })
})
