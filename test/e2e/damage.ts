// Records that cannot be read, under every prefix that a store has: put there while the daemon runs or while it does not.
// Whatever is damaged, no program is stopped or started for it, all else is listed, it is told by name, and it heals.
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Client, connect } from '../../src/client/io/client.js'
import type { MachineId } from '../../src/model/machine.js'
import { readLone, readRecord } from '../../src/store/reading.js'
import { kindOfKey, leaderKey, outboxKey, prefixes, putOf, read } from '../../src/store/records.js'
import type { Entry, Op, Store } from '../../src/store/store.js'
import type { RunningProgram } from '../cli/program.js'
import { callBySocket, triggerListen } from './call-bodies.js'
import { programsUnder, until } from './cluster.js'
import { askedOver, type Host } from './host.js'

/** How a record is made one that cannot be read. */
const damages = {
  null: () => 'null',
  nonsense: () => '\u0000x{',
  list: () => '[]',
  future: (text: string) => JSON.stringify({ ...asObject(text), v: 2, ordained: { by: 'a later program' } }),
  /** A field that every record of its kind has is not there. */
  part: (text: string, key: string) => withoutSomeField(text, key),
} satisfies Readonly<Record<string, (text: string, key: string) => string>>

type Damage = keyof typeof damages

/**
 * Damages a record under each prefix in every way: one after the other while the daemon runs, all at once where it is
 * started on them. At last all of it was told, and the cluster goes on.
 */
export async function sufferAll(host: Host, vandal: Vandal): Promise<void> {
  const site = await DamagedSite.open(host, vandal)
  const ways = Object.keys(damages) as Damage[]
  if (vandal.when === 'down')
    for (const way of ways) {
      await site.suffer(site.victims, way)
      // One is told after the other, which takes its time where all are damaged.
      await site.hasTold()
    }
  else
    for (const victim of site.victims) {
      for (const way of ways) await site.suffer([victim], way)
      await site.heal()
      await site.goesOn()
    }
  await site.heal()
  await site.goesOn()
  await site.hasTold()
}

/** How the store is reached: `down` where the daemon is killed first and started again on what was left there. */
export interface Vandal {
  readonly when: 'live' | 'down'
  readonly daemonArgs: readonly string[]
  /** The store, as only a vandal has it. */
  withStore<T>(dataDir: string, use: (store: Store) => Promise<T>): Promise<T>
}

const shop = `name: default
tags: {team: sales}
defaults: {compute_type: process}
services:
  web:
    command: [/bin/sleep, "100000"]
    environment: {INSTANCE: "{{ .instance.name }}", COLOUR: "{{ .meta.colour }}"}
    memory: 16M
    stop: {timeout: 1, preservestopped: "no"}
    webhooks: [{url: "http://127.0.0.1:9/", allow_private: true}]
    autoscale: {enable: notify}
    triggers:
      - old: {source: containermonitor.plugin_uptime_seconds, operator: ">", value: 0, time: 1, action: incr}
      - more: {action: scale, instances: 1, url: true}
  db:
    command: [/bin/sleep, "100000"]
    environment: {INSTANCE: "{{ .instance.name }}"}
    volumes: [{name: data, path: /data, backup: {schedule: "0 0 1 1 *", to: /srv/backups}}]
    memory: 16M
    stop: {timeout: 1, preservestopped: "no"}
  job:
    service_type: scheduled
    schedule: {cron: "0 0 1 1 *"}
    triggers:
      - words: {secret: secret-of-words, action: start, body: variables}
    command: [/bin/sleep, "100000"]
    environment: {INSTANCE: "{{ .instance.name }}"}
    memory: 16M
    restart: "no"
    stop: {timeout: 1, preservestopped: "no"}
  probe:
    command: [/bin/sleep, "100000"]
    environment: {INSTANCE: "{{ .instance.name }}"}
    memory: 16M
    stop: {timeout: 1, preservestopped: "no"}
  huge:
    command: [/bin/sleep, "100000"]
    memory: 900G
    stop: {timeout: 1}
`

/** What a cluster of one machine has none of: as it is of a machine that has gone. */
const ofOtherMachines: readonly Entry[] = [
  putOf('clockCall', { machine: 'f'.repeat(32) as MachineId, at: 1, asked: [] }),
  putOf('entryIdle', { machine: 'f'.repeat(32) as MachineId, units: [] }),
  putOf('clockReading', { machine: 'f'.repeat(32) as MachineId, at: 1, answers: null }),
  putOf('clockOffset', { machine: 'f'.repeat(32) as MachineId, aheadMs: 2000, barsLead: false }),
].flatMap((op) =>
  op.op === 'put' ? { key: op.key, value: op.value, createRevision: 1, modRevision: 1, lease: null } : [],
)

/**
 * A cluster of one machine with something under every prefix, whose store a vandal gets at. Its programs are those that
 * the kernel has, but for the service `probe`, which shows that the cluster goes on with its work.
 */
class DamagedSite {
  readonly #host: Host
  readonly #vandal: Vandal
  readonly #client: Client
  #daemon: RunningProgram
  #programs: readonly string[] = []
  #services: readonly string[] = []
  #victims: readonly Entry[] = []
  #probes = 1
  #damaged: readonly Entry[] = []

  private constructor(host: Host, vandal: Vandal, daemon: RunningProgram) {
    this.#host = host
    this.#vandal = vandal
    this.#daemon = daemon
    this.#client = connect({ kind: 'unix', path: host.socketPath })
  }

  static async open(host: Host, vandal: Vandal): Promise<DamagedSite> {
    const site = new DamagedSite(
      host,
      vandal,
      await host.startDaemon(...triggerListen(host), ...vandal.daemonArgs),
    )
    await site.#fill()
    const entries = await site.#change(async (store) => (await store.range('')).entries)
    site.#victims = oneOfEach([...entries, ...ofOtherMachines])
    site.#programs = programsOf(host)
    site.#services = (await site.#client.services('default')).map(({ name }) => name)
    expect(site.#programs.map((program) => program.split(' ')[0])).toEqual([
      'db-1',
      'job-1',
      'web-1',
      'web-2',
    ])
    return site
  }

  /** One entry under each prefix, and each that has none, as they are when all is well. */
  get victims(): readonly Entry[] {
    return this.#victims
  }

  async #fill(): Promise<void> {
    const [host, client] = [this.#host, this.#client]
    await client.metaSet('default', 'colour', { value: 'red' })
    await client.logInToRegistry('registry.example', { username: 'shop', password: 'hush', check: false })
    await host.done('project', 'deploy', host.file('shop.yml', shop), '--wait-for-room', '-d')
    await host.done('service', 'scale', 'web', '2')
    const called = await callBySocket(join(host.dir, 'trigger.sock'), 'words', '{"word": "red"}', json)
    expect(called.status).toBe(202)
    const [machine] = await client.machines()
    await client.changeMachine(machine?.id ?? '', { metadata: { disk: 'ssd' } })
    await host.done('queue', 'freeze', '--service', 'db')
    await host.done('queue', 'unfreeze', '--service', 'db')
    await host.sawEvent('web', ({ kind }) => kind === 'autoscale')
    await host.sawEvent('web', ({ kind }) => kind === 'webhook-failed')
  }

  /** Does something to the store behind the daemon's back. `said`: what a daemon says that is started on it. */
  async #change<T>(use: (store: Store) => Promise<T>, said?: string): Promise<T> {
    const { when, daemonArgs, withStore } = this.#vandal
    if (when === 'down') {
      this.#daemon.signal('SIGKILL')
      await this.#daemon.ended
    }
    const result = await withStore(this.#host.dataDir, use)
    const args = [...triggerListen(this.#host), ...daemonArgs]
    if (when === 'down')
      this.#daemon =
        said === undefined
          ? await this.#host.startDaemon(...args)
          : await this.#host.startDaemonUntil(said, ...args)
    return result
  }

  /** Damages records, and looks at what becomes of that. */
  async suffer(victims: readonly Entry[], damage: Damage): Promise<void> {
    const unfit = new Map<string, string>()
    const puts = victims.map(({ key, value }): Op => {
      const text = damages[damage](value, key)
      const why = whyUnfit(key, text)
      if (why !== null) unfit.set(key, why)
      return { op: 'put', key, value: text }
    })
    this.#damaged = victims
    const said = [...unfit.values()].includes('newer') ? 'not leading' : undefined
    await this.#change((store) => store.txn([], puts), said)
    await this.#isTold(unfit)
    const where = `${victims.map(({ key }) => key).join()} ${damage}`
    await this.#isWell(where, new Set(unfit.keys()))
  }

  /** Puts back what was damaged, and sees that all is as it was. */
  async heal(): Promise<void> {
    const damaged = this.#damaged
    this.#damaged = []
    if (damaged.length > 0)
      await this.#change(async (store) => {
        for (const entry of damaged) await repair(store, entry)
      })
    await until(async () => expect(await this.#client.unreadable()).toEqual([]))
    await this.#isWell('healed', new Set())
  }

  /** By name, in the check and in the metrics; or it is whole again already, where its writer makes it so. */
  async #isTold(unfit: ReadonlyMap<string, string>): Promise<void> {
    const expected = [...unfit].filter(([key]) => !healing.has(kindOf(key))).sort()
    await until(async () => {
      const all = (await this.#client.unreadable()).filter(({ kind }) => !healing.has(kind))
      expect(all.map(({ key, unfit: why }) => [key, why])).toEqual(expected)
      const metrics = await this.#metrics()
      for (const [key] of expected)
        expect(metrics).toContain(`mariposa_unreadable_records{kind="${kindOf(key)}"} 1\n`)
    })
  }

  /** Every program is the one that it was, and every service is listed, but one whose own record is damaged. */
  async #isWell(where: string, damaged: ReadonlySet<string>): Promise<void> {
    expect([where, programsOf(this.#host)]).toEqual([where, this.#programs])
    const listed = (await this.#client.services('default')).map(({ name }) => name)
    const expected = this.#services.filter((name) => !damaged.has(`${prefixes.service}default/${name}`))
    expect([where, listed]).toEqual([where, expected])
  }

  /** The history has every record that could not be read, by its key, unless it healed at once. */
  async hasTold(): Promise<void> {
    await until(async () => {
      const told = (await this.#host.done('events', '--kind', 'record')).stdout
      for (const { key } of this.#victims)
        if (kindOfKey(key) !== null && !healing.has(kindOf(key)))
          expect(told).toContain(`the record ${key} cannot be read`)
    })
  }

  /** The cluster goes on with its work: another service is scaled. */
  async goesOn(): Promise<void> {
    this.#probes = 3 - this.#probes
    const { tasks } = await this.#client.scale('default', { targets: { probe: this.#probes } })
    for (const { uuid } of tasks)
      for await (const { task } of this.#client.taskProgress(uuid)) if (task.finishedAt !== null) break
  }

  #metrics(): Promise<string> {
    return askedOver(this.#host.socketPath, '/metrics').then(({ text }) => text)
  }
}

const json = 'application/json'
const kindOf = (key: string): string => kindOfKey(key) ?? key

/** As it was, unless it has healed by itself: then it lives by a lease again, or says something newer. */
async function repair(store: Store, { key, value }: Entry): Promise<void> {
  const now = await store.get(key)
  if (now !== null && whyUnfit(key, now.value) === null && kindOfKey(key) !== null) return
  await store.txn([], [lone.has(key) ? { op: 'delete', key } : { op: 'put', key, value }])
}

const lone: ReadonlySet<string> = new Set([leaderKey, outboxKey])
/** Made whole at once by whoever writes them. */
const healing: ReadonlySet<string> = new Set([
  ...['machine', 'knownMachine', 'report', 'metrics', 'waiting', 'leader', 'outbox'],
])

/** Why a text is none that can be read under a key; null where it can, and where nobody reads it as a record. */
function whyUnfit(key: string, text: string): string | null {
  const kind = kindOfKey(key)
  if (kind === null && !lone.has(key)) return null
  const found = kind === null ? readLone(key as 'leader', text) : read(kind, { key, value: text })
  return 'record' in found ? null : found.unfit
}

/** One entry under each prefix: of web, where one is of a service. */
function oneOfEach(entries: readonly Entry[]): readonly Entry[] {
  const chosen = new Map<string, Entry>()
  for (const entry of entries) {
    const prefix = /^[^/]*\/?/.exec(entry.key)?.[0] ?? ''
    const known = chosen.get(prefix)
    if (known === undefined || (!/web/.test(known.key) && /web/.test(entry.key))) chosen.set(prefix, entry)
  }
  const missing = Object.values(prefixes).filter((prefix) => !chosen.has(prefix))
  expect(missing, 'a prefix under which this test has nothing').toEqual([])
  return [...chosen.values()]
}

/** What runs, by name and process id, as the kernel has it. */
function programsOf(host: Host): readonly string[] {
  return programsUnder(host.dataDir)
    .filter(({ name }) => !name.startsWith('probe-'))
    .map(({ name, pid }) => `${name} ${pid}`)
    .sort()
}

function asObject(text: string): object {
  const value = parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function withoutSomeField(text: string, key: string): string {
  const kind = kindOfKey(key)
  const whole = parse(text)
  // Of a list of events the first is taken; what has no fields is as good as empty without them.
  const record = Array.isArray(whole) ? (whole[0] as object) : asObject(text)
  for (const field of Object.keys(record)) {
    const { [field]: _, ...rest } = record as Record<string, unknown>
    const part = JSON.stringify(Array.isArray(whole) ? [rest] : rest)
    if (kind !== null && !('record' in readRecord(kind, part))) return part
  }
  return '{}'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
