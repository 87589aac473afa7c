// What runs in a project, for files that others make from it.
import { servicesOfProject } from '../changes/projects.js'
import type { DiscoveryBody } from '../contract/contract.js'
import { describeListing } from '../dns/listing.js'
import type { NameIndex } from '../dns/name-index.js'
import type { NamedInstance } from '../dns/named-instance.js'
import { type Answering, answeringAt, answersAt, portOfService } from '../dns/reach.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import { type CnsSuffixes, cnsName } from '../manifest/cns.js'
import type { DesiredUnit, PortBinding } from '../model/unit.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** What it is told from. */
interface ProjectAsked {
  readonly view: ClusterView
  readonly names: NameIndex
  readonly units: { needs(unit: DesiredUnit): { readonly labels: Readonly<Record<string, string>> } }
  readonly suffixes: CnsSuffixes
  readonly now: Instant
}

type DiscoveredService = DiscoveryBody['services'][number]
type DiscoveredInstance = DiscoveredService['instances'][number]

/** The services of a project with their instances, the machines, and the project's metadata without its secrets. */
export function projectDiscovery(asked: ProjectAsked, project: string): DiscoveryBody {
  const { view, names, now } = asked
  names.refresh(now)
  const meta = [...view.metaOf(project).values()].flatMap((one) =>
    one.secret ? [] : [[one.key, one.value] as const],
  )
  return {
    project,
    services: servicesOfProject(view, project)
      .toSorted(byKeys(({ name }) => name))
      .map(({ name, uuid }) => serviceOf(asked, { project, name, uuid })),
    machines: [...view.machines.values()]
      .map(({ id, hostname, ip, outside, metadata }) => {
        return { id, hostname, address: outside ?? (ip || null), metadata }
      })
      .toSorted(
        byKeys(
          ({ hostname }) => hostname,
          ({ id }) => id,
        ),
      ),
    meta: Object.fromEntries(meta.toSorted(byKeys(([key]) => key))),
  }
}

interface Of {
  readonly project: string
  readonly name: string
  readonly uuid: string
}

function serviceOf(asked: ProjectAsked, { project, name, uuid }: Of): DiscoveredService {
  const { view, names, suffixes, now } = asked
  const group = names.groupOf(project, name)
  const listed = new Set(group?.listed(now).all.map(({ of }) => of))
  const instances = view
    .instancesOf(serviceKey(project, name))
    .flatMap(({ unit }) => names.instanceOfUnit(unit) ?? [])
    .map((one) => instanceOf(asked, one, listed.has(one)))
  return { name, uuid, address: cnsName('svc', name, project, 'private', suffixes), instances }
}

function instanceOf(
  { view, units, now }: ProjectAsked,
  one: NamedInstance,
  listed: boolean,
): DiscoveredInstance {
  const { instance, listing, where } = one
  const unit = view.units.get(instance.unit)
  const ownPort = { label: '', port: null, priority: 0, weight: 0 }
  const at = answeringAt(where, (reach) => portOfService(where, reach, ownPort))
  return {
    name: instance.name,
    uuid: instance.uuid,
    listed,
    reason: describeListing(listing, now),
    version: view.versions.get(instance.version)?.ordinal ?? null,
    machine: where.machine?.id ?? null,
    hostname: where.machine?.hostname ?? null,
    address: at?.reach.address ?? null,
    port: at?.port ?? null,
    ports: at === null ? {} : portsAt(where.ports, at),
    labels: unit === undefined ? {} : { ...units.needs(unit).labels },
  }
}

function portsAt(ports: readonly PortBinding[], { reach }: Answering): Readonly<Record<string, number>> {
  return Object.fromEntries(
    ports
      .filter((one) => !reach.published || answersAt(one, reach))
      .map(({ container, host, protocol }) => [
        protocol === 'tcp' ? String(container) : `${container}/${protocol}`,
        reach.published ? host : container,
      ]),
  )
}
