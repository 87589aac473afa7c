// What a cluster runs while something is done to it, and somebody who goes on writing meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import type { UnitName } from '../../../src/model/unit.js'
import { serviceKey } from '../../../src/store/view.js'
import type { Cluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { destroy, listUnits, submit, unitText } from './fleet-units.js'

const plainUnits = 9
/** How the names of units begin that a writer makes. */
const written = 'written'
const scale = 6
const service = serviceKey('default', 'web')

/** Plain units, one that runs everywhere, one that follows, and the instances of a service. */
export async function startWorkload(cluster: Cluster): Promise<void> {
  const [machine] = cluster.machines
  if (machine === undefined) throw new Error('no machine')
  for (let n = 0; n < plainUnits; n++) await submit(machine, `plain${n}.service`, 'launched')
  await submit(machine, 'follows.service', 'launched', unitText('MachineOf=plain0.service'))
  await submit(machine, 'everywhere.service', 'launched', unitText('Global=true'))
  const text =
    'compute_type: process\ncommand: [/bin/sleep, "1000000"]\nstop: {timeout: 1, preservestopped: "no"}\n'
  const sources = [{ file: 'web.yml', text, name: 'web' }]
  const { status, text: said } = await machine.ask('POST', '/v1/projects/default/deploy', { sources, scale })
  if (status >= 300) throw new Error(`the deploy was refused: ${said}`)
  await workloadRuns(cluster)
}

/**
 * Resolves when all runs as it should, each once, and the service has as many instances as it should. What is being
 * written meanwhile is left out.
 */
export async function workloadRuns(cluster: Cluster): Promise<void> {
  await cluster.until(`the service has ${scale} instances`, (view) => {
    const live = view.instancesOf(service).filter(({ unit }) => {
      const machine = view.placements.get(unit)?.machine
      // Those of a lost machine have been replaced.
      const isLost = machine !== undefined && !view.machines.has(machine)
      return view.units.get(unit)?.desired === 'launched' && !isLost
    })
    return live.length === scale && live.every(({ unit }) => view.reportOf(unit)?.active === 'active')
  })
  await cluster.settles({ leavingOut: written })
}

/**
 * What systemd calls each start of each unit that runs, by machine: as long as nothing is started anew, it stays. What has
 * ended is still being taken away.
 */
export async function startsOf(cluster: Cluster): Promise<Readonly<Record<string, string>>> {
  const starts = await Promise.all(cluster.machines.filter((one) => one.isThere).map(startsOn))
  return Object.fromEntries(starts.flat().sort())
}

async function startsOn(machine: ClusterMachine): Promise<readonly (readonly [string, string])[]> {
  const names = [...(await machine.units()).keys()]
  if (names.length === 0) return []
  const text = await machine.run('systemctl', 'show', '--property=Id,InvocationID', ...names)
  return text
    .trim()
    .split('\n\n')
    .flatMap((block) => {
      const values = Object.fromEntries(block.split('\n').map((line) => line.split('=') as [string, string]))
      const { Id, InvocationID = '' } = values
      return InvocationID === '' ? [] : [[`${machine.name} ${Id}`, InvocationID] as const]
    })
}

/**
 * Does something to a cluster while somebody writes, and holds it to what it has acknowledged; resolves when all runs as
 * it should.
 */
export async function whileWriting(cluster: Cluster, fault: () => Promise<void>): Promise<void> {
  const writer = startWriter(cluster)
  let acknowledged: readonly UnitName[] = []
  try {
    await fault()
  } finally {
    acknowledged = await writer.stop()
  }
  // Neither the view nor the machines may know yet of what was acknowledged a moment ago: that would look settled.
  await cluster.sees(acknowledged)
  await workloadRuns(cluster)
  await cluster.settles()
  const lost = acknowledged
    .map((unit) => `${unit} ${cluster.view.units.get(unit)?.desired ?? 'is not there'}`)
    .filter((line) => !line.endsWith(' launched'))
  if (lost.length > 0) throw new Error(`acknowledged, and lost: ${lost.join(', ')}`)
}

interface Writer {
  /** Ends the writing once something was acknowledged; resolves to the units whose creation was. */
  stop(): Promise<readonly UnitName[]>
}

/** Creates one unit after the other, asking one daemon after the other, whether they answer or not. */
function startWriter(cluster: Cluster): Writer {
  const acknowledged: UnitName[] = []
  const end = new AbortController()
  const write = async (): Promise<void> => {
    for (let n = 0; !end.signal.aborted || acknowledged.length === 0; n++) {
      const machine = cluster.machines[n % cluster.machines.length]
      const unit = `${written}${n}.service` as UnitName
      try {
        if (machine === undefined) continue
        await submit(machine, unit, 'launched')
        acknowledged.push(unit)
      } catch {
        // No daemon there, or no store behind it: nobody was told that it was written.
      }
      await delay(200, undefined, { signal: end.signal }).catch(() => {})
    }
  }
  const done = write()
  return {
    stop: async () => {
      end.abort()
      await done
      return acknowledged
    },
  }
}

/** Makes a cluster whole again after a test, whatever became of it, and clears away what was written. */
export async function restore(cluster: Cluster): Promise<void> {
  await Promise.all(cluster.machines.map((machine) => machine.heal()))
  await clearWrites(cluster)
  await workloadRuns(cluster)
  await cluster.settles()
}

/** Destroys what a writer has made, acknowledged or not. */
async function clearWrites(cluster: Cluster): Promise<void> {
  const machine = cluster.machines.find(({ isThere }) => isThere)
  if (machine === undefined) throw new Error('no machine is there')
  const made = (await listUnits(machine)).filter((unit) => unit.name.startsWith(written))
  for (const unit of made) await destroy(machine, unit.name)
}

/** Prints what the daemons said last: for a test that has failed. */
export function tellOf(cluster: Cluster): void {
  for (const { name, daemon } of cluster.machines) {
    console.error(`-- ${name}:\n${daemon.log().split('\n').slice(-60).join('\n')}`)
  }
}
