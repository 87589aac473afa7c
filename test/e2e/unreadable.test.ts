// Records that cannot be read in the store of a single machine: damaged while its daemon is down, as nobody else may open
// it while one runs.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
import { keys } from '../../src/store/records.js'
import { idleManifest } from './cluster.js'
import { sufferAll, type Vandal } from './damage.js'
import { useHosts } from './host.js'

const openHost = useHosts()

const inTheFiles: Vandal = {
  when: 'down',
  daemonArgs: [],
  withStore: async (dataDir, use) => {
    const store = await openEmbeddedStore({ dir: join(dataDir, 'store'), clock: systemClock })
    try {
      return await use(store)
    } finally {
      await store.close()
    }
  },
}

test('whatever a daemon finds damaged under any prefix when it starts, what runs goes on running', async () => {
  await sufferAll(openHost(), inTheFiles)
}, 400_000)

test('who waits for a service of which a record cannot be read is told why, and so is who lists it', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', idleManifest()))
  await host.done('service', 'deploy', host.file('db.yml', idleManifest()))
  daemon.signal('SIGKILL')
  await daemon.ended
  await inTheFiles.withStore(host.dataDir, (store) =>
    store.txn(
      [],
      [
        { op: 'put', key: keys.version('default', 'web', 1), value: '{}' },
        { op: 'put', key: keys.service('default', 'db'), value: '[]' },
      ],
    ),
  )
  await host.startDaemon()
  const why = 'nothing is decided about it: the record versions/default/web/'
  const listed = await host.run('service', 'list', '-l')
  expect(listed.stdout).toContain(why)
  expect(listed.stderr).toContain('2 records cannot be read')
  expect(listed.stderr).toContain('mariposa store check names them')
  expect((await host.run('service', 'explain', 'web')).stdout).toContain(why)
  const db = await host.run('service', 'show', 'db')
  expect(db.stderr).toContain('default/db: the record services/default/db cannot be read')
  const scaled = await host.run('service', 'scale', 'web', '2', '--timeout', '15')
  expect(scaled.code).not.toBe(0)
  expect(scaled.stderr).toContain(`no change makes progress: default/web: ${why}`)
  const damaged = [keys.version('default', 'web', 1), keys.service('default', 'db')]
  await host.done('store', 'rm', ...damaged, '--to', join(host.dir, 'damaged.json'))
  expect((await host.done('service', 'list')).stderr).toBe('')
}, 120_000)

test('the files of the store are locked to all but the daemon', async () => {
  const host = openHost()
  await host.startDaemon()
  await expect(inTheFiles.withStore(host.dataDir, (store) => store.range(''))).rejects.toMatchObject({
    code: 'store/locked',
  })
})
