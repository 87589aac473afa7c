// What of a configuration that is read anew takes effect, and what waits for a restart.
import { expect, test } from 'vitest'
import { CommandError } from '../../src/cli/command-error.js'
import type { Log } from '../../src/lib/io/log.js'
import type { DaemonOptions } from '../../src/main/options.js'
import { readDaemonOptions } from '../../src/main/options.js'
import { openReload, reloaded } from '../../src/main/reload.js'

const account = { root: false, home: '/home/u', env: {} }
const optionsOf = (flags: Parameters<typeof readDaemonOptions>[0] = {}): DaemonOptions =>
  readDaemonOptions(flags, account).options

function logged(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = []
  const line =
    (level: string) =>
    (_subject: string, message: string, fields: object = {}): void =>
      void lines.push([level, message, ...Object.values(fields)].join(' | '))
  return { lines, log: { debug: () => {}, info: line('info'), warn: line('warn'), error: line('error') } }
}

test('nothing is changed by options that are the same', () => {
  expect(reloaded(optionsOf(), optionsOf())).toEqual({ options: optionsOf(), changed: [], waiting: [] })
})

test('what can change while it runs takes effect, and the rest stays as it was, by name', () => {
  const before = optionsOf({ metadata: 'region=north', listen: ['unix:/run/a.sock'] })
  const read = optionsOf({
    ...{
      metadata: 'region=south',
      keepEvents: '1d',
      keepVersions: '5',
      awayGrace: '1m',
      onStopTimeout: '9s',
    },
    ...{ listen: ['unix:/run/b.sock'], agentTtl: '1m', dataDir: '/elsewhere' },
  })
  const { options, changed, waiting } = reloaded(before, read)
  expect(changed).toEqual(['metadata', 'away-grace', 'on-stop-timeout', 'keep-events', 'keep-versions'])
  expect(waiting).toEqual(['data-dir', 'listen', 'agent-ttl', 'secret-key-file'])
  expect(options).toEqual({
    ...before,
    ...{ metadata: { region: 'south' }, keepEventsMs: 86_400_000, keepVersions: 5 },
    ...{ awayGraceMs: 60_000, onStopTimeoutMs: 9000 },
  })
})

test('tokens change at once, and how callers are let in otherwise does not', () => {
  const before = optionsOf()
  const tokens = [{ role: 'read', text: 'a'.repeat(16) }] as const
  const read: DaemonOptions = {
    ...before,
    access: { tls: null, tokens, insecure: false, advertise: 'https://other:1' },
  }
  const { options, changed, waiting } = reloaded(before, read)
  expect([changed, waiting]).toEqual([['token-file'], ['tls-…, insecure-listen or advertise']])
  expect(options.access).toEqual({ ...before.access, tokens })
  const without = reloaded(options, { ...options, access: { ...options.access, tokens: [] } })
  expect(without.options.access.tokens).toEqual([])
  expect(without.waiting).toEqual(['token-file (until then no token is let in)'])
})

test('a certificate that is renewed in its files is no change of the configuration, one in other files waits', () => {
  const tls = { cert: 'old', key: 'old', ca: null, files: { cert: '/c', key: '/k', ca: null } }
  const withTls = (next: DaemonOptions['access']['tls']): DaemonOptions => ({
    ...optionsOf(),
    access: { ...optionsOf().access, tls: next },
  })
  const renewed = reloaded(withTls(tls), withTls({ ...tls, cert: 'new', key: 'new' }))
  expect([renewed.changed, renewed.waiting]).toEqual([[], []])
  const moved = reloaded(withTls(tls), withTls({ ...tls, files: { ...tls.files, cert: '/d' } }))
  expect([moved.changed, moved.waiting]).toEqual([[], ['tls-…, insecure-listen or advertise']])
  expect(moved.options.access.tls).toEqual(tls)
})

test('a configuration that cannot be used changes nothing, and the log says where it is wrong', () => {
  const { log, lines } = logged()
  const first = optionsOf({ keepVersions: '7' })
  const details = [
    { code: 'daemon/bad-option', severity: 'error', message: 'x is no y', file: 'm.yml', line: 3 },
  ] as const
  const reload = openReload(
    first,
    () => {
      throw new CommandError(2, 'daemon/bad-option', 'the daemon cannot start with these options', {
        details,
      })
    },
    log,
  )
  reload.reload()
  expect(reload.now()).toBe(first)
  expect(lines).toEqual([
    'error | keeping the current configuration; the new one is invalid: m.yml:3 x is no y',
  ])
})

test('whoever follows the options hears of a change, until it follows them no more', () => {
  const { log, lines } = logged()
  let text = '5'
  const reload = openReload(optionsOf(), () => optionsOf({ keepVersions: text }), log)
  const heard: number[] = []
  const end = reload.onChange(() => heard.push(reload.now().keepVersions))
  reload.reload()
  end()
  text = '6'
  reload.reload()
  expect([heard, reload.now().keepVersions]).toEqual([[5], 6])
  expect(lines).toEqual([
    'info | configuration reloaded | keep-versions',
    'info | configuration reloaded | keep-versions',
  ])
})
