// The canonical service manifest: one description from which come the type, the check, the published JSON Schema and
// the reference page. The keys are described by subject in the files beside it.
import * as Type from 'typebox'
import { after, dnsLabel } from './schema-after.js'
import { entry } from './schema-entry.js'
import { files } from './schema-files.js'
import { initSteps, initTimeout } from './schema-init.js'
import { healthchecks, restart, schedule, stop } from './schema-life.js'
import {
  capAdd,
  capDrop,
  cpu,
  devices,
  extraHosts,
  gpus,
  groupAdd,
  hostname,
  init,
  log,
  memorySwap,
  noNewPrivileges,
  pids,
  privileged,
  readOnly,
  shmSize,
  stopSignal,
  sysctls,
  ulimits,
} from './schema-limits.js'
import { cns, containerpilot, dns, dnsSearch, ports } from './schema-network.js'
import { affinity, labels, memory, packageName, spread } from './schema-placement.js'
import {
  command,
  computeType,
  entrypoint,
  environment,
  image,
  pull,
  user,
  workingDir,
} from './schema-program.js'
import { concurrency, retries, runTimeout } from './schema-runs.js'
import { autoscale, triggers, webhooks } from './schema-scaling.js'
import { volumes } from './schema-volumes.js'
import { oneOf } from './schema-words.js'

const name = Type.String({
  fixed: true,
  pattern: dnsLabel,
  expected: 'a DNS label: a-z, 0-9 and -, at most 63 characters',
  title: 'Name',
  description:
    'The name of the service, unique in its project. Without it: the key in `services:`, the name given on the command line, or the base name of the file.',
  examples: ['web'],
})

const description = Type.String({
  minLength: 1,
  maxLength: 1000,
  expected: 'a text of at most 1000 characters',
  title: 'Description',
  description: 'The purpose of the service, in a line or two: shown by `service get`, without other effect.',
  examples: ['The shop, as its customers see it'],
})

const serviceType = oneOf(['continuous', 'scheduled', 'event'], {
  fixed: true,
  title: 'Service type',
  description:
    '`continuous` services are kept running at their scale. `event` services run one instance per `service start` or trigger URL, `scheduled` ones one per firing of their `schedule`.',
  default: 'continuous',
})

export const serviceManifestSchema = Type.Object(
  {
    name,
    description: Type.Optional(description),
    service_type: serviceType,
    after: Type.Optional(after),
    compute_type: computeType,
    image: Type.Optional(image),
    pull: Type.Optional(pull),
    package: Type.Optional(packageName),
    memory: Type.Optional(memory),
    memory_swap: Type.Optional(memorySwap),
    cpu: Type.Optional(cpu),
    pids: Type.Optional(pids),
    ulimits: Type.Optional(ulimits),
    shm_size: Type.Optional(shmSize),
    command: Type.Optional(command),
    entrypoint: Type.Optional(entrypoint),
    init_steps: Type.Optional(initSteps),
    init_timeout: Type.Optional(initTimeout),
    environment,
    user: Type.Optional(user),
    group_add: Type.Optional(groupAdd),
    working_dir: Type.Optional(workingDir),
    hostname: Type.Optional(hostname),
    extra_hosts: Type.Optional(extraHosts),
    init: Type.Optional(init),
    read_only: Type.Optional(readOnly),
    cap_add: Type.Optional(capAdd),
    cap_drop: Type.Optional(capDrop),
    no_new_privileges: Type.Optional(noNewPrivileges),
    privileged: Type.Optional(privileged),
    devices: Type.Optional(devices),
    gpus: Type.Optional(gpus),
    sysctls: Type.Optional(sysctls),
    volumes,
    files,
    ports,
    dns,
    'dns-search': dnsSearch,
    cns: Type.Optional(cns),
    entry: Type.Optional(entry),
    labels,
    affinity,
    spread: Type.Optional(spread),
    concurrency: Type.Optional(concurrency),
    timeout: Type.Optional(runTimeout),
    retries: Type.Optional(retries),
    restart,
    stop,
    stop_signal: Type.Optional(stopSignal),
    log: Type.Optional(log),
    healthchecks: Type.Optional(healthchecks),
    containerpilot: Type.Optional(containerpilot),
    autoscale: Type.Optional(autoscale),
    triggers,
    webhooks,
    schedule: Type.Optional(schedule),
  },
  {
    title: 'Service manifest',
    description: 'The program of one service, and how it is run.',
    additionalProperties: false,
    needs: [],
    aliases: { tags: 'labels', dns_search: 'dns-search' },
    expected: 'a map of manifest keys',
  },
)

/** A service manifest in canonical form: every default filled in, every loose form resolved. */
export type ServiceManifest = Type.Static<typeof serviceManifestSchema>
/** A health check of a manifest. */
export type ManifestHealthcheck = NonNullable<ServiceManifest['healthchecks']>[number]
/** A volume of a manifest. */
export type ManifestVolume = ServiceManifest['volumes'][number]
export type ManifestFile = ServiceManifest['files'][number]
/** A route of the entry as the manifest has it. */
export type ManifestEntry = NonNullable<ServiceManifest['entry']>[number]
export type ManifestPort = ServiceManifest['ports'][number]
/** An affinity rule as the manifest has it. */
export type AffinityRule = ServiceManifest['affinity'][number]
export type ManifestTrigger = ServiceManifest['triggers'][number]
export type ManifestWebhook = ServiceManifest['webhooks'][number]
