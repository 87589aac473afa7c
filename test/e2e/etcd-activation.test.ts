// Socket activation while etcd is away: clients are answered at once, and served once it is there.
import { mkdtempSync, renameSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useProgram } from '../cli/program.js'
import { startEtcd } from '../machines/etcd-host.js'
import { openProxy } from '../machines/proxy.js'
import { removeDir } from '../remove-dir.js'

const program = useProgram()

function ask(socketPath: string, path: string): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    get({ socketPath, path }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(text) as unknown }))
    }).on('error', reject)
  })
}

test('clients are told that etcd cannot be reached, and are served on the same socket when it can', async () => {
  const etcd = await startEtcd()
  const network = await openProxy(etcd.members[0]?.port ?? 0)
  network.cut()
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-door-'))
  const path = join(dir, 'fleet.sock')
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(join(dir, 'opening'), resolve)
  })
  const { _handle: handle } = server as unknown as { _handle: { fd: number } }
  const words = [
    '--data-dir',
    join(dir, 'data'),
    '--driver',
    'process',
    '--store',
    `etcd://${network.address}`,
  ]
  const daemon = program.start(['daemon', ...words], {
    enter: ['sh', '-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"', 'sh'],
    handOver: [handle.fd],
  })
  renameSync(join(dir, 'opening'), path)
  server.close()
  try {
    await daemon.said('waiting for')
    const message = 'fleet server unable to communicate with etcd'
    expect(await ask(path, '/fleet/v1/units')).toEqual({
      status: 503,
      body: { error: { code: 503, message } },
    })
    expect(await ask(path, '/healthz')).toMatchObject({ status: 200 })
    const noQuorum = expect.stringMatching(/^the store is unreachable, no quorum of etcd answers: ./)
    expect(await ask(path, '/readyz')).toEqual({ status: 503, body: { status: noQuorum } })
    const { code, stderr } = await program.run(['service', 'list', '--endpoint', `unix://${path}`])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/no quorum of etcd.*\n.*etcdctl endpoint health/),
    ])
    network.heal()
    await daemon.said('became leader')
    expect(await ask(path, '/fleet/v1/units')).toMatchObject({ status: 200 })
  } finally {
    process.kill(daemon.pid, 'SIGTERM')
    await daemon.ended
    await network.close()
    await etcd.stop()
    removeDir(dir)
  }
})
