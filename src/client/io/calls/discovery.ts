// Where what runs is found: names, targets of Prometheus and Traefik, routes of the entry.
import type {
  DiscoveryBody,
  DnsInstanceBody,
  DnsLookupBody,
  EntryBody,
  PrometheusTarget,
  TraefikBody,
} from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { anything, by, each } from '../../forms.js'
import type { Page, PageQuery } from '../../page.js'
import type { Requests } from '../requests.js'

export interface DiscoveryCalls {
  /** Where instances tell their metrics. */
  prometheusTargets(project: string | undefined, signal?: AbortSignal): Promise<readonly PrometheusTarget[]>
  /** Services and their instances, as Traefik takes them. */
  traefikConfiguration(project: string | undefined, signal?: AbortSignal): Promise<TraefikBody>
  /** What runs in a project, for files made from it; with `follow` again after each change. */
  discovery(project: string, follow: boolean, signal?: AbortSignal): AsyncIterable<DiscoveryBody>
  dnsInstances(
    project: string,
    service: string | undefined,
    signal?: AbortSignal,
    page?: PageQuery,
  ): Promise<Page<DnsInstanceBody>>
  dnsLookup(name: string, type: string, signal?: AbortSignal): Promise<DnsLookupBody>
  /** What the world reaches of the services of a project. */
  entry(project: string, signal?: AbortSignal, page?: PageQuery): Promise<Page<EntryBody>>
}

export function discoveryCalls({ get, list, sse }: Requests): DiscoveryCalls {
  return {
    prometheusTargets: (project, signal) =>
      get(each('targets'), paths.discoveryPrometheus, signal, { project }),
    traefikConfiguration: (project, signal) => get(anything, paths.discoveryTraefik, signal, { project }),
    discovery: (project, follow, signal) =>
      sse(
        by('services'),
        { method: 'GET', path: paths.discovery(project), query: follow ? { follow: 'true' } : {} },
        signal,
      ),
    dnsInstances: (project, service, signal, page) =>
      list(each('uuid'), paths.dnsInstances(project), signal, page, { service }),
    dnsLookup: (name, type, signal) => get(by('name'), paths.dnsName(name), signal, { type }),
    entry: (project, signal, page) => list(each('path'), paths.entry(project), signal, page),
  }
}
