// Builders of the contract's JSON: only what a test is about stays visible.

import type {
  DeployedService,
  InstanceBody,
  LogRecord,
  MachineBody,
  ProjectBody,
  ServiceBody,
  TaskBody,
  TaskProgress,
  UnitBody,
} from '../../src/contract/contract.js'
import type { MachineId } from '../../src/model/machine.js'
import { projectUuid } from '../../src/model/project.js'

export const machineId = '0123456789abcdef0123456789abcdef' as MachineId
export const versionUuid = '11111111-2222-5333-8444-555555555555'

export function aService(changes: Partial<ServiceBody> = {}): ServiceBody {
  return {
    name: 'web',
    uuid: 'aaaaaaaa-bbbb-5ccc-8ddd-eeeeeeeeeeee',
    project: 'default',
    type: 'continuous',
    scale: 3,
    running: 3,
    healthy: 3,
    version: versionUuid,
    ordinal: 2,
    image: 'nginx:1.27',
    status: 'running',
    frozen: false,
    autoscaled: false,
    reason: '',
    restarts: 0,
    nextTryAt: null,
    ...changes,
  }
}

export function anInstance(changes: Partial<InstanceBody> = {}): InstanceBody {
  const name = changes.name ?? 'web-1'
  return {
    name,
    uuid: `uuid-of-${name}`,
    service: 'web',
    project: 'default',
    version: versionUuid,
    ordinal: 2,
    unit: `default.web.v2@${name.split('-').at(-1)}.service`,
    machine: machineId,
    state: 'running',
    health: 'unknown',
    createdAt: '2026-01-01T00:00:00.000Z',
    startedAt: '2026-01-01T00:00:01.000Z',
    address: '127.0.0.1',
    ports: ['32768:8080/tcp'],
    slot: null,
    pid: 4711,
    container: null,
    restarts: 0,
    nextTryAt: null,
    reason: '',
    ...changes,
  }
}

export function aTask(changes: Partial<TaskBody> = {}): TaskBody {
  return {
    uuid: 'task-1',
    scope: 'default/web',
    task: 'scale',
    state: 'active',
    target: { scale: 3, version: versionUuid },
    createdAt: '2026-01-01T00:00:00.000Z',
    finishedAt: null,
    error: null,
    by: null,
    done: 1,
    total: 3,
    ...changes,
  }
}

export function aLook(task: Partial<TaskBody>, changes: Partial<TaskProgress> = {}): TaskProgress {
  return { task: aTask(task), done: 0, total: 1, instances: [], logs: [], ...changes }
}

export function aDeployed(changes: Partial<DeployedService> = {}): DeployedService {
  return { service: 'web', outcome: 'created', version: versionUuid, ordinal: 1, task: 'task-1', ...changes }
}

export function aProject(changes: Partial<ProjectBody> = {}): ProjectBody {
  return {
    name: 'shop',
    uuid: projectUuid('shop'),
    status: 'running',
    serviceCount: 1,
    scale: 3,
    running: 3,
    healthy: 3,
    tags: {},
    frozen: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    reason: '',
    ...changes,
  }
}

export function aMachine(changes: Partial<MachineBody> = {}): MachineBody {
  return {
    id: machineId,
    hostname: 'north-1',
    ip: '192.0.2.1',
    metadata: { region: 'north' },
    capacity: { cpus: 4, memoryMb: 8192, diskMb: 100_000 },
    allocated: { memoryMb: 512, cpus: 1.5, units: 3 },
    units: 3,
    cordoned: false,
    state: 'up',
    since: null,
    downSince: null,
    awayUntil: null,
    certificates: [],
    clock: null,
    draining: false,
    drivers: ['process', 'docker'],
    driversAway: [],
    secretKeys: null,
    version: '0.1.0',
    leader: true,
    ...changes,
  }
}

export function aUnit(changes: Partial<UnitBody> = {}): UnitBody {
  const place = {
    machine: machineId,
    driver: 'process',
    load: 'loaded',
    active: 'active',
    sub: 'running',
  } as const
  return {
    state: 'launched',
    global: false,
    machines: [place],
    reason: '',
    name: 'default.web.v2@1.service',
    hash: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    desired: 'launched',
    machine: machineId,
    driver: 'process',
    load: 'loaded',
    active: 'active',
    sub: 'running',
    instance: 'web-1',
    ...changes,
  }
}

export function aLogRecord(changes: Partial<LogRecord> = {}): LogRecord {
  return { at: '2026-01-01T00:00:00.000Z', instance: 'web-1', stream: 'stdout', line: 'hello', ...changes }
}
