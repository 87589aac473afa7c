// Which key of a manifest a line of its unit comes from.
import type { ServiceManifest } from '../manifest/schema.js'
import type { UnitFile, UnitOption } from '../unit/parse.js'
import { splitWords } from '../unit/words.js'
import { pointer } from './problem.js'

/** Keys of which a unit has a line for each entry, in their order. */
const listed: Readonly<Record<string, string>> = {
  AddCapability: 'cap_add',
  AddDevice: 'devices',
  AddHost: 'extra_hosts',
  DeviceAllow: 'devices',
  DNS: 'dns',
  DNSSearch: 'dns-search',
  DropCapability: 'cap_drop',
  ExecStartPre: 'init_steps',
  GroupAdd: 'group_add',
  PublishPort: 'ports',
}

/** Keys with one line, or with lines that cannot be told apart. */
const single: Readonly<Record<string, string>> = {
  AmbientCapabilities: 'cap_add',
  CapabilityBoundingSet: 'cap_drop',
  CPUQuota: 'cpu',
  Entrypoint: 'entrypoint',
  Exec: 'command',
  Group: 'user',
  HealthCmd: 'healthchecks',
  HostName: 'hostname',
  Image: 'image',
  KillSignal: 'stop_signal',
  LogDriver: 'log',
  LogOpt: 'log',
  MemorySwapMax: 'memory_swap',
  NoNewPrivileges: 'no_new_privileges',
  PidsLimit: 'pids',
  ProtectSystem: 'read_only',
  Pull: 'pull',
  ReadOnly: 'read_only',
  RunInit: 'init',
  ShmSize: 'shm_size',
  StopSignal: 'stop_signal',
  StopTimeout: 'stop',
  SupplementaryGroups: 'group_add',
  TasksMax: 'pids',
  TimeoutStartSec: 'init_timeout',
  TimeoutStopSec: 'stop',
  User: 'user',
  WorkingDir: 'working_dir',
  WorkingDirectory: 'working_dir',
  '--cpus': 'cpu',
  '--gpus': 'gpus',
  '--memory-swap': 'memory_swap',
  '--privileged': 'privileged',
}

/** Keys whose entries have names, which their lines begin with. */
const named: Readonly<Record<string, string>> = {
  Environment: 'environment',
  Label: 'labels',
  Sysctl: 'sysctls',
  Ulimit: 'ulimits',
}

/** The key of a manifest that a line of its unit comes from, as a JSON pointer; null where another one may be it. */
export function keyOfOption(option: UnitOption, unit: UnitFile, manifest: ServiceManifest): string | null {
  const { section } = option
  if (section === 'X-Mariposa') return keyOfSetting(option, unit, manifest)
  if (section === 'X-Fleet') return '/affinity'
  return section === 'Container' || section === 'Service' ? keyOfProgram(option, unit, manifest) : null
}

/** The key of a manifest that stands for the options of this name; null where nothing does. */
export function keyOfName(name: string): string | null {
  return ofName.get(name) ?? null
}

const ofName: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ...single, ...listed, ...named }),
  ['Conflicts', 'affinity'],
  ['ExecStart', 'command'],
  ['HealthCheck', 'healthchecks'],
  ['MachineMetadata', 'affinity'],
  ['Memory', 'memory'],
  ['Port', 'ports'],
  ['Restart', 'restart'],
  ['Volume', 'volumes'],
])

function keyOfProgram(option: UnitOption, unit: UnitFile, manifest: ServiceManifest): string | null {
  const { name, value } = option
  const index = indexOf(option, unit)
  if (name.startsWith('Limit')) return pointer('ulimits', name.slice('Limit'.length).toLowerCase())
  if (name === 'TemporaryFileSystem' && value.startsWith('/dev/shm:')) return '/shm_size'
  const mounts = mountsOf(name, manifest)
  if (mounts !== null) return pointer('volumes', ...mounts.slice(index, index + 1))
  if (name === 'InitImage') return pointer('init_steps', Number.parseInt(value, 10) - 1, 'image')
  const entries = named[name]
  if (entries !== undefined) return pointer(entries, nameOf(value))
  const list = listed[name]
  if (list !== undefined) return pointer(list, index)
  if (name === 'ExecStart') return manifest.entrypoint === undefined ? '/command' : '/entrypoint'
  const key = single[name === 'PodmanArgs' ? value.replace(/=.*$/s, '') : name]
  return key === undefined ? null : pointer(key)
}

function keyOfSetting(option: UnitOption, unit: UnitFile, manifest: ServiceManifest): string | null {
  const index = indexOf(option, unit)
  const { healthchecks = [], volumes } = manifest
  switch (option.name) {
    case 'Affinity':
    case 'Spread':
    case 'Memory':
    case 'Restart':
      return pointer(option.name.toLowerCase())
    case 'File':
      return pointer('files', index)
    case 'HealthCheck':
      return index < healthchecks.length ? pointer('healthchecks', index) : '/containerpilot'
    case 'Label':
      return pointer('labels', nameOf(option.value))
    case 'Port':
      return pointer('ports', index)
    case 'Preserve':
      return '/stop/preservestopped'
    case 'SlotVolume':
    case 'VolumeSize':
      return '/volumes'
    case 'Volume':
      return pointer(
        'volumes',
        ...indexesOf(volumes, ({ name }) => name !== undefined).slice(index, index + 1),
      )
    default:
      return null
  }
}

/** Which volumes of a manifest have a line of this name, in their order; null where none can have one. */
function mountsOf(name: string, { volumes }: ServiceManifest): readonly number[] | null {
  switch (name) {
    case 'BindPaths':
      return indexesOf(volumes, ({ host, readonly }) => host !== undefined && !readonly)
    case 'BindReadOnlyPaths':
      return indexesOf(volumes, ({ host, readonly }) => host !== undefined && readonly)
    case 'TemporaryFileSystem':
    case 'Tmpfs':
      return indexesOf(volumes, ({ tmpfs }) => tmpfs === true)
    case 'Volume':
      return indexesOf(volumes, ({ tmpfs }) => tmpfs !== true)
    default:
      return null
  }
}

function indexesOf<T>(list: readonly T[], is: (one: T) => boolean): readonly number[] {
  return list.flatMap((one, index) => (is(one) ? [index] : []))
}

/** How many lines of the same name and kind stand before an option. */
function indexOf(option: UnitOption, { options }: UnitFile): number {
  const alike = options.filter(({ section, name, value }) => {
    if (section !== option.section || name !== option.name) return false
    return name !== 'TemporaryFileSystem' || !value.startsWith('/dev/shm:')
  })
  return Math.max(0, alike.indexOf(option))
}

/** `NAME` of `NAME=VALUE`, quoted or not. */
function nameOf(value: string): string {
  return (splitWords(value).words[0] ?? '').split('=', 1)[0] ?? ''
}
