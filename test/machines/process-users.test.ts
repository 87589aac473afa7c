// Running as another user needs root, which the tests of machines have.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allLines, forever, hasEnded, isRunning, untilObserved } from '../drivers/driver-contract.js'
import { openProcessHost, type ProcessHost, serviceUnit } from '../drivers/process/process-host.js'
import { removeDir } from '../remove-dir.js'

const signal = AbortSignal.timeout(600_000)

describe('the process driver as root', () => {
  let host: ProcessHost
  beforeEach(async () => {
    host = await openProcessHost()
  })
  afterEach(() => host.dispose())

  const run = async (...lines: readonly (readonly [string, string])[]): Promise<readonly string[]> => {
    const unit = serviceUnit('who', ...lines)
    await host.driver.load(unit, signal)
    await host.driver.start(unit.name, signal)
    await untilObserved(host.driver, unit.name, hasEnded, signal)
    return allLines(host.driver, unit.name, signal)
  }
  const script = (text: string): [string, string] => ['ExecStart', `/bin/sh -c '${text}'`]

  it('runs a unit as its user, with the variables of a login', async () => {
    const lines = await run(['User', 'nobody'], script('id -un; id -gn; echo $$USER $$LOGNAME $$HOME'))
    const home = execFileSync('getent', ['passwd', 'nobody'], { encoding: 'utf8' }).split(':')[5]
    expect(lines).toEqual(['nobody', 'nogroup', `nobody nobody ${home}`])
  })

  it('runs a unit in another group', async () => {
    expect(await run(['Group', 'daemon'], script('id -un; id -gn'))).toEqual(['root', 'daemon'])
    expect(await run(['User', 'nobody'], ['Group', 'daemon'], script('id -un; id -gn'))).toContain('daemon')
  })

  it('runs a unit by number', async () => {
    expect(await run(['User', '4321'], script('id -u; id -g'))).toEqual(['4321', '4321'])
  })

  it('gives a unit of another user a niceness that only root may', async () => {
    const lines = await run(['User', 'nobody'], ['Nice', '-5'], script('id -un; id -Gn; nice'))
    expect(lines).toEqual(['nobody', 'nogroup', '-5'])
    const raised = await run(['User', 'nobody'], ['Nice', '3'], script('id -un; nice'))
    expect(raised.slice(-2)).toEqual(['nobody', '3'])
  })

  it('joins the further groups of a user', async () => {
    const user = 'mariposa-test'
    execFileSync('useradd', ['--no-create-home', '--groups', 'daemon', user])
    try {
      const lines = await run(['User', user], script('id -un; id -Gn'))
      expect(lines[0]).toBe(user)
      expect(lines[1]?.split(' ').sort()).toEqual(['daemon', user])
    } finally {
      execFileSync('userdel', [user])
    }
  })

  it('joins the groups that a unit names, and is held to its limits', async () => {
    const lines = await run(
      ['User', 'nobody'],
      ['SupplementaryGroups', 'daemon 4321'],
      ['LimitCORE', '0'],
      ['LimitNPROC', '300:400'],
      script('id -un; id -G; ulimit -Hc; grep processes /proc/self/limits'),
    )
    const [name, groups = '', core, processes = ''] = lines
    expect([name, core]).toEqual(['nobody', '0'])
    expect(
      groups
        .split(' ')
        .map(Number)
        .sort((one, other) => one - other),
    ).toEqual([1, 4321, 65534])
    expect(processes.split(/\s+/).slice(2, 4)).toEqual(['300', '400'])
  })

  it('runs a unit of its own user in the groups that it names', async () => {
    const lines = await run(['SupplementaryGroups', 'daemon'], script('id -un; id -Gn'))
    expect(lines[0]).toBe('root')
    expect(lines[1]?.split(' ')).toContain('daemon')
  })

  it('stops a fork bomb of another user at its limit, while its neighbour goes on', async () => {
    const neighbour = host.makeUnit({ name: 'neighbour', argv: forever })
    await host.driver.load(neighbour, signal)
    await host.driver.start(neighbour.name, signal)
    const bomb = 'n=0; while [ $$n -lt 300 ]; do sleep 1000 & n=$$((n+1)); done 2>&1'
    const lines = await run(['User', '54321'], ['LimitNPROC', '20'], script(bomb))
    expect(lines.join('\n')).toMatch(/fork/)
    expect(host.processesOf(neighbour)).not.toEqual([])
    const made = host.makeUnit({ name: 'after', argv: forever })
    await host.driver.load(made, signal)
    await host.driver.start(made.name, signal)
    await untilObserved(host.driver, made.name, isRunning, signal)
  })

  it('runs nothing as root with variables of a unit that a loader acts on', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-loader-'))
    chmodSync(dir, 0o777)
    const loaded = `LD_DEBUG=libs LD_DEBUG_OUTPUT=${dir}/said`
    const lines = await run(
      ['User', 'nobody'],
      ['NoNewPrivileges', 'yes'],
      ['MemoryMax', '64M'],
      ['Nice', '-1'],
      ['LimitCORE', '0'],
      ['Environment', loaded],
      script('echo $$LD_DEBUG_OUTPUT'),
    )
    const owners = readdirSync(dir).map((name) => statSync(join(dir, name)).uid)
    removeDir(dir)
    expect(lines).toEqual([`${dir}/said`])
    expect(new Set(owners)).toEqual(new Set([65534]))
  })

  it('stops what runs as another user', async () => {
    const unit = serviceUnit('other', ['User', 'nobody'], ['ExecStart', '/bin/sleep 1000'])
    await host.driver.load(unit, signal)
    await host.driver.start(unit.name, signal)
    await untilObserved(host.driver, unit.name, isRunning, signal)
    await host.driver.stop(unit.name, signal)
    expect(host.processesOf(unit)).toEqual([])
  })

  it('runs a program beside a unit as another user', async () => {
    const unit = host.makeUnit({ name: 'beside', argv: forever })
    await host.driver.load(unit, signal)
    const output: string[] = []
    const onOutput = (_: string, chunk: Uint8Array): void => void output.push(new TextDecoder().decode(chunk))
    const { code } = await host.driver.exec(
      unit.name,
      { argv: ['id', '-un'], user: 'nobody', stdin: null, onOutput },
      signal,
    )
    expect({ code, output }).toEqual({ code: 0, output: ['nobody\n'] })
  })

  it('says that the disk is full, starts nothing, and goes on when there is room', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir])
    const small = await openProcessHost({ dir: join(dir, 'home') })
    try {
      const unit = small.makeUnit({ name: 'squeezed', argv: forever })
      await small.driver.load(unit, signal)
      execFileSync('sh', ['-c', `cat /dev/zero > ${dir}/ballast || true`], { stdio: 'ignore' })
      // The journal keeps room for some hundred starts.
      const refused = await untilRefused(async () => {
        await small.driver.start(unit.name, signal)
        await small.driver.stop(unit.name, signal)
      })
      expect(refused).toMatchObject({ code: 'process/disk-full', permanent: false })
      expect(small.processesOf(unit)).toEqual([])
      const other = small.makeUnit({ name: 'other', argv: forever, env: { LONG: 'x'.repeat(10_000) } })
      await expect(small.driver.load(other, signal)).rejects.toMatchObject({ code: 'process/disk-full' })
      rmSync(join(dir, 'ballast'))
      await small.driver.load(other, signal)
      await small.driver.start(unit.name, signal)
      await untilObserved(small.driver, unit.name, isRunning, signal)
    } finally {
      rmSync(join(dir, 'ballast'), { force: true })
      await small.dispose()
      execFileSync('umount', ['-l', dir])
      removeDir(dir)
    }
  })
})

/** What the work throws in the end, done again and again. */
async function untilRefused(work: () => Promise<void>): Promise<unknown> {
  for (let times = 0; times < 5000; times += 1) {
    try {
      await work()
    } catch (error) {
      return error
    }
  }
  throw new Error('it was never refused')
}
