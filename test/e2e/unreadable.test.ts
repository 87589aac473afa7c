// Records that cannot be read in the store of a single machine: damaged while its daemon is down, as nobody else may open
// it while one runs.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../src/store/io/embedded.js'
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

test('the files of the store are locked to all but the daemon', async () => {
  const host = openHost()
  await host.startDaemon()
  await expect(inTheFiles.withStore(host.dataDir, (store) => store.range(''))).rejects.toMatchObject({
    code: 'store/locked',
  })
})
