// The ports that a machine needs itself: its entry leaves them alone, whoever asks for them.
import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tcpListens } from '../../src/entry/haproxy.js'
import { startEntry } from '../../src/entry/io/entry.js'
import { keptFiles } from '../../src/entry/io/kept-files.js'
import { keeperProtocol, keeperSocket } from '../../src/entry/keeper-protocol.js'
import type { ServedTcp } from '../../src/entry/routes.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { lineLog } from '../../src/lib/io/log.js'
import { ownPortsOf } from '../../src/main/entry-ports.js'
import type { Registry } from '../../src/store/io/registry.js'
import { removeDir } from '../remove-dir.js'

const served = (tcp: number): ServedTcp => ({
  project: 'default',
  service: 'db',
  route: { tcp, port: null, weight: 100, drainMs: 0 },
  group: `g${tcp}`,
  canaryGroup: null,
  takenBy: null,
})

const own = ownPortsOf({
  store: {
    kind: 'etcd',
    endpoints: ['127.0.0.1:2379', '[::1]:12379'],
    prefix: '/mariposa/',
    tls: null,
    user: null,
    password: null,
    requestTimeoutMs: 3000,
  },
  listen: [
    { kind: 'unix', path: '/run/mariposa.sock' },
    { kind: 'tcp', host: '0.0.0.0', port: 7400 },
  ],
  triggerListen: [{ kind: 'tcp', host: '0.0.0.0', port: 7480 }],
  dns: { addresses: [{ host: '127.0.0.1', port: 8053 }], isAsked: false, upstream: null, allow: [] },
})

test('are those of the store, of etcd among itself, and of what the daemon answers', () => {
  expect(Object.keys(own).map(Number)).toEqual([2379, 2380, 7400, 7480, 8053, 12379])
  const ports = [2379, 2380, 5432, 7400, 7480, 8053, 12379].map(served)
  expect(tcpListens(ports, '', own).map(({ port }) => port)).toEqual([5432])
})

test('are taken from a proxy that has them while the store is away, and said to be why they are not served', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-own-ports-'))
  onTestFinished(() => removeDir(dir))
  const kept = join(dir, keptFiles.tcp)
  const listens = [2379, 5432].map((port) => ({ host: '', port, group: `g${port}` }))
  await writeFile(kept, JSON.stringify(listens))
  let tell: (text: string) => void = () => {}
  const told = new Promise<string>((resolve) => {
    tell = resolve
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks = await request.toArray()
    if (request.url === '/tcp') tell(chunks.join(''))
    const state = { protocol: keeperProtocol, pid: 1, caddy: null, isCurrent: true, problem: null, tcp: {} }
    response.end(JSON.stringify(state))
  }
  const keeper = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => keeper.listen(join(dir, keeperSocket), resolve))
  onTestFinished(() => void keeper.close())
  const entry = startEntry({
    registry: { isComplete: () => false, onChange: () => () => {} } as unknown as Registry,
    ownPorts: own,
    ...{ dir, command: ['false'], clock: systemClock, log: lineLog(() => {}) },
  } as unknown as Parameters<typeof startEntry>[0])
  onTestFinished(() => entry.stop())
  expect(JSON.parse(await told)).toEqual([listens[1]])
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual([listens[1]])
  expect(entry.problemOf(served(2379))).toBe('this machine needs port 2379 for the store (etcd)')
  expect(entry.problemOf(served(5432))).toBeNull()
})
