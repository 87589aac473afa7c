// Parts of the driver's shell that need no systemd.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { inBatches } from '../../../src/drivers/systemd/io/batch.js'
import { BusSilent, connectSystemd, unitPathOf } from '../../../src/drivers/systemd/io/bus.js'
import { systemdAvailable } from '../../../src/drivers/systemd/io/detect.js'
import { trackJobs } from '../../../src/drivers/systemd/io/jobs.js'
import { limitPending } from '../../../src/drivers/systemd/io/pending.js'
import { openStartLinks, type StartLinks } from '../../../src/drivers/systemd/io/start-links.js'
import { openUnitFiles, type UnitFiles } from '../../../src/drivers/systemd/io/unit-files.js'
import { systemClock } from '../../../src/lib/io/clock.js'
import type { Time } from '../../../src/lib/time.js'
import { asUnitName } from '../../../src/unit/name.js'
import { removeDir } from '../../remove-dir.js'

const never = new AbortController().signal

describe('links by which other units start ours', () => {
  const [wanted, other] = [asUnitName('web@1.service'), asUnitName('db.service')]
  const target = { how: 'wants', by: asUnitName('a.target') } as const
  const needs = { how: 'requires', by: asUnitName('hello.service') } as const
  let root: string
  let links: StartLinks
  const at = (path: string): string => join(root, 'run/systemd/system', path)
  const there = (): readonly string[] =>
    readdirSync(at(''), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.includes('/'))
      .sort()
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'systemd-links-'))
    mkdirSync(at(''), { recursive: true })
    links = openStartLinks(root, '/run/systemd/system', '/run/ours')
  })
  afterEach(() => removeDir(root))

  it('are made and removed, with the directories that nobody else uses', () => {
    links.put(wanted, [target, needs])
    links.put(wanted, [target, needs])
    links.put(other, [target])
    expect(readlinkSync(at('a.target.wants/web@1.service'))).toBe('/run/ours/web@1.service')
    expect(there()).toEqual([
      'a.target.wants/db.service',
      'a.target.wants/web@1.service',
      'hello.service.requires/web@1.service',
    ])
    links.remove(wanted, [target, needs])
    expect(there()).toEqual(['a.target.wants/db.service'])
    expect(readdirSync(at(''))).toEqual(['a.target.wants'])
  })

  it('of somebody else are left alone', () => {
    mkdirSync(at('a.target.wants'))
    symlinkSync('/etc/theirs.service', at('a.target.wants/db.service'))
    links.remove(other, [target])
    expect(links.sync(new Map())).toEqual([])
    expect(there()).toEqual(['a.target.wants/db.service'])
  })

  it('that a daemon which was killed has left out or behind are put right', () => {
    links.put(wanted, [needs])
    links.put(other, [target])
    const held = new Map([[wanted, [target]]])
    expect([...links.sync(held)].sort()).toEqual(['a.target', 'hello.service'])
    expect(there()).toEqual(['a.target.wants/web@1.service'])
    expect(links.sync(held)).toEqual([])
  })
})

describe('jobs', () => {
  it('end with the result that the signal tells', async () => {
    const jobs = trackJobs()
    const done = jobs.run(() => Promise.resolve('/job/1'), never)
    await Promise.resolve().then(() => {})
    setImmediate(() => jobs.removed([1, '/job/1', 'a.service', 'failed']))
    expect(await done).toBe('failed')
  })

  it('may end before the call that queued them is answered, many at once', async () => {
    const jobs = trackJobs()
    const answers: (() => void)[] = []
    const queue = (path: string) => (): Promise<string> =>
      new Promise((resolve) => answers.push(() => resolve(path)))
    const all = ['/job/1', '/job/2', '/job/3'].map((path) => jobs.run(queue(path), never))
    for (const id of [1, 2, 3]) jobs.removed([id, `/job/${id}`, 'a.service', `result-${id}`])
    // As one chunk from the socket: all answers within one turn.
    for (const answer of answers) answer()
    expect(await Promise.all(all)).toEqual(['result-1', 'result-2', 'result-3'])
  })

  it('fail with the connection', async () => {
    const jobs = trackJobs()
    const done = jobs.run(() => Promise.resolve('/job/1'), never)
    setImmediate(() => jobs.fail(new Error('gone')))
    await expect(done).rejects.toThrow('gone')
  })

  it('are not waited for by a caller that gave up', async () => {
    const jobs = trackJobs()
    const caller = new AbortController()
    const done = jobs.run(() => Promise.resolve('/job/1'), caller.signal)
    setImmediate(() => caller.abort())
    await expect(done).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a batch', () => {
  it('holds all of one turn, and what comes while another is under way', async () => {
    const batches: (readonly number[])[] = []
    const add = inBatches<number>(async (items) => {
      batches.push([...items])
      if (items.includes(1)) later = [add(4), add(5)]
      await Promise.resolve()
    }, systemClock)
    let later: Promise<void>[] = []
    await Promise.all([add(1), add(2), add(3)])
    await Promise.all(later)
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
  })

  it('that fails does so for its callers alone', async () => {
    const add = inBatches<number>(async ([first]) => {
      await Promise.resolve()
      if (first === 1) throw new Error('one')
    }, systemClock)
    await expect(add(1)).rejects.toThrow('one')
    await expect(add(2)).resolves.toBeUndefined()
  })
})

describe('a limit of pending tasks', () => {
  it('runs all, in turn, never more at once than it allows', async () => {
    const limit = limitPending(3)
    let running = 0
    let most = 0
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        limit(async () => {
          running += 1
          most = Math.max(most, running)
          order.push(n)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
        }),
      ),
    )
    expect(most).toBe(3)
    expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n))
  })
})

describe('unit files', () => {
  const name = asUnitName('web@1.service')
  let root: string
  let files: UnitFiles
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'mariposa-units-'))
    mkdirSync(join(root, 'etc'))
    files = openUnitFiles({
      unitsDir: '/run/ours',
      unitPath: ['/etc', '/run/systemd/system'],
      host: { root, enter: [] },
    })
  })
  afterEach(() => removeDir(root))

  it('are written, linked, replaced and removed', () => {
    files.write(name, 'one')
    files.write(name, 'two')
    expect(files.read()).toEqual([{ name, text: 'two' }])
    expect(files.isLinked(name)).toBe(true)
    files.remove(name)
    files.remove(name)
    expect(files.read()).toEqual([])
    expect(files.isLinked(name)).toBe(false)
  })

  it('have no other owner while they are ours', () => {
    expect(files.ownerOf(name)).toBeNull()
    files.write(name, 'one')
    expect(files.ownerOf(name)).toBeNull()
  })

  it.each(['etc/web@1.service', 'etc/web@.service', 'run/systemd/system/web@1.service'])(
    'see an owner in %s',
    (place) => {
      writeFileSync(join(root, place), 'theirs')
      expect(files.ownerOf(name)).toBe(`/${place}`)
    },
  )

  it('are announced by a new time of the directory, however soon after the last', () => {
    files.touch(1_000)
    files.write(name, 'one')
    files.touch(2_000)
    expect(statSync(join(root, 'run/systemd/system')).mtimeMs).toBe(2_000)
  })

  it('see an owner in a link that leads elsewhere, and leave it', () => {
    const link = join(root, 'run/systemd/system', name)
    symlinkSync('/somewhere/else', link)
    expect(files.ownerOf(name)).toBe(`/run/systemd/system/${name}`)
    files.remove(name)
    expect(files.ownerOf(name)).toBe(`/run/systemd/system/${name}`)
  })
})

describe('names in object paths', () => {
  it.each([
    ['dbus.service', 'dbus_2eservice'],
    ['9p.service', '_39p_2eservice'],
    ['a.b-c.v1@7.service', 'a_2eb_2dc_2ev1_407_2eservice'],
  ])('of %s is %s', (unit, path) => {
    expect(unitPathOf(unit)).toBe(`/org/freedesktop/systemd1/unit/${path}`)
  })
})

describe('whether systemd is there', () => {
  it('is answered without an error on any host', async () => {
    expect(typeof (await systemdAvailable(systemClock))).toBe('boolean')
  })
})

describe('the connection to systemd', () => {
  it('is given up where it is taken and nobody answers', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mariposa-bus-'))
    const socketPath = join(dir, 'private')
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(socketPath, resolve))
    const hasty: Time = { ...systemClock, after: (ms, run) => systemClock.after(ms / 100, run) }
    const options = { socketPath, systemBusPath: socketPath, time: hasty, onChange: () => {} }
    await expect(connectSystemd(options)).rejects.toThrow(BusSilent)
    server.close()
    removeDir(dir)
  })
})
