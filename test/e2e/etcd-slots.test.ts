// Volumes of slots in a cluster of machines: a slot waits for its machine, and what still runs there is never written beside.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type ClusterMachine, until, useClusters } from './cluster.js'
import { linesOf } from './named-volumes.js'

const openCluster = useClusters()

/** Says so where another one has not let go of the volume, and takes its time to let go itself. */
const script = (version: string): string =>
  `exec 9>"$DIR/lock"; flock -n 9 || echo second >> "$DIR/lines"; echo ${version} >> "$DIR/lines"; trap 'sleep 3; exit 0' TERM; while :; do sleep 1000 9>&- & wait $!; done`

const manifest = (version: string, onLost: string): string => `compute_type: process
command: [/bin/sh, "-c", ${JSON.stringify(script(version))}]
environment: {INSTANCE: "{{ .instance.name }}", DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /data, on_lost: ${onLost}}]
memory: 16M
stop: {timeout: 20, preservestopped: "no"}
`

const linesOn = ({ host }: ClusterMachine, volume: string): readonly string[] =>
  linesOf(join(host.dataDir, `volumes/default/db/${volume}/data/lines`))

/** Kills the daemon of the machine that has slot 2, whose program runs on. */
async function loseThird(machines: readonly ClusterMachine[]): Promise<readonly ClusterMachine[]> {
  const [a] = machines
  const third = (await a?.client.instances('default', null))?.find(({ slot }) => slot === 2)
  const [lost] = machines.filter(({ id }) => id === third?.machine)
  const others = machines.filter((one) => one !== lost)
  if (lost === undefined) throw new Error('nobody has slot 2')
  await lost.kill()
  const [asked] = others
  await until(async () => {
    const instances = await asked?.client.instances('default', null)
    const there = instances?.find(({ slot, machine }) => slot === 2 && machine === lost.id)
    // Where it may begin anew, it may have done so already.
    expect(there?.state ?? 'lost').toBe('lost')
  })
  return [lost, ...others]
}

async function deploy({ host }: ClusterMachine, version: string, onLost: string, ...args: readonly string[]) {
  const file = host.file('db.yml', manifest(version, onLost))
  await host.done('service', 'deploy', file, '--scale', '3', ...args)
}

test('a slot waits for the machine of its volume, and for what still runs there', async () => {
  const { machines } = await openCluster()
  await deploy(machines[0], 'v1', 'wait')
  const [lost, asked] = await loseThird(machines)
  if (lost === undefined || asked === undefined) throw new Error('three machines')
  await asked.host.done('service', 'delete', 'db', '--force')
  await deploy(asked, 'v2', 'wait', '--detach')
  await until(async () => {
    const { stdout } = await asked.host.done('service', 'explain', 'db')
    expect(stdout).toMatch(/its volume data is on machine .*, which is away/)
  })
  const { stdout } = await asked.host.done('volume', 'list', '--json')
  const volumes = JSON.parse(stdout) as readonly { slot: number; state: string; machine: string }[]
  expect(volumes.find(({ slot }) => slot === 2)).toMatchObject({ state: 'lost', machine: lost.id })
  expect(lost.programs()).toHaveLength(1)
  await lost.start()
  await until(() => expect(linesOn(lost, 'data.2')).toEqual(['v1', 'v2']))
})

test('where it may, a slot begins anew on another machine, and what it had before is left alone', async () => {
  const { machines } = await openCluster()
  await deploy(machines[0], 'v1', 'fresh')
  const [lost, ...others] = await loseThird(machines)
  if (lost === undefined) throw new Error('three machines')
  await until(() => expect(others.flatMap((one) => linesOn(one, 'data.2.1'))).toEqual(['v1']))
  await lost.start()
  await until(() => expect(lost.programs()).toEqual([]))
  expect(linesOn(lost, 'data.2')).toEqual(['v1'])
})
