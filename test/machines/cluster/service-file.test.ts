// The systemd service of docs/cluster.md, as it stands there, under real systemd.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf } from '../../docs/pages.js'
import { insideMachine } from '../nspawn.js'
import { type Cluster, startCluster } from './cluster.js'

const [service = ''] = blocksOf('docs/cluster.md', 'ini')

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ machines: 1 })
})
afterAll(() => cluster?.stop())

test('the documented service is sound, and what its daemon runs outlives a restart of it', async () => {
  const machine = cluster.machine('m1')
  const sh = (text: string, ...words: readonly string[]) => machine.run('sh', '-ec', text, 'sh', ...words)
  await machine.daemon.kill()
  const program = `#!/bin/sh\nexec ${insideMachine.node} ${insideMachine.project}/dist/mariposa.js "$@"\n`
  const config = 'data-dir: /var/lib/documented\nlisten: unix:/run/documented.sock\ndriver: process\n'
  const write = async (path: string, text: string): Promise<void> => {
    await sh('mkdir -p "$(dirname "$1")"; printf %s "$2" > "$1"; chmod 755 "$1"', path, text)
  }
  await write('/usr/local/bin/mariposa', program)
  await write('/etc/mariposa/mariposa.yml', config)
  await write('/etc/systemd/system/documented.service', service)
  await sh('chmod 644 /etc/systemd/system/documented.service')

  expect(await sh('systemd-analyze verify /etc/systemd/system/documented.service 2>&1')).toBe('')
  await sh('systemctl daemon-reload; systemctl start documented')
  const cli = (...words: readonly string[]) =>
    machine.run('mariposa', ...words, '--endpoint', 'unix:///run/documented.sock')
  const answers = () =>
    sh(
      'until [ -S /run/documented.sock ] && mariposa machine list --endpoint unix:///run/documented.sock >/dev/null 2>&1; do sleep 0.1; done',
    )
  await answers()
  await write('/root/web.yml', 'compute_type: process\ncommand: [/bin/sleep, "100000"]\n')
  await cli('service', 'deploy', '/root/web.yml')
  const pid = async () =>
    (JSON.parse(await cli('service', 'ps', 'web', '--json')) as { pid: number }[])[0]?.pid
  const before = await pid()
  await sh('rm -f /run/documented.sock; systemctl restart documented')
  await answers()
  expect(await pid()).toBe(before)
  await sh('kill -0 "$1"', String(before))
  await cli('service', 'delete', 'web', '--force')
})
