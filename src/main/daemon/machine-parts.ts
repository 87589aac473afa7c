// What a daemon has of its machine before it does anything with it: drivers, logs that are kept, its record, names.
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Driver } from '../../agent/driver.js'
import { driversHere } from '../../agent/drivers-here.js'
import { type KeptLogs, openKeptLogs } from '../../agent/io/kept-logs.js'
import type { EntryTraffic } from '../../entry/io/entry-traffic.js'
import type { AdmissionSettings } from '../../manifest/settings.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { Machine } from '../../model/machine.js'
import { countsFromAtMost, type EventLog, openEventLog } from '../../store/io/event-log.js'
import { openUnitReader, type UnitReader } from '../../unit/reader.js'
import { announcedAddress } from '../access-options.js'
import { shownCertificates } from '../certificates.js'
import { openDrivers } from '../drivers.js'
import { entryAtStart, openTraffic } from '../entry.js'
import { forgetGone } from '../forget-gone.js'
import { logWords } from '../log-words.js'
import { describeMachine, machineIdOf } from '../machine.js'
import { NamesToCome, type ServedNames, startNames } from '../names.js'
import { openPolicies } from '../policy-option.js'
import { loginsOf } from '../registry-logins.js'
import { type SecretKeysWatch, watchSecretKeys } from '../secret-keys.js'
import { version } from '../version.js'
import type { Base } from './base.js'
import type { Cluster } from './cluster.js'
import { Membership } from './membership.js'

export interface MachineParts {
  readonly member: Membership
  /** The machine as it was found; what has changed since is in `member.announced`. */
  readonly described: Machine
  readonly events: EventLog
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly keptLogs: KeptLogs
  readonly secretKeys: SecretKeysWatch
  readonly units: UnitReader
  readonly dns: ServedNames
  /** Null where the daemon has no entry. */
  readonly traffic: EntryTraffic | null
  readonly policies: ReturnType<typeof openPolicies>
  readonly manifests: AdmissionSettings
  /** The file of the certificate that etcd is shown; null for none. */
  readonly etcdCertFile: string | null
  /** Called with every change of the keys from now on; before, nobody is told. */
  readonly onSecretKeys: (listener: () => void) => void
}

export async function openMachineParts(base: Base, cluster: Cluster): Promise<MachineParts> {
  const { current, options, clock, random, log, undo } = base
  const { registry, secrets } = cluster
  const policies = openPolicies(current)
  const id = await machineIdOf(options.dataDir)
  const events = openEventLog(clock, id, Math.floor(random() * countsFromAtMost))
  const member = new Membership(base, cluster, { id, events })
  // Before anything on the machine is touched: a copy of it must keep its hands off.
  await member.claimFirst()
  const names = new NamesToCome()
  const { drivers, keptLogs } = await openDriversAndLogs(base, cluster, member, names)
  let tellKeys = (): void => {}
  const secretKeys = watchSecretKeys({ registry, secrets, log, onChange: () => tellKeys() })
  await undo.push('the keys of the secrets', async () => secretKeys.stop())
  const etcdCertFile = options.store.kind === 'etcd' ? (options.store.tls?.certFile ?? null) : null
  const described = await describeHere(base, cluster, { member, drivers, etcdCertFile, secretKeys })
  const units = openUnitReader((hash) => registry.view.files.get(hash), described)
  registry.onChange((_, changes) => forgetGone(units, changes))
  const dns = await startNames({ registry, units, machine: id, options, clock, log }, undo)
  names.serve(dns.forContainers)
  const traffic = await openTraffic(base, undo)
  return {
    ...{
      member,
      described,
      events,
      drivers,
      keptLogs,
      secretKeys,
      units,
      dns,
      traffic,
      policies,
      etcdCertFile,
    },
    manifests: admissionSettings(base, policies),
    onSecretKeys: (listener) => {
      tellKeys = listener
    },
  }
}

/** What a manifest may say here. */
export function manifestSettings({ options }: Base) {
  return { cns: options.cns, packages: options.packages, mail: options.smtp !== null }
}

function admissionSettings(base: Base, policies: MachineParts['policies']): AdmissionSettings {
  return {
    ...manifestSettings(base),
    get policy() {
      return policies.now()
    },
    asRoot: process.geteuid?.() === 0,
  }
}

async function openDriversAndLogs(
  { current, options, clock, clockWatch, log, undo }: Base,
  { registry, secrets, clusterId }: Cluster,
  { id }: Membership,
  names: NamesToCome,
): Promise<Pick<MachineParts, 'drivers' | 'keptLogs'>> {
  const reports = registry.view.reportsOf(id)
  const drivers: MachineParts['drivers'] = options.agent
    ? await openDrivers({
        logWords: logWords(options.logFormat, options.logLevels),
        dataDir: options.dataDir,
        machine: { id, hostname: hostname() },
        owner: clusterId.slice(0, 8),
        wanted: options.drivers,
        docker: options.docker,
        names,
        logins: loginsOf(registry, secrets),
        known: new Set([...reports.values()].map(({ driver }) => driver)),
        reported: new Map(reports),
        clock,
        log,
      })
    : new Map()
  for (const driver of drivers.values()) await undo.push(`the driver ${driver.kind}`, () => driver.close())
  const keptLogs = await openKeptLogs({
    dir: join(options.dataDir, 'kept-logs'),
    retention: () => current.now().keepLogs,
    ...{ drivers, clock, clockWatch, log },
  })
  await undo.push('the logs that are kept', () => keptLogs.stop())
  return { drivers, keptLogs }
}

async function describeHere(
  { options, isOnEtcd, clock }: Base,
  { registry }: Pick<Cluster, 'registry'>,
  {
    member,
    drivers,
    etcdCertFile,
    secretKeys,
  }: Pick<MachineParts, 'member' | 'drivers' | 'etcdCertFile' | 'secretKeys'>,
): Promise<Machine> {
  const found = await describeMachine({
    id: member.id,
    dataDir: options.dataDir,
    publicIp: options.publicIp,
    amongOthers: isOnEtcd,
    metadata: options.metadata,
    drivers: driversHere(drivers.values()),
    engine: options.engine,
    entry: await entryAtStart(options, registry, member.id),
    version,
    certificates: shownCertificates(options.access.tls, etcdCertFile),
    apiAt: (ip) => {
      const { tls: secure, advertise } = options.access
      return advertise ?? (secure === null ? null : announcedAddress(options.listen, ip))
    },
    clock,
  })
  const described = { ...found, secretKeys: secretKeys.now() }
  member.describe(described)
  return described
}
