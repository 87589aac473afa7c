import { describe, expect, test } from 'vitest'
import { parseManifest } from '../../src/manifest/manifest.js'

function volumesOf(text: string): unknown {
  const { manifests, diagnostics } = parseManifest({ file: 'web.yml', text: `image: x\nvolumes: ${text}\n` })
  expect(diagnostics).toEqual([])
  return manifests[0]?.manifest.volumes
}

function problemsOf(text: string): readonly string[] {
  const { diagnostics } = parseManifest({ file: 'web.yml', text })
  return diagnostics.map(({ code, line, message }) => `${code} ${line} ${message}`)
}

describe('volumes', () => {
  test.each([
    ['data:/var/lib/data/', [{ name: 'data', path: '/var/lib/data', readonly: false, scope: 'instance' }]],
    ['["/srv:/srv:ro"]', [{ host: '/srv', path: '/srv', readonly: true }]],
    ['["/:/host"]', [{ host: '/', path: '/host', readonly: false }]],
    ['{tmpfs: true, path: /tmp, size: 64M}', [{ tmpfs: true, path: '/tmp', readonly: false, size: 64 }]],
    [
      '[{name: d_1, path: /d, read_only: true, scope: service}]',
      [{ name: 'd_1', path: '/d', readonly: true, scope: 'service' }],
    ],
  ])('%s is read', (text, expected) => {
    expect(volumesOf(text)).toEqual(expected)
  })

  test('a backup by schedule says when, where to, and how many are kept', () => {
    const [first, second] = volumesOf(
      '[{name: a, path: /a, backup: {schedule: "30 2 * * *", to: /srv/backups/}}, {name: b, path: /b, backup: {schedule: {interval: R//P1D, epsilon: 1h, timezone: Europe/Vienna}, to: /x, keep: "3", consistency: stopped}}]',
    ) as readonly { readonly backup: object }[]
    expect([first?.backup, second?.backup]).toEqual([
      { schedule: { kind: 'cron', expression: '30 2 * * *' }, to: '/srv/backups' },
      {
        schedule: { kind: 'interval', expression: 'R//P1D', epsilon: 3600, timezone: 'Europe/Vienna' },
        ...{ to: '/x', keep: 3, consistency: 'stopped' },
      },
    ])
  })

  test('what prepares a backup is a program, as words or a line', () => {
    const [first, second] = volumesOf(
      '[{name: a, path: /a, backup: {before_backup: [dump, a b], before_backup_timeout: 5m}}, {name: b, path: /b, backup: {before_backup: "dump \'a b\'"}}]',
    ) as readonly { readonly backup: object }[]
    expect([first?.backup, second?.backup]).toEqual([
      { before_backup: ['dump', 'a b'], before_backup_timeout: 300 },
      { before_backup: ['dump', 'a b'] },
    ])
  })

  test.each([
    ['data', 'manifest/bad-value'],
    ['"data:relative"', 'path is "relative"'],
    ['"data:/a/../b"', 'path is "/a/../b"'],
    ['"./data:/a"', 'name is "./data"'],
    ['"_x:/a"', 'begins with a letter or digit'],
    ['"data:/a:z"', '"z" is not an option'],
    ['"data:/"', 'path is "/"'],
    ['{path: /a}', 'neither a name nor a host'],
    ['{name: a, host: /b, path: /c}', 'one of name and host'],
    ['{name: a}', 'path is missing'],
    ['{tmpfs: true, path: /a, readonly: true}', 'cannot be written to'],
    ['{host: /a, path: /b, scope: service}', 'only a named volume'],
    ['{host: /a, path: /b, size: 1G}', 'has no size'],
    ['{name: a, path: /b, scope: service, on_lost: fresh}', 'only a named volume of the scope instance'],
    ['{name: a, path: /b, on_lost: never}', 'wait, fresh'],
    ['{host: /a, path: /b, on_lost: wait}', 'only a named volume of the scope instance'],
    ['{name: a, path: /b, backup: {keep: 3}}', 'keep needs a schedule'],
    ['{name: a, path: /b, backup: {to: /x, before_backup: [x]}}', 'to needs a schedule'],
    ['{name: a, path: /b, backup: {schedule: "@daily"}}', 'scheduled backups need a target'],
    ['{name: a, path: /b, backup: {schedule: "@daily", to: s3://A/b}}', 's3://BUCKET/PREFIX'],
    ['{name: a, path: /b, backup: {schedule: "@daily", to: s3://abc/../b}}', 's3://BUCKET/PREFIX'],
    [
      '{name: a, path: /b, backup: {schedule: "@daily", to: /x, credentials: s3}}',
      'a directory needs no credentials',
    ],
    ['{name: a, path: /b, backup: {credentials: s3}}', 'credentials needs a schedule'],
    [
      '{name: a, path: /b, backup: {schedule: "@daily", to: s3://abc, credentials: "a b"}}',
      'key of the meta',
    ],
    ['{name: a, path: /b, backup: {schedule: "@daily", to: x}}', 'an absolute path'],
    ['{name: a, path: /b, backup: {schedule: "61 * * * *", to: /x}}', 'manifest/bad-schedule'],
    ['{name: a, path: /b, backup: {schedule: {cron: "@daily", timezone: No/Zone}, to: /x}}', 'no time zone'],
    ['{name: a, path: /b, backup: {schedule: {cron: "@daily", overlap: allow}, to: /x}}', 'overlap'],
    ['{name: a, path: /b, backup: {schedule: "@daily", to: /x, keep: 0}}', 'from 1 to 100'],
    ['{name: a, path: /b, backup: {schedule: "@daily", to: /x, consistency: paused}}', 'live, stopped'],
    [
      '{name: a, path: /b, scope: service, backup: {schedule: "@daily", to: /x, consistency: stopped}}',
      'are not stopped',
    ],
    ['{host: /a, path: /b, backup: {schedule: "@daily", to: /x}}', 'only a named volume is backed up'],
    ['{name: a, path: /b, backup: {before_backup: []}}', 'before_backup'],
    ['{host: /a, path: /b, backup: {before_backup: [x]}}', 'only a named volume is backed up'],
    ['{name: a, path: /b, nmae: c}', 'did you mean'],
    ['["a:/b", "c:/b"]', 'already a volume at /b'],
    ['["a-b:/b", "A_b:/c"]', 'MARIPOSA_VOLUME_A_B'],
  ])('%s is refused: %s', (text, why) => {
    const { diagnostics } = parseManifest({ file: 'web.yml', text: `image: x\nvolumes: ${text}\n` })
    expect(
      diagnostics.map(({ code, message, hint = '' }) => `${code} ${message} ${hint}`).join('\n'),
    ).toContain(why)
  })

  test('are named in the words and variables of the program alone, and have to be there', () => {
    const service = 'image: x\nvolumes: ["data:/d"]\n'
    expect(problemsOf(`${service}command: [x, "{{ .volume.data.path }}/x"]\n`)).toEqual([])
    expect(problemsOf(`${service}environment: {A: "{{ volume.data.path }}"}\n`)).toEqual([])
    expect(problemsOf(`${service}environment: {A: "{{ .volume.date.path }}"}\n`)).toEqual([
      'template/unknown-variable 3 the service has no volume "date"',
    ])
    expect(problemsOf(`${service}labels: {a: "{{ .volume.data.path }}"}\n`)).toEqual([
      expect.stringContaining('template/not-allowed 3 volume.data.path') as string,
    ])
    expect(problemsOf(`${service}environment: {A: "{{ .volume.data.size }}"}\n`)).toEqual([
      expect.stringContaining('template/unknown-variable 3') as string,
    ])
  })

  test('belong to containers and processes', () => {
    expect(problemsOf('compute_type: kvm\nimage: x\nvolumes: ["data:/d"]\n')).toEqual([
      'manifest/conflict 3 compute_type: kvm has no volumes',
    ])
  })
})
