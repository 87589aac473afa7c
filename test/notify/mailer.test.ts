import { readFileSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openMailer } from '../../src/notify/io/mailer.js'
import type { Letter, Sender } from '../../src/notify/io/sender.js'
import type { SmtpSettings } from '../../src/notify/io/smtp.js'
import { type Certificates, makeCertificates } from '../e2e/certificates.js'
import { type SmtpReceiver, type SmtpReceiverOptions, startSmtpReceiver } from './smtp-receiver.js'

const clock = { now: () => Date.UTC(2026, 10, 21, 12) }
const never = new AbortController().signal

let certificates: Certificates
beforeAll(() => {
  certificates = makeCertificates()
})

const open: (SmtpReceiver | Sender)[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function receive(options: SmtpReceiverOptions = {}): Promise<SmtpReceiver> {
  const receiver = await startSmtpReceiver(options)
  open.push(receiver)
  return receiver
}

function mailer(port: number, settings: Partial<SmtpSettings> = {}): Sender {
  const plain = { secure: false, requireTls: false, from: 'mariposa@shop.example', login: null, ca: null }
  const sender = openMailer({ host: '127.0.0.1', port, ...plain, ...settings }, clock)
  open.push(sender)
  return sender
}

const message =
  'highram: the avg of containermonitor.mem_agg_usage over 3 instances was 84% for 300 s, > 80%; scale 3 → 4'
const letter: Letter = {
  url: 'mailto:ops@shop.example',
  id: 'evt_1795276806123-0000-8c1f2a3b',
  body: JSON.stringify({
    source: 'urn:mariposa:cluster:7d1e',
    subject: 'default/web',
    time: '2026-11-21T16:00:06.123Z',
    data: { message, service: { name: 'web', ordinal: 2, scale: 4 } },
  }),
  secret: '',
  headers: {},
  allowPrivate: false,
}

/** The text of a mail, decoded. */
function bodyOf(text: string): string {
  const at = text.indexOf('\n\n')
  const [head, body] = [text.slice(0, at), text.slice(at + 2)]
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  const joined = body.replace(/=\n/g, '')
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

describe('an e-mail', () => {
  it('tells of the event, with an id that stays the same', async () => {
    const server = await receive()
    const sender = mailer(server.port)
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await sender.send(letter, never)).toMatchObject({ status: 250, error: null })
    const [mail, again] = server.mails
    expect(mail).toMatchObject({ from: 'mariposa@shop.example', to: ['ops@shop.example'], login: null })
    expect(mail?.text).toMatch(/^To: ops@shop\.example$/m)
    expect(mail?.text).toMatch(/^Auto-Submitted: auto-generated$/m)
    expect(bodyOf(mail?.text ?? '')).toBe(`${message}

Service: default/web
Version: 2
Scale:   4
Time:    2026-11-21T16:00:06.123Z
Cluster: 7d1e

The manifest of default/web names ops@shop.example under autoscale.notify_email.
`)
    const idIn = (text = '') => /^Message-ID: .*$/im.exec(text)?.[0]
    expect(idIn(mail?.text)).toBe('Message-ID: <evt_1795276806123-0000-8c1f2a3b.default.web@mariposa>')
    expect(idIn(again?.text)).toBe(idIn(mail?.text))
  })

  it.each([
    ['451 4.3.0 try again later', 451],
    ['550 5.1.1 nobody here by that name', 550],
  ])('that is answered with %s is a failure with that status', async (answer, status) => {
    const server = await receive()
    server.answer = answer
    const outcome = await mailer(server.port).send(letter, never)
    expect(outcome.status).toBe(status)
    expect(outcome.error).toContain(answer)
  })

  it('is a failure without a status where nobody answers, or nobody is there to be asked', async () => {
    const server = await startSmtpReceiver()
    await server.close()
    const outcome = await mailer(server.port).send(letter, never)
    expect(outcome).toMatchObject({ status: null, error: expect.stringContaining('ECONNREFUSED') as string })
    expect(await openMailer(null, clock).send(letter, never)).toMatchObject({
      status: null,
      error: 'this daemon has no mail server (--smtp)',
    })
  })

  it.each([true, false])('goes over TLS with the password (from the first byte: %s)', async (implicit) => {
    const { ca, cert, key } = certificates
    const server = await receive({ tls: { cert, key }, implicit })
    const login = { user: 'mariposa', password: 'pass word' }
    const secure = { login, secure: implicit, requireTls: !implicit, ca: readFileSync(ca, 'utf8') }
    expect(await mailer(server.port, secure).send(letter, never)).toMatchObject({ status: 250 })
    expect(server.mails).toMatchObject([{ secure: true, login: 'mariposa:pass word' }])
    // Of an authority that nobody named to us.
    const stranger = await mailer(server.port, { ...secure, ca: null }).send(letter, never)
    expect(stranger).toMatchObject({ status: null, error: expect.stringMatching(/certificate/) as string })
  })

  it('does not send a password to a server that has no TLS', async () => {
    const server = await receive()
    const login = { user: 'mariposa', password: 'secret' }
    const outcome = await mailer(server.port, { login, requireTls: true }).send(letter, never)
    expect(outcome.error).not.toBeNull()
    expect(outcome.error).not.toContain('secret')
    expect(server.came()).toBe(0)
  })

  it('is broken off when the daemon stops', async () => {
    const server = await receive()
    const stop = new AbortController()
    const sending = mailer(server.port).send(letter, stop.signal)
    stop.abort(new Error('stopping'))
    await expect(sending).rejects.toThrow('stopping')
  })
})
