// Limits and rights of a manifest in its unit: a container's as Quadlet says them, those of a program of the machine as
// systemd does.
import type { ServiceManifest } from '../manifest/schema.js'
import { allCapabilities } from '../model/capability.js'
import {
  optionOfResource,
  printResourceLimit,
  type ResourceLimit,
  type ResourceName,
} from '../model/resource-limit.js'
import { pointer } from './problem.js'
import type { Section } from './section.js'
import { isOtherThanRoot } from './user.js'

/** The lines of [Container]. What Quadlet has no name for stands in `PodmanArgs=`, as Podman's own options. */
export function addContainerLimits(container: Section, manifest: ServiceManifest): void {
  const { pids, shm_size: shm, memory_swap: swap, cpu, hostname, stop_signal: signal, gpus } = manifest
  const { log } = manifest
  if (pids !== undefined) container.value('PidsLimit', String(pids))
  for (const [name, limit] of limitsOf(manifest))
    container.value('Ulimit', `${name}=${printResourceLimit(limit, '-1')}`)
  if (shm !== undefined) container.value('ShmSize', `${shm}M`)
  addEach(container, 'GroupAdd', 'group_add', manifest)
  if (hostname !== undefined) container.plain('HostName', { path: '/hostname', text: hostname })
  addEach(container, 'AddHost', 'extra_hosts', manifest)
  if (manifest.init === true) container.value('RunInit', 'yes')
  if (manifest.read_only === true) container.value('ReadOnly', 'yes')
  addEach(container, 'AddCapability', 'cap_add', manifest)
  addEach(container, 'DropCapability', 'cap_drop', manifest)
  addEach(container, 'AddDevice', 'devices', manifest)
  if (manifest.no_new_privileges === true) container.value('NoNewPrivileges', 'yes')
  for (const [name, text] of Object.entries(manifest.sysctls ?? {}))
    container.word('Sysctl', { path: pointer('sysctls', name), text: `${name}=${text}` })
  if (signal !== undefined) container.value('StopSignal', signal)
  if (log?.driver !== undefined) container.plain('LogDriver', { path: '/log/driver', text: log.driver })
  if (log?.max_size !== undefined) container.value('LogOpt', `max-size=${log.max_size}m`)
  if (log?.max_files !== undefined) container.value('LogOpt', `max-file=${log.max_files}`)
  for (const [name, text] of Object.entries(log?.options ?? {}))
    container.word('LogOpt', { path: pointer('log', 'options', name), text: `${name}=${text}` })
  if (cpu !== undefined) container.value('PodmanArgs', `--cpus=${cpu}`)
  if (swap !== undefined) container.value('PodmanArgs', `--memory-swap=${swap === -1 ? swap : `${swap}m`}`)
  if (gpus !== undefined) container.value('PodmanArgs', `--gpus=${gpus}`)
  if (manifest.privileged === true) container.value('PodmanArgs', '--privileged')
}

/** The lines of [Service]. `memoryMb`: how much of `memory_swap` is memory. */
export function addServiceLimits(service: Section, manifest: ServiceManifest, memoryMb: number | null): void {
  const { pids, shm_size: shm, memory_swap: swap, cpu, stop_signal: signal } = manifest
  if (cpu !== undefined) service.value('CPUQuota', `${Math.round(cpu * 10_000) / 100}%`)
  if (swap !== undefined)
    service.value('MemorySwapMax', swap === -1 ? 'infinity' : `${Math.max(0, swap - (memoryMb ?? 0))}M`)
  if (pids !== undefined) service.value('TasksMax', String(pids))
  for (const [name, limit] of limitsOf(manifest))
    service.value(optionOfResource(name), printResourceLimit(limit, 'infinity'))
  if (shm !== undefined)
    service.value('TemporaryFileSystem', `/dev/shm:mode=1777,nosuid,nodev,noexec,size=${shm}M`)
  addEach(service, 'SupplementaryGroups', 'group_add', manifest)
  if (manifest.read_only === true) service.value('ProtectSystem', 'strict')
  addCapabilities(service, manifest)
  for (const [index, device] of (manifest.devices ?? []).entries()) {
    const path = device.replace(/:.*$/, '')
    const rights = /:([rwm]+)$/.exec(device)?.[1] ?? 'rwm'
    service.plain('DeviceAllow', { path: pointer('devices', index), text: `${path} ${rights}` })
  }
  if (signal !== undefined) service.value('KillSignal', signal)
}

/** Whether a program of the machine gets no more than its manifest says: by default, where its user is another than root. */
export function isHeld({ no_new_privileges: held, user }: ServiceManifest): boolean {
  return held ?? isOtherThanRoot(user)
}

/**
 * Those that are dropped are not in the bounding set. Where `ALL` are, and where a user other than root is to get no more than it
 * has, the set is what is added.
 */
function addCapabilities(service: Section, manifest: ServiceManifest): void {
  const { cap_add: added = [], cap_drop: dropped = [], no_new_privileges: held } = manifest
  const words = (names: readonly string[]): string => names.map((name) => `CAP_${name}`).join(' ')
  const all = added.includes(allCapabilities)
  const isOnlyAdded =
    dropped.includes(allCapabilities) || (isHeld(manifest) && isOtherThanRoot(manifest.user))
  if (isHeld(manifest)) service.value('NoNewPrivileges', 'yes')
  else if (held === false) service.value('NoNewPrivileges', 'no')
  if (isOnlyAdded && !all) service.value('CapabilityBoundingSet', words(added))
  else if (dropped.length > 0) service.value('CapabilityBoundingSet', `~${words(dropped)}`)
  if (all) service.value('AmbientCapabilities', `~${words(dropped)}`)
  else if (added.length > 0) service.value('AmbientCapabilities', words(added))
}

function limitsOf({ ulimits = {} }: ServiceManifest): readonly (readonly [ResourceName, ResourceLimit])[] {
  return Object.entries(ulimits) as (readonly [ResourceName, ResourceLimit])[]
}

function addEach(
  section: Section,
  option: string,
  key: 'group_add' | 'extra_hosts' | 'cap_add' | 'cap_drop' | 'devices',
  manifest: ServiceManifest,
): void {
  for (const [index, text] of (manifest[key] ?? []).entries())
    section.plain(option, { path: pointer(key, index), text })
}
