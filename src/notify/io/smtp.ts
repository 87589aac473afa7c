// Connections to a mail server.
import { createTransport, type Transporter } from 'nodemailer'

/** The server that takes our mails on. */
export interface SmtpSettings {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; else it is begun with STARTTLS where the server offers it. */
  readonly secure: boolean
  /** Never go on without TLS. */
  readonly requireTls: boolean
  readonly from: string
  readonly login: { readonly user: string; readonly password: string } | null
  /** Contents of a PEM file; null: the authorities that Node trusts. */
  readonly ca: string | null
}

/** How long a server may take for a step of the conversation. */
const stepWithinMs = 15_000
const connectionsAtMost = 2

/** Keeps connections to the server for as long as there is something to send. */
export function openTransport(smtp: SmtpSettings): Transporter {
  const { host, port, secure, requireTls, login, ca } = smtp
  return createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    pool: true,
    maxConnections: connectionsAtMost,
    connectionTimeout: stepWithinMs,
    greetingTimeout: stepWithinMs,
    socketTimeout: stepWithinMs,
    // A mail is made of what stands in the store: nothing of it may name a file or a URL to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    ...(ca !== null && { tls: { ca } }),
  })
}
