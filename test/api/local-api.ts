import { tmpdir } from 'node:os'
import { join } from 'node:path'
// The API in this process, over a store in memory: a cluster of one machine, on which nothing runs.
import type { FastifyInstance } from 'fastify'
import { filesHere } from '../../src/agent/io/volume-files.js'
import type { ApiContext } from '../../src/api/io/context.js'
import { buildServer } from '../../src/api/io/server.js'
import { noDoors } from '../../src/api/io/startup-server.js'
import { KeptBodies } from '../../src/api/kept-bodies.js'
import { NameIndex } from '../../src/dns/name-index.js'
import { Explainer } from '../../src/engine/explain.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { Slices } from '../../src/lib/io/slices.js'
import type { Time } from '../../src/lib/time.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { openSecretBox } from '../../src/store/io/secret-box.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { machineRecord } from '../interleaving/cluster.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { openMemoryStore } from '../store/memory-store.js'
import { idOf } from '../world/world.js'

export interface LocalApi {
  readonly server: FastifyInstance
  readonly context: ApiContext
  readonly registry: Registry
  /** How often the store has changed. */
  readonly revision: () => Promise<number>
}

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }
/** It is one moment for ever, and as long as it really takes. */
const standingStill: Time = { ...systemClock, now: () => 1_000_000 }

/** Without services, and without anything that stops it from answering; the caller closes the server. */
export async function openLocalApi(clock = standingStill, more: Partial<ApiContext> = {}): Promise<LocalApi> {
  const store = openMemoryStore({ clock, historyLimit: 1000 })
  await store.txn([], [machineRecord(idOf('a'))])
  const registry = await openRegistry(store, { onError: () => {}, patienceMs: 60_000 })
  const units = openUnitReader((hash) => registry.view.files.get(hash))
  const bodies = new KeptBodies(registry.view)
  const explainer = new Explainer(registry.view, (unit) => units.needs(unit))
  registry.onChange((_kinds, changes) => {
    for (const change of changes) {
      bodies.note(change)
      explainer.note(change)
    }
  })
  const parts: Partial<ApiContext> = {
    registry,
    units,
    explainer,
    bodies,
    events: openEventLog(clock, idOf('a')),
    machine: idOf('a'),
    leaseOf: () => Promise.resolve(null),
    agent: null,
    collector: null,
    keptLogs: { named: () => [], lines: () => [] },
    sightings: { of: () => [] },
    imageResolver: () => null,
    loginChecker: () => null,
    imageTeller: () => null,
    deleteVolume: () => Promise.resolve(),
    listVolumes: () => Promise.resolve({ volumes: [], silent: [] }),
    volumeKeeper: () => Promise.resolve(null),
    driversHere: new Map(),
    volumeFiles: filesHere,
    volumeWorks: new Set(),
    attended: new Set(),
    preparedVolumes: new Set(),
    sentBytes: new Map(),
    usedBytes: new Map(),
    manifests: defaultSettings,
    triggerBase: null,
    dns: { names: new NameIndex(registry.view, units, idOf('a')), endpoints: () => [], upstream: () => [] },
    clock,
    slices: new Slices(clock),
    random: () => Math.random(),
    log,
    version: '0.0.0',
    // Nothing that is sealed is asked of it: its key is never read.
    secrets: openSecretBox({
      keyFile: join(tmpdir(), 'mariposa-without-a-key', 'key'),
      inUse: () => false,
    }),
    stale: () => null,
    notReady: () => null,
    ...more,
  }
  // The rest is asked for by what nobody gets to here.
  const context = parts as ApiContext
  const address = { kind: 'unix', path: '/nowhere' } as const
  const server = buildServer(
    context,
    address,
    { tls: null, tokens: () => [], open: false },
    { local: true },
    noDoors,
  )
  return { server, context, registry, revision: async () => (await store.range('nothing')).revision }
}

/** Deploys services by their names; `more` is added to the text of each. */
export async function deploy(server: FastifyInstance, names: readonly string[], more = ''): Promise<void> {
  const text = `compute_type: process\ncommand: [/bin/x]\n${more}`
  const sources = names.map((name) => ({ file: `${name}.yml`, text: `name: ${name}\n${text}` }))
  const payload = { sources, waitForRoom: true }
  const deployed = await server.inject({ method: 'POST', url: '/v1/projects/default/deploy', payload })
  if (deployed.statusCode !== 200) throw new Error(deployed.payload)
}
