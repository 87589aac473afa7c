import fc from 'fast-check'
import type {
  ManifestHealthcheck,
  ManifestPort,
  ManifestTrigger,
  ManifestWebhook,
  ServiceManifest,
} from '../../src/manifest/schema.js'
import { deferredPlaceholder, placementMark, placementVariables } from '../../src/manifest/variables.js'
import { capabilityNames } from '../../src/model/capability.js'
import { resourceNames } from '../../src/model/resource-limit.js'

const tricky = [
  '{{',
  '\\{{',
  '\\\\{{ .scale }}',
  '}}',
  '0755',
  '1.10',
  'no',
  '~',
  'null',
  'true',
  '',
  ' ',
  'a: b',
  ' #',
  '\n',
  '- x',
  '💥',
  '\\',
  '"',
  "'",
  '=',
  '$HOME',
  '%',
  '\t',
  '\u0085',
  '\u2028',
  '\uFEFF',
  '{',
  '<<',
  '*a',
  '&a',
  '!x',
  '|',
]
const fragment = fc.oneof(fc.constantFrom(...tricky), fc.string({ unit: 'grapheme', maxLength: 5 }))
/** Any text that a program could receive. */
export const text = fc
  .array(fragment, { maxLength: 4 })
  .map((parts) => parts.join('').replace(/[\0\uE000\uE001]|[\uD800-\uDFFF]/gu, '_'))
const mark = fc.constantFrom(...placementVariables).map(placementMark)
const placed = (marks: fc.Arbitrary<string>) =>
  fc.tuple(text, marks, text).map(([before, filled, after]) => `${before}${filled}${after}`)
const value = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: placed(mark) })

const key = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/),
  fc.constantFrom('__proto__', 'constructor', 'NO', 'null', 'y'),
)
const pairsOf = (values: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(key, values), { maxLength: 4, selector: ([name]) => name })
    .map((pairs) => Object.fromEntries(pairs))
const record = pairsOf(value)
/** What only an environment may hold. */
const late = fc.constantFrom(
  deferredPlaceholder('instance.uuid'),
  deferredPlaceholder('machine.ip'),
  deferredPlaceholder('meta.password'),
  deferredPlaceholder('machine.metadata.region'),
  ...['', 'eu', 'a "b" {{', "it's", '|'].map((fallback) =>
    deferredPlaceholder('machine.metadata.rack', fallback),
  ),
)
const environment = pairsOf(fc.oneof({ weight: 3, arbitrary: value }, placed(late)))
const argv = fc
  .tuple(fc.constantFrom('run', '/bin/x y'), fc.array(value, { maxLength: 4 }))
  .map(([first, rest]) => [first, ...rest])
const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/)
const hostPort = (container: number, process: boolean) =>
  process ? fc.constantFrom(0, container) : fc.constantFrom(undefined, container)

function ports(process: boolean): fc.Arbitrary<ManifestPort[]> {
  const port = fc.integer({ min: 1, max: 65_535 }).chain((container) =>
    fc.record({
      container: fc.constant(container),
      protocol: fc.constantFrom('tcp' as const, 'udp' as const),
      host: hostPort(container, process),
      ip: process
        ? fc.constant(undefined)
        : fc.option(fc.constantFrom('127.0.0.1', '::1', 'fe80::1:2', '::ffff:1.2.3.4'), { nil: undefined }),
    }),
  )
  return fc.uniqueArray(port.map(withoutUndefined), { maxLength: 4, selector: ({ container }) => container })
}

const timing = fc
  .tuple(
    fc.integer({ min: 100, max: 86_400_000 }),
    fc.integer({ min: 10, max: 3_600_000 }),
    fc.integer({ min: 1, max: 1_000 }),
    fc.record(
      {
        start_period: fc.integer({ min: 0, max: 86_400 }),
        start_interval: fc.integer({ min: 1, max: 86_400 }),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([pollMs, timeoutMs, retries, start]) => ({
    poll: pollMs / 1_000,
    timeout: Math.min(pollMs, timeoutMs) / 1_000,
    retries,
    ...start,
  }))
const check: fc.Arbitrary<ManifestHealthcheck> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('http' as const, 'https' as const),
      fc.integer({ min: 1, max: 65_535 }),
      value,
      timing,
    )
    .map(([type, port, path, times]) => ({ type, network: 'public', port, path: `/${path}`, ...times })),
  fc
    .tuple(fc.integer({ min: 1, max: 65_535 }), timing)
    .map(([port, times]) => ({ type: 'tcp' as const, network: 'public', port, ...times })),
  fc
    .tuple(argv, fc.option(fc.constantFrom('root', '0', 'no'), { nil: undefined }), timing)
    .map(([command, user, times]) => withoutUndefined({ type: 'command' as const, command, user, ...times })),
)

const restart = fc.oneof(
  fc.constantFrom('no', 'always', 'unless-stopped', 'on-failure').map((policy) => ({ policy })),
  fc.integer({ min: 1, max: 1_000_000 }).map((max) => ({ policy: 'on-failure', max })),
) as fc.Arbitrary<ServiceManifest['restart']>

const metric = fc
  .record({
    name: fc.constantFrom('up', 'High.ram-2', 'no'),
    source: fc.constantFrom(
      'containerpilot.latency',
      'containermonitor.mem_agg_usage',
      'service.web-2.containerpilot|containermonitor.dblatency',
    ),
    operator: fc.constantFrom('<', '<=', '>', '>=', '==', '!='),
    value: fc.oneof(fc.integer(), fc.constantFrom(0.3, 1e21, -2.5, 1e-7)),
    percent: fc.constant(false),
    time: fc.integer({ min: 1_000, max: 86_400_000 }).map((ms) => ms / 1_000),
    aggregate: fc.constantFrom('avg', 'min', 'max', 'sum', 'p90'),
    action: fc.constantFrom('increment', 'decrement'),
    instances: fc.integer({ min: 1, max: 10_000 }),
  })
  .map((given) => given as ManifestTrigger)
const url: fc.Arbitrary<ManifestTrigger> = fc.constantFrom(
  { name: 'call', url: true, secret: 'deadbeef', action: 'scale', scale: 0 },
  { name: 'call', url: true, action: 'scale', instances: -2 },
)
const triggers = fc.uniqueArray(fc.oneof(metric, url), { maxLength: 3, selector: ({ name: one }) => one })
const webhook: fc.Arbitrary<ManifestWebhook> = fc.record({
  url: fc.constantFrom('https://hooks.example/a?b=c', 'http://127.0.0.1:8080/'),
  events: fc.subarray(['start' as const, 'stop' as const, 'health' as const, 'deploy' as const], {
    minLength: 1,
  }),
  headers: fc.dictionary(key, text, { maxKeys: 2 }),
  allow_private: fc.boolean(),
})
const affinity = fc.array(
  fc
    .record({
      key: fc.constantFrom('instance', 'service', 'role', 'triton.cns-x'),
      operator: fc.constant('!=' as const),
      value: fc.constantFrom('db', 'web-*', '/^a b$/', 'no', '0755'),
      by: fc.constantFrom(undefined, 'rack'),
    })
    .map(withoutUndefined),
  { maxLength: 3 },
)
const autoscale = fc
  .tuple(fc.constantFrom('notify' as const, true, false), fc.nat(10), fc.nat(10), fc.nat(86_400_000))
  .map(([enable, min, more, delayMs]) => ({
    enable,
    min,
    max: min + more + 1,
    retrigger_delay: delayMs / 1_000,
    notify_email: ['ops@example.com'],
  }))
const schedule = fc.constantFrom(
  { kind: 'cron' as const, expression: '*/5 0-6 1,15 * mon-fri', overlap: 'skip' as const },
  {
    kind: 'interval' as const,
    expression: 'R5//P1M',
    epsilon: 90.5,
    timezone: 'Europe/Berlin',
    overlap: 'replace' as const,
  },
)

const volumePath = fc.constantFrom('/data', '/srv/100%', '/v/a,b', '/x')
const volumeMap = fc.oneof(
  fc.record({
    name: fc.constantFrom('data', 'Db_1', 'no'),
    path: volumePath,
    readonly: fc.boolean(),
    scope: fc.constantFrom('instance' as const, 'service' as const),
    on_lost: fc.option(fc.constantFrom('wait' as const, 'fresh' as const), { nil: undefined }),
    backup: fc.option(
      fc.oneof(
        fc.record({
          before_backup: fc.constantFrom(['dump'], ['sh', '-c', 'a "b" | c %n $D', '']),
          before_backup_timeout: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
        }),
        fc.record({
          schedule: fc.constantFrom(
            { kind: 'cron', expression: '30 2 * * *' },
            { kind: 'interval', expression: 'R//P1D', epsilon: 60, timezone: 'Europe/Vienna' },
          ),
          to: fc.constantFrom('/srv/backups', '/x'),
          keep: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
          consistency: fc.constantFrom(undefined, 'live'),
        }),
      ),
      { nil: undefined },
    ),
  }),
  fc.record({ host: fc.constantFrom('/', '/srv', '/etc/ssl'), path: volumePath, readonly: fc.boolean() }),
  fc.record({
    tmpfs: fc.constant(true),
    path: volumePath,
    readonly: fc.constant(false),
    size: fc.integer({ min: 1, max: 1_000 }),
  }),
)
/** No path and no name twice. */
const fileMap = (docker: boolean) =>
  fc.record({
    path: fc
      .tuple(fc.constantFrom('/run/secrets/', '/f/', ''), fc.stringMatching(/^[a-z0-9][a-z0-9._%-]{0,8}$/))
      .map((parts) => parts.join('')),
    template: fc.oneof(value, placed(late)),
    mode: fc.option(fc.constantFrom('0400', '0644'), { nil: undefined }),
    owner: fc.option(fc.constantFrom(...(docker ? ['0:0', '1000'] : ['nobody', 'root:daemon'])), {
      nil: undefined,
    }),
    secret: fc.option(fc.boolean(), { nil: undefined }),
  })
const files = (docker: boolean) =>
  fc.uniqueArray(fileMap(docker), { maxLength: 3, selector: ({ path }) => path })
const volumes = fc.uniqueArray(volumeMap, {
  maxLength: 3,
  comparator: (one, other) =>
    one.path === other.path || ('name' in one && 'name' in other && one.name === other.name),
})

const resourceLimit = fc.tuple(fc.nat(2 ** 40), fc.option(fc.nat(2 ** 40))).map(([soft, more]) => ({
  soft,
  hard: more === null ? -1 : soft + more,
}))
const ulimits = fc.dictionary(
  fc.constantFrom(...resourceNames),
  fc.oneof(resourceLimit, fc.constant({ soft: -1, hard: -1 })),
  { maxKeys: 3 },
)
const size = fc.integer({ min: 1, max: 100_000 })
/** No capability is added and dropped. */
const rights = fc
  .shuffledSubarray(['ALL', ...capabilityNames], { minLength: 0, maxLength: 6 })
  .chain((names) => fc.nat(names.length).map((at) => ({ add: names.slice(0, at), drop: names.slice(at) })))
const logs = fc.record(
  {
    driver: fc.constantFrom('json-file', 'journald', 'no'),
    max_size: size,
    max_files: fc.integer({ min: 1, max: 1_000 }),
    options: pairsOf(text),
  },
  { requiredKeys: ['max_size'] },
)

/** Limits and rights that a container and a program of the machine have in common, and those of a container. */
function limitsOf(process: boolean) {
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const ofContainer = <T>(arbitrary: fc.Arbitrary<T>) =>
    process ? fc.constant(undefined) : optional(arbitrary)
  const target = process ? [''] : ['', ':/dev/b']
  const signals = ['SIGINT', 'SIGRTMIN+3', 'SIGUSR1']
  return fc
    .record({
      cpu: optional(fc.integer({ min: 1, max: 100_000 }).map((hundredths) => hundredths / 100)),
      swap: optional(fc.oneof(size, fc.constant(-1))),
      pids: optional(fc.integer({ min: 1, max: 4_194_304 })),
      ulimits: optional(ulimits),
      shm_size: optional(size),
      group_add: optional(fc.uniqueArray(fc.constantFrom('video', '0', '44', 'no'))),
      hostname: ofContainer(fc.constantFrom('web', 'a.b-c', '0755')),
      extra_hosts: ofContainer(fc.uniqueArray(fc.constantFrom('a:1.2.3.4', 'b-c:::1', 'gw:host-gateway'))),
      init: ofContainer(fc.boolean()),
      read_only: optional(fc.boolean()),
      rights: optional(rights),
      no_new_privileges: optional(fc.boolean()),
      privileged: ofContainer(fc.boolean()),
      devices: optional(
        fc.uniqueArray(
          fc
            .tuple(
              fc.constantFrom('/dev/a', '/dev/snd/100%'),
              fc.constantFrom(...target),
              fc.constantFrom('', ':r', ':rwm'),
            )
            .map((parts) => parts.join('')),
          { maxLength: 3 },
        ),
      ),
      gpus: ofContainer(fc.constantFrom('all', '2', 'device=0,GPU-1')),
      sysctls: ofContainer(pairsOf(text)),
      stop_signal: optional(fc.constantFrom(...signals)),
      log: ofContainer(logs),
    })
    .map(({ rights: both, ...rest }) => ({
      ...rest,
      cap_add: both?.add,
      cap_drop: rest.privileged === true ? undefined : both?.drop,
    }))
}

function manifest(process: boolean): fc.Arbitrary<ServiceManifest> {
  return fc.tuple(manifestWithoutLimits(process), limitsOf(process)).map(([given, { swap, ...limits }]) => {
    const { memory } = given
    const both = memory === undefined || swap === undefined ? undefined : swap === -1 ? -1 : memory + swap
    return withoutUndefined({ ...given, ...limits, memory_swap: both })
  })
}

function manifestWithoutLimits(process: boolean): fc.Arbitrary<ServiceManifest> {
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  return fc
    .record({
      name,
      service_type: fc.constantFrom('continuous' as const, 'event' as const, 'scheduled' as const),
      compute_type: fc.constant(process ? ('process' as const) : ('docker' as const)),
      image: process
        ? fc.constant(undefined)
        : fc.constantFrom('nginx', `r.example:5000/a/b@sha256:${'0a'.repeat(32)}`, '1.10', 'no'),
      pull: process
        ? fc.constant(undefined)
        : optional(fc.constantFrom('missing' as const, 'always' as const, 'never' as const)),
      memory: optional(fc.integer({ min: 4, max: 1_000_000 })),
      command: process ? argv : optional(fc.oneof(argv, fc.constant([]))),
      entrypoint: optional(fc.oneof(argv, fc.constant([]))),
      after: optional(
        fc.uniqueArray(
          fc.record({
            service: fc.constantFrom('other-db', 'other-no', '0-other'),
            condition: fc.constantFrom('started' as const, 'healthy' as const, 'completed' as const),
          }),
          { selector: ({ service }) => service, maxLength: 3 },
        ),
      ),
      init_steps: optional(
        fc.array(
          fc
            .tuple(
              argv,
              process ? fc.constant(undefined) : optional(fc.constantFrom('r.example/a:1', 'tool')),
            )
            .map(([command, image]) => withoutUndefined({ command, image })),
          { minLength: 1, maxLength: 3 },
        ),
      ),
      environment,
      user: optional(fc.constantFrom('nobody', '1000', '0:0', 'no')),
      working_dir: optional(text.map((path) => `/${path}`)),
      volumes,
      files: files(!process),
      ports: ports(process),
      dns: fc.subarray(['8.8.8.8', '::1']),
      'dns-search': fc.subarray(['example.com', 'no']),
      cns: optional(
        fc.constantFrom(
          { ttl: 30, hysteresis: true },
          { services: ['entry:80', 'api'], disable: false },
          { disable: true },
        ),
      ),
      labels: record,
      affinity,
      spread: optional(fc.constantFrom('rack', 'no')),
      concurrency: optional(fc.integer({ min: 1, max: 1_000 })),
      timeout: optional(fc.integer({ min: 1, max: 100_000 })),
      restart,
      stop: fc.record({
        timeout: fc.integer({ min: -10, max: 10_000 }),
        preservestopped: fc.constantFrom('on-failure' as const, 'no' as const, 'always' as const),
      }),
      healthchecks: optional(fc.array(check, { maxLength: 3 })),
      containerpilot: optional(fc.constantFrom({ port: 9090 }, { network: 'net-1', port: 80 })),
      autoscale: optional(autoscale),
      triggers,
      webhooks: fc.array(webhook, { maxLength: 2 }),
      schedule,
    })
    .map(consistent)
    .map((given) => withoutUndefined(given) as ServiceManifest)
}

/** What a trigger of a service that does not scale may be in place of one that scales. */
function toStart(one: unknown): ManifestTrigger {
  const { name } = one as ManifestTrigger
  return { name, url: true, action: 'start', body: name === 'up' ? 'file' : 'variables' }
}

/** Limits of runs are for services that are not continuous; scaling and volumes of slots are for continuous services, schedules for scheduled ones. */
function consistent<
  T extends { service_type: string; triggers: readonly unknown[]; volumes: readonly object[] },
>(given: T): T {
  const scales = given.service_type === 'continuous'
  return {
    ...given,
    volumes: given.volumes.map((volume) => {
      if (!('scope' in volume)) return volume
      const { on_lost, backup, ...rest } = volume as { scope: string; on_lost?: string; backup?: object }
      const scope = scales ? rest.scope : 'service'
      return {
        ...{ ...rest, scope },
        ...(scope === 'instance' && on_lost !== undefined && { on_lost }),
        ...(scales && backup !== undefined && { backup: withoutUndefined(backup) }),
      }
    }),
    ...(!scales && { autoscale: undefined, triggers: given.triggers.map(toStart) }),
    ...(scales && { concurrency: undefined, timeout: undefined }),
    ...(given.service_type !== 'scheduled' && { schedule: undefined }),
  }
}

/** Any canonical manifest. */
export const anyManifest = fc.boolean().chain(manifest)

function withoutUndefined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
