// TCP is reached by every user of the host: unless somebody has said who is let in, or that everybody is, callers have to
// show a token that the daemon makes itself.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { isSendable, type Token } from '../api/access.js'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { isDiskFull } from '../lib/io/disk-full.js'
import { describeError, type Log } from '../lib/io/log.js'
import { ExposedFileError, refuseExposed } from '../lib/io/private-file.js'
import { replaceFile } from '../lib/io/replace-file.js'
import { readTextFileLater } from '../lib/io/text-file.js'
import type { AccessOptions } from './access-options.js'

interface TcpGuard {
  readonly access: AccessOptions
  /** What the API listens on, as URLs. */
  readonly endpoints: readonly string[]
  readonly dataDir: string
  readonly log: Log
}

/** The token of the daemon's own; null where others are let in, or where it listens on no TCP. Says loudly who is let in unasked. */
export async function guardTcp({ access, endpoints, dataDir, log }: TcpGuard): Promise<Token | null> {
  const tcp = endpoints.filter((url) => /^https?:/.test(url))
  if (tcp.length === 0) return null
  if (access.insecure) {
    log.warn(
      'api',
      `INSECURE: because of --insecure-listen everybody who reaches these addresses may run programs here as user ${process.getuid?.() ?? 0}`,
      { listen: tcp.join(',') },
    )
    return null
  }
  if (access.tokens.length > 0 || access.tls?.ca != null) return null
  return ownToken(join(dataDir, 'token'), log)
}

/** Reads the token, or makes it, which is the only time that it is shown. Throws CommandError `daemon/token`. */
async function ownToken(file: string, log: Log): Promise<Token> {
  try {
    const known = await readKept(file)
    if (known !== null) {
      log.info('api', 'TCP clients need the existing token', { file })
      return { role: 'write', text: known }
    }
    const text = randomBytes(24).toString('base64url')
    try {
      await replaceFile(file, `${text}\n`)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      log.warn(
        'api',
        'created a token for TCP clients, but cannot save it on a full disk: the next start creates another',
        {
          token: text,
          error: describeError(error),
        },
      )
      return { role: 'write', text }
    }
    log.info('api', 'created a token for TCP clients; it is shown only this once', { token: text, file })
    return { role: 'write', text }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw unusable(
      file,
      describeError(error),
      'the API listens on TCP: give --token-file, or listen on a unix socket alone',
    )
  }
}

async function readKept(file: string): Promise<string | null> {
  const text = await readTextFileLater(file, (found) => refuseExposed(file, found, 'owner')).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      if (error instanceof ExposedFileError) throw unusable(file, error.message, error.hint)
      throw error
    },
  )
  if (text === null) return null
  const token = text.trim()
  if (token.length >= 16 && isSendable(token)) return token
  throw unusable(file, 'it has no token', 'remove it: the next start creates another')
}

function unusable(file: string, reason: string, hint: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    'daemon/token',
    `the token in ${file} cannot be used: ${reason}`,
    {
      hint,
    },
  )
}
