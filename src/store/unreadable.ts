// What of a service, or of a unit, cannot be read: then nothing is decided about it.
import { abridgedMessage } from '../lib/abridge.js'
import type { UnitName } from '../model/unit.js'
import type { Unreadable } from './quarantine.js'
import { placedUnitOf, prefixes } from './records.js'
import type { ClusterView, ServiceKey } from './view.js'

/** What of a service cannot be read: its planner leaves it alone as long as there is any. */
export function unreadableOf(view: ClusterView, service: ServiceKey): readonly Unreadable[] {
  if (view.unreadable.size === 0) return none
  return [...view.unreadable.values()].filter((one) => isAbout(view, service, one))
}

/** What of a unit cannot be read: its record, its place or its text. It stays where it is and as it is. */
export function unreadableOfUnit(view: ClusterView, unit: UnitName): readonly Unreadable[] {
  if (view.unreadable.size === 0) return none
  const text = view.units.get(unit)?.hash
  return [...view.unreadable.values()].filter(
    ({ kind, entry }) =>
      placedUnitOf(entry.key) === unit || (kind === 'file' && entry.key.slice(prefixes.file.length) === text),
  )
}

/** Why nothing is decided, in one line; `''` where all can be read. */
export function describeUnreadable([first, ...others]: readonly Unreadable[]): string {
  if (first === undefined) return ''
  const more = others.length === 0 ? '' : ` (nor ${others.length} more)`
  return `nothing is decided about it: the record ${first.entry.key}${more} cannot be read: ${abridgedMessage(first.problem)}`
}

const none: readonly Unreadable[] = []

/** Whether there is no such service; one that cannot be read is there. */
export function isGone(view: ClusterView, service: ServiceKey): boolean {
  return !view.services.has(service) && !view.unreadable.has(`${prefixes.service}${service}`)
}

function isAbout(view: ClusterView, service: ServiceKey, { kind, entry, ...rest }: Unreadable): boolean {
  if (kind === 'leader' || kind === 'outbox') return false
  const name = entry.key.slice(prefixes[kind].length)
  switch (kind) {
    case 'service':
    case 'version':
    case 'instance':
    case 'run':
    case 'schedule':
    case 'trigger':
    case 'volume':
    case 'scaling':
      return name === service || name.startsWith(`${service}/`)
    case 'unit':
    case 'placement':
    case 'waiting':
      return isOfUnit(view, service, name.split('/')[0] ?? '')
    case 'report':
      return isOfUnit(view, service, name.split('/')[1] ?? '')
    case 'file':
      return runsFile(view, service, name)
    case 'meta':
      return asksFor(view, service, name)
    case 'task':
      return rest.service === service
    case 'project':
    case 'machine':
    case 'order':
    case 'metrics':
    case 'event':
    case 'receiver':
    case 'delivery':
    case 'backup':
    case 'registryLogin':
    // The run that it is for does not start, and says so.
    case 'callBody':
    case 'knownMachine':
    case 'clockCall':
    case 'clockReading':
    case 'clockOffset':
    case 'entryIdle':
      return false
  }
}

function isOfUnit(view: ClusterView, service: ServiceKey, name: string): boolean {
  const instance = view.instances.get(name as UnitName)
  return instance !== undefined && `${instance.project}/${instance.service}` === service
}

function runsFile(view: ClusterView, service: ServiceKey, hash: string): boolean {
  if (view.versionsOf(service).some((version) => version.hash === hash)) return true
  return view.allInstancesOf(service).some(({ unit }) => view.units.get(unit)?.hash === hash)
}

/** `name` is that of the key: the project and a key of its metadata. */
function asksFor(view: ClusterView, service: ServiceKey, name: string): boolean {
  const [project = ''] = service.split('/')
  if (!name.startsWith(`${project}/`)) return false
  const key = name.slice(project.length + 1)
  return view.versionsOf(service).some(({ meta }) => meta.includes(key))
}
