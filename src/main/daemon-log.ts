// The daemon's log: as its options say, and without the secrets that the daemon knows.
import { type Log, lineLog } from '../lib/io/log.js'
import { KnownSecrets } from '../lib/redact.js'
import { callBodyPlaces } from '../model/call-body.js'
import type { SecretBox } from '../store/io/secret-box.js'
import type { DaemonOptions } from './options.js'

/** What the log is told by the options. */
type LogOptions = Pick<DaemonOptions, 'access' | 'smtp' | 'logFormat' | 'logLevels'>

export interface DaemonLog {
  readonly log: Log
  /** What no line is to have in it. */
  readonly hidden: KnownSecrets
  /** Writes from now on as these options say, and hides the secrets in them. */
  follow(options: LogOptions): void
}

/** A log that writes to `write`. */
export function openDaemonLog(first: LogOptions, write: (line: string) => void): DaemonLog {
  const hidden = new KnownSecrets()
  let options = first
  const settings = () => ({ format: options.logFormat, levels: options.logLevels })
  const follow = (next: LogOptions): void => {
    options = next
    for (const { text } of next.access.tokens) hidden.add(text)
    if (next.smtp?.login != null) hidden.add(next.smtp.login.password)
  }
  follow(first)
  return { log: lineLog(write, { settings, secrets: hidden }), hidden, follow }
}

/** A box of which the log knows each secret that it seals or opens. Bodies of calls are sealed, and are no secrets: no line has all of one. */
export function hiding<Box extends SecretBox>(box: Box, hidden: KnownSecrets): Box {
  const { seal, open } = box
  const hide = (secret: string, place: string): void => {
    if (!place.startsWith(callBodyPlaces)) hidden.add(secret)
  }
  return Object.assign(box, {
    seal: (secret: string, place: string): string => {
      hide(secret, place)
      return seal(secret, place)
    },
    open: (sealed: string, place: string): string => {
      const secret = open(sealed, place)
      hide(secret, place)
      return secret
    },
  })
}
