// Whether the proxy may listen where it is to: others are in its way, and it is not in its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { refuseTaken } from '../../src/entry/io/refuse-taken.js'

async function listening(host: string, port = 0): Promise<number> {
  const server: Server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Another program that listens; its pid. */
async function strangerAt(host: string, port: number): Promise<number> {
  const program = `require('net').createServer().listen(${port}, '${host}', () => console.log('up'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return child.pid ?? 0
}

const all = (port: number) => [{ host: '', port }]

test('an address for all at a port of which the proxy has one is free', async () => {
  const port = await listening('127.0.0.1')
  const had = [{ host: '127.0.0.1', port }]
  await refuseTaken(all(port), had, process.pid)
  // To one that has nothing there it is taken.
  await expect(refuseTaken(all(port), [], process.pid)).rejects.toThrow(`:${port} is taken by`)
})

test('an address for all is taken where another program has one at that port', async () => {
  const port = await listening('127.0.0.1')
  const pid = await strangerAt('127.0.0.2', port)
  const had = [{ host: '127.0.0.1', port }]
  await expect(refuseTaken(all(port), had, process.pid)).rejects.toThrow(
    new RegExp(`^:${port} is taken by \\S+ \\(pid ${pid}\\)$`),
  )
})

test('one address is free at a port that the proxy has at all, and taken where another has it', async () => {
  const port = await listening('0.0.0.0')
  await refuseTaken([{ host: '127.0.0.1', port }], all(port), process.pid)
  await expect(refuseTaken([{ host: '127.0.0.1', port }], [], process.pid)).rejects.toThrow('is taken by')
})
