// Reading the options anew while the daemon runs: what can change takes effect, of the rest it is said that it cannot.
import { CommandError } from '../cli/command-error.js'
import { describeError, type Log } from '../lib/io/log.js'
import { describePlace } from '../model/diagnostic.js'
import type { DaemonOptions } from './options.js'

/** The options as they are now. */
export interface CurrentOptions {
  now(): DaemonOptions
  /** Calls after each change, until the returned function is called. */
  onChange(listener: () => void): () => void
}

interface Reload extends CurrentOptions {
  /** Reads them anew. What is wrong with them is logged, and they stay as they are. */
  reload(): void
}

type Change = 'at once' | 'after a restart'

/** Every option, by the setting that it is called. */
const changes: Readonly<Record<keyof DaemonOptions, readonly [setting: string, takesEffect: Change]>> = {
  entry: ['entry', 'after a restart'],
  dataDir: ['data-dir', 'after a restart'],
  store: ['store', 'after a restart'],
  listen: ['listen', 'after a restart'],
  access: ['token-file', 'at once'],
  triggerListen: ['trigger-listen', 'after a restart'],
  metadata: ['metadata', 'at once'],
  publicIp: ['public-ip', 'after a restart'],
  agentTtlMs: ['agent-ttl', 'after a restart'],
  awayGraceMs: ['away-grace', 'at once'],
  onStop: ['on-stop', 'after a restart'],
  onStopTimeoutMs: ['on-stop-timeout', 'at once'],
  engine: ['no-engine', 'after a restart'],
  agent: ['no-agent', 'after a restart'],
  drivers: ['driver', 'after a restart'],
  secretKeyFile: ['secret-key-file', 'after a restart'],
  keepEventsMs: ['keep-events', 'at once'],
  keepLogs: ['keep-logs', 'at once'],
  keepVersions: ['keep-versions', 'at once'],
  forgetAfterMs: ['forget-after', 'at once'],
  discard: ['discard', 'after a restart'],
  docker: ['keep-images or container-log-max-…', 'after a restart'],
  cns: ['cns-suffix-…', 'after a restart'],
  dns: ['dns…', 'after a restart'],
  smtp: ['smtp', 'after a restart'],
  packages: ['packages', 'after a restart'],
  policy: ['policy', 'at once'],
  logFormat: ['log-format', 'at once'],
  logLevels: ['log-level', 'at once'],
}

/** What new options change of those that are there: what there is from now on, and the names of the settings. */
export function reloaded(
  before: DaemonOptions,
  read: DaemonOptions,
): {
  readonly options: DaemonOptions
  readonly changed: readonly string[]
  readonly waiting: readonly string[]
} {
  // Of what lets callers in the tokens alone can change while connections are open. A renewed certificate in the same files
  // is seen by itself.
  const isRenewal = isSame(before.access.tls?.files, read.access.tls?.files)
  const tls = isRenewal ? read.access.tls : before.access.tls
  const access = { ...before.access, tls, tokens: read.access.tokens }
  // Those of before are let in no more; the daemon's own is made, and shown, at a start.
  const isClosed = before.access.tokens.length > 0 && read.access.tokens.length === 0
  const isAccessWaiting = !isSame(access, read.access)
  const taken: DaemonOptions = { ...read, access: { ...access, tls: before.access.tls } }
  const keys = (Object.keys(changes) as (keyof DaemonOptions)[]).filter(
    (key) => !isSame(before[key], taken[key]),
  )
  const of = (when: Change) => keys.filter((key) => changes[key][1] === when)
  const live = Object.fromEntries(of('at once').map((key) => [key, taken[key]]))
  return {
    options: { ...before, ...live },
    changed: of('at once').map((key) => changes[key][0]),
    waiting: [
      ...of('after a restart').map((key) => changes[key][0]),
      ...(isClosed ? ['token-file (until then no token is let in)'] : []),
      ...(isAccessWaiting ? ['tls-…, insecure-listen or advertise'] : []),
    ],
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Keeps the options that the daemon was started with, until `read` says something else. */
export function openReload(first: DaemonOptions, read: () => DaemonOptions, log: Log): Reload {
  const listeners = new Set<() => void>()
  let options = first
  return {
    now: () => options,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    reload: () => {
      try {
        const { options: next, changed, waiting } = reloaded(options, read())
        options = next
        if (waiting.length > 0)
          log.warn('daemon', 'changed settings need a restart', { settings: waiting.join(', ') })
        log.info('daemon', 'configuration reloaded', { changed: changed.join(', ') || 'nothing' })
        for (const listener of listeners) listener()
      } catch (error) {
        log.error('daemon', `keeping the current configuration; the new one is invalid: ${whyNot(error)}`)
      }
    },
  }
}

function whyNot(error: unknown): string {
  if (!(error instanceof CommandError) || error.details.length === 0) return describeError(error)
  return error.details
    .filter(({ severity }) => severity === 'error')
    .map((detail) => `${describePlace(detail)} ${detail.message}`.trim())
    .join('; ')
}
