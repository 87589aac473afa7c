// What was acknowledged holds, however requests, answers and watches of several daemons interleave. RUNS=n tries n seeds.
import { describe, expect, it } from 'vitest'
import { changeMachine } from '../../src/changes/machines.js'
import { freezeScope, unfreezeScope } from '../../src/changes/queue.js'
import { startService } from '../../src/changes/services.js'
import type { Run } from '../../src/model/schedule.js'
import { decode, kindOfKey } from '../../src/store/records.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { randomRuns } from '../random-runs.js'
import { type Cluster, type Daemon, deployOf, machines, openCluster, project } from './cluster.js'

const runs = randomRuns('RUNS', 20)
const program = 'compute_type: process\ncommand: [/bin/sleep, "60"]\n'

describe('whatever interleaves', () => {
  it(`an acknowledged version stays current until the next, in ${runs} runs`, {
    timeout: 300_000,
  }, async () => {
    for (let seed = 1; seed <= runs; seed++) {
      const cluster = await openCluster(seed, 2)
      const acknowledged = new Map<string, number | null>()
      for (const name of ['a', 'b', 'c', 'd']) writeVersions(cluster, name, 6, acknowledged)
      const undone: string[] = []
      await cluster.run(() => {
        for (const [name, ordinal] of acknowledged) {
          if (ordinal === null) continue
          for (const { registry } of cluster.daemons.slice(0, 1)) {
            const has = ordinalOf(registry.view, name)
            if (has !== null && has < ordinal && isAsNewAs(registry.view, name, ordinal))
              undone.push(`seed ${seed}: ${name} fell back from ${ordinal} to ${has}`)
          }
        }
      })
      const final = await currentOf(cluster)
      expect(undone).toEqual([])
      expect(final, `seed ${seed}`).toEqual(
        Object.fromEntries([...acknowledged].map(([name, n]) => [name, n])),
      )
    }
  })

  it(`every acknowledged start runs once, and no number twice, in ${runs} runs`, {
    timeout: 300_000,
  }, async () => {
    for (let seed = 1; seed <= runs; seed++) {
      const cluster = await openCluster(seed, 2)
      const asked = new Map<string, number>()
      for (const name of ['a', 'b', 'c']) startOften(cluster, name, asked)
      const made = new Set<string>()
      const again: string[] = []
      const known = new Map<string, string>()
      cluster.daemons[0]?.registry.onChange((_, changes) => {
        for (const change of changes) {
          if (change.type !== 'put' || kindOfKey(change.key) !== 'instance') continue
          const { uuid } = decode('instance', change.entry)
          const before = known.get(change.key)
          if (before !== undefined && before !== uuid) again.push(change.key)
          if (change.previous === null && made.has(change.key)) again.push(change.key)
          known.set(change.key, uuid)
          made.add(change.key)
        }
      })
      await cluster.run(() => {})
      expect(again, `seed ${seed}`).toEqual([])
      const counted = [...asked.keys()].map((name) => [
        name,
        [...made].filter((key) => key.includes(`/${name}/`)).length,
      ])
      expect(Object.fromEntries(counted), `seed ${seed}`).toEqual(Object.fromEntries(asked))
    }
  })

  it(`every firing is started once, and with an instance, in ${runs} runs`, {
    timeout: 300_000,
  }, async () => {
    for (let seed = 1; seed <= runs; seed++) {
      const cluster = await openCluster(seed, 2)
      const made = new Set<string>()
      const firings = new Map<string, number>()
      cluster.daemons[0]?.registry.onChange((_, changes) => {
        for (const change of changes) {
          if (change.type !== 'put') continue
          if (kindOfKey(change.key) === 'instance') made.add(decode('instance', change.entry).name)
          if (kindOfKey(change.key) !== 'run') continue
          const run = decode('run', change.entry)
          const of = `${run.service} ${run.dueAt}`
          if (isFiring(run) && change.previous === null) firings.set(of, (firings.get(of) ?? 0) + 1)
        }
      })
      const started: string[] = []
      cluster.daemons[0]?.registry.onChange((_, changes) => {
        for (const change of changes)
          if (change.type === 'put' && kindOfKey(change.key) === 'run') {
            const run = decode('run', change.entry)
            if (isFiring(run) && run.instance !== null) started.push(run.instance)
          }
      })
      for (const name of ['a', 'b', 'c']) redeployScheduled(cluster, name)
      await cluster.run(() => {})
      const twice = [...firings].filter(([, count]) => count > 1)
      expect(twice, `seed ${seed}`).toEqual([])
      expect(firings.size, `seed ${seed}`).toBeGreaterThan(0)
      expect(
        [...new Set(started)].filter((name) => !made.has(name)),
        `seed ${seed}`,
      ).toEqual([])
    }
  })

  it(`nothing is made in what is frozen, in ${runs} runs`, { timeout: 300_000 }, async () => {
    for (let seed = 1; seed <= runs; seed++) {
      const cluster = await openCluster(seed, 2)
      let frozenAt: number | null = null
      const broken: string[] = []
      const revision = async (): Promise<number> => (await cluster.store.range('nothing')).revision
      cluster.daemons[1]?.registry.onChange((_, changes) => {
        for (const change of changes) {
          if (change.type !== 'put' || kindOfKey(change.key) !== 'instance' || change.previous !== null)
            continue
          if (frozenAt !== null && change.entry.modRevision > frozenAt) broken.push(change.key)
        }
      })
      const daemon = daemonOf(cluster, 1)
      cluster.start(async () => {
        await daemon.change(deployOf('a', program, 3))
        for (let round = 0; round < 6; round++) {
          await daemon.change((view, now) =>
            freezeScope(view, project, round % 2 === 0 ? 'a' : undefined, now),
          )
          frozenAt = await revision()
          for (let turn = 0; turn < 10; turn++) await daemon.registry.store.get('nothing')
          frozenAt = null
          await daemon.change((view, now) =>
            unfreezeScope(view, project, round % 2 === 0 ? 'a' : undefined, now),
          )
        }
      })
      await cluster.run(() => {})
      expect(broken, `seed ${seed}`).toEqual([])
    }
  })

  it(`nothing is placed on what is cordoned, in ${runs} runs`, { timeout: 300_000 }, async () => {
    const [, cordoned] = machines
    let placed = 0
    for (let seed = 1; seed <= runs; seed++) {
      const cluster = await openCluster(seed, 2)
      let cordonedAt: number | null = null
      const broken: string[] = []
      const asked = daemonOf(cluster, 1)
      asked.registry.onChange((_, changes) => {
        for (const change of changes) {
          if (change.type !== 'put' || kindOfKey(change.key) !== 'placement') continue
          const { machine } = decode('placement', change.entry)
          if (machine !== cordoned) continue
          placed += 1
          if (cordonedAt !== null && change.entry.modRevision > cordonedAt) broken.push(change.key)
        }
      })
      cluster.start(async () => {
        for (let round = 1; round <= 4; round++) {
          const pause = Math.floor(cluster.random() * 20)
          for (let turn = 0; turn < pause; turn++) await asked.registry.store.get('nothing')
          await asked.change((view, now) => changeMachine(view, cordoned, { cordoned: true }, now))
          cordonedAt = (await cluster.store.range('nothing')).revision
          for (let turn = 0; turn < 30; turn++) await asked.registry.store.get('nothing')
          cordonedAt = null
          await asked.change((view, now) => changeMachine(view, cordoned, { cordoned: false }, now))
        }
      })
      cluster.start(async () => {
        for (let n = 1; n <= 8; n++) {
          await daemonOf(cluster, 0).change(deployOf(`s${n}`, program, 2))
          const pause = Math.floor(cluster.random() * 10)
          for (let turn = 0; turn < pause; turn++) await asked.registry.store.get('nothing')
        }
      })
      await cluster.run(() => {})
      expect(broken, `seed ${seed}`).toEqual([])
    }
    expect(placed).toBeGreaterThan(runs)
  })
})

function daemonOf(cluster: Cluster, n: number): Daemon {
  const daemon = cluster.daemons[n]
  if (daemon === undefined) throw new Error(`no daemon ${n}`)
  return daemon
}

/** One writer deploys version after version, by one daemon or the other. */
function writeVersions(
  cluster: Cluster,
  name: string,
  count: number,
  acknowledged: Map<string, number | null>,
): void {
  cluster.start(async () => {
    for (let n = 1; n <= count; n++) {
      const daemon = daemonOf(cluster, cluster.random() < 0.5 ? 0 : 1)
      acknowledged.set(name, null)
      const { response } = await daemon.change(
        deployOf(name, `${program}environment: {N: "${n}"}\n`, n === 1 ? 2 : undefined),
      )
      const [answer] = response.services
      acknowledged.set(name, answer?.ordinal ?? null)
      expect(ordinalOf(daemon.registry.view, name), 'read after the answer').toBe(answer?.ordinal)
      const pause = Math.floor(cluster.random() * 30)
      for (let turn = 0; turn < pause; turn++) await daemon.registry.store.get('nothing')
    }
  })
}

function startOften(cluster: Cluster, name: string, asked: Map<string, number>): void {
  cluster.start(async () => {
    await daemonOf(cluster, 0).change(deployOf(name, `${program}service_type: event\n`))
    while (!cluster.daemons.every(({ registry }) => registry.view.services.has(serviceKey(project, name))))
      await daemonOf(cluster, 0).registry.store.get('nothing')
    for (let n = 1; n <= 10; n++) {
      const daemon = daemonOf(cluster, cluster.random() < 0.5 ? 0 : 1)
      await daemon.change((view, now) => startService(view, project, name, undefined, now))
      asked.set(name, n)
      const pause = Math.floor(cluster.random() * 20)
      for (let turn = 0; turn < pause; turn++) await daemon.registry.store.get('nothing')
    }
  })
}

/** A schedule that fires every three seconds, of which new versions are deployed meanwhile; in the end it is off. */
function redeployScheduled(cluster: Cluster, name: string): void {
  const text = (n: number, schedule: string): string =>
    `${program}service_type: scheduled\nschedule: {interval: "${schedule}", overlap: allow}\nenvironment: {N: "${n}"}\n`
  cluster.start(async () => {
    for (let n = 1; n <= 8; n++) {
      const daemon = daemonOf(cluster, cluster.random() < 0.5 ? 0 : 1)
      await daemon.change(deployOf(name, text(n, n === 8 ? 'R0//PT3S' : 'R/1970-01-01T00:00:00Z/PT3S')))
      const pause = 20 + Math.floor(cluster.random() * 60)
      for (let turn = 0; turn < pause; turn++) await daemon.registry.store.get('nothing')
    }
  })
}

function isFiring({ by, outcome }: Run): boolean {
  return by === 'schedule' && outcome === 'started'
}

function ordinalOf(view: ClusterView, name: string): number | null {
  const service = view.services.get(serviceKey(project, name))
  return service === undefined ? null : (view.versions.get(service.current)?.ordinal ?? null)
}

/** Whether a view, which may lag, has seen the version at all. */
function isAsNewAs(view: ClusterView, name: string, ordinal: number): boolean {
  return view.versionsOf(serviceKey(project, name)).some((version) => version.ordinal === ordinal)
}

/** The ordinals of the current versions, read from the store itself. */
async function currentOf(cluster: Cluster): Promise<Record<string, number>> {
  const [{ view }] = [daemonOf(cluster, 0).registry]
  const { entries } = await cluster.store.range('services/')
  return Object.fromEntries(
    entries.map((entry) => {
      const service = decode('service', entry)
      return [service.name, view.versions.get(service.current)?.ordinal ?? 0]
    }),
  )
}
