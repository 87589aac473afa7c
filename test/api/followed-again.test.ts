// Logs that are followed while their unit goes, and comes back to the same machine under the same name.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { LogLine, LogQuery } from '../../src/agent/driver.js'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import type { ApiContext } from '../../src/api/io/context.js'
import { inBatches } from '../../src/lib/io/batches.js'
import { lineBatches } from '../../src/lib/io/lines.js'
import { putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { idOf } from '../world/world.js'
import { openLocalApi } from './local-api.js'

const [name, machine] = [asUnitName('web.service'), idOf('a')]
const text = '[Service]\nExecStart=/bin/true\n'

test('go on with what it writes there then', async () => {
  const lives: {
    readonly line: string
    readonly over: Promise<void>
    end(): void
    readonly query: LogQuery
  }[] = []
  const logs = async function* (_: unknown, query: LogQuery): AsyncGenerator<readonly LogLine[]> {
    let end = (): void => {}
    const over = new Promise<void>((resolve) => (end = resolve))
    const at = Date.now()
    const line = `of life ${lives.length + 1}`
    lives.push({ line, over, end, query })
    yield* inBatches([{ at, stream: 'stdout' as const, line }])
    await over
  }
  const agent = { driverOf: () => ({ logs }) } as unknown as ApiContext['agent']
  const { server, registry } = await openLocalApi(undefined, { agent })
  onTestFinished(async () => {
    for (const { end } of lives) end()
    await server.close()
    await registry.close()
  })
  const hash = unitHash(text)
  const report = (n: number) =>
    putOf('report', { ...reportOf(machine, absentUnit(name, 'process'), freshMemory), restarts: n })
  await registry.commit(
    [],
    [
      ...[putOf('file', { hash, text }), report(0)],
      putOf('unit', { name, hash, desired: 'launched', instance: null, createdAt: 0 }),
      putOf('placement', { unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
    ],
  )
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const asked = request({ port, path: `/v1/units/${name}/journal?follow=true`, agent: false })
  onTestFinished(() => void asked.destroy())
  const answered = once(asked, 'response')
  asked.end()
  const [answer] = (await answered) as [IncomingMessage]
  answer.on('error', () => {})
  const told: string[] = []
  const read = async (): Promise<void> => {
    for await (const lines of lineBatches(answer)) {
      for (const line of lines.filter((one) => one !== ''))
        told.push((JSON.parse(line) as { readonly line: string }).line)
      if (told.length === 1) lives[0]?.end()
      if (told.length === 2) return
    }
  }
  const reading = read()
  // Its machine reports how it goes, and comes back.
  for (let n = 1; lives.length < 2 && n < 5000; n += 1) {
    await registry.commit([], [report(n)])
    await new Promise(setImmediate)
  }
  await reading
  expect(told).toEqual(['of life 1', 'of life 2'])
  expect(lives.map(({ query }) => query.since === null)).toEqual([true, false])
})
