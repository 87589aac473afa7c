// What is told of limits that systemd passes over, and how it is found out which controllers it has.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lackingControllers } from '../../../src/drivers/systemd/io/controllers.js'
import { type Controller, unheldOptions } from '../../../src/drivers/systemd/unheld.js'
import { parseUnit } from '../../../src/unit/parse.js'
import { removeDir } from '../../remove-dir.js'

const all: ReadonlySet<Controller> = new Set<Controller>(['cpu', 'memory', 'pids', 'devices', 'swap'])
const unheld = (lines: string, lacking: ReadonlySet<Controller>): readonly string[] =>
  unheldOptions(parseUnit(`[Service]\n${lines}\n`).file, lacking)

describe('the limits of a unit that nothing holds it to', () => {
  it('are those for which systemd lacks the controller', () => {
    const limits = 'CPUQuota=20%\nMemoryMax=64M\nMemorySwapMax=0\nTasksMax=20\nDeviceAllow=/dev/null r'
    expect(unheld(limits, new Set())).toEqual([])
    expect(unheld(limits, new Set<Controller>(['cpu', 'swap']))).toEqual(['CPUQuota=', 'MemorySwapMax='])
    expect(unheld(limits, all)).toHaveLength(5)
  })

  it('are none where it has none', () => {
    expect(unheld('CPUQuota=\nMemoryMax=infinity\nTasksMax=infinity', all)).toEqual([])
    expect(unheld('ExecStart=/bin/web', all)).toEqual([])
  })
})

describe('the controllers that systemd lacks', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'mariposa-controllers-'))
  })
  afterEach(() => removeDir(root))
  const put = (path: string, text = ''): void => {
    const file = join(root, 'sys/fs/cgroup', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const lacking = async (scope = '/init.scope'): Promise<readonly string[]> => {
    const bus = { readProperty: () => Promise.resolve(scope) }
    return [...(await lackingControllers({ root, enter: [] }, bus))]
  }

  it('are, with version 2, those that its own group does not have', async () => {
    put('cgroup.controllers', 'cpu memory pids\n')
    put('mine/cgroup.controllers', 'cpu io\n')
    expect(await lacking()).toEqual([])
    expect(await lacking('/mine/init.scope')).toEqual(['memory', 'pids', 'swap'])
  })

  it('are, with version 1, those whose hierarchies are not there for it, and swap', async () => {
    for (const one of ['systemd', 'cpu', 'pids', 'devices']) put(`${one}/cgroup.procs`)
    expect(await lacking()).toEqual(['memory', 'swap'])
    put('memory/cgroup.procs')
    expect(await lacking()).toEqual(['swap'])
    expect(await lacking('/elsewhere/init.scope')).toEqual(['cpu', 'memory', 'pids', 'devices', 'swap'])
  })

  it('are not guessed where no hierarchy can be seen', async () => {
    expect(await lacking()).toEqual([])
  })
})
