// Sends deliveries to `mailto:…` over SMTP.
import type { Transporter } from 'nodemailer'
import type { Clock } from '../../lib/time.js'
import { mailOf } from '../mail.js'
import type { Outcome } from '../next.js'
import type { Letter, Sender } from './sender.js'
import { openTransport, type SmtpSettings } from './smtp.js'

/** A sender of mails. It keeps a connection for as long as there is something to send. */
export function openMailer(smtp: SmtpSettings | null, clock: Clock): Sender {
  let opened: Transporter | null = null
  return {
    send: async (letter, signal) => {
      signal.throwIfAborted()
      const at = clock.now()
      if (smtp === null) return failed(at, 0, null, 'this daemon has no mail server (--smtp)')
      opened ??= openTransport(smtp)
      const outcome = await attempt(opened, smtp, letter, clock, signal)
      signal.throwIfAborted()
      return outcome
    },
    close: () => {
      opened?.close()
    },
  }
}

async function attempt(
  transport: Transporter,
  { from }: SmtpSettings,
  letter: Letter,
  clock: Clock,
  signal: AbortSignal,
): Promise<Outcome> {
  const at = clock.now()
  const { to, subject, text, messageId } = mailOf(letter)
  const headers = { 'Auto-Submitted': 'auto-generated', 'X-Mariposa-Event': letter.id }
  const sent = transport.sendMail({ from, to, subject, text, messageId, date: new Date(at), headers })
  try {
    const { response = '' } = await unlessAborted(sent, signal)
    return { at, tookMs: clock.now() - at, status: codeIn(response), error: null, retryAfterMs: null }
  } catch (error) {
    return failed(at, clock.now() - at, codeOf(error), describe(error))
  }
}

/** A mail that is under way when we stop may arrive and be sent again: its id is the same. */
function unlessAborted<T>(sent: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('stopped'))
    signal.addEventListener('abort', stop, { once: true })
    sent.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function failed(at: number, tookMs: number, status: number | null, error: string): Outcome {
  return { at, tookMs, status, error, retryAfterMs: null }
}

/** `250 2.0.0 Ok: queued`. */
function codeIn(response: string): number {
  return Number(/^\d{3}/.exec(response)?.[0] ?? 250)
}

function codeOf(error: unknown): number | null {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : null
  return typeof code === 'number' ? code : null
}

function describe(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return `the mail server: ${text.replace(/\s+/g, ' ').trim().slice(0, 200)}`
}
