// A supervisor that ends just after it was found: another one is asked, and only one.
import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openVolumeDirectories } from '../../../src/drivers/io/volume-directories.js'
import { openProcessDriver } from '../../../src/drivers/process/io/driver.js'
import { systemClock } from '../../../src/lib/io/clock.js'
import { silentLog } from '../../../src/lib/io/log.js'
import { lineSplitter, protocolVersion } from '../../../src/supervisor/protocol.js'
import { removeDir } from '../../remove-dir.js'

const signal = AbortSignal.timeout(600_000)

test('whoever asks meanwhile is answered by the next one, over one connection', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-short-lived-'))
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    const isFirst = connections === 0
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.setEncoding('utf8')
    socket.write(`${JSON.stringify({ hello: { protocol: protocolVersion, pid: process.pid } })}\n`)
    const take = lineSplitter((line) => {
      const { id, verb } = JSON.parse(line) as { readonly id: number; readonly verb: string }
      if (isFirst) socket.destroy()
      else socket.write(`${JSON.stringify({ id, value: verb === 'list' ? [] : null })}\n`)
    })
    socket.on('data', (chunk) => take(String(chunk)))
  })
  await new Promise<void>((resolve) => server.listen(join(dir, 'supervisor.sock'), resolve))
  const driver = await openProcessDriver({
    dir,
    clock: systemClock,
    log: silentLog,
    volumes: openVolumeDirectories({ dir: join(dir, 'volumes'), driver: 'process', clock: systemClock }),
    supervisorCommand: ['/bin/false'],
    machine: { id: 'a'.repeat(32), hostname: 'here' },
  })
  onTestFinished(async () => {
    await driver.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    removeDir(dir)
  })
  expect(await driver.list(signal)).toEqual([])
  expect(await driver.list(signal)).toEqual([])
  expect(connections).toBe(2)
})
