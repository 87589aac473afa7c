// What the process driver does beyond the contract of all drivers, with real processes.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogLine, UnitToRun } from '../../../src/agent/driver.js'
import type { UnitExit } from '../../../src/model/unit.js'
import {
  allLines,
  everything,
  firstLines,
  forever,
  hasEnded,
  isRunning,
  quoted,
  serviceFile,
  sh,
  untilObserved,
  untilTrue,
} from '../driver-contract.js'
import { eachLine } from '../each-line.js'
import {
  bundledSupervisor,
  openProcessHost,
  type ProcessHost,
  serviceUnit,
  unitToRun,
} from './process-host.js'

const signal = AbortSignal.timeout(600_000)

describe('the process driver', () => {
  let host: ProcessHost
  beforeEach(async () => {
    host = await openProcessHost({ idleExitMs: 200, logBytes: 4096 })
  })
  afterEach(() => host.dispose())

  const run = async (unit: UnitToRun): Promise<UnitToRun> => {
    await host.driver.load(unit, signal)
    await host.driver.start(unit.name, signal)
    return unit
  }
  const shell = (script: string): [string, string] => [
    'ExecStart',
    `/bin/sh -c ${quoted(script).replaceAll('$', () => '$$')}`,
  ]
  const ended = async (unit: UnitToRun) => untilObserved(host.driver, unit.name, hasEnded, signal)
  const output = (unit: UnitToRun) => allLines(host.driver, unit.name, signal)

  it('gives a program the variables of its unit and none of the daemon', async () => {
    const unit = await run(serviceUnit('bare', ['Environment', 'A=1'], ['ExecStart', '/usr/bin/env']))
    await ended(unit)
    const names = (await output(unit)).map((line) => line.slice(0, line.indexOf('='))).sort()
    expect(names).toEqual(['A', 'INVOCATION_ID', 'MARIPOSA_RUN', 'MARIPOSA_UNIT', 'PATH'])
  })

  it('holds each process of a unit to its limits', async () => {
    const limits: [string, string][] = [
      ['LimitNOFILE', '64:128'],
      ['LimitCORE', '0'],
      ['LimitFSIZE', '1M'],
    ]
    const script = 'ulimit -Sn; ulimit -Hn; ulimit -Hc; (ulimit -Sf); head -c 2M /dev/zero >big; wc -c <big'
    const unit = await run(serviceUnit('limited', ...limits, ['WorkingDirectory', host.dir], shell(script)))
    await ended(unit)
    const lines = (await output(unit)).filter((line) => /^\d+$/.test(line))
    expect(lines).toEqual(['64', '128', '0', '2048', '1048576'])
    const after = serviceUnit('free', shell('ulimit -Sn; ulimit -Hn'))
    await run(after)
    await ended(after)
    expect((await output(after))[1]).not.toBe('128')
  })

  it('keeps secrets from other users of the machine', async () => {
    const unit = await run(host.makeUnit({ name: 'secret', argv: forever, env: { TOKEN: 'hush' } }))
    for (const path of ['journal', 'supervisor.sock', 'logs', join('logs', `${unit.name}.stdout.log`)]) {
      expect(statSync(join(host.dir, path)).mode & 0o077).toBe(0)
    }
  })

  it('reads environment files at each start, and fills variables into commands', async () => {
    const file = join(host.dir, 'variables')
    writeFileSync(file, 'GREETING="hello there"\n')
    const unit = serviceUnit(
      'greets',
      ['EnvironmentFile', file],
      ['EnvironmentFile', '-/nowhere'],
      ['ExecStart', '/bin/echo ${GREETING} $$'],
    )
    await run(unit)
    await ended(unit)
    writeFileSync(file, 'GREETING=bye\n')
    await host.driver.start(unit.name, signal)
    await untilTrue(async () => (await output(unit)).length === 2, signal)
    expect(await output(unit)).toEqual(['hello there $', 'bye $'])
  })

  it('runs nothing beside a unit as a user whose number is none', async () => {
    const unit = await run(host.makeUnit({ name: 'beside', argv: forever }))
    const as = async (user: string) =>
      await host.driver.exec(
        unit.name,
        { argv: ['/bin/true'], user, stdin: null, onOutput: () => {} },
        signal,
      )
    for (const user of ['4294967295', '4294967296', '2147483648'])
      await expect(as(user)).rejects.toMatchObject({
        code: 'process/unknown-user',
        message: `there is no user ${user}: the highest possible id is 2147483647`,
      })
  })

  it('is held up by no FIFO: as a file of variables it is refused, as output the program waits for its reader', async () => {
    const fifo = join(host.dir, 'fifo')
    execFileSync('mkfifo', [fifo])
    const reads = serviceUnit('reads', ['EnvironmentFile', fifo], ['ExecStart', '/bin/true'])
    await expect(run(reads)).rejects.toMatchObject({ code: 'process/bad-environment-file' })
    const writes = serviceUnit(
      'writes',
      ['StandardOutput', `append:${fifo}`],
      shell('echo hello; sleep 1000'),
    )
    await run(writes)
    const reader = createReadStream(fifo)
    const [text] = (await once(reader, 'data')) as [Buffer]
    expect(text.toString()).toBe('hello\n')
    await host.driver.stop(writes.name, signal)
    reader.destroy()
  })

  it.each([
    ['a program that is not there', [['ExecStart', '/nowhere/at/all']], 'process/not-found'],
    ['a file that is no program', [['ExecStart', '/etc/passwd']], 'process/not-executable'],
    [
      'a directory that is not there',
      [
        ['ExecStart', '/bin/true'],
        ['WorkingDirectory', '/nowhere'],
      ],
      'process/bad-directory',
    ],
    [
      'an environment file that is not there',
      [
        ['ExecStart', '/bin/true'],
        ['EnvironmentFile', '/nowhere'],
      ],
      'process/bad-environment-file',
    ],
    [
      'an option that nobody honours',
      [
        ['ExecStart', '/bin/true'],
        ['PrivateTmp', 'yes'],
      ],
      'process/unsupported-option',
    ],
    [
      'a user that is not there',
      [
        ['ExecStart', '/bin/true'],
        ['User', 'no-such-user'],
      ],
      'process/unknown-user',
    ],
  ] as const)('refuses %s, for good', async (_, lines, code) => {
    await expect(run(serviceUnit('wrong', ...lines))).rejects.toMatchObject({ code, permanent: true })
  })

  it('shows on the unit why it could not be run', async () => {
    const unit = serviceUnit('missing', ['ExecStart', '/nowhere/at/all'], ['Restart', 'always'])
    await run(unit).catch(() => {})
    expect(await ended(unit)).toMatchObject({
      active: 'failed',
      restarts: 0,
      failure: { code: 'process/not-found', permanent: true },
    })
  })

  it('runs the commands around a service, and tells the last ones how it ended', async () => {
    const unit = await run(
      serviceUnit('around', ['ExecStartPre', '/bin/echo before'], shell('echo main; exit 3'), [
        'ExecStopPost',
        "/bin/sh -c 'echo $$SERVICE_RESULT $$EXIT_CODE $$EXIT_STATUS'",
      ]),
    )
    await ended(unit)
    expect(await output(unit)).toEqual(['before', 'main', 'exit-code exited 3'])
  })

  it('stops everything that a unit started, even what left its session', async () => {
    const script =
      'setsid sleep 1001 & sleep 1002 & setsid -f sh -c "trap \'\' TERM; sleep 1003"; echo up; wait'
    const unit = await run(serviceUnit('family', shell(script), ['TimeoutStopSec', '1']))
    await firstLines(host.driver, unit.name, 1, signal)
    expect(host.processesOf(unit).length).toBeGreaterThanOrEqual(4)
    await host.driver.stop(unit.name, signal)
    expect(host.processesOf(unit)).toEqual([])
  })

  it('clears away what a program left behind before it starts the program again', async () => {
    const unit = await run(
      unitToRun(
        'messy',
        serviceFile({ name: 'messy', argv: sh('sleep 1000 & echo up; exit 1'), restart: 'always' }),
      ),
    )
    await untilObserved(host.driver, unit.name, ({ restarts }) => restarts >= 3, signal)
    await host.driver.stop(unit.name, signal)
    expect(host.processesOf(unit)).toEqual([])
  })

  it('kills a unit that uses more memory than it may', { timeout: 40_000 }, async () => {
    const hog = [process.execPath, '-e', 'globalThis.a = Buffer.alloc(300e6, 1); setInterval(() => {}, 1000)']
    const file = serviceFile({ name: 'hog', argv: hog })
    const limit = { section: 'X-Mariposa', name: 'Memory', value: '100', line: 99 }
    const unit = await run(unitToRun('hog', { options: [...file.options, limit] }))
    const exit: UnitExit | null = (await ended(unit)).exit
    expect(exit).toMatchObject({ code: null, signal: 'SIGKILL', oom: true })
  })

  it('loads no other text for a unit that runs', async () => {
    const unit = await run(host.makeUnit({ name: 'fixed', argv: forever, hash: 'aaaa' }))
    await expect(host.driver.load({ ...unit, hash: 'bbbb' }, signal)).rejects.toMatchObject({
      code: 'process/still-running',
      permanent: false,
    })
  })

  it('sends output where the unit says', async () => {
    const file = join(host.dir, 'output')
    const unit = await run(
      serviceUnit(
        'apart',
        shell('echo out; echo err >&2'),
        ['StandardOutput', `append:${file}`],
        ['StandardError', 'journal'],
      ),
    )
    await ended(unit)
    expect(readFileSync(file, 'utf8')).toBe('out\n')
    expect(await output(unit)).toEqual(['err'])
  })

  it('sets the umask and the niceness', async () => {
    const unit = await run(serviceUnit('modest', shell('umask; nice'), ['UMask', '0027'], ['Nice', '7']))
    await ended(unit)
    expect(await output(unit)).toEqual(['0027', '7'])
  })

  it('sets the niceness itself where the supervisor has one of its own', async () => {
    await run(host.makeUnit({ name: 'other', argv: forever }))
    setPriority(host.supervisorPid() ?? Number.NaN, 3)
    const unit = await run(serviceUnit('modest', shell('nice'), ['Nice', '7']))
    await ended(unit)
    expect(await output(unit)).toEqual(['7'])
  })

  describe('logs', () => {
    it('rotate, and a follower reads on through it, each line once and in order', {
      timeout: 60_000,
    }, async () => {
      const script = 'i=0; while [ $i -lt 900 ]; do i=$((i+1)); echo "line $i of a log"; sleep 0.005; done'
      const unit = await run(host.makeUnit({ name: 'rolls', argv: sh(script) }))
      const numbers: number[] = []
      for await (const { line } of eachLine(
        host.driver.logs(unit.name, { ...everything, follow: true }, signal),
      )) {
        expect(line).toMatch(/^line \d+ of a log$/)
        numbers.push(Number(line.split(' ')[1]))
        if (numbers.at(-1) === 900) break
      }
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      // What is written between the copy and the cut is lost: on a machine that is very busy for a moment, some lines.
      expect(numbers.length).toBeGreaterThan(700)
      expect(existsSync(join(host.dir, 'logs', `${unit.name}.stdout.log.1`))).toBe(true)
      const kept = (await output(unit)).map((line) => Number(line.split(' ')[1]))
      expect(kept).toEqual(numbers.slice(-kept.length))
    })

    it('tell within about a second when a line was written', async () => {
      const unit = await run(
        host.makeUnit({ name: 'times', argv: sh('echo one; sleep 6; echo two; sleep 1000') }),
      )
      await firstLines(host.driver, unit.name, 2, signal)
      const lines: LogLine[] = []
      for await (const some of host.driver.logs(unit.name, everything, signal)) lines.push(...some)
      const [one, two] = lines
      expect((two?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThan(2000)
      const late = await allLines(host.driver, unit.name, signal, {
        ...everything,
        since: (one?.at ?? 0) + 1000,
      })
      expect(late).toEqual(['two'])
    })

    it('of a unit that was forgotten end for those who follow', async () => {
      const unit = await run(host.makeUnit({ name: 'forgotten', argv: sh('echo up; exec sleep 1000') }))
      await firstLines(host.driver, unit.name, 1, signal)
      const following = (async () => {
        const seen: string[] = []
        for await (const { line } of eachLine(
          host.driver.logs(unit.name, { ...everything, follow: true }, signal),
        ))
          seen.push(line)
        return seen
      })()
      await host.driver.unload(unit.name, signal)
      expect((await following)[0] ?? 'up').toBe('up')
    })
  })

  describe('and its supervisor', () => {
    it('are one for a folder, however many ask for it at once', async () => {
      const pid = host.supervisorPid()
      const command = [await bundledSupervisor(), JSON.stringify({ dir: host.dir })]
      const statuses = await Promise.all(
        Array.from(
          { length: 4 },
          () =>
            new Promise((done) => spawn(process.execPath, command, { stdio: 'ignore' }).once('exit', done)),
        ),
      )
      expect(statuses).toEqual([0, 0, 0, 0])
      await Promise.all((await Promise.all([host.reopen(), host.reopen()])).map((driver) => driver.close()))
      expect(host.supervisorPid()).toBe(pid)
    })

    it('part when nothing runs and nobody is connected', async () => {
      await host.driver.close()
      await untilTrue(async () => host.supervisorPid() === null, signal)
    })

    it('stay together while something runs', async () => {
      await run(host.makeUnit({ name: 'busy', argv: forever }))
      const pid = host.supervisorPid()
      await host.driver.close()
      await new Promise((resolve) => setTimeout(resolve, 600))
      expect(host.supervisorPid()).toBe(pid)
    })

    it('say what is wrong with a folder that cannot be used', async () => {
      const dir = join(host.dir, 'file')
      writeFileSync(dir, '')
      await expect(openProcessHost({ dir })).rejects.toMatchObject({ code: 'process/home-unusable' })
    })

    it('find each other in a folder whose path is longer than a socket address', async () => {
      const deep = await openProcessHost({ dir: join(host.dir, 'deep'.repeat(20), 'deeper'.repeat(20)) })
      const unit = deep.makeUnit({ name: 'deep', argv: forever })
      await deep.driver.load(unit, signal)
      await deep.driver.start(unit.name, signal)
      await untilObserved(deep.driver, unit.name, isRunning, signal)
      await deep.dispose()
    })
  })
})
