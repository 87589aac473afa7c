// How lines of the log are written: which of them, in which format, and whatever text they are given.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeError, type Log, type LogFormat, lineLog } from '../../src/lib/io/log.js'
import { type LogLevels, logLevels, logParts, parseLogLevels } from '../../src/lib/log-levels.js'
import { KnownSecrets } from '../../src/lib/redact.js'

interface Written {
  readonly log: Log
  readonly lines: string[]
  readonly secrets: KnownSecrets
}

function writing(format: LogFormat, ...levels: readonly string[]): Written {
  const lines: string[] = []
  const secrets = new KnownSecrets()
  const settings = { format, levels: parseLogLevels(levels) as LogLevels }
  const now = () => Date.UTC(2026, 0, 2)
  const log = lineLog((line) => void lines.push(line), { settings: () => settings, secrets, now })
  return { log, lines, secrets }
}

test('a line says when, how important, which part, what, and fields', () => {
  const fields = { unit: 'a b', ms: 1.5, gone: null, left: undefined, ok: true }
  const text = writing('text')
  text.log.warn('agent', 'start failed', fields)
  expect(text.lines).toEqual([
    '2026-01-02T00:00:00.000Z warn agent: start failed unit="a b" ms=1.5 gone=null ok=true\n',
  ])
  const json = writing('json')
  json.log.warn('agent', 'start failed', fields)
  expect(JSON.parse(json.lines[0] ?? '')).toEqual({
    ...{ time: '2026-01-02T00:00:00.000Z', level: 'warn', part: 'agent', msg: 'start failed' },
    ...{ unit: 'a b', ms: 1.5, gone: null, ok: true },
  })
})

test('each part is told from its own level on, and the others from that of all', () => {
  const { log, lines } = writing('text', 'warn', 'engine=debug', 'api=error')
  for (const part of ['engine', 'store', 'api'] as const)
    for (const level of logLevels) log[level](part, 'said')
  expect(lines.map((line) => line.split(' ').slice(1, 3).join(' '))).toEqual([
    ...['debug engine:', 'info engine:', 'warn engine:', 'error engine:'],
    ...['warn store:', 'error store:', 'error api:'],
  ])
})

test('fields of a line that is not written are not worked out', () => {
  const { log, lines } = writing('text')
  log.debug('store', 'written', () => {
    throw new Error('worked out')
  })
  expect(lines).toEqual([])
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\n', '\r', '\t', '\0', '\u001b[31m', '"', '\\', '\u0085') }),
  fc.string({ unit: fc.constantFrom('\u2028', '\u2029', '\ud800', '\udc00', '\u007f', 'a', ' ', '=') }),
)

test('whatever a text holds, it is one line of valid JSON that says the same', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(...logParts), (msg, why, part) => {
      const { log, lines } = writing('json')
      log.error(part, msg, { why })
      expect(lines).toHaveLength(1)
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({ part, msg, why })
      expect(lines[0]).toMatch(/^[^\p{Cc}\u2028\u2029\ud800-\udfff]*\n$/u)
    }),
  )
})

test('whatever a text holds, it is one line of text that moves no cursor', () => {
  fc.assert(
    fc.property(anyText, anyText, (msg, why) => {
      const { log, lines } = writing('text')
      log.error('api', msg, { why })
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(/^[^\p{Cc}\u2028\u2029]*\n$/u)
    }),
  )
})

test.each(['text', 'json'] as const)(
  'no secret stands in a line of %s: not in its message, a field, or the cause of an error',
  (format) => {
    const { log, lines, secrets } = writing(format)
    const secret = 'p"q/r s\nnext'
    secrets.add(secret)
    const cause = new Error(`registry answered 401 to {"auth":${JSON.stringify(secret)}}`)
    const error = new Error(`pulling from https://r.example/v2?key=${encodeURIComponent(secret)}`, { cause })
    log.error('docker', `failed with ${secret}`, { why: describeError(error), debug: secret })
    log.debug('docker', 'not told', () => ({ secret }))
    expect(lines).toHaveLength(1)
    const left = lines.join('')
    for (const part of ['p"q', 'p\\"q', 'p%22q', 'next', 'r s']) expect(left).not.toContain(part)
    expect(left.match(/\[redacted\]/g)).toHaveLength(4)
    expect(left).toContain('pulling from https://r.example/v2?key=[redacted]: registry answered 401')
  },
)

test('a field that is a secret by its name stands in no line of JSON', () => {
  const { log, lines } = writing('json')
  log.info('api', 'created a token', { token: 'abcdef', Password: 'x', file: '/data/token' })
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    ...{ token: '[redacted]', Password: '[redacted]', file: '/data/token' },
  })
})
