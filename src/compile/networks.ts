// Checks on a network of the machine reach what the machine itself takes: a port of a container has to be published.
import type { ServiceManifest } from '../manifest/schema.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { publicNetwork } from '../model/network.js'
import { pointer, problemAt } from './problem.js'

/** Checks of a container that ask on a network for a port that is not there. Code: `compile/port-not-published`. */
export function unpublishedPorts(manifest: ServiceManifest): readonly Diagnostic[] {
  if (manifest.compute_type !== 'docker') return []
  const published = new Set(
    manifest.ports.filter(({ protocol }) => protocol === 'tcp').map(({ container }) => container),
  )
  return asked(manifest)
    .filter(({ network, port }) => network !== publicNetwork && !published.has(port))
    .map(({ path, network, port }) =>
      problemAt(
        path,
        'compile/port-not-published',
        `port ${port} is not published, so nothing answers there on the network ${network}`,
        `add ${port} to ports`,
      ),
    )
}

interface Asked {
  readonly path: string
  readonly network: string
  readonly port: number
}

function asked({ healthchecks = [], containerpilot }: ServiceManifest): readonly Asked[] {
  const checks = healthchecks.flatMap((check, index) =>
    check.type === 'command'
      ? []
      : [{ path: pointer('healthchecks', index), network: check.network, port: check.port }],
  )
  if (containerpilot === undefined) return checks
  const { network = publicNetwork, port } = containerpilot
  return [...checks, { path: '/containerpilot', network, port }]
}
