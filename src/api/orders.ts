// How each of our lists is sorted. No two entries of a list have the same key.

import type { UnreadableBody, VolumeBackupBody, VolumeBody } from '../contract/contract.js'
import type { NamedInstance } from '../dns/named-instance.js'
import type { AnyServed } from '../entry/routes.js'
import { claimOf } from '../model/entry.js'
import type { Machine } from '../model/machine.js'
import type { Meta } from '../model/meta.js'
import type { RegistryLogin } from '../model/registry-login.js'
import type { Run, ScheduleState } from '../model/schedule.js'
import type { Instance, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { DesiredUnit } from '../model/unit.js'
import { volumeKey } from '../model/volume.js'
import type { Delivery, Receiver } from '../model/webhook.js'
import type { Order } from './paging.js'

export const projectOrder: Order<string> = { list: 'projects', keyOf: (name) => [name] }

export const serviceOrder: Order<Service> = { list: 'services', keyOf: ({ name }) => [name] }

/** The newest first. */
export const versionOrder: Order<ServiceVersion> = {
  list: 'versions',
  keyOf: ({ ordinal }) => [ordinal],
  descending: true,
}

export const instanceOrder: Order<Instance> = {
  list: 'instances',
  keyOf: ({ service, n }) => [service, n],
}

export const namedInstanceOrder: Order<NamedInstance> = {
  list: 'dns',
  keyOf: ({ instance }) => instanceOrder.keyOf(instance),
}

export const entryOrder: Order<AnyServed> = {
  list: 'entry',
  keyOf: ({ route, service }) => [claimOf(route), service],
}

export const machineOrder: Order<Machine> = { list: 'machines', keyOf: ({ id }) => [id] }

export const unitOrder: Order<DesiredUnit> = { list: 'units', keyOf: ({ name }) => [name] }

/** The oldest first. */
export const taskOrder: Order<Task> = {
  list: 'tasks',
  keyOf: ({ createdAt, uuid }) => [createdAt, uuid],
}

export const registryOrder: Order<RegistryLogin> = { list: 'registries', keyOf: ({ host }) => [host] }

export const metaOrder: Order<Meta> = { list: 'meta', keyOf: ({ key }) => [key] }

export const receiverOrder: Order<Receiver> = {
  list: 'webhooks',
  keyOf: ({ service, webhook, uuid }) => [service, webhook.url, uuid],
}

/** The newest first. */
export const deliveryOrder: Order<Delivery> = {
  list: 'deliveries',
  keyOf: ({ sequence, receiver }) => [sequence, receiver],
  descending: true,
}

export const scheduleOrder: Order<ScheduleState> = { list: 'schedules', keyOf: ({ service }) => [service] }

/** The newest first. */
export const runOrder: Order<Run> = {
  list: 'runs',
  // Of those that are due at one moment the newest are those with the highest numbers.
  keyOf: ({ dueAt, service, instance }) => [
    -dueAt,
    service,
    instance === null ? 0 : -Number(instance.slice(service.length + 1)),
  ],
}

export const unreadableOrder: Order<UnreadableBody> = { list: 'unreadable', keyOf: ({ key }) => [key] }

export const volumeOrder: Order<VolumeBody> = {
  list: 'volumes',
  keyOf: (volume) => [volumeKey(volume), volume.hostname, volume.uuid],
}

/** By volume, the next firing last. */
export const volumeBackupOrder: Order<VolumeBackupBody> = {
  list: 'volume-backups',
  keyOf: (one) => [
    volumeKey(one),
    one.hostname ?? '',
    one.result === 'planned' ? 1 : 0,
    one.endedAt ?? '9',
    one.dueAt,
    one.result,
  ],
}
