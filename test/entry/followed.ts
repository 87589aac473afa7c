// A real entry over a cluster in memory, as that of the machine `a`, with a keeper that the test answers for.
import { mkdtemp } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type RunningEntry, startEntry } from '../../src/entry/io/entry.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { lineLog } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import type { Op } from '../../src/store/store.js'
import { removeDir } from '../remove-dir.js'
import { idOf } from '../world/world.js'
import type { EnteredWorld } from './entered.js'

/** Answers a request, once its body is there. */
export type Answer = (request: IncomingMessage, body: string) => string | Promise<string>

export async function entryFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-followed-'))
  onTestFinished(() => removeDir(dir))
  return dir
}

/** Who answers at a socket of the folder. */
export async function answerAt(dir: string, socket: string, answer: Answer): Promise<void> {
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await request.toArray()).join('')
    response.end(await answer(request, body))
  }
  const listener: RequestListener = (request, response) => {
    reply(request, response).catch(() => response.destroy())
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(join(dir, socket), resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
}

export interface Followed {
  readonly dir: string
  readonly command?: readonly string[]
  readonly keeperWithinMs?: number
  readonly clock?: Time
  /** Called after each write of the entry. */
  readonly onCommit?: () => void
}

/** Starts the entry; it ends with the test. What it writes is in the world at once. */
export function followEntry(world: EnteredWorld, followed: Followed): RunningEntry {
  const { dir, command = ['false'], clock = systemClock, onCommit = () => {}, keeperWithinMs } = followed
  const registry = {
    ...{ view: world.view, isComplete: () => true },
    onChange: () => () => {},
    entryAt: () => ({ lease: 'one' }),
    commit: async (_: unknown, ops: readonly Op[]) => {
      world.apply(ops)
      onCommit()
    },
  }
  const entry = startEntry({
    ...{ registry, names: world.names, machine: idOf('a'), dir, command, ownPorts: {} },
    listen: { http: { host: '', port: 80 }, https: { host: '', port: 443 } },
    traffic: { follow: () => {} },
    ...(keeperWithinMs !== undefined && { keeperWithinMs }),
    ...{ clock, cluster: 'one', log: lineLog(() => {}) },
  } as unknown as Parameters<typeof startEntry>[0])
  onTestFinished(() => entry.stop())
  return entry
}
