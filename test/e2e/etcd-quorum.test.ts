// A daemon that starts for the first time while etcd has no quorum: whoever asks it is told so, and served once it has.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useProgram } from '../cli/program.js'
import { freePort } from '../free-port.js'
import { startEtcd } from '../machines/etcd-host.js'
import { removeDir } from '../remove-dir.js'
import { until } from './cluster.js'
import { askedOver } from './host.js'

const program = useProgram()

test('clients are told that there is no quorum, and what to do, on every socket, until there is one', async () => {
  const etcd = await startEtcd({ members: 3 })
  const [first, second, third] = etcd.members
  await second?.kill()
  await third?.kill()
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-quorum-'))
  const socket = join(dir, 'm.sock')
  const port = await freePort()
  const daemon = program.start([
    ...['daemon', '--data-dir', join(dir, 'data'), '--driver', 'process'],
    ...['--listen', `unix:${socket}`, '--listen', `tcp://127.0.0.1:${port}`],
    ...['--store', `etcd://${etcd.members.map(({ address }) => address).join(',')}`],
  ])
  try {
    const noQuorum = expect.stringMatching(/the store is unreachable, no quorum of etcd answers: ./)
    await until(async () =>
      expect(await askedOver(socket, '/readyz')).toEqual({ status: 503, text: noQuorum }),
    )
    expect(await askedOver(socket, '/healthz')).toMatchObject({ status: 200 })
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).text()).toEqual(noQuorum)
    for (const words of [
      ['service', 'list'],
      ['meta', 'set', 'a', '1'],
      ['machine', 'list'],
    ]) {
      const { code, stderr } = await program.run([...words, '--endpoint', `unix://${socket}`])
      const told = expect.stringMatching(/unreachable, no quorum of etcd.*\n.*etcdctl endpoint health/)
      expect([code, stderr], words.join(' ')).toEqual([1, told])
    }
    second?.start()
    await daemon.said('became leader')
    const set = await program.run(['meta', 'set', 'a', '1', '--endpoint', `unix://${socket}`])
    expect([set.code, set.stderr]).toEqual([0, ''])
    await until(async () => expect(await askedOver(socket, '/readyz')).toMatchObject({ status: 200 }))
    // A caller of the other socket still has to show a token.
    expect((await fetch(`http://127.0.0.1:${port}/v1/machines`)).status).toBe(401)
    expect(first).toBeDefined()
  } finally {
    daemon.signal('SIGTERM')
    await daemon.ended
    await etcd.stop()
    removeDir(dir)
  }
})
