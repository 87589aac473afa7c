// The scenario of `restart` under the process driver.
import { test } from 'vitest'
import { idleManifest, useClusters } from './cluster.js'
import { playRestartScenario } from './restart-scenario.js'

const openCluster = useClusters()

test('a machine that comes back restarts what it ran, and the oldest of all go until the scale is met', async () => {
  const cluster = await openCluster()
  const [, { host, client }, away] = cluster.machines
  const manifest = `${idleManifest()}restart: always\n`
  await host.done('service', 'deploy', host.file('idle.yml', manifest), '--scale', '3')
  await playRestartScenario({
    scale: 3,
    machine: away.id,
    instances: () => client.instances('default', null),
    goOffline: () => away.crash(),
    comeBack: async () => void (await away.start()),
  })
})
