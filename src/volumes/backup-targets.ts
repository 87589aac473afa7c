// Which volumes of a machine are to be backed up by schedule.
import type { VolumeBody } from '../contract/contract.js'
import type { Instant } from '../lib/time.js'
import type { BackupOf } from '../model/backup.js'
import type { MachineId } from '../model/machine.js'
import type { Service } from '../model/service.js'
import type { BackupPlan } from '../model/volume.js'
import { keys } from '../store/records.js'
import type { ClusterView } from '../store/view.js'
import { serviceKey } from '../store/view.js'

/** A volume with a plan. */
export interface BackupTarget {
  readonly of: BackupOf
  readonly key: string
  readonly plan: BackupPlan
  readonly service: Service
  /** When the version with the plan was deployed. */
  readonly deployedAt: Instant
}

type TargetView = Pick<ClusterView, 'services' | 'versions' | 'volumesOf'>

/** Whether any service has plans, so that its volumes have to be looked at. */
export function hasPlans({ services, versions }: TargetView): boolean {
  for (const { current, deleting } of services.values())
    if (!deleting && versions.get(current)?.volumeBackups?.some(({ plan }) => plan !== undefined)) return true
  return false
}

/**
 * The volumes of a machine that have a plan in the current version of their service: of slots as the store knows them, and
 * those that instances share as `here` has them.
 */
export function backupTargets(
  view: TargetView,
  machine: MachineId,
  here: readonly VolumeBody[],
): readonly BackupTarget[] {
  return [...view.services.values()].flatMap((service) => {
    const version = view.versions.get(service.current)
    if (version === undefined || service.deleting) return []
    return (version.volumeBackups ?? []).flatMap(({ name, plan }) => {
      if (plan === undefined) return []
      const isOfSlots = version.slotVolumes?.some((one) => one.name === name) === true
      const found = isOfSlots
        ? slotsOn(view, machine, service, name)
        : sharedHere(machine, service, name, here)
      return found.map((of) => ({
        ...{ of, plan, service, deployedAt: version.createdAt },
        key: keys.backup(of),
      }))
    })
  })
}

/** The plan of a volume in the current version of its service; undefined where there is none. */
export function planOf(
  { services, versions }: TargetView,
  { project, service, name }: BackupOf,
): BackupPlan | undefined {
  const version = versions.get(services.get(serviceKey(project, service))?.current ?? '')
  return version?.volumeBackups?.find((one) => one.name === name && one.plan !== undefined)?.plan
}

/** The machine where a volume is; null where nobody knows. */
export function machineOfBackup(
  view: Pick<ClusterView, 'volumesOf'>,
  { project, service, name, slot, machine }: BackupOf,
): MachineId | null {
  if (slot === null) return machine
  const volumes = view.volumesOf(serviceKey(project, service))
  return volumes.get(keys.volume(project, service, name, slot))?.machine ?? null
}

function slotsOn(
  view: TargetView,
  machine: MachineId,
  { project, name: service }: Service,
  name: string,
): readonly BackupOf[] {
  return [...view.volumesOf(serviceKey(project, service)).values()]
    .filter((one) => one.name === name && one.machine === machine)
    .map(({ slot }) => ({ project, service, name, slot, machine: null }))
}

function sharedHere(
  machine: MachineId,
  { project, name: service }: Service,
  name: string,
  here: readonly VolumeBody[],
): readonly BackupOf[] {
  const isIt = (one: VolumeBody): boolean =>
    one.project === project && one.service === service && one.name === name && one.slot === null
  return here.some(isIt) ? [{ project, service, name, slot: null, machine }] : []
}

/** The volume of a machine that a record is of now; null where there is none. */
export function volumeOfBackup(
  { project, service, name, slot }: BackupOf,
  here: readonly VolumeBody[],
): VolumeBody | null {
  return (
    here.find(
      (one) =>
        one.project === project &&
        one.service === service &&
        one.name === name &&
        one.slot === slot &&
        one.current,
    ) ?? null
  )
}

/** Why a volume is not backed up at the moment, though a backup of it is due; null where it may be. */
export function waitsFor({ work, state, incomplete }: VolumeBody): string | null {
  if (work !== null) return `it is held for a ${work}`
  if (state === 'moving' || state === 'lost') return `it is ${state}`
  return incomplete ? 'it is incomplete' : null
}
