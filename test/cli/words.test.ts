import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  instanceColumns,
  machineColumns,
  projectColumns,
  runColumns,
  scheduleColumns,
  serviceColumns,
  taskColumns,
  unitColumns,
} from '../../src/cli/columns.js'
import { describeAge, describeDuration, parseSince } from '../../src/cli/duration.js'
import { logFormatter } from '../../src/cli/log-lines.js'
import { colourPaint, plainPaint } from '../../src/cli/paint.js'
import {
  describeChanges,
  describeFailedTask,
  describeMissing,
  renderProgress,
} from '../../src/cli/progress.js'
import { parseScaleTargets } from '../../src/cli/scale-targets.js'
import { baseNameOf, manifestsOf } from '../../src/cli/source-names.js'
import type { Column } from '../../src/cli/table.js'
import { chooseColumns, printable, renderTable } from '../../src/cli/table.js'
import {
  defaultDataDir,
  defaultSocketPath,
  describeEndpoint,
  parseEndpoint,
} from '../../src/client/endpoint.js'
import type { RunBody, ScheduleBody } from '../../src/contract/contract.js'
import { aLogRecord, aLook, aMachine, anInstance, aProject, aService, aTask, aUnit } from './bodies.js'

function at80<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const { chosen } = chooseColumns(columns, { columns: null, long: false })
  return renderTable(chosen, rows, { header: true, view: { now: 0, full: false, width: 80 } })
}

describe('a table', () => {
  const columns: readonly Column<readonly [string, number]>[] = [
    { key: 'name', text: ([name]) => name },
    { key: 'n', right: true, text: ([, n]) => String(n) },
    { key: 'twice', extra: true, text: ([, n]) => String(n * 2) },
  ]
  const view = { now: 0, full: false }

  it('fits a terminal: long texts are cut, the longest first, and nothing else is', () => {
    const wordy: readonly Column<readonly [string, string]>[] = [
      { key: 'name', text: () => 'web-of-the-shop' },
      { key: 'reason', cut: true, text: ([reason]) => reason },
      { key: 'image', cut: true, text: ([, image]) => image },
    ]
    const rows = [['x'.repeat(100), 'registry/web:1.2']] as const
    const lines = (width: number | null) =>
      renderTable(wordy, rows, { header: true, view: { ...view, width } })
        .trimEnd()
        .split('\n')
    expect(lines(80)[1]).toBe(`web-of-the-shop  ${'x'.repeat(44)}…  registry/web:1.2`)
    expect(lines(45)[1]).toHaveLength(45)
    expect(lines(null)[1]).toContain('x'.repeat(100))
  })

  it('has texts of any length under their rows where cutting them does not make it fit', () => {
    const wordy: readonly Column<readonly [string, string]>[] = [
      { key: 'name', text: ([name]) => name },
      { key: 'machine', text: () => 'a-machine-of-the-shop' },
      { key: 'reason', cut: true, text: ([, reason]) => reason },
    ]
    const rows = [
      ['web-1', 'it has said one thing after the other, and then another, until nobody listened any more'],
      ['web-2', ''],
      ['web-3', 'x'.repeat(100)],
    ] as const
    expect(renderTable(wordy, rows, { header: true, view: { ...view, width: 36 } }).split('\n')).toEqual([
      'NAME   MACHINE',
      'web-1  a-machine-of-the-shop',
      '    reason: it has said one thing',
      '    after the other, and then',
      '    another, until nobody listened …',
      'web-2  a-machine-of-the-shop',
      'web-3  a-machine-of-the-shop',
      `    reason:`,
      `    ${'x'.repeat(32)}`,
      `    ${'x'.repeat(31)}…`,
      '',
    ])
  })

  it('fits 80 columns, whatever is in it', () => {
    const at = '2026-01-01T00:00:00.000Z'
    const long = 'not to be found anywhere '.repeat(10)
    const tables: readonly string[] = [
      at80(instanceColumns, [
        anInstance({ name: 'frontend-of-the-shop-12', state: 'starting', health: 'unhealthy', reason: long }),
        anInstance({ address: '192.168.100.100', ports: ['32768:8080/tcp', '32769:9090/tcp'] }),
      ]),
      at80(serviceColumns, [aService({ name: 'frontend-of-the-shop', status: 'deploying', reason: long })]),
      at80(projectColumns, [aProject({ name: 'a-project-of-many-words', reason: long })]),
      at80(machineColumns, [aMachine({ state: 'down', downSince: at, hostname: 'rack-7.eu.example.com' })]),
      at80(taskColumns, [aTask({ scope: 'default/frontend-of-the-shop', error: long })]),
      at80(unitColumns, [aUnit({ name: 'default.frontend-of-the-shop.v12@123.service' })]),
      at80(scheduleColumns, [
        {
          ...{ service: 'nightly', expression: '*/5 8-18 * jan-mar mon-fri', timezone: 'Europe/Vienna' },
          ...{ next: at, last: at, started: 100, skipped: 2, missed: 3 },
        } as ScheduleBody,
      ]),
      at80(runColumns, [
        {
          ...{ dueAt: at, service: 'nightly', outcome: 'started', instance: 'nightly-12', endedAt: at },
          ...{ result: long },
        } as RunBody,
      ]),
    ]
    for (const text of tables) {
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
      expect(text.split('\n').length).toBeGreaterThan(2)
    }
  })

  it('pads text on the right and numbers on the left, and leaves no blanks at the end of a line', () => {
    const { chosen } = chooseColumns(columns, { columns: null, long: false })
    const rows = [
      ['a', 1],
      ['longer', 100],
    ] as const
    expect(renderTable(chosen, rows, { header: true, view })).toBe('NAME      N\na         1\nlonger  100\n')
  })

  it('has extra columns when it is long or asked for them', () => {
    expect(chooseColumns(columns, { columns: null, long: true }).chosen).toHaveLength(3)
    expect(chooseColumns(columns, { columns: ['TWICE'], long: false }).chosen.map(({ key }) => key)).toEqual([
      'twice',
    ])
    expect(chooseColumns(columns, { columns: ['x', 'name'], long: false }).unknown).toEqual(['x'])
  })

  it('keeps to one line per row, whatever the cells hold', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.integer())), (rows) => {
        const text = renderTable(columns, rows, { header: true, view })
        expect(text.split('\n')).toHaveLength(rows.length + 2)
        expect(printable(text.replaceAll('\n', ''))).toBe(text.replaceAll('\n', '').trim())
      }),
    )
  })
})

describe('times', () => {
  it.each([
    [0, '0s'],
    [59_999, '59s'],
    [180_000, '3m'],
    [5 * 3_600_000, '5h'],
    [47 * 3_600_000, '47h'],
    [9 * 86_400_000, '9d'],
  ])('%i ms are %s', (ms, text) => {
    expect(describeDuration(ms)).toBe(text)
    expect(describeAge(1000, 1000 + ms)).toBe(text)
  })

  it('of less than a second are not 0 s, unless they are ages', () => {
    expect(describeDuration(1)).toBe('1ms')
    expect(describeAge(1000, 1001)).toBe('0s')
  })

  it('never has an age below zero, for clocks differ', () => {
    expect(describeAge(5000, 0)).toBe('0s')
  })

  it('reads a time as a duration back, or as RFC 3339', () => {
    const now = Date.parse('2026-01-01T00:10:00Z')
    expect(parseSince('10m', now)).toBe('2026-01-01T00:00:00.000Z')
    expect(parseSince('2026-01-01T01:00:00+01:00', now)).toBe('2026-01-01T00:00:00.000Z')
    for (const wrong of ['noon', '', '-5m', '2026-13-01T00:00:00Z']) expect(parseSince(wrong, now)).toBeNull()
  })
})

describe('an endpoint', () => {
  it.each([
    ['unix:///run/m.sock', 'unix:///run/m.sock'],
    ['unix:/run/m.sock', 'unix:///run/m.sock'],
    ['http://127.0.0.1:7070', 'http://127.0.0.1:7070'],
    ['https://example.test/base/', 'https://example.test:443/base'],
    ['http://[::1]:80', 'http://[::1]:80'],
  ])('%s is %s', (text, expected) => {
    const endpoint = parseEndpoint(text)
    expect(endpoint === null ? null : describeEndpoint(endpoint)).toBe(expected)
  })

  it.each(['', 'unix:', 'unix:relative', 'ftp://x', 'localhost:80', 'http://'])('is not %j', (text) => {
    expect(parseEndpoint(text)).toBeNull()
  })

  it("is by default root's socket below /run, else the user's in the runtime directory or beside the data", () => {
    const user = { root: false, home: '/home/ann', env: {} }
    expect(defaultSocketPath({ ...user, root: true })).toBe('/run/mariposa/mariposa.sock')
    expect(defaultSocketPath({ ...user, env: { XDG_RUNTIME_DIR: '/run/user/7' } })).toBe(
      '/run/user/7/mariposa/mariposa.sock',
    )
    expect(defaultSocketPath(user)).toBe('/home/ann/.local/share/mariposa/mariposa.sock')
    expect(defaultDataDir({ ...user, env: { XDG_DATA_HOME: '/data' } })).toBe('/data/mariposa')
  })
})

describe('scale targets', () => {
  it('read back as they were written', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/)
    const amount = fc.oneof(
      fc.nat(999),
      fc.nat(99).map((n) => `+${n}`),
      fc.nat(99).map((n) => `-${n}`),
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, amount, fc.boolean()), { minLength: 1, selector: ([key]) => key }),
        (wanted) => {
          const words = wanted.flatMap(([key, n, joined]) => (joined ? [`${key}=${n}`] : [key, String(n)]))
          expect(parseScaleTargets(words)).toEqual(Object.fromEntries(wanted.map(([key, n]) => [key, n])))
        },
      ),
    )
  })

  it.each([[[]], [['web']], [['web', 'x']], [['web=']], [['web', '1', 'web=2']], [['web', '1.5']]])(
    'are not %j',
    (words) => {
      expect(typeof parseScaleTargets(words)).toBe('string')
    },
  )
})

describe('progress', () => {
  const before = aLook(
    {},
    { total: 2, instances: [anInstance({ state: 'starting' }), anInstance({ name: 'web-2' })] },
  )

  it('tells only what changed, instances that went away included', () => {
    const after = aLook({}, { total: 2, instances: [anInstance({ health: 'healthy' })] })
    expect(describeChanges(before, after)).toEqual(['web-1: running, healthy', 'web-2: removed'])
    expect(describeChanges(after, after)).toEqual([])
    const kept = { ...after, kept: [anInstance({ name: 'web-2' }).uuid] }
    expect(describeChanges(before, kept)).toContain('web-2: stopped, and kept')
  })

  it('says of what was given up with its machine that nobody saw it stop', () => {
    const after = { ...aLook({}, { total: 2, instances: [] }), unseen: ['web-2'] }
    expect(describeChanges(before, after)).toEqual([
      'web-1: removed',
      'web-2: given up: its machine is down, and stops it when it returns',
    ])
  })

  it('fits any terminal, with what is not up first', () => {
    const instances = Array.from({ length: 30 }, (_, n) =>
      anInstance({ name: `web-${n}`, state: n === 29 ? 'failed' : 'running' }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 2, max: 100 }), (rows, columns) => {
        const lines = renderProgress(
          [aLook({}, { instances }), aLook({ uuid: '2' }, { instances })],
          { rows, columns },
          plainPaint,
        )
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1))
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
      }),
    )
    expect(renderProgress([aLook({}, { instances })], { rows: 8, columns: 80 }, plainPaint)[1]).toBe(
      '  web-29  failed',
    )
  })

  it('says what is missing even when no instance is to be seen', () => {
    expect(describeMissing(aLook({}, { total: 3 }))).toEqual(['3 more of web to come'])
  })

  it('of a deploy that failed ends with the version that still serves, and how to go back to it', () => {
    const task = { task: 'deploy', state: 'failed', scope: 'shop/web', error: 'it is not healthy' } as const
    const old = ['web-1', 'web-2'].map((name) => anInstance({ name, version: 'before', ordinal: 1 }))
    const failed = anInstance({ name: 'web-3', state: 'failed' })
    expect(describeFailedTask(aLook(task, { instances: [...old, failed] }))).toEqual([
      'web: deploy failed: it is not healthy',
      '  version 1 still serves: web-1, web-2',
      '  to make it current again: mariposa service revert web 1 -j shop',
    ])
    expect(describeFailedTask(aLook(task, { instances: old, current: 'before' })).slice(1)).toEqual([
      '  version 1 still serves: web-1, web-2',
    ])
    expect(describeFailedTask(aLook(task, { instances: [failed] }))).toHaveLength(1)
    expect(describeFailedTask(aLook({ ...task, task: 'scale' }, { instances: old }))).toHaveLength(1)
  })
})

describe('log lines', () => {
  it('keep their colour per instance and line up', () => {
    const format = logFormatter('web', colourPaint)
    const lines = ['web-1', 'web-22', 'web-1'].map((instance) => format(aLogRecord({ instance })))
    expect(lines[0]?.slice(0, 5)).toBe(lines[2]?.slice(0, 5))
    expect(lines[0]?.slice(0, 5)).not.toBe(lines[1]?.slice(0, 5))
    expect(lines[2]).toContain('web-1  |')
  })

  it('begin with their time where that is asked for', () => {
    const record = aLogRecord({ instance: 'web-1', at: '2026-01-02T03:04:05.006Z', line: 'hello' })
    const format = (own: string | null) => logFormatter(own, plainPaint, { timestamps: true })(record)
    expect(format('web-1')).toBe('2026-01-02T03:04:05.006Z hello\n')
    expect(format('web')).toBe('2026-01-02T03:04:05.006Z web-1 | hello\n')
  })
})

describe('names of manifests', () => {
  it.each([
    ['shop/web.yml', 'web'],
    ['web.mariposa.yaml', 'web'],
    ['web.json', 'web'],
    ['web', 'web'],
    ['a.b.yml', 'a.b'],
  ])('%s is %s', (file, name) => expect(baseNameOf(file)).toBe(name))

  it('are sorted and hide nothing else', () => {
    expect(manifestsOf(['z.yml', 'a.YAML', '.x.yml', 'n.txt', 'm.json'])).toEqual([
      'a.YAML',
      'm.json',
      'z.yml',
    ])
  })
})
