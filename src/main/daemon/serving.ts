// Whom a daemon serves: the entry, trigger URLs and the API; and what it tells of itself once it does.
import type { Driver } from '../../agent/driver.js'
import { driversHere } from '../../agent/drivers-here.js'
import { deleteVolume, listVolumes, volumeKeeper } from '../../agent/io/local-volumes.js'
import { filesHere } from '../../agent/io/volume-files.js'
import type { Token } from '../../api/access.js'
import { startBackupKeeper } from '../../api/io/backup-keeper.js'
import type { ApiContext } from '../../api/io/context.js'
import type { ServerTls } from '../../api/io/make-server.js'
import { takeAwayUnattended } from '../../api/io/one-off-end.js'
import { openPeers } from '../../api/io/peers.js'
import { type ApiServer, startApiServer } from '../../api/io/server.js'
import { startTriggerServer, type TriggerServer } from '../../api/io/trigger-server.js'
import { startVolumeKeeper } from '../../api/io/volume-keeper.js'
import { startVolumeMeter } from '../../api/io/volume-meter.js'
import { describeError } from '../../lib/io/log.js'
import { triggerBaseOf } from '../access-options.js'
import { type Certificates, startCertificates } from '../certificates.js'
import { conditionOf } from '../condition.js'
import { openEntry } from '../entry.js'
import { guardTcp } from '../guard-tcp.js'
import { leaseTimesOf } from '../machine-presence.js'
import type { Running } from '../state-line.js'
import { describeStore } from '../store-options.js'
import { version } from '../version.js'
import { each } from './base.js'
import type { JoinParts } from './joining.js'

interface Served {
  readonly context: ApiContext
  readonly triggers: TriggerServer
  readonly server: ApiServer
  /** Shows another certificate from now on, to callers and to other daemons. */
  readonly renew: (tls: ServerTls) => void
  readonly running: Running
}

/** What is told of the daemon; null while it starts, and while it reads everything anew. */
export interface Shown {
  running: Running | null
}

/** Serves all, and follows certificates, keys and options. */
export async function startServing(parts: JoinParts, shown: Shown): Promise<void> {
  const { base, machine } = parts
  const served = await startServers(parts)
  shown.running = served.running
  const certificates = await followCertificates(parts, served)
  const tellKeys = (): void => machine.member.tell({ secretKeys: machine.secretKeys.now() })
  machine.onSecretKeys(tellKeys)
  tellKeys()
  await followOptions(parts, certificates)
  const { dns, drivers, member } = machine
  const { triggers, server, running } = served
  base.log.info('daemon', `mariposa ${version} is ready`, {
    machine: member.id,
    drivers: driversHere(drivers.values()).drivers.join(',') || 'none',
    data: base.options.dataDir,
    store: running.store,
    listen: server.endpoints.join(','),
    dns: dns.endpoints().join(',') || undefined,
    triggers: triggers.endpoints.length === 0 ? undefined : triggers.endpoints.join(','),
  })
  takeAwayLeft(parts, served.context)
}

/** What this daemon ran once before it was started anew, and nobody has waited for since. */
function takeAwayLeft({ base: { log }, cluster }: JoinParts, context: ApiContext): void {
  cluster.registry.complete
    .then(() => takeAwayUnattended(context))
    .catch((error: unknown) => log.warn('daemon', `cannot remove one-off instances: ${describeError(error)}`))
}

async function startServers(parts: JoinParts): Promise<Served> {
  const { base, cluster, machine, agents, planning } = parts
  const { current, options, clock, random, log, hidden, undo, servers, doors } = base
  const { registry, secrets, clusterId } = cluster
  const { member, events, units, dns, traffic, keptLogs, manifests } = machine
  // Who serves is known once this machine is, and what runs on it: until then what was served before is served on.
  const entry = await openEntry(
    {
      ...{ member, registry, names: dns.names, secrets, current, options },
      ...{ cluster: clusterId, traffic, clock, log },
    },
    undo,
  )
  const { tls, insecure } = options.access
  const tokens = () => current.now().access.tokens
  const triggers = await startTriggerServer(
    { registry, events, secrets, clock, random, log },
    options.triggerListen,
    tls === null ? null : { cert: tls.cert, key: tls.key },
  )
  servers.push(triggers)
  /** What is shown now, which a renewal changes. */
  let shownTls: ServerTls | null = tls
  const credentials = {
    token: () => tokens().find(({ role }) => role === 'write')?.text ?? null,
    tls: () => shownTls,
  }
  const peers = openPeers(registry.view, credentials, clock)
  /** What callers over TCP show where nobody has said who is let in. */
  let own: Token | null = null
  const condition = conditionHere(parts)
  const context: ApiContext = {
    ...{ registry, units, events, keptLogs, peers, secrets, manifests, dns, entry },
    ...{ clock, random, log, version, ...agents, ...planning, ...condition },
    ...ofDrivers(machine.drivers),
    machine: member.id,
    leaseOf: (id) => leaseTimesOf({ registry, clock, id }),
    cluster: clusterId,
    triggerBase: triggerBaseOf(options.triggerListen, triggers.endpoints, machine.described.ip),
  }
  const server = await startApiServer(
    context,
    options.listen,
    { tls, tokens: () => (own === null || tokens().length > 0 ? tokens() : [own]), open: insecure },
    doors,
  )
  servers.push(server)
  if (agents.agent !== null) {
    await undo.push('what is done with volumes', startVolumeKeeper(context))
    await undo.push('backups by schedule', startBackupKeeper(context))
  }
  await undo.push('measuring of volumes', startVolumeMeter(context))
  await undo.pushFirst('requests', () => each(servers, (one) => one.end()))
  own = await guardTcp({ access: options.access, endpoints: server.endpoints, dataDir: options.dataDir, log })
  if (own !== null) hidden.add(own.text)
  const renew = (renewed: ServerTls): void => {
    shownTls = renewed
    server.renew(renewed)
    triggers.renew(renewed)
  }
  const running: Running = {
    ...{ view: registry.view, condition, machine: member.id, endpoints: server.endpoints },
    store: describeStore(options.store),
    drivers: () => {
      const { drivers, driversAway = [] } = member.announced
      return { drivers, driversAway }
    },
  }
  return { context, triggers, server, renew, running }
}

function conditionHere({ base, cluster }: JoinParts): ReturnType<typeof conditionOf> {
  return conditionOf({
    ...{ registry: cluster.registry, connectivity: base.connectivity, space: cluster.space },
    isEmbedded: !base.isOnEtcd,
    copiedAt: cluster.copies.ofEtcd?.savedAt ?? null,
  })
}

/** What the API asks the drivers for itself. Docker may be away, and come later. */
function ofDrivers(drivers: JoinParts['machine']['drivers']) {
  const docker: Driver | undefined = drivers.get('docker')
  const present = (): Driver | undefined => (docker?.absent === true ? undefined : docker)
  return {
    imageTeller: () => present()?.tellImages?.bind(docker) ?? null,
    imageResolver: () => present()?.resolveImage?.bind(docker) ?? null,
    imageFetcher: () => present()?.fetchImage?.bind(docker) ?? null,
    loginChecker: () => present()?.checkLogin?.bind(docker) ?? null,
    deleteVolume: (volume: Parameters<typeof deleteVolume>[1], signal: AbortSignal) =>
      deleteVolume(drivers, volume, signal),
    listVolumes: (signal: AbortSignal) => listVolumes(drivers, signal),
    volumeKeeper: (volume: Parameters<typeof volumeKeeper>[1], signal: AbortSignal) =>
      volumeKeeper(drivers, volume, signal),
    driversHere: drivers,
    volumeFiles: filesHere,
    volumeWorks: new Set<string>(),
    attended: new Set<string>(),
    preparedVolumes: new Set<string>(),
    sentBytes: new Map<string, number>(),
    usedBytes: new Map<string, number>(),
  }
}

async function followCertificates({ base, machine }: JoinParts, { renew }: Served): Promise<Certificates> {
  const { options, clock, log, undo } = base
  const certificates = startCertificates({
    ...{ tls: options.access.tls, etcdCertFile: machine.etcdCertFile, clock, log },
    onRenewal: renew,
    onChange: (shown) => machine.member.tell({ certificates: shown }),
  })
  await undo.push('certificates', () => certificates.stop())
  return certificates
}

async function followOptions(
  { base: { current, undo }, machine, agents }: JoinParts,
  certificates: Certificates,
): Promise<void> {
  const { member, secretKeys, keptLogs } = machine
  const unsubscribe = current.onChange(() => {
    member.tell({ metadata: current.now().metadata })
    certificates.look()
    secretKeys.look()
    agents.agent?.lookAgain()
    keptLogs.look()
  })
  await undo.push('what follows the configuration', async () => unsubscribe())
}
