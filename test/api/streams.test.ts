// Answers that go on, and callers who leave in the midst of them.
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { LogLine, LogQuery } from '../../src/agent/driver.js'
import type { ApiContext } from '../../src/api/io/context.js'
import { followedLogs, type LoggedUnit, lastTogether, pastLogs } from '../../src/api/io/instance-logs.js'
import { type Streaming, streamEvents, streamLines } from '../../src/api/io/streams.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { toIso } from '../../src/lib/time.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { UnitName } from '../../src/model/unit.js'

const servers: FastifyInstance[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** A server whose only answer is what `answer` sends, and a caller of it. */
async function called(
  begin: typeof streamLines,
  answer: (stream: Streaming) => Promise<void>,
): Promise<{ readonly got: IncomingMessage; leave(): void }> {
  const server = fastify({ forceCloseConnections: true })
  servers.push(server)
  server.get('/', async (_, reply) => {
    await answer(begin(reply, systemClock))
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const asked = request({ port, agent: false }, (got) => {
      got.on('error', () => {})
      resolve({ got, leave: () => asked.destroy() })
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** Without an end, and never at a loss: whoever reads it to its end reads for ever. */
function endless<T>(value: T) {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  async function* batches(): AsyncGenerator<readonly T[], void, undefined> {
    try {
      for (;;) yield Array<T>(200).fill(value)
    } finally {
      end()
    }
  }
  return { batches, ended }
}

describe('an answer that goes on', () => {
  for (const [name, begin] of [
    ['lines', streamLines],
    ['events', streamEvents],
  ] as const) {
    it(`of ${name} ends its source when a caller who never read leaves`, async () => {
      const source = endless({ text: 'x'.repeat(100) })
      const { leave } = await called(begin, (stream) => stream.sendAll(source.batches()))
      leave()
      await source.ended
    })

    it(`of ${name} ends its source when a caller who reads leaves`, async () => {
      const source = endless({ text: 'x'.repeat(100) })
      const { got, leave } = await called(begin, (stream) => stream.sendAll(source.batches()))
      await new Promise((resolve) => got.once('data', resolve))
      leave()
      await source.ended
    })
  }

  it('leaves turns to others while its caller takes all that comes', async () => {
    const source = endless('x')
    let sent = 0
    const { got, leave } = await called(streamLines, async (stream) => {
      // Nothing that is written is ever held up here: only the source itself could let others go on.
      await stream.sendAll(
        (async function* () {
          for await (const batch of source.batches()) {
            sent += 1
            yield batch
          }
        })(),
      )
    })
    got.resume()
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setTimeout(resolve))
    expect(sent).toBeGreaterThan(0)
    leave()
    await source.ended
  })
})

describe('logs of which no more is taken', () => {
  const unit = (name: string): LoggedUnit => ({ unit: name as UnitName, label: name, machine: null })
  const line: LogLine = { at: 0, stream: 'stdout', line: 'a line' }

  it('end at their drivers, of every unit', async () => {
    const sources = [endless(line), endless(line)]
    const asked = sources.values()
    const driver = { logs: () => asked.next().value?.batches() }
    // What a caller may ask of is not what this is about.
    const context = { agent: { driverOf: () => driver } } as unknown as ApiContext
    const query = { follow: false, since: null, tail: null }
    const units = [unit('a.service'), unit('b.service')]
    for await (const _ of pastLogs(context, units, query, new AbortController().signal)) break
    await Promise.all(sources.map(({ ended }) => ended))
  })

  it('are the last of all units together, with those of units that are gone', async () => {
    const said = (at: number, text: string): LogLine => ({ at, stream: 'stdout', line: text })
    const written: Record<string, readonly LogLine[]> = {
      'a.service': [said(1, 'a1'), said(4, 'a4'), said(6, 'a6')],
      'b.service': [said(2, 'b2'), said(3, 'b3'), said(5, 'b5')],
    }
    const driverOf = (name: UnitName) => ({
      logs: async function* (_: UnitName, { tail }: LogQuery) {
        yield (written[name] ?? []).slice(-(tail ?? 0))
      },
    })
    const context = { agent: { driverOf } } as unknown as ApiContext
    const gone = { at: toIso(0), instance: 'gone', stream: 'stdout', line: 'g0' } as const
    const units = Object.keys(written).map(unit)
    const last = async (tail: number): Promise<readonly string[]> => {
      const query = { follow: false, since: null, tail }
      const lines = await lastTogether(context, [gone], units, query, new AbortController().signal)
      return lines.map((one) => `${one.unit?.label ?? '-'} ${one.record.line}`)
    }
    expect(await last(1)).toEqual(['a.service a6'])
    expect(await last(3)).toEqual(['a.service a4', 'b.service b5', 'a.service a6'])
    expect(await last(9)).toHaveLength(7)
    expect((await last(7))[0]).toBe('- g0')
  })

  it('end at the driver when they are followed', async () => {
    const source = endless(line)
    const agent = { driverOf: () => ({ logs: source.batches }) }
    const context = { agent, clock: systemClock } as unknown as ApiContext
    const query = { follow: true, since: null, tail: null }
    const { signal } = new AbortController()
    for await (const _ of followedLogs(context, unit('a.service'), query, signal)) break
    await source.ended
  })

  it('that are followed are taken up where they were once they can be read again', async () => {
    const said = (at: number, text: string): LogLine => ({ at, stream: 'stdout', line: text })
    const away = (): Error => new DriverError('process/unreachable', 'it hangs')
    const asked: (number | null)[] = []
    const tries = [
      [said(1, 'a'), said(2, 'b'), said(2, 'b')],
      [],
      [],
      // Another guess of the times, and one more of what was said before.
      [said(2, 'a'), said(2, 'b'), said(2, 'b'), said(3, 'b'), said(3, 'c'), said(4, 'a')],
    ]
    const logs = async function* (_: UnitName, { since }: LogQuery): AsyncGenerator<readonly LogLine[]> {
      asked.push(since)
      const lines = tries[asked.length - 1] ?? []
      if (lines.length > 0) yield lines
      if (asked.length < tries.length) throw away()
    }
    const view = { globalPlacementsOf: () => new Map(), placements: new Map() }
    const context = {
      ...{ agent: { driverOf: () => ({ logs }) }, registry: { view }, log: silentLog },
      clock: { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 100, run) },
    } as unknown as ApiContext
    const query = { follow: true, since: null, tail: null }
    const told: string[] = []
    for await (const batch of followedLogs(context, unit('a.service'), query, new AbortController().signal))
      told.push(...batch.map(({ line: text }) => text))
    expect(asked).toEqual([null, 2 - 2000, 2 - 2000, 2 - 2000])
    expect(told).toEqual(['a', 'b', 'b', 'mariposa: no logs of a.service: it hangs', 'b', 'c', 'a'])
  })

  it('that are followed without those that are there go on with what was written while they could not be read', async () => {
    const asked: LogQuery[] = []
    const logs = async function* (_: UnitName, query: LogQuery): AsyncGenerator<readonly LogLine[]> {
      asked.push(query)
      if (asked.length === 1) throw new DriverError('process/unreachable', 'it hangs')
      yield [{ ...line, at: 1000 }]
    }
    const view = { globalPlacementsOf: () => new Map(), placements: new Map() }
    const clock = { now: () => 500, after: (_: number, run: () => void) => systemClock.after(0, run) }
    const context = {
      ...{ agent: { driverOf: () => ({ logs }) }, registry: { view }, log: silentLog, clock },
    } as unknown as ApiContext
    const query = { follow: true, since: null, tail: 0 }
    const { signal } = new AbortController()
    for await (const _ of followedLogs(context, unit('a.service'), query, signal));
    expect(asked).toEqual([query, { follow: true, since: 500, tail: null }])
  })

  it('say why those of one unit cannot be read, and are silent of one that has yet to begin', async () => {
    const fails = async function* (code: string): AsyncGenerator<readonly LogLine[]> {
      yield [line]
      throw new DriverError(code, 'it hangs')
    }
    const sources: Record<string, () => AsyncGenerator<readonly LogLine[]>> = {
      'a.service': () => fails('process/unreachable'),
      'b.service': () => fails('process/unknown-unit'),
      'c.service': () => fails('process/unreachable'),
    }
    const driverOf = (name: UnitName) => ({ logs: sources[name] })
    const context = { agent: { driverOf }, clock: { now: () => 2 }, log: silentLog } as unknown as ApiContext
    const query = { follow: false, since: null, tail: null }
    const { signal } = new AbortController()
    const told: string[] = []
    for await (const batch of pastLogs(context, Object.keys(sources).map(unit), query, signal))
      told.push(...batch.map(({ instance, error = '-', line: text }) => `${instance} ${error} ${text}`))
    const why = (name: string): string => `${name} process/unreachable mariposa: no logs of ${name}: it hangs`
    expect(told.filter((text) => text.includes('mariposa'))).toEqual([why('a.service'), why('c.service')])
    expect(told).toHaveLength(5)
  })
})
