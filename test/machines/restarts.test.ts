// The scenario of `restart` under Docker: two machines with a Docker each, and a leader beside them.
import { afterAll, beforeAll, inject, test } from 'vitest'
import type { InstanceBody } from '../../src/contract/contract.js'
import { useClusters } from '../e2e/cluster.js'
import { playRestartScenario } from '../e2e/restart-scenario.js'
import { type DockerHost, startDocker, testImage } from './docker-host.js'

let second: DockerHost

beforeAll(async () => {
  second = await startDocker()
})

afterAll(() => second.stop())

const openCluster = useClusters({
  driver: 'docker',
  env: (machine) => ({ DOCKER_HOST: `unix://${machine === 2 ? second.socketPath : inject('dockerSocket')}` }),
})

const manifest = `image: ${testImage}
command: [/bin/sleep, "100000"]
memory: 64M
restart: always
stop: {timeout: 0, preservestopped: "no"}
`

test('a machine that comes back restarts what it ran, and the oldest of all go until the scale is met', async () => {
  const cluster = await openCluster({ leaderAlone: true })
  const [{ host, client }, , away] = cluster.machines
  await host.done('service', 'deploy', host.file('idle.yml', manifest), '--scale', '3')
  await playRestartScenario({
    scale: 3,
    machine: away.id,
    instances: () => client.instances('default', null),
    goOffline: async (running) => {
      await away.kill()
      await second.crash()
      for (const { pid } of running) endProgram(pid)
    },
    comeBack: async () => {
      // Docker itself starts what it ran, as after a boot.
      await second.recover()
      await away.start()
    },
  })
})

function endProgram(pid: InstanceBody['pid']): void {
  if (pid !== null) process.kill(pid, 'SIGKILL')
}
