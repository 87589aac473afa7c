// What answers while a daemon starts, and the moment in which the API takes its place.
import { pbkdf2 } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Address } from '../../src/api/io/listen.js'
import { startApiServer } from '../../src/api/io/server.js'
import { type Doors, makeDoors, noDoors } from '../../src/api/io/startup-server.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { removeDir } from '../remove-dir.js'
import { type LocalApi, openLocalApi } from './local-api.js'

const starting = { code: 'daemon/starting', message: 'the daemon starts', hint: 'ask again' }
const access = { tls: null, tokens: () => [], open: false }

let dir: string | undefined
let api: LocalApi | undefined
afterEach(async () => {
  await api?.server.close()
  if (dir !== undefined) removeDir(dir)
})

async function begin(): Promise<string> {
  api = await openLocalApi()
  dir = mkdtempSync(join(tmpdir(), 'mariposa-doors-'))
  return dir
}

function opened(): LocalApi {
  if (api === undefined) throw new Error('begin first')
  return api
}

async function statusOf(socketPath: string): Promise<number> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ socketPath, path: '/v1/machines', agent: false }, resolve).on('error', reject).end()
  })
  answer.resume()
  return answer.statusCode ?? 0
}

/** The first line of what is answered on a connection that stands already: nothing is faster. */
async function answered(socket: Socket): Promise<string> {
  socket.write('GET /v1/machines HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [data] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return data.toString().split('\r\n')[0] ?? ''
}

/** Keeps every thread that Node asks files with busy: what a daemon does with the file of its socket takes a while. */
function keepFilesWaiting(): void {
  for (let at = 0; at < 16; at++) pbkdf2('a', 'b', 100_000, 64, 'sha512', () => {})
}

/** What listens is made here; `onListening` comes before anything that the daemon does then. */
function listening(onListening: () => void): Doors {
  return { ...noDoors, take: (_address, handler) => createServer(handler).once('listening', onListening) }
}

describe('a caller on the unix socket is never told to show a token', () => {
  test('however early the first request comes', async () => {
    const path = join(await begin(), 'api.sock')
    const early: Promise<number>[] = []
    const made = listening(() => {
      keepFilesWaiting()
      early.push(statusOf(path))
    })
    const server = await startApiServer(opened().context, [{ kind: 'unix', path }], access, made)
    expect(await Promise.all(early)).toEqual([200])
    await server.close()
  })

  test('while the API takes over from what answered before', async () => {
    const path = join(await begin(), 'api.sock')
    const address: Address = { kind: 'unix', path }
    const doors = makeDoors(null, systemClock, () => starting)
    await doors.open([address])
    expect(await statusOf(path)).toBe(503)
    const early = connect(path)
    await once(early, 'connect')
    const meanwhile: Promise<string>[] = []
    const watched: Doors = {
      ...doors,
      take: (of, handler) => {
        const server = doors.take(of, handler)
        meanwhile.push(answered(early))
        return server
      },
    }
    const server = await startApiServer(opened().context, [address], access, watched)
    expect(await Promise.all(meanwhile)).toEqual([expect.stringMatching(/^HTTP\/1.1 (200|503) /)])
    expect(await statusOf(path)).toBe(200)
    await server.close()
    await doors.close()
  })
})
