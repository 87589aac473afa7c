// Finds the gateways of networks, so that names are answered there.
import type Docker from 'dockerode'
import { abortable } from '../../../lib/io/abortable.js'
import { describeError, type Log } from '../../../lib/io/log.js'
import type { HostConfig } from '../api.js'
import { machineLabel } from '../labels.js'
import {
  askingNetwork,
  type ContainerNames,
  type ContainerResolver,
  gatewayOf,
  resolverSettings,
  type ShownNetwork,
} from '../names.js'

/** The resolver of a container that is to be made. Whatever is wrong, it is made: with the resolvers of its host. */
export async function resolverFor(
  docker: Docker,
  container: { readonly names: readonly string[] | null; readonly host: Partial<HostConfig> },
  answering: ContainerNames | null,
  tools: { readonly log: Log; readonly signal: AbortSignal },
): Promise<Partial<HostConfig>> {
  const { names, host } = container
  const network = askingNetwork(names, host)
  if (network === null || names === null || answering === null) return {}
  const { log, signal } = tools
  try {
    const resolver = await abortable(resolverOn(docker, network, answering), signal)
    return resolver === null ? {} : resolverSettings(names, host, resolver)
  } catch (error) {
    signal.throwIfAborted()
    log.warn('docker', `containers of the network ${network} get no names: ${describeError(error)}`)
    return {}
  }
}

/** Answers again where containers of an earlier daemon ask. */
export async function answerAgain(docker: Docker, machine: string, answering: ContainerNames): Promise<void> {
  const filters = { label: [`${machineLabel}=${machine}`] }
  const containers = await docker.listContainers({ all: true, filters })
  const networks = containers.flatMap((one) => Object.keys(one.NetworkSettings?.Networks ?? {}))
  for (const network of new Set(networks)) await resolverOn(docker, network, answering)
}

async function resolverOn(
  docker: Docker,
  network: string,
  answering: ContainerNames,
): Promise<ContainerResolver | null> {
  const gateway = gatewayOf((await docker.getNetwork(network).inspect()) as ShownNetwork)
  return gateway === null ? null : await answering.at(gateway)
}
