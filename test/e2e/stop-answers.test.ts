// A daemon that is told to end: what was asked of it before is carried out and answered.
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { type Host, useHosts } from './host.js'

const newHost = useHosts()
const callers = 80

/** A connection, all that came on it, and its end. */
interface Call {
  readonly socket: Socket
  /** Resolves when the kernel has the bytes. */
  send(text: string): Promise<void>
  /** Resolves when something has come that has this in it. */
  saw(text: string): Promise<void>
  /** All that has come, once the connection has ended. */
  readonly over: Promise<string>
}

function call({ socketPath }: Host): Promise<Call> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    socket.setEncoding('utf8')
    let text = ''
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.once('error', reject)
    const over = new Promise<string>((end) => socket.once('close', () => end(text)))
    socket.once('connect', () =>
      resolve({
        socket,
        send: (part) => new Promise((sent) => socket.write(part, () => sent())),
        saw: (wanted) =>
          new Promise((seen) => {
            const look = (): void => {
              if (!text.includes(wanted)) return
              socket.off('data', look)
              seen()
            }
            socket.on('data', look)
            look()
          }),
        over,
      }),
    )
  })
}

function put(key: string, value: string): string {
  const body = JSON.stringify({ value })
  const head = [`PUT /v1/projects/default/meta/${key} HTTP/1.1`, 'host: localhost']
  const about = ['content-type: application/json', `content-length: ${body.length}`]
  return `${[...head, ...about].join('\r\n')}\r\n\r\n${body}`
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
}

const lastAnswer = expect.stringMatching(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nconnection: close\r\n/i)

async function kept(host: Host): Promise<readonly string[]> {
  const { stdout } = await host.done('meta', 'list', '--json')
  return (JSON.parse(stdout) as readonly { key: string }[]).map(({ key }) => key).sort()
}

test('requests that it has taken are carried out, what is idle and what goes on forever ends', async () => {
  const host = newHost()
  const daemon = await host.startDaemon()
  const idle = await call(host)
  await idle.send(get('/healthz'))
  await idle.saw('"ok"')
  const stream = await call(host)
  await stream.send(get('/v1/events?follow=true'))
  await stream.saw('text/event-stream')
  const late = await call(host)
  const begun = put('late', '1')
  await late.send(begun.slice(0, -5))

  const keys = Array.from({ length: callers }, (_, n) => `k${String(n).padStart(2, '0')}`)
  const calls = await Promise.all(keys.map(() => call(host)))
  await Promise.all(calls.map((one, n) => one.send(put(keys[n] ?? '', '1'))))
  daemon.signal('SIGTERM')
  await late.send(begun.slice(-5))

  // Some may have been answered before the daemon heard of its end.
  for (const { over } of calls) expect(await over).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(await late.over).toEqual(lastAnswer)
  expect(await idle.over).toMatch(/^HTTP\/1\.1 200 OK/)
  expect(await stream.over).toMatch(/^HTTP\/1\.1 200 OK/)
  expect((await daemon.ended).code).toBe(0)
  await expect(call(host)).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  await host.startDaemon()
  expect(await kept(host)).toEqual([...keys, 'late'])
})

test('requests that come one after the other until the end are answered, or were not taken', async () => {
  const host = newHost()
  const daemon = await host.startDaemon()
  const acknowledged: string[] = []
  const unknown: string[] = []
  const ended = daemon.ended.then(() => true)
  const write = async (writer: number): Promise<void> => {
    const one = await call(host)
    for (let n = 0; ; n++) {
      const key = `w${writer}.n${n}`
      await one.send(put(key, '1'))
      const isAnswered = await Promise.race([
        one.saw(`"${key}"`).then(() => true),
        one.over.then(() => false),
      ])
      if (!isAnswered) {
        unknown.push(key)
        return
      }
      acknowledged.push(key)
      if (acknowledged.length === 400) daemon.signal('SIGTERM')
    }
  }
  await Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer)))
  expect(await ended).toBe(true)
  await host.startDaemon()
  const there = new Set(await kept(host))
  expect(acknowledged.filter((key) => !there.has(key))).toEqual([])
  // Nothing was written of which nobody was told.
  expect(unknown.filter((key) => there.has(key))).toEqual([])
}, 120_000)
