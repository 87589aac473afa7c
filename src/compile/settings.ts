// [X-Mariposa]: what the engine and agents are told of a service version.
import { type CnsSuffixes, cnsDomain } from '../manifest/cns.js'
import { labelsOfCns } from '../manifest/cns-labels.js'
import type { AffinityRule, ManifestHealthcheck, ServiceManifest } from '../manifest/schema.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { HealthCheck } from '../model/health-check.js'
import { publicNetwork } from '../model/network.js'
import type { PortNeed } from '../unit/ports.js'
import { printXMariposa } from '../unit/x-mariposa.js'
import { pointer } from './problem.js'
import { badText, type Said, type SectionPart } from './section.js'
import { optionText, textProblem } from './text.js'

/** What the section says beside the manifest's own words. */
interface Facts {
  readonly project: string
  readonly version: { readonly uuid: string; readonly ordinal: number }
  /** What the manifest's package gives an instance: MiB, and hundredths of a core. Null where it names none. */
  readonly size: { readonly ram: number; readonly cpu: number } | null
  /** The rules that `[X-Fleet]` does not say. */
  readonly affinity: readonly AffinityRule[]
  /** What names end in; null where nobody answers them. */
  readonly cns: CnsSuffixes | null
}

export function mariposaOptions(manifest: ServiceManifest, facts: Facts): SectionPart {
  const problems = textsOf(manifest).flatMap(({ path, text }): Diagnostic[] => {
    const problem = textProblem(text)
    return problem === null ? [] : [badText(path, problem)]
  })
  if (problems.length > 0) return { options: [], problems }
  const { healthchecks: checks = [] } = manifest
  const process = manifest.compute_type === 'process'
  const options = printXMariposa(
    {
      project: facts.project,
      service: manifest.name,
      version: facts.version.uuid,
      ordinal: facts.version.ordinal,
      memoryMb: manifest.memory ?? facts.size?.ram ?? null,
      cpu: facts.size?.cpu ?? null,
      affinity: facts.affinity.map(({ by, ...rule }) => ({ ...rule, by: by ?? null })),
      spread: manifest.spread ?? null,
      restart: { name: manifest.restart.policy, max: manifest.restart.max ?? null },
      preserve: manifest.stop.preservestopped,
      ports: process ? manifest.ports.map(processPort) : [],
      healthChecks: [...checks.map(healthCheck), ...telemetryChecks(manifest)],
      names: facts.cns === null ? null : namesOf(manifest, facts.project, facts.cns),
      labels: process ? { ...labelsOfCns(manifest.cns ?? {}), ...manifest.labels } : {},
    },
    (text) => optionText(text, manifest.name),
  )
  return { options, problems }
}

/** Where the manifest says no `dns` of its own, a container asks its machine's daemon. */
function namesOf(
  manifest: ServiceManifest,
  project: string,
  suffixes: CnsSuffixes,
): readonly string[] | null {
  if (manifest.compute_type !== 'docker' || manifest.dns.length > 0) return null
  if (manifest['dns-search'].length > 0) return []
  return (['private', 'public'] as const).map((network) => `svc.${cnsDomain(project, network, suffixes)}`)
}

/** The texts that the section takes over, each with its place. */
function textsOf(manifest: ServiceManifest): readonly Said[] {
  const process = manifest.compute_type === 'process'
  const labels = Object.entries(process ? manifest.labels : {})
  return [
    ...labels.map(([key, value]) => ({ path: pointer('labels', key), text: `${key}=${value}` })),
    ...(manifest.healthchecks ?? []).flatMap((check, index): Said[] => {
      const at = (...steps: (string | number)[]): string => pointer('healthchecks', index, ...steps)
      if (check.type === 'tcp') return []
      if (check.type !== 'command') return [{ path: at('path'), text: check.path }]
      const words = check.command.map((text, word) => ({ path: at('command', word), text }))
      return check.user === undefined ? words : [...words, { path: at('user'), text: check.user }]
    }),
  ]
}

/** Without a host part a process listens on the port itself; with 0 it is given one. */
function processPort({ ip, host, container, protocol }: ServiceManifest['ports'][number]): PortNeed {
  return { ip: ip ?? null, host: host === undefined ? container : host || null, container, protocol }
}

function healthCheck(check: ManifestHealthcheck): HealthCheck {
  const timing = {
    pollMs: Math.round(check.poll * 1000),
    timeoutMs: Math.round(check.timeout * 1000),
    retries: check.retries,
    ...(check.start_period !== undefined && { startPeriodMs: Math.round(check.start_period * 1000) }),
    ...(check.start_interval !== undefined && { startIntervalMs: Math.round(check.start_interval * 1000) }),
  }
  if (check.type === 'command')
    return { type: 'command', argv: check.command, user: check.user ?? null, ...timing }
  if (check.type === 'tcp') return { type: 'tcp', port: check.port, ...onNetwork(check.network), ...timing }
  const { type, port, network, path, redirects = 0, verify = false, host } = check
  return {
    type,
    port,
    ...onNetwork(network),
    path,
    ...timing,
    ...(redirects > 0 && { redirects }),
    ...(verify && { verify }),
    ...(host !== undefined && { serverName: host }),
  }
}

/** ContainerPilot has counted the failures of its jobs itself; what it says is believed the third time. */
function telemetryChecks({ containerpilot }: ServiceManifest): readonly HealthCheck[] {
  if (containerpilot === undefined) return []
  const timing = { pollMs: 10_000, timeoutMs: 5_000, retries: 3 }
  const { port, network = publicNetwork } = containerpilot
  return [{ type: 'containerpilot', port, ...onNetwork(network), ...timing }]
}

function onNetwork(network: string): { readonly network?: string } {
  return network === publicNetwork ? {} : { network }
}
