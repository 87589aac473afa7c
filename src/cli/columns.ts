// The tables of the command line: which columns each noun has. Keys are the JSON's field names where there is one.
import type {
  DeliveryBody,
  DnsInstanceBody,
  EntryBody,
  EventBody,
  InstanceBody,
  MachineBody,
  MachineImageBody,
  MetaBody,
  ProjectBody,
  RegistryBody,
  RunBody,
  ScheduleBody,
  ServiceBody,
  TaskBody,
  UnitBody,
  UnitOnMachine,
  UnreadableBody,
  VersionOfService,
  VolumeBackupBody,
  VolumeBody,
  WebhookBody,
} from '../contract/contract.js'
import { describeAhead } from '../model/clock.js'
import { describeSize } from '../model/pull.js'
import { describeAge } from './duration.js'
import type { CellView, Column } from './table.js'

export const projectColumns: readonly Column<ProjectBody>[] = [
  { key: 'name', text: (project) => project.name },
  { key: 'status', text: (project) => (project.frozen ? `${project.status}, frozen` : project.status) },
  { key: 'services', right: true, text: (project) => String(project.serviceCount) },
  { key: 'scale', right: true, text: (project) => String(project.scale) },
  { key: 'running', right: true, text: (project) => String(project.running) },
  { key: 'healthy', right: true, text: (project) => String(project.healthy) },
  { key: 'tags', cut: true, text: (project) => describeMetadata(project.tags) },
  { key: 'reason', cut: true, text: (project) => project.reason },
  { key: 'createdAt', extra: true, text: (project) => project.createdAt ?? '' },
  { key: 'uuid', extra: true, text: (project) => project.uuid },
]

export const serviceColumns: readonly Column<ServiceBody>[] = [
  { key: 'name', text: (service) => service.name },
  { key: 'status', text: (service) => service.status },
  { key: 'scale', right: true, text: (service) => String(service.scale) },
  { key: 'running', right: true, text: (service) => String(service.running) },
  { key: 'healthy', right: true, text: (service) => String(service.healthy) },
  { key: 'ordinal', right: true, text: (service) => String(service.ordinal) },
  { key: 'mode', text: describeMode },
  { key: 'image', cut: true, text: (service) => service.image },
  { key: 'reason', cut: true, text: describeState },
  { key: 'drifted', extra: true, text: (service) => (service.drifted ?? []).join(',') },
  { key: 'restarts', extra: true, right: true, text: (service) => String(service.restarts) },
  { key: 'nextTryAt', extra: true, text: (service) => service.nextTryAt ?? '' },
  { key: 'type', extra: true, text: (service) => service.type },
  { key: 'project', extra: true, text: (service) => service.project },
  { key: 'version', extra: true, text: (service, view) => id(service.version, view) },
  { key: 'uuid', extra: true, text: (service, view) => id(service.uuid, view) },
]

/** Why it is as it is, and what it was made from that is another value by now. */
function describeState({ reason, drifted = [] }: ServiceBody): string {
  const told = drifted.length === 0 ? '' : `drifted: ${drifted.join(', ')}`
  return [reason, told].filter((part) => part !== '').join('; ')
}

/** Who else says what becomes of it: nobody while it is frozen, triggers where they may scale it. */
function describeMode({ frozen, autoscaled }: ServiceBody): string {
  return [...(frozen ? ['frozen'] : []), ...(autoscaled ? ['autoscaled'] : [])].join(',')
}

export const entryColumns: readonly Column<EntryBody>[] = [
  { key: 'host', text: ({ host }) => host ?? '*' },
  { key: 'path', text: ({ path, tcp }) => path ?? `tcp:${tcp}` },
  { key: 'service', text: ({ service }) => service },
  { key: 'tls', text: ({ tls }) => tls },
  { key: 'certificate', text: describeCertificate },
  { key: 'upstreams', cut: true, text: describeUpstreams },
  { key: 'canary', cut: true, text: describeCanary },
  { key: 'problem', cut: true, text: ({ problem }) => problem ?? '' },
  {
    key: 'machines',
    extra: true,
    text: ({ machines }) => machines.map(({ hostname }) => hostname).join(','),
  },
  { key: 'port', extra: true, right: true, text: ({ port }) => (port === null ? '' : String(port)) },
  { key: 'project', extra: true, text: ({ project }) => project },
]

function describeCertificate({ certificate }: EntryBody): string {
  return certificate === null ? '' : `${certificate.issuer}, until ${certificate.notAfter}`
}

/** What a request for the current version has; daemons of before say nothing of it. */
function describeCanary({ canary }: Partial<Pick<EntryBody, 'canary'>>): string {
  if (canary == null) return ''
  const { header, cookie } = canary
  return [...(header === null ? [] : [header]), ...(cookie === null ? [] : [`cookie ${cookie}`])].join(' or ')
}

/** Who serves, and who does not with why. */
function describeUpstreams({ redirect, upstreams }: EntryBody): string {
  if (redirect !== null) return `to ${redirect}`
  return upstreams
    .map(({ instance, state, reason }) => (state === 'serving' ? instance : `${instance} (${reason})`))
    .join(', ')
}

export const dnsColumns: readonly Column<DnsInstanceBody>[] = [
  { key: 'name', text: (named) => named.name },
  { key: 'service', text: (named) => named.service },
  { key: 'listed', text: (named) => yesNo(named.listed) },
  { key: 'privateAddress', text: (named) => named.privateAddress ?? '' },
  { key: 'publicAddress', text: (named) => named.publicAddress ?? '' },
  { key: 'ports', cut: true, text: (named) => named.ports.join(',') },
  { key: 'reason', cut: true, text: (named) => named.reason },
  { key: 'names', extra: true, text: (named) => named.names.join(',') },
  { key: 'machine', extra: true, text: (named, view) => id(named.machine, view) },
  { key: 'project', extra: true, text: (named) => named.project },
  { key: 'uuid', extra: true, text: (named, view) => id(named.uuid, view) },
]

export const instanceColumns: readonly Column<InstanceBody>[] = [
  { key: 'name', text: (instance) => instance.name },
  { key: 'state', text: (instance) => instance.state },
  { key: 'health', text: (instance) => instance.health },
  { key: 'machine', text: (instance, view) => id(instance.machine, view) },
  { key: 'address', text: (instance) => instance.address ?? '' },
  { key: 'ports', cut: true, text: (instance) => instance.ports.join(',') },
  { key: 'ordinal', right: true, text: (instance) => String(instance.ordinal) },
  { key: 'restarts', right: true, text: (instance) => String(instance.restarts) },
  { key: 'age', right: true, text: (instance, view) => age(instance.createdAt, view) },
  { key: 'reason', cut: true, text: (instance) => instance.reason },
  { key: 'service', extra: true, text: (instance) => instance.service },
  { key: 'project', extra: true, text: (instance) => instance.project },
  { key: 'uuid', extra: true, text: (instance, view) => id(instance.uuid, view) },
  { key: 'version', extra: true, text: (instance, view) => id(instance.version, view) },
  { key: 'drifted', extra: true, text: (instance) => (instance.drifted ?? []).join(',') },
  { key: 'slot', extra: true, right: true, text: ({ slot }) => (slot === null ? '' : String(slot)) },
  { key: 'unit', extra: true, text: (instance) => instance.unit },
  {
    key: 'pid',
    extra: true,
    right: true,
    text: (instance) => (instance.pid === null ? '' : String(instance.pid)),
  },
  { key: 'container', extra: true, text: (instance, view) => id(instance.container, view) },
  { key: 'nextTryAt', extra: true, text: (instance) => instance.nextTryAt ?? '' },
  { key: 'createdAt', extra: true, text: (instance) => instance.createdAt },
  { key: 'startedAt', extra: true, text: (instance) => instance.startedAt ?? '' },
]

/** The drivers of a machine; of those that do not answer, that they are away. */
export function describeDrivers({
  drivers,
  driversAway,
}: Pick<MachineBody, 'drivers' | 'driversAway'>): readonly string[] {
  return drivers.map((driver) => (driversAway.includes(driver) ? `${driver} (away)` : driver))
}

export const machineColumns: readonly Column<MachineBody>[] = [
  { key: 'id', text: (machine, view) => id(machine.id, view) },
  { key: 'hostname', text: (machine) => machine.hostname },
  { key: 'ip', text: (machine) => machine.ip },
  { key: 'state', text: describeMachineState },
  { key: 'units', right: true, text: (machine) => String(machine.units) },
  {
    key: 'memory',
    right: true,
    text: (machine) => `${machine.allocated.memoryMb}/${machine.capacity.memoryMb}M`,
  },
  { key: 'drivers', cut: true, text: (machine) => describeDrivers(machine).join(',') },
  { key: 'metadata', cut: true, text: (machine) => describeMetadata(machine.metadata) },
  { key: 'cordoned', extra: true, text: (machine) => yesNo(machine.cordoned) },
  { key: 'draining', extra: true, text: (machine) => yesNo(machine.draining) },
  { key: 'leader', extra: true, text: (machine) => yesNo(machine.leader) },
  { key: 'clock', extra: true, text: ({ clock }) => (clock === null ? '' : describeAhead(clock.aheadMs)) },
  { key: 'secretKeys', extra: true, text: ({ secretKeys }) => secretKeys?.fingerprints.join(',') ?? '' },
  {
    key: 'cpus',
    extra: true,
    right: true,
    text: ({ allocated, capacity }) => `${allocated.cpus}/${capacity.cpus}`,
  },
  { key: 'disk', extra: true, right: true, text: (machine) => `${machine.capacity.diskMb}M` },
  { key: 'version', extra: true, text: (machine) => machine.version },
]

/** Whether it is there, and what it does not take: `up, cordoned, no secret key`. */
function describeMachineState(machine: MachineBody): string {
  const { state: is, downSince, awayUntil, cordoned, draining, secretKeys } = machine
  const downFor = downSince === null ? '' : ` since ${downSince}`
  const state = { up: 'up', away: `away until ${awayUntil ?? ''}`, down: `down${downFor}` }[is]
  // What is drained is cordoned, too.
  const takes = draining ? ['draining'] : cordoned ? ['cordoned'] : []
  const problem = secretKeys?.problem ?? null
  return [state, ...takes, ...(problem === null ? [] : [keyProblems[problem]])].join(', ')
}

const keyProblems = { 'no-key': 'no secret key', 'wrong-key': 'wrong secret key' } as const

export const imageColumns: readonly Column<MachineImageBody>[] = [
  { key: 'id', text: (image, view) => id(image.id.replace(/^sha256:/, ''), view) },
  { key: 'names', cut: true, text: ({ names }) => names.join(',') },
  { key: 'bytes', right: true, text: ({ bytes }) => describeSize(bytes) },
  { key: 'state', text: ({ state }) => state },
  { key: 'reason', cut: true, text: ({ reason }) => reason },
  { key: 'idleSince', extra: true, text: ({ idleSince }) => idleSince ?? '' },
  { key: 'goesAt', extra: true, text: ({ goesAt }) => goesAt ?? '' },
]

export const volumeColumns: readonly Column<VolumeBody>[] = [
  { key: 'uuid', text: (volume, view) => id(volume.uuid, view) },
  { key: 'service', text: ({ service }) => service },
  { key: 'name', text: ({ name }) => name },
  { key: 'slot', right: true, text: ({ slot }) => (slot === null ? '' : String(slot)) },
  { key: 'hostname', text: ({ hostname }) => hostname },
  { key: 'state', text: ({ state }) => state },
  { key: 'instances', cut: true, text: describeUsers },
  { key: 'age', right: true, text: ({ createdAt }, view) => age(createdAt, view) },
  { key: 'project', extra: true, text: ({ project }) => project },
  { key: 'machine', extra: true, text: ({ machine }, view) => id(machine, view) },
  { key: 'scope', extra: true, text: ({ scope }) => scope },
  { key: 'instance', extra: true, text: ({ instance }) => instance ?? '' },
  { key: 'generation', extra: true, right: true, text: ({ generation }) => String(generation) },
  {
    key: 'sizeBytes',
    extra: true,
    right: true,
    text: ({ sizeBytes }) => (sizeBytes == null ? '' : describeSize(sizeBytes)),
  },
  {
    key: 'usedBytes',
    extra: true,
    right: true,
    text: ({ usedBytes }) => (usedBytes === null ? '' : describeSize(usedBytes)),
  },
  { key: 'createdAt', extra: true, text: ({ createdAt }) => createdAt },
]

export const volumeBackupColumns: readonly Column<VolumeBackupBody>[] = [
  { key: 'id', text: ({ id: of }, view) => (of === null ? '' : id(of, view)) },
  { key: 'service', text: ({ service }) => service },
  { key: 'name', text: ({ name }) => name },
  { key: 'slot', right: true, text: ({ slot }) => (slot === null ? '' : String(slot)) },
  { key: 'dueAt', text: ({ dueAt }) => dueAt },
  { key: 'result', text: ({ result, overdue }) => (overdue ? `${result}, overdue` : result) },
  { key: 'bytes', right: true, text: ({ bytes }) => (bytes === null ? '' : describeSize(bytes)) },
  { key: 'to', text: ({ to }) => to ?? '' },
  { key: 'reason', cut: true, text: ({ reason }) => reason ?? '' },
  { key: 'endedAt', extra: true, text: ({ endedAt }) => endedAt ?? '' },
  { key: 'hostname', extra: true, text: ({ hostname }) => hostname ?? '' },
  { key: 'machine', extra: true, text: ({ machine }, view) => (machine === null ? '' : id(machine, view)) },
  { key: 'consistency', extra: true, text: ({ consistency }) => consistency ?? '' },
  { key: 'changed', extra: true, text: ({ changed }) => yesNo(changed) },
  { key: 'sha256', extra: true, text: ({ sha256 }) => sha256 ?? '' },
  { key: 'project', extra: true, text: ({ project }) => project },
]

/** All that has a volume. */
export function describeUsers({ instances, others }: VolumeBody): string {
  return [...instances, ...others].join(',')
}

export const unreadableColumns: readonly Column<UnreadableBody>[] = [
  { key: 'key', text: (record) => record.key },
  { key: 'unfit', text: (record) => record.unfit },
  { key: 'problem', cut: true, text: (record) => record.problem },
  { key: 'kind', extra: true, text: (record) => record.kind },
  { key: 'revision', extra: true, right: true, text: (record) => String(record.revision) },
]

/** A unit on one machine, or on none yet. */
export type UnitRow = UnitBody | (Omit<UnitBody, keyof UnitOnMachine> & UnitOnMachine)

/** As `fleetctl list-units` shows them. */
export const unitColumns: readonly Column<UnitRow>[] = [
  { key: 'name', text: (unit) => unit.name },
  { key: 'machine', text: (unit, view) => id(unit.machine, view) },
  { key: 'active', text: (unit) => unit.active ?? '' },
  { key: 'sub', text: (unit) => unit.sub ?? '' },
  { key: 'load', extra: true, text: (unit) => unit.load ?? '' },
  { key: 'desired', extra: true, text: (unit) => unit.desired },
  { key: 'driver', extra: true, text: (unit) => unit.driver ?? '' },
  { key: 'instance', extra: true, text: (unit) => unit.instance ?? '' },
  { key: 'hash', extra: true, text: (unit, view) => id(unit.hash, view) },
  { key: 'reason', extra: true, text: (unit) => unit.reason },
]

/** As `fleetctl list-unit-files` shows them. */
export const unitFileColumns: readonly Column<UnitBody>[] = [
  { key: 'name', text: (unit) => unit.name },
  { key: 'hash', text: (unit, view) => id(unit.hash, view) },
  { key: 'desired', text: (unit) => unit.desired },
  { key: 'state', text: (unit) => unit.state ?? '' },
  { key: 'machine', text: (unit, view) => id(unit.machine, view) },
  { key: 'global', extra: true, text: (unit) => yesNo(unit.global) },
  { key: 'instance', extra: true, text: (unit) => unit.instance ?? '' },
  { key: 'reason', extra: true, text: (unit) => unit.reason },
]

export const eventColumns: readonly Column<EventBody>[] = [
  { key: 'at', text: (event) => event.at },
  { key: 'kind', text: (event) => event.kind },
  { key: 'subject', text: subjectOf },
  { key: 'message', cut: true, text: (event) => event.message },
  { key: 'project', extra: true, text: (event) => event.project ?? '' },
  { key: 'machine', extra: true, text: (event, view) => id(event.machine, view) },
  { key: 'by', extra: true, text: (event) => event.by?.certificate ?? event.by?.user ?? '' },
  { key: 'client', extra: true, text: (event) => event.by?.client ?? '' },
  { key: 'address', extra: true, text: (event) => event.by?.address ?? '' },
  { key: 'id', extra: true, text: (event) => event.id },
]

export const taskColumns: readonly Column<TaskBody>[] = [
  { key: 'uuid', text: (task, view) => id(task.uuid, view) },
  { key: 'scope', text: (task) => task.scope },
  { key: 'task', text: (task) => task.task },
  { key: 'state', text: (task) => task.state },
  { key: 'target', text: (task, view) => describeTarget(task, view) },
  { key: 'age', right: true, text: (task, view) => age(task.createdAt, view) },
  { key: 'error', cut: true, text: (task) => task.error ?? '' },
  { key: 'by', extra: true, text: (task) => task.by?.user ?? '' },
  { key: 'createdAt', extra: true, text: (task) => task.createdAt },
  { key: 'finishedAt', extra: true, text: (task) => task.finishedAt ?? '' },
]

function describeTarget({ target }: TaskBody, view: CellView): string {
  return target === null ? '' : `${target.scale} of ${id(target.version, view)}`
}

export const versionColumns: readonly Column<VersionOfService>[] = [
  { key: 'ordinal', right: true, text: (version) => String(version.ordinal) },
  { key: 'uuid', text: (version, view) => id(version.uuid, view) },
  { key: 'current', text: (version) => yesNo(version.current) },
  { key: 'createdAt', text: (version) => version.createdAt },
  { key: 'sha1', text: (version, view) => id(version.sha1, view) },
]

export const registryColumns: readonly Column<RegistryBody>[] = [
  { key: 'host', text: (registry) => registry.host },
  { key: 'username', cut: true, text: (registry) => registry.username },
  { key: 'updatedAt', text: (registry) => registry.updatedAt },
]

export const metaColumns: readonly Column<MetaBody>[] = [
  { key: 'key', text: (meta) => meta.key },
  { key: 'value', cut: true, text: describeMetaValue },
  { key: 'casId', text: (meta) => meta.casId },
  { key: 'secret', extra: true, text: (meta) => yesNo(meta.secret) },
  { key: 'updatedAt', extra: true, text: (meta) => meta.updatedAt },
]

export const scheduleColumns: readonly Column<ScheduleBody>[] = [
  { key: 'service', text: (schedule) => schedule.service },
  { key: 'expression', cut: true, text: (schedule) => schedule.expression },
  { key: 'timezone', cut: true, text: (schedule) => schedule.timezone ?? '' },
  { key: 'next', text: (schedule) => schedule.next ?? '' },
  { key: 'last', cut: true, text: (schedule) => schedule.last ?? '' },
  { key: 'started', right: true, text: (schedule) => String(schedule.started) },
  { key: 'skipped', right: true, text: (schedule) => String(schedule.skipped) },
  { key: 'missed', right: true, text: (schedule) => String(schedule.missed) },
  { key: 'overlap', extra: true, text: (schedule) => schedule.overlap },
  { key: 'kind', extra: true, text: (schedule) => schedule.kind },
  { key: 'waiting', extra: true, text: (schedule) => schedule.waiting ?? '' },
]

export const runColumns: readonly Column<RunBody>[] = [
  { key: 'dueAt', text: (run) => run.dueAt },
  { key: 'service', text: (run) => run.service },
  { key: 'outcome', text: (run) => run.outcome },
  { key: 'instance', text: (run) => run.instance ?? '' },
  { key: 'endedAt', cut: true, text: (run) => run.endedAt ?? '' },
  { key: 'result', cut: true, text: (run) => run.result },
  {
    key: 'set',
    extra: true,
    cut: true,
    text: ({ set = {} }) =>
      Object.entries(set)
        .map(([key, value]) => `${key}=${value}`)
        .join(' '),
  },
  { key: 'body', extra: true, cut: true, text: ({ body }) => describeBody(body) },
  { key: 'by', extra: true, text: (run) => run.by },
  { key: 'decidedAt', extra: true, text: (run) => run.decidedAt },
  { key: 'exitCode', extra: true, right: true, text: (run) => String(run.exitCode ?? '') },
]

/** By names alone: nobody is shown the values. */
function describeBody(body: RunBody['body']): string {
  if (body === undefined) return ''
  const what = body.as === 'file' ? 'file' : body.variables.join(' ')
  return `${what} (${body.bytes} B)`
}

export const webhookColumns: readonly Column<WebhookBody>[] = [
  { key: 'service', text: (webhook) => webhook.service },
  { key: 'url', cut: true, text: (webhook) => webhook.url },
  { key: 'state', text: (webhook) => webhook.state },
  { key: 'queued', right: true, text: (webhook) => String(webhook.queued) },
  { key: 'dead', right: true, text: (webhook) => String(webhook.dead) },
  { key: 'reason', cut: true, text: (webhook) => webhook.reason },
  { key: 'events', extra: true, text: (webhook) => webhook.events.join(',') },
  { key: 'failures', extra: true, right: true, text: (webhook) => String(webhook.failures) },
  { key: 'lost', extra: true, right: true, text: (webhook) => String(webhook.lost) },
  { key: 'nextAt', extra: true, text: (webhook) => webhook.nextAt ?? '' },
  { key: 'uuid', extra: true, text: (webhook, view) => id(webhook.uuid, view) },
]

export const deliveryColumns: readonly Column<DeliveryBody>[] = [
  { key: 'createdAt', text: (delivery) => delivery.createdAt },
  { key: 'event', text: (delivery) => delivery.event },
  { key: 'subject', cut: true, text: (delivery) => delivery.subject },
  { key: 'state', text: (delivery) => delivery.state },
  { key: 'attempts', right: true, text: (delivery) => String(delivery.attemptCount) },
  { key: 'status', right: true, text: ({ attempts }) => String(attempts.at(-1)?.status ?? '') },
  { key: 'error', cut: true, text: ({ attempts }) => attempts.at(-1)?.error ?? '' },
  { key: 'url', extra: true, text: (delivery) => delivery.url },
  { key: 'service', extra: true, text: (delivery) => delivery.service },
  { key: 'nextAt', extra: true, text: (delivery) => delivery.nextAt ?? '' },
  { key: 'id', extra: true, text: (delivery) => delivery.id },
]

/** What is shown of a value. */
export function describeMetaValue({ value }: MetaBody): string {
  return value ?? '(secret)'
}

/** What a row is called, for `-q`. */
export const nameOf = {
  project: (project: ProjectBody): string => project.name,
  service: (service: ServiceBody): string => service.name,
  instance: (instance: InstanceBody): string => instance.name,
  machine: (machine: MachineBody): string => machine.id,
  image: (image: MachineImageBody): string => image.id,
  volume: (volume: VolumeBody): string => volume.uuid,
  volumeBackup: ({ id, to, dueAt }: VolumeBackupBody): string => id ?? to ?? dueAt,
  unit: (unit: Pick<UnitBody, 'name'>): string => unit.name,
  event: (event: EventBody): string => event.id,
  task: (task: TaskBody): string => task.uuid,
  version: (version: VersionOfService): string => version.uuid,
  meta: (meta: MetaBody): string => meta.key,
  registry: (registry: RegistryBody): string => registry.host,
  entry: ({ host, path, tcp }: EntryBody): string => (path === null ? `tcp:${tcp}` : `${host ?? '*'}${path}`),
  named: (named: DnsInstanceBody): string => named.name,
  schedule: (schedule: ScheduleBody): string => schedule.service,
  run: (run: RunBody): string => run.instance ?? run.dueAt,
  webhook: (webhook: WebhookBody): string => webhook.url,
  delivery: (delivery: DeliveryBody): string => delivery.id,
  unreadable: (record: UnreadableBody): string => record.key,
} as const

/** `a=1,b=2`; metadata and labels in one line. */
export function describeMetadata(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
}

/** What an event is about, as far as that has a name. */
function subjectOf({ instance, service, data }: EventBody): string {
  return instance ?? service ?? data?.unit ?? ''
}

function id(value: string | null, view: CellView): string {
  return value === null ? '' : view.full ? value : value.slice(0, 8)
}

function age(at: string, view: CellView): string {
  return describeAge(Date.parse(at), view.now)
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
