// A mail server of a few lines that takes what it is sent, with TLS and a password where it is told so.
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'

export interface TestMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and text as they came, lines ending in \n. */
  readonly text: string
  /** Whether it came over TLS. */
  readonly secure: boolean
  /** `user:password` as the sender logged in; null where it did not. */
  readonly login: string | null
}

export interface SmtpReceiver {
  readonly port: number
  /** All that was answered with 250, in order. */
  readonly mails: readonly TestMail[]
  /** What follows a mail is answered with: default 250. */
  answer: string
  /** How many mails came, taken or not. */
  came(): number
  /** Resolves when what was taken is as wanted. */
  until(wanted: (mails: readonly TestMail[]) => boolean): Promise<void>
  close(): Promise<void>
}

export interface SmtpReceiverOptions {
  /** PEM files; null: no TLS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** TLS from the first byte, or after STARTTLS. */
  readonly implicit?: boolean
  readonly port?: number
}

export async function startSmtpReceiver(options: SmtpReceiverOptions = {}): Promise<SmtpReceiver> {
  const mails: TestMail[] = []
  const waiters = new Set<() => void>()
  const sockets = new Set<Socket>()
  let came = 0
  const tls = options.tls && { cert: readFileSync(options.tls.cert), key: readFileSync(options.tls.key) }
  const take = (mail: TestMail): string => {
    came += 1
    if (!receiver.answer.startsWith('250')) return receiver.answer
    mails.push(mail)
    for (const waiter of waiters) waiter()
    return receiver.answer
  }
  const accept = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.write('220 test ESMTP\r\n')
    converse(socket, options.implicit === true, tls, take)
  }
  const server: Server =
    tls && options.implicit ? createTlsServer(tls, accept) : createServer({ allowHalfOpen: false }, accept)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const receiver: SmtpReceiver = {
    port: (server.address() as AddressInfo).port,
    mails,
    answer: '250 2.0.0 Ok: queued',
    came: () => came,
    until: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!wanted(mails)) return
          waiters.delete(look)
          resolve()
        }
        waiters.add(look)
        look()
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return receiver
}

type Pem = { readonly cert: Buffer; readonly key: Buffer }

/** One connection, from its greeting on. */
function converse(
  socket: Socket,
  secure: boolean,
  tls: Pem | undefined,
  take: (mail: TestMail) => string,
): void {
  let rest = ''
  let mail = { from: '', to: [] as string[] }
  let login: string | null = null
  const say = (line: string): boolean => socket.write(`${line}\r\n`)
  const read = (chunk: Buffer): void => {
    rest += chunk.toString('utf8')
    for (;;) {
      const end = rest.startsWith('DATA\r\n') ? rest.indexOf('\r\n.\r\n') + 3 : rest.indexOf('\r\n')
      if (rest.startsWith('DATA\r\n') && end === 2) {
        if (rest === 'DATA\r\n') say('354 go on')
        return
      }
      if (end < 0) return
      const line = rest.slice(0, end)
      rest = rest.slice(end + 2)
      if (!obey(line)) return
    }
  }
  const obey = (line: string): boolean => {
    const [verb = ''] = line.split(/[\s\r]/, 1)
    const address = /<(.*)>/.exec(line)?.[1] ?? ''
    switch (verb.toUpperCase()) {
      case 'EHLO':
        say(tls && !secure ? '250-test\r\n250-AUTH PLAIN\r\n250 STARTTLS' : '250-test\r\n250 AUTH PLAIN')
        return true
      case 'STARTTLS': {
        say('220 go on')
        socket.off('data', read)
        if (tls) converse(new TLSSocket(socket, { isServer: true, ...tls }), true, tls, take)
        return false
      }
      case 'AUTH':
        login = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')
          .slice(1)
          .join(':')
        say('235 welcome')
        return true
      case 'MAIL':
        mail = { from: address, to: [] }
        say('250 ok')
        return true
      case 'RCPT':
        mail.to.push(address)
        say('250 ok')
        return true
      case 'DATA':
        say(
          take({ ...mail, text: line.slice('DATA\r\n'.length, -1).replaceAll('\r\n', '\n'), secure, login }),
        )
        return true
      case 'QUIT':
        say('221 bye')
        socket.end()
        return false
      default:
        say('250 ok')
        return true
    }
  }
  socket.on('data', read)
  socket.on('error', () => {})
}
