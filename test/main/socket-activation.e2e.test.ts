import { mkdtempSync, readFileSync, renameSync, statSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useProgram } from '../cli/program.js'
import { removeDir } from '../remove-dir.js'

const program = useProgram()

/** A socket that listens, as systemd would open one, and its descriptor. */
function listening(where: string | { host: string; port: number }): Promise<{ server: Server; fd: number }> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(where, () => {
      const { _handle: handle } = server as unknown as { _handle: { fd: number } }
      resolve({ server, fd: handle.fd })
    })
  })
}

const asSystemd = ['sh', '-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh']

test('a daemon answers on a socket that was handed over to it, and leaves it there when it ends', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-fd-'))
  const path = join(dir, 'fleet.sock')
  const { server, fd } = await listening(join(dir, 'opening'))
  const daemon = program.start(
    ['daemon', '--data-dir', join(dir, 'data'), '--driver', 'process', '--no-agent'],
    { enter: asSystemd, handOver: [fd] },
  )
  // What opened the socket must take no connections from it, and takes away the name that it opened it under.
  renameSync(join(dir, 'opening'), path)
  server.close()
  try {
    await daemon.said('is ready')
    expect(daemon.saidSoFar()).toContain('listen=fd://3')
    const { code, stdout } = await program.run(['version', '--json', '--endpoint', `unix://${path}`])
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { version: expect.any(String), daemon: expect.any(Object) },
    ])
  } finally {
    process.kill(daemon.pid, 'SIGTERM')
  }
  expect((await daemon.ended).code).toBe(0)
  expect(statSync(path).isSocket()).toBe(true)
  removeDir(dir)
})

test('a daemon takes over a TCP socket on the loopback, and refuses one that others reach', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-fd-'))
  const words = ['daemon', '--data-dir', join(dir, 'data'), '--driver', 'process', '--no-agent']
  const inside = await listening({ host: '127.0.0.1', port: 0 })
  const { port } = inside.server.address() as AddressInfo
  const daemon = program.start(words, { enter: asSystemd, handOver: [inside.fd] })
  inside.server.close()
  try {
    await daemon.said(`listen=http://127.0.0.1:${port}`)
    const token = readFileSync(join(dir, 'data/token'), 'utf8').trim()
    const { code, stdout } = await program.run([
      'machine',
      'list',
      '--json',
      '--endpoint',
      `http://127.0.0.1:${port}`,
      '--token',
      token,
    ])
    expect([code, JSON.parse(stdout)]).toEqual([0, []])
  } finally {
    process.kill(daemon.pid, 'SIGTERM')
  }
  await daemon.ended

  const outside = await listening({ host: '0.0.0.0', port: 0 })
  const refused = program.start(words, { enter: asSystemd, handOver: [outside.fd] })
  outside.server.close()
  expect((await refused.ended).code).toBe(1)
  expect(refused.saidSoFar()).toContain('can be reached from outside')
  removeDir(dir)
})
