// What one change costs the leader's pass over services: one instance says something new of itself, in a cluster of more and more
// services that are at rest. Beside it the pass of a fresh leader, which plans them all.
import { bundleExports } from './bundle.mjs'

const instancesEach = 3
const machines = 100
const wakes = 200

/** Rows `{name, value, unit}`. */
export async function run() {
  const ours = await bundleExports(
    `export { openVersionUnits } from './src/compile/version-unit.ts'
        export { servicePass } from './src/service/io/pass.ts'
        export { startedReport } from './src/simulate/started-report.ts'
        export { openEventLog } from './src/store/io/event-log.ts'
        export { openRegistry } from './src/store/io/registry.ts'
        export { leaderKey, putOf } from './src/store/records.ts'
        export { openUnitReader } from './src/unit/reader.ts'
        export { defaultSettings } from './test/manifest/default-settings.ts'
        export { openMemoryStore } from './test/store/memory-store.ts'`,
    'service-pass.mjs',
  )
  const rows = []
  for (const services of [100, 1000, 5000]) {
    const { fresh, wake } = await measure(ours, services)
    rows.push(
      {
        name: `${services} services: the pass of a fresh leader`,
        value: fresh,
        unit: 'ms of processor time',
      },
      { name: `${services} services: one instance changes`, value: wake, unit: 'ms of processor time' },
    )
  }
  return rows
}

async function measure(ours, services) {
  let now = 1_000_000
  const clock = { now: () => now }
  const log = { debug() {}, info() {}, warn: console.error, error: console.error }
  const store = ours.openMemoryStore({ clock })
  const registry = await ours.openRegistry(store, { onError: console.error })
  const { ops, reports } = atRest(ours, services)
  for (let from = 0; from < ops.length; from += 5000)
    await registry.overrule([], ops.slice(from, from + 5000))
  await registry.overrule([], [{ op: 'put', key: ours.leaderKey, value: `{"machine":"${idOf(0)}"}` }])
  const epoch = registry.view.revisionOf(ours.leaderKey)
  const units = ours.openUnitReader((hash) => registry.view.files.get(hash))
  const pass = ours.servicePass({
    ...{ registry, log, units, epoch: () => epoch, events: ours.openEventLog(clock, idOf(0)) },
    ...{ unitOf: ours.openVersionUnits(ours.defaultSettings), makesRoom: () => false },
    losses: { heldUntil: () => null, missing: () => [], massLoss: () => null },
    ...{ jumps: () => [], connectedForMs: () => Number.POSITIVE_INFINITY },
  })
  const { signal } = new AbortController()
  const timed = async () => {
    const before = process.cpuUsage()
    await pass(now, signal)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const fresh = await timed()
  const times = []
  for (let n = 0; n < wakes; n += 1) {
    now += 10
    const report = reports[(n * 7919) % reports.length]
    await registry.commit([], [ours.putOf('report', { ...report, address: `10.0.${n >> 8}.${n & 255}` })])
    times.push(await timed())
  }
  await registry.close()
  await store.close()
  return { fresh, wake: median(times.slice(wakes / 2)) }
}

function idOf(n) {
  return String(n).padStart(32, '0')
}

/** Services all of whose instances run and are healthy. */
function atRest({ putOf, startedReport }, services) {
  const ops = Array.from({ length: machines }, (_, n) => putOf('machine', aMachine(idOf(n))))
  const reports = []
  for (let s = 0; s < services; s += 1) {
    const name = `web${s}`
    const hash = String(s).padStart(40, '0')
    ops.push(putOf('service', aService(name)), putOf('version', aVersion(name, hash)))
    ops.push(putOf('file', { hash, text: '[Service]\nExecStart=/bin/web\n' }))
    for (let n = 1; n <= instancesEach; n += 1) {
      const unit = `default.${name}.v1@${n}.service`
      const machine = idOf((s + n) % machines)
      const instance = { project: 'default', service: name, name: `${name}-${n}`, n, uuid: `${name}-${n}` }
      const report = { ...startedReport(machine, unit, 0), hash, health: 'healthy' }
      ops.push(
        putOf('instance', { ...instance, ...ofVersion(name), unit, createdAt: 0, retired: null, lost: null }),
        putOf('unit', {
          ...{ name: unit, hash, desired: 'launched', createdAt: 0 },
          instance: { ...instance, version: `version-${name}` },
        }),
        putOf('placement', { unit, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
        putOf('report', report),
      )
      reports.push(report)
    }
  }
  return { ops, reports }
}

function ofVersion(service) {
  return { version: `version-${service}`, ordinal: 1 }
}

function aMachine(id) {
  const capacity = { cpus: 8, memoryMb: 65536, diskMb: 0 }
  return {
    ...{ id, hostname: id, ip: '10.0.0.1', metadata: {}, capacity, drivers: ['process'] },
    ...{ version: '0', bootedAt: 0 },
  }
}

function aService(name) {
  return {
    ...{ uuid: `service-${name}`, project: 'default', name, type: 'continuous', scale: instancesEach },
    ...{ stoppedFrom: null, current: `version-${name}`, lastOrdinal: 1, lastInstance: instancesEach },
    ...{ createdAt: 0, starts: 0, stopping: null, deleting: false, rollout: null, failures: null },
    ...{ blocked: null, releasedAt: null },
  }
}

function aVersion(service, hash) {
  return {
    ...{ uuid: `version-${service}`, project: 'default', service, ordinal: 1, createdAt: 0, sha1: '' },
    ...{
      text: '',
      type: 'continuous',
      file: '',
      image: '',
      template: `default.${service}.v1@.service`,
      hash,
    },
    ...{ meta: [], scale: instancesEach, preserve: 'no', checked: true },
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
