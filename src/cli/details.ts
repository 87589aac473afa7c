// Single things as text for people: a service, a unit, an explanation.
import type {
  DnsLookupBody,
  ExplainBody,
  ExplainedInstance,
  ExplainedMachine,
  ExplainedUnit,
  MachineDetails,
  MachineUnitBody,
  ProjectDetails,
  ServiceDetails,
  TriggerUrlBody,
  UnitDetails,
  UnitOnMachine,
  VersionDetails,
  VolumeBackupBody,
  VolumeBody,
} from '../contract/contract.js'
import type { DiffLine } from '../lib/line-diff.js'
import { describeAhead } from '../model/clock.js'
import { describeSize } from '../model/pull.js'
import {
  describeDrivers,
  describeMetadata,
  describeUsers,
  instanceColumns,
  serviceColumns,
} from './columns.js'
import { describeAge } from './duration.js'
import { describeMetricTrigger } from './metric-trigger.js'
import type { Paint } from './paint.js'
import type { CellView, Column } from './table.js'
import { chooseColumns, printable, renderTable } from './table.js'

/** A project with its services. */
export function describeProject(project: ProjectDetails, view: CellView): string {
  const facts: readonly Fact[] = [
    ['Project', project.name],
    ['Uuid', project.uuid],
    ['Status', project.reason === '' ? project.status : `${project.status}: ${project.reason}`],
    ['Frozen', project.frozen ? 'yes: mariposa queue unfreeze lifts it' : ''],
    ['Scale', `${project.scale}, ${project.running} running, ${project.healthy} healthy`],
    ['Tags', describeMetadata(project.tags)],
    ['Meta', project.meta === 0 ? '' : `${project.meta} key${project.meta === 1 ? '' : 's'}`],
    ['Created', project.createdAt ?? ''],
  ]
  const { chosen } = chooseColumns(serviceColumns, { columns: null, long: view.full })
  const services = renderTable(chosen, project.services, { header: true, view })
  return renderFacts(facts) + (project.services.length === 0 ? '' : `\n${services}`)
}

/** A service with its versions and instances. */
export function describeService(service: ServiceDetails, view: CellView): string {
  const facts: readonly Fact[] = [
    ['Service', `${service.name} (${service.type})`],
    ['Project', service.project],
    ['Uuid', service.uuid],
    ['Status', service.reason === '' ? service.status : `${service.status}: ${service.reason}`],
    ['Scale', `${service.scale}, ${service.running} running, ${service.healthy} healthy`],
    ['Restarts', service.restarts === 0 ? '' : String(service.restarts)],
    ['Next try', service.nextTryAt ?? ''],
    ['Version', `${service.ordinal} (${service.version})`],
    ['Drifted', (service.drifted ?? []).join(', ')],
    ['Restart held', service.restartHeld ?? ''],
    ['Image', service.image],
    ['Created', `${service.createdAt} (${describeAge(Date.parse(service.createdAt), view.now)} ago)`],
    ['Manifest', service.file],
    ...(service.triggers ?? []).map(
      (trigger) => ['Trigger', describeMetricTrigger(trigger, view.now)] as const,
    ),
    ...(service.triggerUrls ?? []).map(describeTrigger),
  ]
  const { chosen } = chooseColumns(instanceColumns, { columns: null, long: view.full })
  const instances = renderTable(chosen, service.instances, { header: true, view })
  return renderFacts(facts) + (service.instances.length === 0 ? '' : `\n${instances}`)
}

function describeTrigger({ name, action, body, path, url, calls, lastCalledAt }: TriggerUrlBody): Fact {
  const called =
    lastCalledAt === null
      ? 'never called'
      : `called ${calls === 1 ? 'once' : `${calls} times`}, last ${lastCalledAt}`
  const handsOn = body === undefined ? '' : `, body as ${body}`
  return ['Trigger', `${name}: ${action}${handsOn}, POST ${url ?? path} (${called})`]
}

/** A version with its manifest. */
export function describeVersion(version: VersionDetails, view: CellView): string {
  const facts: readonly Fact[] = [
    ['Version', `${version.ordinal} of ${version.service}${version.current ? ' (current)' : ''}`],
    ['Uuid', version.uuid],
    ['Image', version.image],
    ['Pinned', version.pinned ?? ''],
    ['Instances', String(version.instances)],
    ['Created', `${version.createdAt} (${describeAge(Date.parse(version.createdAt), view.now)} ago)`],
    ['Manifest', version.file],
    ['Sha1', version.sha1],
  ]
  return `${renderFacts(facts)}\n${version.manifest}`
}

/** Lines that differ, with a sign in front; a line of dots where equal ones are left out. */
export function describeDiff(lines: readonly (DiffLine | null)[], paint: Paint): string {
  if (!lines.some((line) => line !== null && line.kind !== 'same')) return 'no difference\n'
  const tones = {
    same: (text: string) => `  ${text}`,
    gone: (text: string) => paint.bad(`- ${text}`),
    new: (text: string) => paint.good(`+ ${text}`),
  }
  return lines.map((line) => `${line === null ? paint.faint('  …') : tones[line.kind](line.text)}\n`).join('')
}

/** A unit in the manner of `systemctl status`. */
export function describeUnit(unit: UnitDetails, view: CellView): string {
  const facts: readonly Fact[] = [
    ['Unit', unit.name],
    ['Loaded', `${unit.load ?? 'not loaded'}${unit.driver === null ? '' : ` (${unit.driver})`}`],
    ['Active', describeActive(unit, view)],
    ['Desired', unit.desired],
    ['State', unit.state ?? ''],
    ['Machine', unit.global ? '' : (unit.machine ?? 'none')],
    ...(unit.global ? unit.machines.map(describePlace) : []),
    ['Instance', unit.instance ?? ''],
    ['Main PID', unit.pid === null ? '' : String(unit.pid)],
    ['Container', unit.container ?? ''],
    ['Restarts', String(unit.restarts)],
    ['Next try', unit.nextTryAt ?? ''],
    ['Memory', unit.memoryBytes === null ? '' : `${(unit.memoryBytes / 1024 ** 2).toFixed(1)}M`],
    ['CPU', unit.cpuNs === null ? '' : `${(unit.cpuNs / 1e9).toFixed(3)}s`],
    ['Processes', unit.processes === null ? '' : String(unit.processes)],
    ['Hash', unit.hash],
    ['Reason', unit.reason],
  ]
  return renderFacts(facts)
}

/** One of the machines of a global unit. */
function describePlace({ machine, active, sub }: UnitOnMachine): Fact {
  return ['Machine', `${machine}  ${active === null ? 'not loaded yet' : `${active} (${sub ?? ''})`}`]
}

/** A machine with what is placed on it. */
export function describeMachine(machine: MachineDetails, view: CellView): string {
  const { capacity, allocated, placed } = machine
  const facts: readonly Fact[] = [
    ['Machine', machine.id],
    ['Hostname', machine.hostname],
    ['Address', machine.ip],
    ['State', describePresence(machine)],
    ['Metadata', describeMetadata(machine.metadata)],
    ['Memory', `${allocated.memoryMb} of ${capacity.memoryMb} MiB promised`],
    ['Cores', `${allocated.cpus} of ${capacity.cpus} promised`],
    ['Disk', `${capacity.diskMb} MiB`],
    ['Drivers', describeDrivers(machine).join(', ')],
    ['Cordoned', describeCordon(machine)],
    ['Secrets', describeSecretKeys(machine)],
    ['Clock', describeClock(machine)],
    ['Certificates', machine.certificates.map(describeCertificate).join(', ')],
    ['Leader', machine.leader ? 'yes' : 'no'],
    ['Version', machine.version],
    ['Units', String(placed.length)],
  ]
  const { chosen } = chooseColumns(placedColumns, { columns: null, long: view.full })
  const table = renderTable(chosen, placed, { header: true, view })
  return renderFacts(facts) + (placed.length === 0 ? '' : `\n${table}`)
}

/** A named volume. */
export function describeVolume(volume: VolumeBody, backup: VolumeBackupBody | null, view: CellView): string {
  const { name, project, service, machine, hostname, sizeBytes, usedBytes, createdAt } = volume
  return renderFacts([
    ['Volume', name],
    ['Uuid', volume.uuid],
    ['Service', service],
    ['Project', project],
    ['Machine', `${machine} (${hostname})`],
    ['Scope', volume.scope],
    ['Slot', volume.slot === null ? '' : String(volume.slot)],
    ['State', volume.state],
    ['Used by', describeUsers(volume)],
    ['Size', sizeBytes == null ? '' : describeSize(sizeBytes)],
    ['Holds', usedBytes === null ? '' : describeSize(usedBytes)],
    ['Created', `${createdAt} (${describeAge(Date.parse(createdAt), view.now)} ago)`],
    ['Backup', backup === null ? '' : describeBackup(backup, view)],
  ])
}

function describeBackup({ endedAt, to }: VolumeBackupBody, view: CellView): string {
  if (endedAt === null) return ''
  return `${endedAt} (${describeAge(Date.parse(endedAt), view.now)} ago): ${to ?? ''}`
}

function describePresence({ state, downSince, awayUntil }: MachineDetails): string {
  if (state === 'down') return downSince === null ? 'down' : `down since ${downSince}`
  return awayUntil === null
    ? 'up'
    : `away: its daemon was stopped; its instances are not started elsewhere until ${awayUntil}`
}

function describeCertificate({ use, expiresAt }: MachineDetails['certificates'][number]): string {
  return `${use} until ${expiresAt}`
}

function describeSecretKeys({ secretKeys }: MachineDetails): string {
  if (secretKeys === null) return ''
  const { fingerprints, problem } = secretKeys
  const has = fingerprints.length === 0 ? 'it has no key' : `key ${fingerprints.join(', ')}`
  if (problem === null) return has
  const why = problem === 'no-key' ? has : `${has}, which is not the one in use`
  return `${why}: it gets no instances with secrets`
}

function describeClock({ clock }: MachineDetails): string {
  if (clock === null) return ''
  const off = `${describeAhead(clock.aheadMs)} of those of the other machines`
  return clock.barsLead ? `${off}: it does not lead while another machine can` : off
}

function describeCordon({ cordoned, draining }: MachineDetails): string {
  if (draining) return 'yes: it is being drained'
  return cordoned ? 'yes: it takes no new units' : 'no'
}

const placedColumns: readonly Column<MachineUnitBody>[] = [
  { key: 'name', text: (unit) => unit.name },
  { key: 'active', text: (unit) => unit.active ?? '' },
  { key: 'sub', text: (unit) => unit.sub ?? '' },
]

/** Why instances are where they are, or machine by machine why they are nowhere. */
export function describeExplanation(explained: ExplainBody): string {
  const { name, because, instances, leftOut = 0 } = explained
  const service = because.map((reason) => `${printable(reason)}\n`)
  if (instances.length === 0) return [...service, `${name} has no instances\n`].join('')
  const more = `${leftOut} more instances are left out: mariposa service explain INSTANCE explains one\n`
  return [...service, ...instances.map(describeExplainedInstance), ...(leftOut > 0 ? [more] : [])].join('\n')
}

/** Why a unit is where it is, or machine by machine why it is nowhere. */
export function describeExplainedUnit({ name, desired, machine, because, machines }: ExplainedUnit): string {
  const where = machine === null ? '' : `, on ${machine.slice(0, 8)}`
  return renderExplained(`${name}: wanted ${desired}${where}`, because, machines)
}

type Fact = readonly [name: string, text: string]

function renderFacts(facts: readonly Fact[]): string {
  const known = facts.filter(([, text]) => text !== '')
  const width = Math.max(...known.map(([name]) => name.length))
  return known.map(([name, text]) => `${`${name}:`.padEnd(width + 2)}${printable(text)}\n`).join('')
}

function describeActive(unit: UnitDetails, view: CellView): string {
  const state = `${unit.active ?? 'unknown'}${unit.sub === null ? '' : ` (${unit.sub})`}`
  return unit.since === null
    ? state
    : `${state} since ${unit.since}, ${describeAge(Date.parse(unit.since), view.now)} ago`
}

function describeExplainedInstance({ name, state, machine, because, machines }: ExplainedInstance): string {
  const first = `${name}: ${state}${machine === null ? '' : ` on ${machine.slice(0, 8)}`}`
  return renderExplained(first, because, machines)
}

function renderExplained(
  first: string,
  because: readonly string[],
  machines: readonly ExplainedMachine[],
): string {
  const lines = [
    first,
    ...because.map((reason) => `  ${printable(reason)}`),
    ...machines.flatMap(describeAnswer),
  ]
  return `${lines.join('\n')}\n`
}

/** What a machine says, a line for each rule that speaks against it. */
function describeAnswer({
  machine,
  hostname,
  accepted,
  reason,
  reasons,
}: ExplainedMachine): readonly string[] {
  const head = `  ${accepted ? 'yes' : 'no '}  ${hostname} (${machine.slice(0, 8)})  `
  const [first = '', ...more] = accepted ? [reason] : reasons
  return [
    `${head}${printable(first)}`.trimEnd(),
    ...more.map((one) => `${' '.repeat(head.length)}${printable(one)}`),
  ]
}

/** What a name is answered with, as the lines of a zone file, and who is not in the answer. */
export function describeLookup(found: DnsLookupBody): string {
  const { name, type, code, answers, upstream, endpoints, instances } = found
  const lines = answers.map((one) => `${one.name} ${one.ttl} ${one.type} ${one.data}`)
  if (code === 'FORWARDED') {
    const others = upstream.length === 0 ? 'none: the host has no resolver' : upstream.join(', ')
    lines.push(`${name} is not a name of this cluster; it is forwarded to ${others}`)
  } else if (answers.length === 0) {
    const there = code === 'NXDOMAIN' ? 'there is no such name' : `the name has no records of type ${type}`
    lines.push(`${name}: ${there} (${code})`)
  }
  for (const { listed, name: instance, reason } of instances)
    if (reason !== '') lines.push(`${instance} is ${listed ? '' : 'not '}listed: ${reason}`)
  if (endpoints.length === 0) lines.push('this daemon answers no names: see --dns in its log')
  return `${lines.join('\n')}\n`
}
