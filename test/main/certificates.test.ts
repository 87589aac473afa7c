// What a daemon says of its certificates, and which of them it takes while it runs.
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { ServerTls } from '../../src/api/io/make-server.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Log } from '../../src/lib/io/log.js'
import { type Time, toIso } from '../../src/lib/time.js'
import { type Certificates, startCertificates } from '../../src/main/certificates.js'
import { checkTls, expiryOf } from '../../src/main/tls-check.js'
import type { ShownCertificate } from '../../src/model/machine.js'
import { type Certificates as Files, makeCertificates } from '../e2e/certificates.js'
import { removeDir } from '../remove-dir.js'

const dayMs = 86_400_000
const [first, second] = [makeCertificates(), makeCertificates(['127.0.0.1'], 'write', 40)]
const expired = makeCertificates(['127.0.0.1'], 'write', -1)

const dirs: string[] = []
let running: Certificates | null = null
afterEach(async () => {
  await running?.stop()
  running = null
  for (const dir of dirs.splice(0)) removeDir(dir)
})

/** The files of a daemon, with what is in those of another place. */
function filesWith(from: Files) {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-certificates-'))
  dirs.push(dir)
  const files = { cert: join(dir, 'cert.pem'), key: join(dir, 'key.pem'), ca: join(dir, 'ca.pem') }
  const put = (names: readonly ('cert' | 'key' | 'ca')[], of: Files): void => {
    for (const name of names) copyFileSync(of[name], files[name])
  }
  put(['cert', 'key', 'ca'], from)
  const text = (path: string): string => readFileSync(path, 'utf8')
  return { files, put, tls: { cert: text(from.cert), key: text(from.key), ca: text(from.ca), files } }
}

/** Follows files; `heard` has what it was told of, in order. */
function follow(tls: ReturnType<typeof filesWith>['tls'], clock: Time = systemClock) {
  const heard: (ServerTls | readonly ShownCertificate[])[] = []
  const warnings: string[] = []
  const waiting: (() => void)[] = []
  const hear = (what: ServerTls | readonly ShownCertificate[]): void => {
    heard.push(what)
    for (const wake of waiting.splice(0)) wake()
  }
  const quiet = (): void => {}
  const warn = (_: string, message: string): void => void warnings.push(message)
  const log: Log = { debug: () => {}, info: quiet, warn, error: quiet }
  running = startCertificates({ tls, etcdCertFile: null, clock, log, onRenewal: hear, onChange: hear })
  const told = async (count: number): Promise<void> => {
    while (heard.length < count) {
      const more = new Promise<void>((resolve) => waiting.push(resolve))
      running?.look()
      await more
    }
  }
  return { heard, warnings, told, look: running.look.bind(running) }
}

test('a renewal is taken when it is whole, and told', async () => {
  const { files, put, tls } = filesWith(first)
  const { heard, told, look } = follow(tls)
  put(['cert'], second)
  look()
  writeFileSync(files.ca, '')
  look()
  put(['key', 'ca'], second)
  await told(2)
  const text = (path: string): string => readFileSync(path, 'utf8')
  expect(heard).toEqual([
    { cert: text(second.cert), key: text(second.key), ca: text(second.ca) },
    [{ use: 'api', expiresAt: expiryOf(text(second.cert)) }],
  ])
})

test('authorities change alone, two of them in a file while they are rotated', async () => {
  const { files, tls } = filesWith(first)
  const { heard, told } = follow(tls)
  const both = readFileSync(first.ca, 'utf8') + readFileSync(second.ca, 'utf8')
  writeFileSync(files.ca, both)
  await told(1)
  expect(heard).toEqual([{ cert: tls.cert, key: tls.key, ca: both }])
})

test('what ends within 30 days is warned of, once a day, and what is over as well', async () => {
  const { tls } = filesWith(first)
  const { warnings } = follow(tls)
  expect(warnings).toEqual([
    'the certificate in --tls-cert-file ends in 1 day: replace the file with a renewed one, which is used without a restart',
  ])
  await running?.stop()
  const later: Time = { ...systemClock, now: () => systemClock.now() + 3 * dayMs }
  expect(follow(tls, later).warnings).toEqual([
    'the certificate in --tls-cert-file has expired: replace the file with a renewed one',
  ])
  await running?.stop()
  expect(follow(filesWith(second).tls).warnings).toEqual([])
})

test('a daemon does not start with a certificate that is over', () => {
  const { tls } = filesWith(first)
  const access = { tls, tokens: [], insecure: false, advertise: null }
  const expiresAt = expiryOf(tls.cert)
  expect(() => checkTls(access, expiresAt - 1)).not.toThrow()
  const refused = `the certificate in --tls-cert-file expired at ${toIso(expiresAt)}`
  expect(() => checkTls(access, expiresAt)).toThrow(refused)
})

test('what cannot be used is not taken, and the log says why, once', async () => {
  const { files, put, tls } = filesWith(first)
  const { heard, warnings, told, look } = follow(tls)
  const kept = (): readonly string[] =>
    warnings.filter((text) => text.startsWith('keeping')).map((text) => text.replace(/^.*?: /, ''))
  const lookedAt = async (count: number): Promise<void> => {
    for (let looks = 0; looks < 5 || kept().length < count; looks++) {
      look()
      await turn()
    }
  }
  const good = readFileSync(second.ca, 'utf8')
  const faults: readonly [() => void, RegExp][] = [
    [() => put(['cert'], second), /are not a matching certificate and key/],
    [() => writeFileSync(files.key, good.slice(0, 40)), /are not a matching certificate and key/],
    [() => rmSync(files.key), /key\.pem cannot be read: ENOENT/],
    [
      () => writeFileSync(files.ca, readFileSync(first.ca, 'utf8') + good.slice(0, -60)),
      /certificate 2 in it is cut off/,
    ],
    [() => writeFileSync(files.ca, good.replace(/^M/m, 'A')), /certificate 1 in it cannot be read/],
    [() => put(['cert', 'key'], expired), /--tls-cert-file expired at/],
  ]
  for (const [at, [damage, why]] of faults.entries()) {
    put(['cert', 'key', 'ca'], first)
    await lookedAt(at)
    damage()
    await lookedAt(at + 1)
    expect(kept()).toHaveLength(at + 1)
    expect(kept().at(-1)).toMatch(why)
  }
  expect(heard).toEqual([])
  put(['cert', 'key', 'ca'], second)
  await told(2)
  expect(heard[0]).toMatchObject({ cert: readFileSync(second.cert, 'utf8') })
})

test('authorities that everybody may write are not taken, and the log says so once', async () => {
  const { files, put, tls } = filesWith(first)
  const { heard, warnings, told, look } = follow(tls)
  chmodSync(files.ca, 0o646)
  writeFileSync(files.ca, readFileSync(second.ca, 'utf8'))
  // The one that is shown ends soon, which is warned of, too.
  const refused = (): readonly string[] => warnings.filter((text) => text.startsWith('keeping the current'))
  while (refused().length === 0) {
    look()
    await turn()
  }
  for (let looks = 0; looks < 5; looks++) {
    look()
    await turn()
  }
  expect(heard).toEqual([])
  expect(refused()).toEqual([
    `keeping the current certificates: everybody may write to ${files.ca}, and so say whom this daemon trusts (chmod o-w ${files.ca})`,
  ])
  chmodSync(files.ca, 0o644)
  put(['cert', 'key'], second)
  await told(2)
  expect(heard[0]).toMatchObject({ ca: readFileSync(second.ca, 'utf8') })
})
