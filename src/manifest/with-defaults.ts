import { defaults } from './defaults.js'
import type { ServiceManifest } from './schema.js'
import { serviceSchema } from './validators.js'

/** The keys of the canonical form, in the order in which it is printed. */
const keyOrder: readonly string[] = Object.keys(serviceSchema.properties)

/** What an author gave, in canonical form, before defaults. */
export type GivenManifest = Partial<
  Omit<
    ServiceManifest,
    'stop' | 'healthchecks' | 'containerpilot' | 'autoscale' | 'triggers' | 'webhooks' | 'schedule'
  >
> & {
  readonly stop?: Partial<ServiceManifest['stop']>
  readonly healthchecks?: readonly GivenCheck[]
  readonly containerpilot?: object
  readonly autoscale?: object
  readonly triggers?: readonly object[]
  readonly webhooks?: readonly object[]
  readonly schedule?: object
}
type GivenCheck = { readonly type: string; readonly poll?: number }

/** Fills in the defaults, in the order of the schema; what the author gave stays, right or wrong, for `validate` to judge. */
export function withDefaults(given: GivenManifest, name: string): object {
  const serviceType = given.service_type ?? defaults.service_type
  const filled: Record<string, unknown> = {
    service_type: serviceType,
    compute_type: defaults.compute_type,
    environment: {},
    volumes: [],
    files: [],
    ports: [],
    dns: [],
    'dns-search': [],
    labels: {},
    affinity: [],
    restart: restartOf(serviceType, given.retries),
    ...given,
    name,
    stop: { ...defaults.stop, ...given.stop },
    ...(given.healthchecks && { healthchecks: given.healthchecks.map(withCheckDefaults) }),
    triggers: (given.triggers ?? []).map(withTriggerDefaults),
    webhooks: (given.webhooks ?? []).map((hook) => ({
      ...defaults.webhook,
      headers: {},
      allow_private: false,
      ...hook,
    })),
    ...(given.containerpilot && { containerpilot: { ...defaults.containerpilot, ...given.containerpilot } }),
    ...(given.autoscale && { autoscale: { ...defaults.autoscale, ...given.autoscale } }),
    ...(given.schedule && { schedule: { ...defaults.schedule, ...given.schedule } }),
  }
  return Object.fromEntries(keyOrder.filter((key) => key in filled).map((key) => [key, filled[key]]))
}

function restartOf(serviceType: string, retries: number | undefined): object {
  if (serviceType === 'continuous') return { policy: 'always' }
  return retries === undefined ? { policy: 'no' } : { policy: 'on-failure', max: retries }
}

function withCheckDefaults(given: GivenCheck): object {
  const { poll, timeout, retries, path, network, ports } = defaults.check
  const timing = { poll, timeout: Math.max(0.01, Math.min(timeout, given.poll ?? poll)), retries }
  if (given.type === 'http' || given.type === 'https')
    return { ...given, network, port: ports[given.type], path, ...timing, ...given }
  return { ...given, ...(given.type === 'tcp' && { network }), ...timing, ...given }
}

function withTriggerDefaults(given: object): object {
  return 'url' in given ? given : { ...given, percent: false, ...defaults.trigger, ...given }
}
