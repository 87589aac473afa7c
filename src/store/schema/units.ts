// Records about units and machines.
import { Type } from 'typebox'
import { driverKinds } from '../../model/driver-kind.js'
import {
  count,
  either,
  flag,
  health,
  instant,
  kindOf,
  machineId,
  orNull,
  rolloutScope,
  said,
  text,
  texts,
  unitName,
  words,
} from './words.js'

const driver = words(...driverKinds)
const protocol = words('tcp', 'udp')
const keyProblem = words('no-key', 'wrong-key')

export const unit = Type.Object({
  name: unitName,
  hash: text,
  desired: words('inactive', 'loaded', 'launched'),
  instance: orNull(
    Type.Object({
      project: text,
      service: text,
      name: text,
      n: count,
      uuid: text,
      version: text,
      slot: Type.Optional(count),
      rollout: Type.Optional(Type.Object(rolloutScope)),
    }),
  ),
  createdAt: instant,
  deleteVolumes: said,
  stopAfterMs: Type.Optional(count),
  stopWhenIdleAfterMs: Type.Optional(count),
  stopWithinMs: Type.Optional(count),
})

export const file = Type.Object({ hash: text, text })

const ports = Type.Array(Type.Object({ ip: orNull(text), host: count, container: count, protocol }))

export const placement = Type.Object({
  unit: unitName,
  machine: machineId,
  global: said,
  ports,
  cause: either(
    kindOf('new', { volume: Type.Optional(text) }),
    kindOf('machine-lost', { from: machineId }),
    kindOf('port-taken', { port: count }),
    kindOf('moved', {
      from: machineId,
      because: words('no-longer-fits', 'target-moved', 'replaced', 'drained'),
    }),
    kindOf('global', {}),
  ),
  at: instant,
})

const refusal = either(
  kindOf('driver', { needs: Type.Array(driver) }),
  kindOf('driver-away', { needs: Type.Array(driver) }),
  kindOf('cordoned', {}),
  kindOf('machine-id', { wants: text }),
  kindOf('metadata', { key: text, wants: Type.Array(text), has: orNull(text) }),
  kindOf('network', { name: text }),
  kindOf('secret-key', { problem: keyProblem }),
  kindOf('memory', { needsMb: count, freeMb: count }),
  kindOf('disk', { needsMb: count, freeMb: count }),
  kindOf('cpu', { needs: count, free: count }),
  kindOf('port', { port: count, protocol, heldBy: unitName }),
  kindOf('ports-used-up', { from: count, to: count }),
  kindOf('no-target', { unit: unitName, target: text }),
  kindOf('target-elsewhere', { target: unitName, machine: machineId }),
  kindOf('volume-elsewhere', {
    ...{ volume: text, machine: machineId, hostname: text, away: flag },
    apart: Type.Optional(Type.Object({ volume: text, hostname: text })),
  }),
  kindOf('group', { units: Type.Array(unitName), clash: text }),
  kindOf('conflict', { with: unitName, pattern: text }),
  kindOf('replaced', { by: unitName }),
  kindOf('replaces', { unit: unitName }),
  kindOf('far', { rule: text, from: orNull(unitName) }),
  kindOf('near', { rule: text, here: count, all: count }),
  kindOf('nothing-near', { rule: text }),
)

export const waiting = Type.Object({
  unit: unitName,
  since: instant,
  lostOn: Type.Optional(machineId),
  refusals: Type.Array(Type.Object({ machine: machineId, refusal, machines: Type.Optional(count) })),
})

export const exit = Type.Object({
  code: orNull(count),
  signal: orNull(text),
  oom: flag,
  at: instant,
  cutOff: said,
})

export const outputLines = Type.Array(
  Type.Object({ at: instant, stream: words('stdout', 'stderr'), line: text }),
)

export const report = Type.Object({
  name: unitName,
  hash: text,
  driver,
  load: words('loaded', 'not-found', 'error', 'masked'),
  badSetting: said,
  active: words('active', 'reloading', 'inactive', 'failed', 'activating', 'deactivating'),
  sub: text,
  since: orNull(instant),
  pid: orNull(count),
  containerId: orNull(text),
  address: orNull(text),
  restarts: count,
  restartAt: Type.Optional(instant),
  exit: orNull(exit),
  failure: orNull(Type.Object({ code: text, message: text, permanent: flag, port: Type.Optional(count) })),
  interrupted: said,
  machine: machineId,
  launched: flag,
  health,
  healthReason: orNull(text),
  checked: Type.Optional(Type.Literal(true)),
  notice: Type.Optional(text),
  startedAt: Type.Optional(instant),
  output: Type.Optional(outputLines),
  madeOf: Type.Optional(texts),
  attempts: count,
  retryAt: orNull(instant),
  pulling: Type.Optional(
    Type.Object({
      image: text,
      since: instant,
      layers: count,
      layersDone: count,
      bytes: count,
      totalBytes: count,
    }),
  ),
  diskPressure: said,
  unknownSince: Type.Optional(instant),
  unseen: said,
  mayStart: said,
  purged: said,
})

const machineFields = {
  id: machineId,
  hostname: text,
  ip: text,
  metadata: texts,
  capacity: Type.Object({ cpus: count, memoryMb: count, diskMb: count }),
  drivers: Type.Array(driver),
  driversAway: Type.Optional(Type.Array(driver)),
  version: text,
  bootedAt: instant,
  api: Type.Optional(text),
  outside: Type.Optional(text),
  engine: Type.Optional(Type.Literal(false)),
  certificates: Type.Optional(Type.Array(Type.Object({ use: words('api', 'etcd'), expiresAt: instant }))),
  secretKeys: Type.Optional(
    Type.Object({ fingerprints: Type.Array(text), problem: Type.Optional(keyProblem) }),
  ),
  entry: Type.Optional(
    Type.Object({
      http: text,
      https: text,
      tcp: Type.Optional(flag),
      ownPorts: Type.Optional(Type.Record(Type.String(), text)),
    }),
  ),
  away: Type.Optional(Type.Object({ since: instant, until: instant })),
  upSince: Type.Optional(instant),
}

export const machine = Type.Object(machineFields)

export const knownMachine = Type.Object({ ...machineFields, downSince: Type.Optional(instant) })

export const order = Type.Object({
  id: machineId,
  cordoned: flag,
  metadata: Type.Optional(texts),
  drain: Type.Optional(Type.Object({ since: instant, parallel: count })),
})

export const clockCall = Type.Object({ machine: machineId, at: instant, asked: Type.Array(machineId) })

export const clockReading = Type.Object({
  machine: machineId,
  at: instant,
  answers: orNull(Type.Object({ call: count, seenAt: instant })),
})

export const entryIdle = Type.Object({
  machine: machineId,
  units: Type.Array(unitName),
  serves: Type.Optional(Type.Object({ routes: text, without: Type.Array(text) })),
  problem: Type.Optional(text),
})

export const clockOffset = Type.Object({ machine: machineId, aheadMs: count, barsLead: flag })

export const metrics = Type.Object({
  machine: machineId,
  values: Type.Record(Type.String(), Type.Record(Type.String(), count)),
  entry: Type.Optional(Type.Record(Type.String(), Type.Object({ rps: count, failed: count, p95: count }))),
})
