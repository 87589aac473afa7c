// Which secrets a daemon's log knows, and that it follows the options when they are read anew.
import { expect, test } from 'vitest'
import type { Token } from '../../src/api/access.js'
import { hiding, openDaemonLog } from '../../src/main/daemon-log.js'
import { type DaemonOptions, readDaemonOptions } from '../../src/main/options.js'
import { callBodyPlace } from '../../src/model/call-body.js'
import type { SecretBox } from '../../src/store/io/secret-box.js'

const account = { root: false, home: '/home/u', env: {} }
const optionsOf = (...texts: readonly string[]): DaemonOptions => {
  const { options } = readDaemonOptions({}, account)
  return {
    ...options,
    access: { ...options.access, tokens: texts.map((text): Token => ({ role: 'read', text })) },
  }
}

const openBox = (): SecretBox => ({ seal: (text) => `sealed ${text}`, open: (text) => text })

function opened(options: DaemonOptions) {
  const lines: string[] = []
  return { ...openDaemonLog(options, (line) => void lines.push(line)), lines }
}

/** Whether a text stands in a line that is told it. */
function tells({ log, lines }: ReturnType<typeof opened>, text: string): boolean {
  log.error('daemon', 'said', { text })
  return lines.at(-1)?.includes(text) ?? false
}

test('tokens and the password of the mail server are hidden, and those of before still when others are read', () => {
  const login = { user: 'u', password: 'mail-password' }
  const smtp = { login } as unknown as DaemonOptions['smtp']
  const daemon = opened({ ...optionsOf('first-token-0001'), smtp })
  expect([tells(daemon, 'first-token-0001'), tells(daemon, 'mail-password')]).toEqual([false, false])
  expect(tells(daemon, 'second-token-002')).toBe(true)
  daemon.follow(optionsOf('second-token-002'))
  expect([tells(daemon, 'first-token-0001'), tells(daemon, 'second-token-002')]).toEqual([false, false])
})

test('what is sealed or opened is hidden from then on: secrets of metadata, webhooks, triggers and registries', () => {
  const daemon = opened(optionsOf())
  const box = hiding(openBox(), daemon.hidden)
  expect(tells(daemon, 'meta-secret')).toBe(true)
  expect(box.seal('meta-secret', 'meta/default/password')).toBe('sealed meta-secret')
  expect(box.open('registry-password', 'registry/registry.example')).toBe('registry-password')
  expect([tells(daemon, 'meta-secret'), tells(daemon, 'registry-password')]).toEqual([false, false])
})

test('bodies of calls are sealed, and push out no secret', () => {
  const daemon = opened(optionsOf())
  const box = hiding(openBox(), daemon.hidden)
  const place = callBodyPlace({ project: 'default', service: 'web', id: 'a' })
  box.seal('a body of a call', place)
  expect(tells(daemon, 'a body of a call')).toBe(true)
})

test('format and levels are those of the options that were read last', () => {
  const daemon = opened(optionsOf())
  daemon.log.debug('api', 'not told')
  daemon.follow({ ...optionsOf(), logFormat: 'json', logLevels: { all: 'error', parts: { api: 'debug' } } })
  daemon.log.debug('api', 'told')
  daemon.log.warn('store', 'not told')
  expect(daemon.lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['told'])
})
