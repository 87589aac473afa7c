// The systemd driver on a real machine: the contract of all drivers, and what is systemd's own.
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Driver, UnitToRun } from '../../src/agent/driver.js'
import { openVolumeDirectories } from '../../src/drivers/io/volume-directories.js'
import { gatherMs } from '../../src/drivers/systemd/io/batch.js'
import { openSystemdDriver, systemdPaths } from '../../src/drivers/systemd/io/driver.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import { asUnitName } from '../../src/unit/name.js'
import {
  allLines,
  driverContract,
  firstLines,
  forever,
  hasEnded,
  identity,
  isRunning,
  nextChange,
  serviceFile,
  sh,
  type UnitWish,
  unitFile,
  untilObserved,
  untilTrue,
} from '../drivers/driver-contract.js'
import { removeDir } from '../remove-dir.js'
import { runInside } from './nspawn.js'

const machine = inject('systemdMachine')

const openDriver = (clock: Time = systemClock, socketPath = machine.socketPath): Promise<Driver> =>
  openSystemdDriver({
    clock,
    log: silentLog,
    socketPath,
    systemBusPath: null,
    host: machine,
    volumes: volumes(),
  })

const volumes = () =>
  openVolumeDirectories({
    dir: '/var/lib/mariposa-volumes',
    root: machine.root,
    driver: 'systemd',
    clock: systemClock,
  })

/** Numbers the tests, so that no two of them share a unit's name, and with it a journal. */
const tests = { count: 0 }

function unitMaker(): (wish: UnitWish) => UnitToRun {
  tests.count += 1
  const { count } = tests
  return (wish) => ({
    name: asUnitName(`test${count}.${wish.name}.v1@1.service`),
    hash: wish.hash ?? '0123',
    file: serviceFile(wish),
    instance: null,
    ports: [],
    environment: {},
    ...(wish.volumes && { volumes: wish.volumes }),
  })
}

async function unloadAll(driver: Driver): Promise<void> {
  const signal = AbortSignal.timeout(60_000)
  await Promise.all((await driver.list(signal)).map(({ name }) => driver.unload(name, signal)))
}

async function systemctl(...args: readonly string[]): Promise<string> {
  return (await runInside(machine, ['systemctl', ...args])).stdout.trim()
}

driverContract('systemd', async () => {
  const driver = await openDriver()
  return {
    driver,
    makeUnit: unitMaker(),
    reopen: () => openDriver(),
    mergesStreams: true,
    dispose: async () => {
      await driver.close()
      const cleaner = await openDriver()
      await unloadAll(cleaner)
      await cleaner.close()
    },
  }
})

describe('systemd driver', () => {
  let driver: Driver
  let makeUnit: (wish: UnitWish) => UnitToRun
  let scope: AbortController
  beforeEach(async () => {
    scope = new AbortController()
    makeUnit = unitMaker()
    driver = await openDriver()
  })
  afterEach(async () => {
    scope.abort()
    await unloadAll(driver)
    await driver.close()
  })
  const signal = (): AbortSignal => scope.signal
  const run = async (wish: UnitWish): Promise<UnitToRun['name']> => {
    const unit = makeUnit(wish)
    await driver.load(unit, signal())
    await driver.start(unit.name, signal())
    return unit.name
  }
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => null,
      (error: unknown) => error,
    )

  it('finds out that systemd hangs; what waits for it ends, and all goes on when it does', async () => {
    const { time, hurry } = hurrying()
    const name = await run({ name: 'hung', argv: forever })
    const slow = await run({
      name: 'slow',
      argv: sh('trap "" TERM; echo deaf; while :; do sleep 1; done'),
      stopTimeoutSec: 60,
    })
    await firstLines(driver, slow, 1, signal())
    const watching = await openDriver(time)
    const told = (): Promise<void> =>
      new Promise((resolve) => watching.watch((one) => (one === null ? resolve() : undefined), signal()))
    const unreachable = expect.objectContaining({ code: 'systemd/unreachable' })
    try {
      const before = await watching.observe(name, signal())
      expect(before).toMatchObject({ active: 'active' })
      const stopping = failureOf(watching.stop(slow, signal()))
      const isSilent = told()
      process.kill(machine.leader, 'SIGSTOP')
      hurry(true)
      await isSilent
      hurry(false)
      expect(await stopping).toEqual(unreachable)
      expect(await failureOf(watching.list(signal()))).toEqual(unreachable)
      expect(await failureOf(watching.observe(name, signal()))).toEqual(unreachable)
      const isBack = told()
      process.kill(machine.leader, 'SIGCONT')
      await isBack
      expect(await watching.observe(name, signal())).toEqual(before)
    } finally {
      process.kill(machine.leader, 'SIGCONT')
      await driver.kill(slow, 'SIGKILL', signal()).catch(() => {})
      await watching.close()
    }
  })

  it('loads and starts a hundred units at once without a reload', async () => {
    const before = await reloads()
    const units = Array.from({ length: 100 }, (_, n) => makeUnit({ name: `burst-${n}`, argv: forever }))
    await Promise.all(
      units.map(async (unit) => {
        await driver.load(unit, signal())
        await driver.start(unit.name, signal())
      }),
    )
    const seen = await driver.list(signal())
    expect(seen.filter(isRunning)).toHaveLength(100)
    expect(await reloads()).toBe(before)
  })

  it('leaves no slice of a template behind', async () => {
    const name = await run({ name: 'sliced', argv: forever })
    await driver.stop(name, signal())
    await driver.unload(name, signal())
    const prefix = name.slice(0, name.indexOf('@'))
    expect(await systemctl('list-units', '--all', '--plain', '--no-legend', `*${prefix}*`)).toBe('')
  })

  it('reloads once for many units whose text changed while systemd has them in memory', async () => {
    const wishes = Array.from({ length: 10 }, (_, n) => ({ name: `changed-${n}`, argv: sh('exit 3') }))
    const names = await Promise.all(wishes.map(run))
    await Promise.all(names.map((name) => untilObserved(driver, name, hasEnded, signal())))
    // Something else of the host's wants them, so that systemd keeps them in memory.
    await writeForeign('keeper.target', `[Unit]\nWants=${names.join(' ')}\n`)
    await systemctl('start', 'keeper.target')
    await Promise.all(names.map((name) => untilObserved(driver, name, hasEnded, signal())))
    const before = await reloads()
    const { clock, release } = gathering()
    const changing = await openDriver(clock)
    try {
      const changed = wishes.map((wish) => makeUnit({ ...wish, argv: forever, hash: 'ffff' }))
      const loaded = Promise.all(changed.map((unit) => changing.load(unit, signal())))
      // However busy the host is: all have been written before the time to gather them is over.
      await untilTrue(async () => (await unitTexts(names)).every((text) => text.includes('ffff')), signal())
      release()
      await loaded
      expect(await reloads()).toBe(before + 1)
      await Promise.all(names.map((name) => changing.start(name, signal())))
      expect((await changing.list(signal())).filter(isRunning)).toHaveLength(10)
    } finally {
      release()
      await changing.close()
      await systemctl('stop', 'keeper.target')
      await removeForeign('keeper.target')
    }
  })

  it('finds units that are written while others are being started', async () => {
    for (let n = 0; n < 30; n += 1) await run({ name: `quick-${n}`, argv: forever })
    expect((await driver.list(signal())).filter(isRunning)).toHaveLength(30)
  })

  it('never takes the name of a unit that the host has', async () => {
    const file = serviceFile({ name: '', argv: forever })
    for (const name of ['dbus.service', 'getty@tty9.service', 'dev-hugepages.mount']) {
      const unit = { ...makeUnit({ name: 'x', argv: forever }), name: asUnitName(name), file }
      const error = await failureOf(driver.load(unit, signal()))
      expect(error).toMatchObject({ code: 'systemd/name-taken', permanent: true })
      // A name that is not ours is left alone whatever is asked.
      await driver.stop(unit.name, signal())
      await driver.unload(unit.name, signal())
    }
    expect(await systemctl('is-active', 'dbus.service')).toBe('active')
  })

  it('says for good that a program is not there, and does not let systemd try again', async () => {
    const unit = makeUnit({ name: 'nowhere', argv: ['/nowhere/at/all'], restart: 'always' })
    await driver.load(unit, signal())
    expect(await failureOf(driver.start(unit.name, signal()))).toMatchObject({
      code: 'systemd/not-executable',
      permanent: true,
    })
    expect(await driver.observe(unit.name, signal())).toMatchObject({ active: 'failed', restarts: 0 })
  })

  it('says why a start did not come to the program', async () => {
    const unit = makeUnit({ name: 'unready', argv: forever })
    const file = unitFile([
      ...unit.file.options.map(({ section, name, value }) => [section, name, value] as const),
      ['Service', 'ExecStartPre', '/bin/false'],
    ])
    await driver.load({ ...unit, file }, signal())
    expect(await failureOf(driver.start(unit.name, signal()))).toMatchObject({
      code: 'systemd/start-failed',
      permanent: false,
    })
  })

  it('says that systemd does not take a unit', async () => {
    const unit = makeUnit({ name: 'bad', argv: forever })
    const file = unitFile([['Service', 'ExecStart', 'relative/path']])
    await driver.load({ ...unit, file }, signal())
    expect(await failureOf(driver.start(unit.name, signal()))).toMatchObject({
      code: 'systemd/bad-unit',
      permanent: true,
    })
    expect(await driver.observe(unit.name, signal())).toMatchObject({ load: 'error', badSetting: true })
    expect((await driver.list(signal()))[0]).toMatchObject({
      load: 'error',
      badSetting: true,
      failure: { code: 'systemd/bad-unit' },
    })
  })

  it('lets what is in memory start a unit with it, from its load to its unload', async () => {
    const unit = makeUnit({ name: 'wanted', argv: forever })
    const wantedBy = (target: string, hash: string) => ({
      ...unit,
      hash,
      file: { options: [...unit.file.options, ...unitFile([['Install', 'WantedBy', target]]).options] },
    })
    const wants = async (target: string): Promise<boolean> =>
      (await systemctl('show', '--property=Wants', '--value', target)).split(' ').includes(unit.name)
    await driver.load(wantedBy('multi-user.target', '01'), signal())
    expect(await wants('multi-user.target')).toBe(true)
    expect(await driver.observe(unit.name, signal())).toMatchObject({ active: 'inactive' })
    await driver.load(wantedBy('basic.target', '02'), signal())
    expect([await wants('multi-user.target'), await wants('basic.target')]).toEqual([false, true])
    await driver.unload(unit.name, signal())
    expect(await wants('basic.target')).toBe(false)
    // What is no unit's name is no reason not to run.
    await driver.load(wantedBy('nothing', '03'), signal())
    await driver.start(unit.name, signal())
    expect(await driver.observe(unit.name, signal())).toMatchObject({ active: 'active' })
  })

  it('says what a timer lacks that it is to start', async () => {
    const unit = makeUnit({ name: 'x', argv: forever })
    const name = asUnitName('lonely.timer')
    await driver.load({ ...unit, name, file: unitFile([['Timer', 'OnActiveSec', '1h']]) }, signal())
    expect(await failureOf(driver.start(name, signal()))).toMatchObject({
      code: 'systemd/start-failed',
      message: 'lonely.timer did not start: lonely.service, which it starts, is not-found',
      permanent: false,
    })
  })

  it('refuses to change the text of what runs', async () => {
    await run({ name: 'busy', argv: forever })
    const changed = makeUnit({ name: 'busy', argv: forever, hash: 'ffff' })
    expect(await failureOf(driver.load(changed, signal()))).toMatchObject({ code: 'systemd/still-running' })
  })

  it('restarts a killed program by its policy', async () => {
    const name = await run({ name: 'killed', argv: forever, restart: 'on-failure' })
    const before = await untilObserved(driver, name, isRunning, signal())
    // A clean end to systemd, a failure to Docker.
    await systemctl('kill', '--signal=TERM', name)
    const after = await untilObserved(
      driver,
      name,
      (seen) => seen.restarts === 1 && isRunning(seen),
      signal(),
    )
    expect(after.pid).not.toBe(before.pid)
  })

  it('counts restarts anew after a start by hand', async () => {
    const name = await run({ name: 'tired', argv: sh('exit 1'), restart: 'on-failure:1' })
    const gaveUp = await untilObserved(driver, name, (seen) => seen.active === 'failed', signal())
    await driver.start(name, signal())
    const again = await untilObserved(
      driver,
      name,
      (seen) => seen.active === 'failed' && seen.since !== gaveUp.since && seen.restarts === 1,
      signal(),
    )
    expect(again.exit).toMatchObject({ code: 1 })
  })

  it('starts a oneshot without waiting for its end', async () => {
    const unit = makeUnit({ name: 'once', argv: forever })
    const end = '/run/once-may-end'
    const file = unitFile([
      ['Service', 'Type', 'oneshot'],
      ['Service', 'ExecStart', `/bin/sh -c "until rm ${end}; do sleep 0.1; done; exit 4"`],
    ])
    await driver.load({ ...unit, file }, signal())
    await driver.start(unit.name, signal())
    expect(await driver.observe(unit.name, signal())).toMatchObject({ active: 'activating', sub: 'start' })
    await runInside(machine, ['touch', end])
    expect(await untilObserved(driver, unit.name, hasEnded, signal())).toMatchObject({ exit: { code: 4 } })
  })

  it('goes on after systemd has executed itself anew', async () => {
    const end = '/run/lasting-may-end'
    const name = await run({ name: 'lasting', argv: sh(`until rm ${end}; do sleep 0.1; done; exit 5`) })
    const before = await untilObserved(driver, name, isRunning, signal())
    const changed = nextChange(driver, name, signal())
    await systemctl('daemon-reexec')
    await changed
    await untilTrue(async () => (await failureOf(driver.list(signal()))) === null, signal())
    expect(identity(await driver.observe(name, signal()))).toEqual(identity(before))
    // Ended while watched: the signals have come back with the connection.
    await runInside(machine, ['touch', end])
    expect(await untilObserved(driver, name, hasEnded, signal())).toMatchObject({ exit: { code: 5 } })
  })

  it('sees what happened while its connection was away', async () => {
    const line = await openLine()
    const watcher = await openDriver(systemClock, line.socketPath)
    try {
      const unit = makeUnit({ name: 'unseen', argv: forever })
      await watcher.load(unit, signal())
      await watcher.start(unit.name, signal())
      const before = await untilObserved(watcher, unit.name, isRunning, signal())
      line.cut()
      expect(await failureOf(watcher.stop(unit.name, signal()))).toMatchObject({
        code: 'systemd/unreachable',
      })
      await systemctl('restart', unit.name)
      const changed = nextChange(watcher, unit.name, signal())
      await line.restore()
      await changed
      await untilTrue(async () => (await failureOf(watcher.list(signal()))) === null, signal())
      const after = await watcher.observe(unit.name, signal())
      expect(after).toMatchObject({ active: 'active', sub: 'running' })
      expect(after?.pid).not.toBe(before.pid)
      await watcher.unload(unit.name, signal())
    } finally {
      await watcher.close()
      line.cut()
      line.remove()
    }
  })

  it('knows that a program ended well while its connection was away', async () => {
    const line = await openLine()
    const watcher = await openDriver(systemClock, line.socketPath)
    try {
      const unit = makeUnit({ name: 'well', argv: sh('until rm /run/well-may-end; do sleep 0.1; done') })
      await watcher.load(unit, signal())
      await watcher.start(unit.name, signal())
      const before = await untilObserved(watcher, unit.name, isRunning, signal())
      line.cut()
      await runInside(machine, ['touch', '/run/well-may-end'])
      await untilTrue(
        async () => (await runInside(machine, ['systemctl', 'is-active', unit.name])).code !== 0,
        signal(),
      )
      await line.restore()
      await untilTrue(async () => (await failureOf(watcher.list(signal()))) === null, signal())
      const after = await untilObserved(watcher, unit.name, hasEnded, signal())
      expect(after).toMatchObject({ active: 'inactive', exit: { code: 0, signal: null } })
      expect(after.exit?.at).toBeGreaterThanOrEqual(before.since ?? Number.POSITIVE_INFINITY)
      await watcher.unload(unit.name, signal())
    } finally {
      await watcher.close()
      line.cut()
      line.remove()
    }
  })

  it('knows how a program ended after it was told to stop what had ended already', async () => {
    const name = await run({ name: 'stopped-late', argv: sh('exit 0') })
    const ended = await untilObserved(driver, name, hasEnded, signal())
    await driver.stop(name, signal())
    // What systemd says of the stop has come by the time that it has answered once more.
    await systemctl('daemon-reload')
    await driver.list(signal())
    expect(await driver.observe(name, signal())).toEqual(ended)
    expect(ended.exit).toMatchObject({ code: 0 })
  })

  it('knows how programs ended while there was no daemon, and that one did not run', async () => {
    const waiting = (code: number): string =>
      `until [ -e /run/all-may-end ]; do sleep 0.1; done; exit ${code}`
    const well = await run({ name: 'ends-well', argv: sh(waiting(0)) })
    const badly = await run({ name: 'ends-badly', argv: sh(waiting(3)) })
    const idle = makeUnit({ name: 'idle', argv: forever })
    await driver.load(idle, signal())
    await driver.close()
    await runInside(machine, ['touch', '/run/all-may-end'])
    for (const name of [well, badly])
      await untilTrue(
        async () => (await runInside(machine, ['systemctl', 'is-active', name])).code !== 0,
        signal(),
      )
    driver = await openDriver()
    const exits = new Map((await driver.list(signal())).map(({ name, exit }) => [name, exit]))
    expect(exits.get(well)).toMatchObject({ code: 0, signal: null })
    expect(exits.get(badly)).toMatchObject({ code: 3 })
    expect(exits.get(idle.name)).toBe(null)
    await runInside(machine, ['rm', '/run/all-may-end'])
  })

  it('leaves alone what others laid among its units', async () => {
    const name = await run({ name: 'ours', argv: forever })
    const stray = '/run/mariposa/units/stray.service'
    await runInside(machine, ['sh', '-c', `printf '[Service]\\nExecStart=/bin/true\\n' > ${stray}`])
    const later = await openDriver()
    try {
      expect((await later.list(signal())).map((unit) => unit.name)).toEqual([name])
      await later.unload(asUnitName('stray.service'), signal())
      expect((await runInside(machine, ['test', '-e', stray])).code).toBe(0)
    } finally {
      await later.close()
      await runInside(machine, ['rm', '-f', stray])
    }
  })

  it('reaches systemd over the system bus where its own socket is not there', async () => {
    const name = await run({ name: 'roundabout', argv: forever })
    const overBus = await openSystemdDriver({
      clock: systemClock,
      log: silentLog,
      socketPath: `${machine.root}/run/nowhere`,
      systemBusPath: `${machine.root}/run/dbus/system_bus_socket`,
      host: machine,
      volumes: volumes(),
    })
    try {
      expect((await overBus.list(signal())).filter(isRunning)).toHaveLength(1)
      const changed = nextChange(overBus, name, signal())
      await overBus.stop(name, signal())
      await changed
      expect(await overBus.observe(name, signal())).toMatchObject({ active: 'inactive' })
    } finally {
      await overBus.close()
    }
  })

  it('says that systemd cannot be reached', async () => {
    const nowhere = { socketPath: `${machine.root}/run/nowhere`, systemBusPath: null }
    const opening = openSystemdDriver({
      ...{ clock: systemClock, log: silentLog, host: machine, volumes: volumes() },
      ...nowhere,
    })
    expect(await failureOf(opening)).toMatchObject({ code: 'systemd/unreachable', permanent: false })
  })

  it('runs what is asked for as another user, in the place of the program', async () => {
    const unit = makeUnit({ name: 'place', argv: forever })
    const file = unitFile([
      ...unit.file.options.map(({ section, name, value }) => [section, name, value] as const),
      ['Service', 'WorkingDirectory', '/usr'],
      ['Service', 'User', 'nobody'],
    ])
    await driver.load({ ...unit, file }, signal())
    await driver.start(unit.name, signal())
    const ask = async (user: string | null): Promise<string> => {
      const chunks: Uint8Array[] = []
      const onOutput = (_: string, chunk: Uint8Array): void => {
        chunks.push(chunk)
      }
      await driver.exec(unit.name, { argv: sh('id -un; pwd'), user, stdin: null, onOutput }, signal())
      return Buffer.concat(chunks).toString()
    }
    expect(await ask(null)).toBe('nobody\n/usr\n')
    expect(await ask('root')).toBe('root\n/usr\n')
  })

  it('runs nothing as root beside a unit of another user, whatever that puts in the place of the programs of the system', async () => {
    const unit = makeUnit({ name: 'set', argv: forever })
    const dir = `/run/${unit.name}`
    await runInside(machine, ['mkdir', '--mode=777', dir])
    const other = `printf '#!/bin/sh\nid -u >>${dir}/ran\n' >${dir}/own; chmod 755 ${dir}/own; : >${dir}/ran; chmod 666 ${dir}/ran`
    await runInside(machine, sh(other))
    const file = unitFile([
      ...unit.file.options.map(({ section, name, value }) => [section, name, value] as const),
      ['Service', 'User', 'nobody'],
      ['Service', 'Environment', `LD_DEBUG=libs LD_DEBUG_OUTPUT=${dir}/loader`],
      ['Service', 'BindReadOnlyPaths', `${dir}/own:/usr/bin/setpriv ${dir}/own:/usr/sbin/runuser`],
    ])
    await driver.load({ ...unit, file }, signal())
    await driver.start(unit.name, signal())
    const said: Uint8Array[] = []
    const onOutput = (_: string, chunk: Uint8Array): void => void said.push(chunk)
    const terminal = { type: 'xterm', size: { columns: 80, rows: 24 }, onResize: () => {} }
    const asked = { argv: sh('id -un; echo "$LD_DEBUG"'), stdin: null, onOutput }
    for (const user of [null, 'nobody', '65534']) await driver.exec(unit.name, { ...asked, user }, signal())
    expect(Buffer.concat(said).toString()).toBe('nobody\nlibs\n'.repeat(3))
    await driver.exec(unit.name, { ...asked, user: null, terminal }, signal())
    const { stdout } = await runInside(machine, sh(`cat ${dir}/ran; stat -c %U ${dir}/loader* | sort -u`))
    expect(stdout).toBe('nobody\n')
  })

  it('waits with what is run beside a unit for the program, which systemd may not have begun yet', async () => {
    const unit = makeUnit({ name: 'forked', argv: forever, env: { COLOUR: 'dark blue' } })
    // systemd opens it in the process that is to become the program, and waits there for somebody who writes.
    const input = `/run/${unit.name}.input`
    await runInside(machine, ['mkfifo', input])
    const file = unitFile([
      ...unit.file.options.map(({ section, name, value }) => [section, name, value] as const),
      // systemd takes it for started as soon as it is forked.
      ['Service', 'Type', 'simple'],
      ['Service', 'StandardInput', `file:${input}`],
      ['Service', 'User', 'nobody'],
    ])
    await driver.load({ ...unit, file }, signal())
    await driver.start(unit.name, signal())
    const chunks: Uint8Array[] = []
    const onOutput = (_: string, chunk: Uint8Array): void => {
      chunks.push(chunk)
    }
    const words = sh('id -un; echo "$COLOUR"')
    const beside = driver.exec(unit.name, { argv: words, user: null, stdin: null, onOutput }, signal())
    await runInside(machine, ['sh', '-c', `: > ${input}`])
    expect(await beside).toEqual({ code: 0 })
    expect(Buffer.concat(chunks).toString()).toBe('nobody\ndark blue\n')
    await runInside(machine, ['rm', input])
  })

  it('does not run anything beside what does not run', async () => {
    const unit = makeUnit({ name: 'down', argv: forever })
    await driver.load(unit, signal())
    const request = { argv: ['true'], user: null, stdin: null, onOutput: () => {} }
    expect(await failureOf(driver.exec(unit.name, request, signal()))).toMatchObject({
      code: 'systemd/not-running',
    })
  })

  it('tells the memory, the time and the number of the processes of a unit, and its limit', async () => {
    const unit = makeUnit({ name: 'measured', argv: sh('sleep 1000 & exec sleep 1000') })
    const lines = unit.file.options.map(({ section, name, value }) => [section, name, value] as const)
    await driver.load({ ...unit, file: unitFile([...lines, ['X-Mariposa', 'Memory', '64']]) }, signal())
    await driver.start(unit.name, signal())
    await untilTrue(async () => (await driver.stats(unit.name, signal())).processes === 2, signal())
    const stats = await driver.stats(unit.name, signal())
    expect(stats.memoryLimitBytes).toBe(64 * 1024 ** 2)
    expect(stats.cpuNs).toBeGreaterThan(0)
    expect(stats.memoryBytes).toBeGreaterThan(100_000)
  })

  it('gives whole lines that are long or no text', async () => {
    const name = await run({
      name: 'odd',
      argv: sh('head -c 20000 /dev/zero | tr "\\0" x; echo; printf "a\\033b\\n"'),
    })
    await untilObserved(driver, name, hasEnded, signal())
    expect(await allLines(driver, name, signal())).toEqual(['x'.repeat(20_000), 'a\u001bb'])
  })

  it('keeps the environment from other users', async () => {
    const name = await run({ name: 'secret', argv: sh('echo up; exec sleep 1000'), env: { KEY: 'hidden' } })
    await firstLines(driver, name, 1, signal())
    const read = await runInside(machine, [
      '/usr/sbin/runuser',
      '--user',
      'nobody',
      '--',
      'cat',
      `/run/systemd/system/${name}`,
    ])
    expect(read).toMatchObject({ code: 1, stdout: '' })
    const warnings = await runInside(machine, ['journalctl', '--quiet', '--grep', 'world-inaccessible'])
    expect(warnings.stdout).toBe('')
  })
})

/** A way to systemd that can be cut. */
async function openLine(): Promise<{
  readonly socketPath: string
  cut(): void
  restore(): Promise<void>
  remove(): void
}> {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-line-'))
  const socketPath = join(dir, 'socket')
  const open = new Set<Socket>()
  const listen = async (): Promise<Server> => {
    const server = createServer((client) => {
      const systemd = connect(machine.socketPath)
      for (const [one, other] of [
        [client, systemd],
        [systemd, client],
      ] as const) {
        open.add(one)
        one.pipe(other)
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
      }
    })
    server.listen(socketPath)
    await once(server, 'listening')
    return server
  }
  let server = await listen()
  return {
    socketPath,
    cut: () => {
      server.close()
      for (const socket of open) socket.destroy()
      open.clear()
    },
    remove: () => removeDir(dir),
    restore: async () => {
      server = await listen()
    },
  }
}

/** A time that can be made to go by ten times as fast: while nothing is to be answered, as a busy host answers late. */
function hurrying(): { readonly time: Time; readonly hurry: (isHasty: boolean) => void } {
  let [pace, since, passed] = [1, systemClock.steady(), 0]
  const steady = (): number => passed + (systemClock.steady() - since) * pace
  return {
    time: { now: () => systemClock.now(), steady, after: (ms, work) => systemClock.after(ms / pace, work) },
    hurry: (isHasty) => {
      passed = steady()
      since = systemClock.steady()
      pace = isHasty ? 10 : 1
    },
  }
}

/** A time in which units that are loaded together are gathered until they are released. */
function gathering(): { readonly clock: Time; readonly release: () => void } {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const after: Time['after'] = (ms, work) => {
    if (ms !== gatherMs) return systemClock.after(ms, work)
    released.then(work).catch(() => {})
    return systemClock.after(0, () => {})
  }
  const clock: Time = { now: () => systemClock.now(), steady: () => systemClock.steady(), after }
  return { clock, release }
}

/** The files of units as they are now. */
function unitTexts(names: readonly string[]): Promise<readonly string[]> {
  return Promise.all(names.map((name) => readFile(join(machine.root, systemdPaths.unitsDir, name), 'utf8')))
}

/** How often systemd has read all its unit files again; it says so in the journal. */
async function reloads(): Promise<number> {
  await runInside(machine, ['journalctl', '--sync'])
  const { stdout } = await runInside(machine, [
    'journalctl',
    '--quiet',
    '--output=cat',
    '_PID=1',
    '--grep',
    '^Reloading\\.',
  ])
  return stdout.split('\n').filter((line) => line !== '').length
}

async function writeForeign(name: string, text: string): Promise<void> {
  await runInside(machine, ['sh', '-c', 'printf %s "$2" > "/run/systemd/system/$1"', 'sh', name, text])
}

async function removeForeign(name: string): Promise<void> {
  await systemctl('stop', name)
  await runInside(machine, ['rm', '-f', `/run/systemd/system/${name}`])
}
