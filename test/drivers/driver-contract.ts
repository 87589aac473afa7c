// What every driver must do, whatever runs the units. Each driver's own test file calls this with an opener.
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  Driver,
  ExecRequest,
  FilledFile,
  LogLine,
  LogQuery,
  TerminalSize,
  UnitToRun,
} from '../../src/agent/driver.js'
import { filesVariable, inNamespace, secretsVariable } from '../../src/model/arriving-file.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { ObservedUnit, UnitName } from '../../src/model/unit.js'
import type { UnitFile, UnitOption } from '../../src/unit/parse.js'
import type { NamedVolume } from '../../src/unit/volumes.js'
import { eachLine } from './each-line.js'

/** A unit as a test describes it; each driver says how it is written as a unit file. */
export interface UnitWish {
  /** A word; the opener makes a unit name of it that no other test uses. */
  readonly name: string
  /** The program's words. Programs of the contract need `/bin/sh` and nothing else. */
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** `[X-Mariposa] Restart=`; `no` when absent. */
  readonly restart?: string
  /** How long a stop waits before it kills; 10 when absent. */
  readonly stopTimeoutSec?: number
  /** Tells two texts of one unit apart. */
  readonly hash?: string
  readonly volumes?: readonly NamedVolume[]
}

/** A driver made ready for one test, on a host of its own. */
export interface DriverUnderTest {
  readonly driver: Driver
  readonly makeUnit: (wish: UnitWish) => UnitToRun
  /** Opens the driver once more on the same host, as a daemon does after a restart. */
  readonly reopen: () => Promise<Driver>
  /** What the host keeps of the program's two outputs is one: all lines count as standard output. */
  readonly mergesStreams?: boolean
  /** Waits by the time that the host goes by; default: that of this machine. */
  readonly sleep?: Sleep
  /** Removes everything that the test made. */
  readonly dispose: () => Promise<void>
}

type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

const sleepHere: Sleep = async (ms, signal) => await sleep(ms, undefined, { signal })

/** The words of programs that behave as what is asked of every driver needs it. */
export interface Programs {
  readonly forever: readonly string[]
  /** Ends by itself, with a status. */
  readonly ends: (code: number, afterMs?: number) => readonly string[]
  /** Ends in its own way, with the status 0, when it is told to stop. */
  readonly polite: readonly string[]
  /** Does not end when it is told to stop, and neither does what it has begun. */
  readonly deaf: readonly string[]
  /** Null where programs write `ready` as soon as they hear what they are told; otherwise so long after their start. */
  readonly hearsAfterMs: number | null
}

/** The words of a shell script. */
export const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script]

/** A program that runs until it is stopped. */
export const forever: readonly string[] = sh('exec sleep 1000')

const ofShell: Programs = {
  forever,
  ends: (code, afterMs = 0) => sh(`${afterMs === 0 ? '' : `sleep ${afterMs / 1000}; `}exit ${code}`),
  polite: sh('trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.05; done'),
  deaf: sh(
    'trap "" TERM; (trap "" TERM; while :; do sleep 1; done) & echo ready; while :; do sleep 0.05; done',
  ),
  hearsAfterMs: null,
}

/** Runs the contract against one driver, which runs real programs. */
export function driverContract(name: string, open: () => Promise<DriverUnderTest>): void {
  contractFor(name, open, ofShell)
}

/** Runs that part of the contract which needs nothing of what programs write, against a driver with programs of its own. */
export function driverContractWithout(
  name: string,
  open: () => Promise<DriverUnderTest>,
  programs: Programs,
): void {
  contractFor(name, open, programs)
}

function contractFor(name: string, open: () => Promise<DriverUnderTest>, programs: Programs): void {
  const { forever, ends } = programs
  const isShell = programs === ofShell
  const withShell = (title: string, test: () => Promise<void>): void => {
    if (isShell) it(title, test)
  }
  const groupWithShell = (title: string, tests: () => void): void => {
    if (isShell) describe(title, tests)
  }
  describe(`driver contract: ${name}`, () => {
    let host: DriverUnderTest
    let scope: AbortController
    beforeEach(async () => {
      scope = new AbortController()
      host = await open()
    })
    afterEach(async () => {
      scope.abort()
      await host.dispose()
    })

    const signal = (): AbortSignal => scope.signal
    const load = async (wish: UnitWish): Promise<UnitName> => {
      const unit = host.makeUnit(wish)
      await host.driver.load(unit, signal())
      return unit.name
    }
    const run = async (wish: UnitWish): Promise<UnitName> => {
      const unit = await load(wish)
      await host.driver.start(unit, signal())
      return unit
    }
    const until = (unit: UnitName, holds: (seen: ObservedUnit) => boolean, driver = host.driver) =>
      untilObserved(driver, unit, holds, signal(), host.sleep)
    const untilItHears = async (unit: UnitName): Promise<void> => {
      if (programs.hearsAfterMs === null) await firstLines(host.driver, unit, 1, signal())
      else await (host.sleep ?? sleepHere)(programs.hearsAfterMs, signal())
    }
    const names = async (): Promise<readonly string[]> =>
      (await host.driver.list(signal())).map((unit) => unit.name).sort()

    it('holds no unit at first', async () => {
      expect(await host.driver.list(signal())).toEqual([])
    })

    withShell('keeps a volume of a service beyond its units, and deletes it with the service', async () => {
      const [project, service] = ['shop', `db-${randomUUID()}`]
      const volume = { project, service, name: 'data', path: '/mnt/data', readonly: false }
      const at = host.driver.volumePath?.(volume) ?? volume.path
      const ran = async (name: string, script: string, driver: Driver): Promise<UnitName> => {
        const unit = host.makeUnit({ name, argv: sh(script), volumes: [volume] })
        await driver.load(unit, signal())
        await driver.start(unit.name, signal())
        expect(await until(unit.name, hasEnded, driver)).toMatchObject({ exit: { code: 0 } })
        return unit.name
      }
      const owner = { uuid: randomUUID(), project, name: service }
      const deleted = async (driver: Driver, isReplaced: boolean) =>
        await driver.deleteVolumesOf?.({ ...owner, isReplaced }, signal())
      await host.driver.unload(await ran('writer', `echo kept > ${at}/mark`, host.driver), signal())

      const later = await host.reopen()
      try {
        const reader = await ran('reader', `grep -q kept ${at}/mark`, later)
        await expect(deleted(later, false)).rejects.toMatchObject({ code: 'volume/in-use' })
        await later.unload(reader, signal())
        expect(await deleted(later, true)).toEqual([{ name: `${project}.${service}.data`, service: null }])
        await later.unload(await ran('again', `grep -q kept ${at}/mark`, later), signal())
        expect(await deleted(later, false)).toEqual([])
        await later.unload(await ran('fresh', `test ! -e ${at}/mark`, later), signal())
        await deleted(later, false)
      } finally {
        await later.close()
      }
    })

    withShell(
      'gives the program its files, keeps them for the next daemon, and takes them away with the unit',
      async () => {
        const unit = host.makeUnit({
          name: 'files',
          argv: sh(
            'cd "$MARIPOSA_FILES_DIR" && cat etc/app.conf && ls -ln "$MARIPOSA_SECRETS_DIR/key" && sha1sum < "$MARIPOSA_SECRETS_DIR/key"; exec sleep 1000',
          ),
        })
        const at = host.driver.filesAt?.(unit.name) ?? inNamespace
        const environment = { ...unit.environment, [filesVariable]: at.own, [secretsVariable]: at.secrets }
        const plain = { owner: null, mode: null, secret: false }
        const key = Uint8Array.of(0, 255, 10, 0)
        const files: readonly FilledFile[] = [
          { ...plain, path: 'etc/app.conf', content: new TextEncoder().encode('as $it is %i\n') },
          { ...plain, path: '/run/secrets/key', content: key, secret: true },
        ]
        const whole = { ...unit, environment, files }
        await host.driver.load(whole, signal())
        await host.driver.start(unit.name, signal())
        const [text, listed, sum] = await firstLines(host.driver, unit.name, 3, signal())
        expect(text).toBe('as $it is %i')
        expect(listed).toMatch(/^-r--(------|r--r--)\S* .* 4 /)
        expect(sum).toContain(createHash('sha1').update(key).digest('hex'))

        const later = await host.reopen()
        try {
          await later.load(whole, signal())
          expect(await until(unit.name, isRunning, later)).toMatchObject({ active: 'active' })
          const read: string[] = []
          const request = {
            ...{ argv: ['cat', `${at.own}/etc/app.conf`], user: null, stdin: null },
            onOutput: (_: string, chunk: Uint8Array) => void read.push(new TextDecoder().decode(chunk)),
          }
          expect(await later.exec(unit.name, request, signal())).toEqual({ code: 0 })
          expect(read.join('')).toBe('as $it is %i\n')
          await later.unload(unit.name, signal())
          const bare = { ...unit, files: [] }
          const gone = {
            ...bare,
            file: host.makeUnit({ name: 'files', argv: sh(`test ! -e ${at.own}/etc`) }).file,
          }
          await later.load(gone, signal())
          await later.start(unit.name, signal())
          expect(await until(unit.name, hasEnded, later)).toMatchObject({ exit: { code: 0 } })
        } finally {
          await later.close()
        }
      },
    )

    it('has no files of a unit that it does not have, as a daemon leaves that is killed while it unloads one', async () => {
      const unit = host.makeUnit({ name: 'left', argv: forever })
      const content = new TextEncoder().encode('left')
      const file: FilledFile = { path: 'left.conf', content, owner: null, mode: null, secret: false }
      const whole = { ...unit, files: [file] }
      if (host.driver.replaceFiles === undefined) return
      host.driver.replaceFiles(whole)
      host.driver.filesTaken?.(unit.name)
      expect(host.driver.replaceFiles(whole)).toEqual([])
      const later = await host.reopen()
      try {
        expect(later.replaceFiles?.(whole)).toEqual([file.path])
        await later.unload(unit.name, signal())
      } finally {
        await later.close()
      }
    })

    it('loads a unit without starting it', async () => {
      const unit = await load({ name: 'quiet', argv: forever, hash: 'aaaa' })
      const seen = await host.driver.observe(unit, signal())
      expect(seen).toMatchObject({ name: unit, hash: 'aaaa', driver: host.driver.kind, load: 'loaded' })
      expect(seen).toMatchObject({
        active: 'inactive',
        sub: 'dead',
        since: null,
        pid: null,
        restarts: 0,
        exit: null,
        failure: null,
      })
      expect(await names()).toEqual([unit])
    })

    it('loads the same unit twice without a change', async () => {
      const unit = await run({ name: 'twice', argv: forever })
      const before = await until(unit, isRunning)
      await load({ name: 'twice', argv: forever })
      expect(identity(await host.driver.observe(unit, signal()))).toEqual(identity(before))
    })

    withShell('replaces what is not running when it is loaded with another hash', async () => {
      await load({ name: 'changed', argv: sh('echo old; exec sleep 1000'), hash: 'aaaa' })
      const unit = await run({ name: 'changed', argv: sh('echo new; exec sleep 1000'), hash: 'bbbb' })
      expect(await until(unit, isRunning)).toMatchObject({ hash: 'bbbb' })
      expect(await firstLines(host.driver, unit, 1, signal())).toEqual(['new'])
    })

    withShell('runs the program with its words and variables as they are', async () => {
      const words = ['two words', "it's", '"quoted"', '$HOME', '100%', 'back\\slash', '']
      const unit = await run({
        name: 'words',
        argv: [...sh('printf "<%s>\\n" "$@"; echo "$GREETING"; exec sleep 1000'), 'sh', ...words],
        env: { GREETING: 'hello $USER "you" %i' },
      })
      const lines = await firstLines(host.driver, unit, words.length + 1, signal())
      expect(lines).toEqual([...words.map((word) => `<${word}>`), 'hello $USER "you" %i'])
    })

    withShell('gives the program what placement adds to the environment', async () => {
      const unit = {
        ...host.makeUnit({ name: 'placed', argv: sh('echo "port $PORT"; exec sleep 1000') }),
        environment: { PORT: '4711' },
      }
      await host.driver.load(unit, signal())
      await host.driver.start(unit.name, signal())
      expect(await firstLines(host.driver, unit.name, 1, signal())).toEqual(['port 4711'])
    })

    it('starts a running unit without a change', async () => {
      const unit = await run({ name: 'again', argv: forever })
      const before = await until(unit, isRunning)
      await host.driver.start(unit, signal())
      expect(identity(await host.driver.observe(unit, signal()))).toEqual(identity(before))
    })

    it('stops a unit, and has stopped it when it says so', async () => {
      const unit = await run({ name: 'stopped', argv: forever })
      await until(unit, isRunning)
      await host.driver.stop(unit, signal())
      const seen = await host.driver.observe(unit, signal())
      expect(seen).toMatchObject({ active: expect.stringMatching(/^(inactive|failed)$/), pid: null })
      await host.driver.stop(unit, signal())
    })

    it('lets a program end in its own way when it is asked to stop', async () => {
      const unit = await run({ name: 'polite', argv: programs.polite })
      await untilItHears(unit)
      await host.driver.stop(unit, signal())
      expect(await host.driver.observe(unit, signal())).toMatchObject({
        active: 'inactive',
        exit: { code: 0, signal: null },
      })
      if (isShell) expect(await allLines(host.driver, unit, signal())).toContain('bye')
    })

    it('kills a program that does not stop in time', async () => {
      const unit = await run({ name: 'stubborn', argv: programs.deaf, stopTimeoutSec: 1 })
      await untilItHears(unit)
      await host.driver.stop(unit, signal())
      expect(await host.driver.observe(unit, signal())).toMatchObject({
        pid: null,
        active: expect.stringMatching(/^(inactive|failed)$/),
      })
    })

    it('does not start a stopped unit again, whatever its restart policy', async () => {
      const unit = await run({ name: 'obedient', argv: forever, restart: 'always' })
      await until(unit, isRunning)
      await host.driver.stop(unit, signal())
      await (host.sleep ?? sleepHere)(500, signal())
      expect(await host.driver.observe(unit, signal())).toMatchObject({
        pid: null,
        active: expect.stringMatching(/^(inactive|failed)$/),
      })
    })

    it('starts a stopped unit once more', async () => {
      const unit = await run({ name: 'back', argv: forever })
      const before = await until(unit, isRunning)
      await host.driver.stop(unit, signal())
      await host.driver.start(unit, signal())
      const after = await until(unit, isRunning)
      expect(after.pid).not.toBe(before.pid)
    })

    it('tells how a program ended', async () => {
      const [clean, failed] = await Promise.all([
        run({ name: 'clean', argv: ends(0) }),
        run({ name: 'broken', argv: ends(3) }),
      ])
      expect(await until(clean, hasEnded)).toMatchObject({
        active: 'inactive',
        exit: { code: 0, signal: null, oom: false },
      })
      expect(await until(failed, hasEnded)).toMatchObject({
        active: 'failed',
        exit: { code: 3, signal: null, oom: false },
      })
    })

    it('restarts a program that ends by itself, and counts', async () => {
      const argv = isShell ? sh('echo up; exit 1') : ends(1)
      const unit = await run({ name: 'phoenix', argv, restart: 'always' })
      const seen = await until(unit, ({ restarts }) => restarts >= 2)
      expect(seen.hash).not.toBe('')
      if (!isShell) return
      expect((await allLines(host.driver, unit, signal())).length).toBeGreaterThanOrEqual(2)
    })

    it('waits for restarts as Docker does, and says until when', async () => {
      const unit = await run({ name: 'weary', argv: ends(1), restart: 'always' })
      const waits = new Map<number, number>()
      await until(unit, ({ restarts, restartAt, since }) => {
        if (restartAt !== undefined) waits.set(restarts, restartAt - (since ?? 0))
        // On a busy host the shorter ones may go by unseen.
        return [...waits.keys()].some((seen) => seen >= 3)
      })
      for (const [restarts, wait] of waits) expect(wait).toBe(100 * 2 ** restarts)
    })

    it('gives up after as many restarts as the policy allows', async () => {
      const unit = await run({ name: 'tired', argv: ends(1), restart: 'on-failure:1' })
      // systemd calls a unit failed for a moment on its way to a restart as well.
      const gaveUp = (seen: ObservedUnit): boolean => seen.active === 'failed' && seen.restarts === 1
      expect(await until(unit, gaveUp)).toMatchObject({ exit: { code: 1 } })
    })

    it('says that a program is not there', async () => {
      const unit = await load({ name: 'nowhere', argv: ['/nowhere/at/all'] })
      const thrown: unknown = await host.driver.start(unit, signal()).then(
        () => null,
        (error: unknown) => error,
      )
      if (thrown !== null) expect(thrown).toBeInstanceOf(DriverError)
      else
        expect(await until(unit, hasEnded)).toMatchObject({ active: 'failed', failure: { permanent: true } })
    })

    it('forgets an unloaded unit, and one that it never knew', async () => {
      const unit = await load({ name: 'gone', argv: forever })
      await host.driver.unload(unit, signal())
      await host.driver.unload(unit, signal())
      expect(await host.driver.observe(unit, signal())).toBeNull()
      expect(await names()).toEqual([])
    })

    it('stops a running unit before it forgets it', async () => {
      const unit = await run({ name: 'busy', argv: forever })
      await until(unit, isRunning)
      await host.driver.unload(unit, signal())
      expect(await host.driver.observe(unit, signal())).toBeNull()
    })

    it('stops what it does not know without an error, and cannot start it', async () => {
      const { name: unknown } = host.makeUnit({ name: 'unknown', argv: forever })
      await host.driver.stop(unknown, signal())
      await expect(host.driver.start(unknown, signal())).rejects.toThrow(DriverError)
      await expect(host.driver.start(unknown, signal())).rejects.toMatchObject({
        code: `${host.driver.kind}/unknown-unit`,
      })
    })

    it('does nothing for a caller that has already given up', async () => {
      const unit = await load({ name: 'late', argv: forever })
      await expect(host.driver.start(unit, AbortSignal.abort())).rejects.toThrow()
      expect(await host.driver.observe(unit, signal())).toMatchObject({ active: 'inactive' })
    })

    it('tells of changes as they happen', async () => {
      const unit = await load({ name: 'watched', argv: ends(3, 200) })
      const changed = nextChange(host.driver, unit, signal())
      await host.driver.start(unit, signal())
      await changed
      const ended = untilChanged(host.driver, unit, hasEnded, signal())
      expect(await ended).toMatchObject({ exit: { code: 3 } })
    })

    it('handles many units at once', async () => {
      const units = await Promise.all(
        Array.from({ length: 12 }, (_, n) => run({ name: `many-${n}`, argv: forever })),
      )
      await Promise.all(units.map((unit) => until(unit, isRunning)))
      expect(await names()).toEqual([...units].sort())
      await Promise.all(units.map((unit) => host.driver.unload(unit, signal())))
      expect(await names()).toEqual([])
    })

    groupWithShell('logs', () => {
      it('keeps what a program wrote, line by line, by stream, with the time', async () => {
        const from = Date.now()
        const unit = await run({
          name: 'writer',
          argv: sh('echo one; echo two >&2; echo three; printf four'),
        })
        await until(unit, hasEnded)
        const lines = await readLogs(host.driver, unit, everything, signal())
        const of = (stream: LogLine['stream']) =>
          lines.filter((line) => line.stream === stream).map(({ line }) => line)
        expect(of('stdout')).toEqual(
          host.mergesStreams ? ['one', 'two', 'three', 'four'] : ['one', 'three', 'four'],
        )
        expect(of('stderr')).toEqual(host.mergesStreams ? [] : ['two'])
        for (const { at } of lines) expect(at).toBeGreaterThan(from - 5_000)
        for (const { at } of lines) expect(at).toBeLessThan(Date.now() + 5_000)
      })

      it('keeps every line of a program that writes to both of its outputs at the same time', async () => {
        const count = 3000
        const writes = (word: string, to: string): string =>
          `i=0; while [ $i -lt ${count} ]; do i=$((i+1)); echo "${word} $i" ${to}; done`
        const unit = await run({
          name: 'both',
          argv: sh(`(${writes('out', '')}) & (${writes('err', '>&2')}) & wait`),
        })
        await until(unit, hasEnded)
        const lines = await allLines(host.driver, unit, signal())
        for (const word of ['out', 'err'])
          expect(lines.filter((line) => line.startsWith(word))).toEqual(
            Array.from({ length: count }, (_, n) => `${word} ${n + 1}`),
          )
      })

      it('gives the last lines when asked for so many', async () => {
        const unit = await run({
          name: 'tail',
          argv: sh('i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "line $i"; done'),
        })
        await until(unit, hasEnded)
        expect(await allLines(host.driver, unit, signal(), { ...everything, tail: 2 })).toEqual([
          'line 199',
          'line 200',
        ])
        expect(await allLines(host.driver, unit, signal(), { ...everything, tail: 0 })).toEqual([])
      })

      it('leaves out what is older than asked for', async () => {
        const unit = await run({ name: 'since', argv: sh('echo old; exec sleep 1000') })
        await firstLines(host.driver, unit, 1, signal())
        expect(
          await allLines(host.driver, unit, signal(), { ...everything, since: Date.now() - 60_000 }),
        ).toEqual(['old'])
        expect(
          await allLines(host.driver, unit, signal(), { ...everything, since: Date.now() + 60_000 }),
        ).toEqual([])
      })

      it('gives the last lines of those that are not older than asked for', async () => {
        const unit = await run({ name: 'recent', argv: sh('for n in 1 2 3 4 5; do echo "line $n"; done') })
        await until(unit, hasEnded)
        const recent = { ...everything, since: Date.now() - 60_000, tail: 2 }
        expect(await allLines(host.driver, unit, signal(), recent)).toEqual(['line 4', 'line 5'])
        expect(await firstLines(host.driver, unit, 2, signal(), recent)).toEqual(['line 4', 'line 5'])
        expect(await allLines(host.driver, unit, signal(), { ...recent, tail: 0 })).toEqual([])
      })

      it('counts a line as one, however long', async () => {
        const unit = await run({
          name: 'wide',
          argv: sh('for n in 1 2 3; do head -c 40000 /dev/zero | tr "\\0" "$n"; echo; done'),
        })
        await until(unit, hasEnded)
        const lines = await allLines(host.driver, unit, signal(), { ...everything, tail: 2 })
        const followed = await firstLines(host.driver, unit, 2, signal(), { ...everything, tail: 2 })
        for (const last of [lines, followed])
          expect(last.map((line) => `${line[0]} x ${line.length}`)).toEqual(['2 x 40000', '3 x 40000'])
      })

      it('follows what is written later, until the caller has enough', async () => {
        const unit = await run({
          name: 'follow',
          argv: sh('i=0; while :; do i=$((i+1)); echo "tick $i"; sleep 0.1; done'),
        })
        expect(await firstLines(host.driver, unit, 5, signal())).toEqual([
          'tick 1',
          'tick 2',
          'tick 3',
          'tick 4',
          'tick 5',
        ])
      })

      it('ends a follow when the caller gives up', async () => {
        const unit = await run({ name: 'bored', argv: forever })
        const caller = new AbortController()
        const reading = readLogs(host.driver, unit, { ...everything, follow: true }, caller.signal)
        caller.abort()
        expect(await reading.catch(() => [])).toEqual([])
      })

      it('reads no further in a long log once the caller has given up', async () => {
        const lines = 200_000
        const unit = await run({ name: 'long', argv: sh(`yes a line of a long log | head -n ${lines}`) })
        await until(unit, hasEnded)
        for (const follow of [false, true]) {
          const caller = new AbortController()
          let seen = 0
          try {
            for await (const some of host.driver.logs(unit, { ...everything, follow }, caller.signal)) {
              seen += some.length
              caller.abort()
            }
          } catch (error) {
            if (!caller.signal.aborted) throw error
          }
          expect(seen).toBeGreaterThan(0)
          expect(seen).toBeLessThan(lines / 4)
        }
      })

      it('keeps the lines of earlier runs', async () => {
        const unit = await run({ name: 'history', argv: sh('echo run') })
        await until(unit, hasEnded)
        await host.driver.start(unit, signal())
        await until(unit, hasEnded)
        await untilTrue(async () => (await allLines(host.driver, unit, signal())).length === 2, signal())
      })
    })

    it('sends a signal to every process of a unit, whatever it stops for', async () => {
      const unit = await run({ name: 'deaf', argv: programs.deaf, stopTimeoutSec: 600 })
      await until(unit, isRunning)
      const stopped = host.driver.stop(unit, signal())
      expect(await host.driver.kill(unit, 'SIGKILL', signal())).toBe(true)
      await stopped
      expect((await host.driver.observe(unit, signal()))?.active).not.toBe('deactivating')
    })

    it('says that there was nothing to signal of a program that has ended', async () => {
      const unit = await run({ name: 'brief', argv: ends(3) })
      await until(unit, hasEnded)
      expect(await host.driver.kill(unit, 'SIGTERM', signal())).toBe(false)
    })

    groupWithShell('exec', () => {
      const exec = async (
        unit: UnitName,
        argv: readonly string[],
        stdin: AsyncIterable<Uint8Array> | null = null,
      ) => {
        const output = { stdout: '', stderr: '' }
        const { code } = await host.driver.exec(
          unit,
          {
            argv,
            user: null,
            stdin,
            onOutput: (stream, chunk) => {
              output[stream] += new TextDecoder().decode(chunk)
            },
          },
          signal(),
        )
        return { code, ...output }
      }

      it('runs a program beside the unit, with its variables', async () => {
        const unit = await run({ name: 'beside', argv: forever, env: { COLOUR: 'dark blue' } })
        await until(unit, isRunning)
        const result = await exec(unit, sh('echo "$COLOUR"; echo no >&2; exit 7'))
        expect(result).toEqual({ code: 7, stdout: 'dark blue\n', stderr: 'no\n' })
      })

      it('feeds it what the caller types', async () => {
        const unit = await run({ name: 'typed', argv: forever })
        await until(unit, isRunning)
        const typed = (async function* () {
          yield new TextEncoder().encode('hello ')
          yield new TextEncoder().encode('there\n')
        })()
        expect(await exec(unit, ['cat'], typed)).toEqual({ code: 0, stdout: 'hello there\n', stderr: '' })
      })

      it('passes words as they are, never through a shell', async () => {
        const unit = await run({ name: 'unquoted', argv: forever })
        await until(unit, isRunning)
        expect(await exec(unit, ['echo', '$HOME; exit 1', '%i'])).toEqual({
          code: 0,
          stdout: '$HOME; exit 1 %i\n',
          stderr: '',
        })
      })

      it('tells once that the program runs, before its end', async () => {
        const unit = await run({ name: 'begun', argv: forever })
        await until(unit, isRunning)
        const begun = { times: 0, saysItRuns: false }
        let letEnd = (): void => {}
        const mayEnd = new Promise<void>((resolve) => {
          letEnd = resolve
        })
        const onRunning = (stillRuns: () => boolean = () => true): void => {
          begun.times += 1
          begun.saysItRuns = stillRuns()
          letEnd()
        }
        const stdin = (async function* () {
          await mayEnd
          yield new TextEncoder().encode('enough\n')
        })()
        const request = { argv: ['cat'], user: null, stdin, onOutput: () => {}, onRunning }
        expect(await host.driver.exec(unit, request, signal())).toEqual({ code: 0 })
        expect(begun).toEqual({ times: 1, saysItRuns: true })
      })

      it('ends what runs beside a unit when that has stopped', async () => {
        const unit = await run({ name: 'left', argv: forever })
        await until(unit, isRunning)
        let isUp = (): void => {}
        const up = new Promise<void>((resolve) => {
          isUp = resolve
        })
        const argv = sh('echo up; exec sleep 1000')
        const request = { argv, user: null, stdin: null, onOutput: () => isUp() }
        const beside = host.driver.exec(unit, request, signal())
        await Promise.race([up, beside])
        await host.driver.stop(unit, signal())
        expect((await beside).code).not.toBe(0)
      })

      const inTerminal = async (unit: UnitName, argv: readonly string[], more: Partial<ExecRequest> = {}) => {
        let stdout = ''
        const terminal = { type: 'xterm', size: { columns: 80, rows: 24 }, onResize: () => {} }
        const onOutput = (_: string, chunk: Uint8Array): void => {
          stdout += new TextDecoder().decode(chunk)
        }
        const request = { argv, user: null, stdin: null, terminal, onOutput, ...more }
        const { code } = await host.driver.exec(unit, request, signal())
        return { code, stdout }
      }

      it('is what Ctrl-D is to a program in a terminal, when the caller has no more to type', async () => {
        const unit = await run({ name: 'typed-to-its-end', argv: forever })
        await until(unit, isRunning)
        const stdin = (async function* () {
          yield new TextEncoder().encode('all of it\n')
        })()
        const { code, stdout } = await inTerminal(
          unit,
          sh('stty -echo; read -r first; cat; echo "$first: over"; exit 5'),
          { stdin },
        )
        expect(stdout).toContain('all of it: over')
        expect(code).toBe(5)
      })

      it('gives a terminal the newest of many sizes, also of those that come before its program begins', async () => {
        const unit = await run({ name: 'sized', argv: forever })
        await until(unit, isRunning)
        const onResize = (call: (size: TerminalSize) => void): void => {
          for (let columns = 101; columns <= 120; columns += 1) call({ columns, rows: 40 })
        }
        const terminal = { type: 'xterm', size: { columns: 80, rows: 24 }, onResize }
        const newest = 'until [ "$(stty size)" = "40 120" ]; do sleep 0.05; done; stty size'
        const { code, stdout } = await inTerminal(unit, sh(newest), { terminal })
        expect(stdout).toContain('40 120')
        expect(code).toBe(0)
      })

      it('answers 127 or throws when there is no such program', async () => {
        const unit = await run({ name: 'lacking', argv: forever })
        await until(unit, isRunning)
        const outcome = await exec(unit, ['/nowhere/at/all']).then(
          ({ code }) => code,
          (error: unknown) => error,
        )
        if (typeof outcome === 'number') expect([126, 127]).toContain(outcome)
        else expect(outcome).toBeInstanceOf(DriverError)
      })
    })

    it('tells what a running unit uses', async () => {
      const unit = await run({ name: 'used', argv: forever })
      await until(unit, isRunning)
      const { cpuNs, memoryBytes, processes } = await host.driver.stats(unit, signal())
      if (cpuNs !== null) expect(cpuNs).toBeGreaterThanOrEqual(0)
      if (memoryBytes !== null) expect(memoryBytes).toBeGreaterThan(0)
      if (processes !== null) expect(processes).toBeGreaterThan(0)
    })

    it('leaves everything running when it is closed, and finds it again', async () => {
      const argv = isShell ? sh('echo up; exec sleep 1000') : forever
      const unit = await run({ name: 'lasting', argv, hash: 'cccc' })
      const before = await until(unit, isRunning)
      if (isShell) await firstLines(host.driver, unit, 1, signal())
      await host.driver.close()
      const reopened = await host.reopen()
      try {
        const after = await until(unit, isRunning, reopened)
        expect(identity(after)).toEqual(identity(before))
        expect(after).toMatchObject({ hash: 'cccc', restarts: 0 })
        expect((await reopened.list(signal())).map(({ name: known }) => known)).toEqual([unit])
        if (isShell) expect(await allLines(reopened, unit, signal())).toEqual(['up'])
        await reopened.stop(unit, signal())
      } finally {
        await reopened.close()
      }
    })
  })
}

/** Every line there is, without waiting for more. */
export const everything: LogQuery = { follow: false, since: null, tail: null }

/** The program is up. */
export const isRunning = (seen: ObservedUnit): boolean => seen.active === 'active' && seen.sub === 'running'

/** The program has ended and nothing is under way any more. */
export const hasEnded = (seen: ObservedUnit): boolean =>
  (seen.active === 'inactive' || seen.active === 'failed') && (seen.exit !== null || seen.failure !== null)

/** What tells one run of a unit from another. */
export function identity(seen: ObservedUnit | null): unknown {
  return seen && { pid: seen.pid, containerId: seen.containerId, since: seen.since, restarts: seen.restarts }
}

/** A unit file of one `[Service]` section for a wish, as the compiler writes one for `compute_type: process`. */
export function serviceFile({ argv, env = {}, restart = 'no', stopTimeoutSec = 10 }: UnitWish): UnitFile {
  const service: readonly (readonly [string, string])[] = [
    ['Type', 'exec'],
    ['ExecStart', argv.map((word) => quoted(word).replaceAll('$', () => '$$')).join(' ')],
    ...Object.entries(env).map(([name, value]) => ['Environment', quoted(`${name}=${value}`)] as const),
    ['RestartSec', '100ms'],
    ['Restart', restart === 'unless-stopped' ? 'always' : (restart.split(':')[0] ?? 'no')],
    ['TimeoutStopSec', String(stopTimeoutSec)],
  ]
  return unitFile([
    ['Unit', 'StartLimitIntervalSec', '0'],
    ...service.map(([name, value]) => ['Service', name, value] as const),
    ['X-Mariposa', 'Restart', restart],
  ])
}

/** A unit file from `[section, name, value]` lines. */
export function unitFile(lines: readonly (readonly [string, string, string])[]): UnitFile {
  return {
    options: lines.map(
      ([section, name, value], index): UnitOption => ({ section, name, value, line: index + 1 }),
    ),
  }
}

/** One word as systemd reads it, specifiers escaped. */
export function quoted(word: string): string {
  const escaped = word
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('%', '%%')
  return `"${escaped}"`
}

/** Resolves to the unit once it looks as wished: looks at once and after each change. */
export async function untilObserved(
  driver: Driver,
  unit: UnitName,
  holds: (seen: ObservedUnit) => boolean,
  signal: AbortSignal,
  sleeps?: Sleep,
): Promise<ObservedUnit> {
  let last: ObservedUnit | null = null
  const looksSo = async (): Promise<boolean> => {
    last = await driver.observe(unit, signal)
    return last !== null && holds(last)
  }
  const ok = await untilTrue(looksSo, signal, sleeps).catch(() => false)
  if (!ok || last === null) throw new Error(`${unit} did not get there: ${JSON.stringify(last)}`)
  return last
}

/** As untilObserved, but looks only when the driver tells of a change (and once at first). */
async function untilChanged(
  driver: Driver,
  unit: UnitName,
  holds: (seen: ObservedUnit) => boolean,
  signal: AbortSignal,
): Promise<ObservedUnit> {
  for (;;) {
    const changed = nextChange(driver, unit, signal)
    const seen = await driver.observe(unit, signal)
    if (seen !== null && holds(seen)) return seen
    await changed
  }
}

/** Resolves at the next change of a unit that the driver tells of. */
export function nextChange(driver: Driver, unit: UnitName, signal: AbortSignal): Promise<void> {
  const own = new AbortController()
  return new Promise((resolve) => {
    driver.watch(
      (changed) => {
        if (changed !== null && changed !== unit) return
        own.abort()
        resolve()
      },
      AbortSignal.any([signal, own.signal]),
    )
  })
}

/** Asks again and again, for a minute: a busy host takes its time. */
export async function untilTrue(
  holds: () => Promise<boolean>,
  signal: AbortSignal,
  sleeps: Sleep = sleepHere,
): Promise<true> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (await holds()) return true
    await sleeps(50, signal)
  }
  throw new Error('it did not become so within 60 s')
}

/** The first `count` lines of a unit, waiting for them. */
export async function firstLines(
  driver: Driver,
  unit: UnitName,
  count: number,
  signal: AbortSignal,
  query: LogQuery = everything,
): Promise<readonly string[]> {
  const caller = new AbortController()
  const lines: string[] = []
  try {
    const asked = AbortSignal.any([signal, caller.signal])
    for await (const { line } of eachLine(driver.logs(unit, { ...query, follow: true }, asked))) {
      lines.push(line)
      if (lines.length >= count) break
    }
  } finally {
    caller.abort()
  }
  return lines
}

/** The text of the lines that a query gives. */
export async function allLines(
  driver: Driver,
  unit: UnitName,
  signal: AbortSignal,
  query: LogQuery = everything,
): Promise<readonly string[]> {
  return (await readLogs(driver, unit, query, signal)).map(({ line }) => line)
}

async function readLogs(
  driver: Driver,
  unit: UnitName,
  query: LogQuery,
  signal: AbortSignal,
): Promise<readonly LogLine[]> {
  const lines: LogLine[] = []
  for await (const some of driver.logs(unit, query, signal)) lines.push(...some)
  return lines
}
