// A supervisor that is older than its daemon: it is not asked for what it would leave out in silence.
import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openVolumeDirectories } from '../../../src/drivers/io/volume-directories.js'
import { openProcessDriver, type ProcessDriver } from '../../../src/drivers/process/io/driver.js'
import { systemClock } from '../../../src/lib/io/clock.js'
import { lineLog } from '../../../src/lib/io/log.js'
import { lineSplitter, protocolVersion } from '../../../src/supervisor/protocol.js'
import { removeDir } from '../../remove-dir.js'
import { serviceUnit } from './process-host.js'

const signal = AbortSignal.timeout(600_000)
const dir = mkdtempSync(join(tmpdir(), 'mariposa-old-'))
const sockets = new Set<Socket>()
const asked: string[] = []
const told: string[] = []
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
  socket.setEncoding('utf8')
  socket.write(`${JSON.stringify({ hello: { protocol: protocolVersion, pid: process.pid } })}\n`)
  const take = lineSplitter((line) => {
    const { id, verb } = JSON.parse(line) as { readonly id: number; readonly verb: string }
    asked.push(verb)
    socket.write(`${JSON.stringify({ id, value: null })}\n`)
  })
  socket.on('data', (chunk) => take(String(chunk)))
})
let driver: ProcessDriver | null = null

afterEach(async () => {
  await driver?.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  removeDir(dir)
})

it('is told of units without limits alone, and others are refused with what to do', async () => {
  await new Promise<void>((resolve) => server.listen(join(dir, 'supervisor.sock'), resolve))
  driver = await openProcessDriver({
    dir,
    clock: systemClock,
    log: lineLog((line) => told.push(line)),
    volumes: openVolumeDirectories({ dir: join(dir, 'volumes'), driver: 'process', clock: systemClock }),
    supervisorCommand: ['/bin/false'],
    machine: { id: 'a'.repeat(32), hostname: 'here' },
  })
  await driver.load(serviceUnit('plain', ['ExecStart', '/bin/true']), signal)
  expect(asked).toContain('load')
  asked.length = 0
  const limited = serviceUnit('limited', ['ExecStart', '/bin/true'], ['LimitNOFILE', '64'])
  await expect(driver.load(limited, signal)).rejects.toMatchObject({
    code: 'process/old-supervisor',
    message: expect.stringContaining(`kill ${process.pid}`) as string,
  })
  expect(asked).not.toContain('load')
  // Services with a user say this by default: what ran without goes on without, and the log says so.
  const held = serviceUnit('held', ['ExecStart', '/bin/true'], ['NoNewPrivileges', 'yes'])
  await driver.load(held, signal)
  expect(asked).toContain('load')
  expect(told.join('')).toContain(
    `NoNewPrivileges= and CapabilityBoundingSet=: end it with kill ${process.pid}`,
  )
})
