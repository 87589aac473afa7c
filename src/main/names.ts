// Names of services and instances: the index of them, and the server that answers for them.

import { describeAddress, startDnsServer } from '../dns/io/server.js'
import { NameIndex } from '../dns/name-index.js'
import { fromContainers, resolversIn, searchIn } from '../dns/resolv-conf.js'
import type { ContainerNames, ContainerResolver, Gateway } from '../drivers/docker/names.js'
import type { Log } from '../lib/io/log.js'
import { readTextFile } from '../lib/io/text-file.js'
import type { Time } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { Registry } from '../store/io/registry.js'
import type { UnitReader } from '../unit/reader.js'
import { parseCidr } from './dns-options.js'
import type { DaemonOptions } from './options.js'
import type { Teardown } from './teardown.js'

interface Parts {
  readonly registry: Registry
  readonly units: UnitReader
  readonly machine: MachineId
  readonly options: Pick<DaemonOptions, 'dns' | 'cns'>
  readonly clock: Time
  readonly log: Log
}

/** What of names others may look at. */
export interface ServedNames {
  readonly names: NameIndex
  /** Where they are answered now. */
  readonly endpoints: () => readonly string[]
  /** Who is asked for other names. */
  readonly upstream: () => readonly string[]
  readonly forContainers: ContainerNames
}

/** Where the resolvers of the host are named, and where behind systemd-resolved. */
const resolvConf = '/etc/resolv.conf'
const resolvedConf = '/run/systemd/resolve/resolv.conf'

/** Resolvers that glibc asks at most; the daemon is the first. */
const othersAtMost = 2

/** Answers names from the view, until it is undone. An address that cannot be had is no reason to fail. */
export async function startNames(parts: Parts, undo: Teardown): Promise<ServedNames> {
  const { registry, units, machine, options, clock, log } = parts
  const names = new NameIndex(registry.view, units, machine)
  registry.onChange((_, changes) => {
    for (const change of changes) names.note(change, clock.now())
  })
  const server = await startDnsServer(options.dns, {
    ...{ names, suffixes: options.cns, clock, log },
    random: Math.random,
    isComplete: () => registry.isComplete(),
    resolvConf,
  })
  await undo.push('names', () => server.close())
  return {
    names,
    endpoints: () => server.endpoints().map(describeAddress),
    upstream: () => server.upstream().map(describeAddress),
    forContainers: {
      at: async ({ address, subnet }) => {
        const network = parseCidr(subnet)
        if (network === null || !(await server.serve({ host: address, port: 53 }, network))) return null
        const asked = fromContainers(server.upstream())
        const behind = asked.length > 0 ? asked : fromContainers(resolversIn(textOf(resolvedConf)))
        const others = behind.filter((one) => one !== address).slice(0, othersAtMost)
        return { nameservers: [address, ...others], search: searchIn(textOf(resolvConf)) }
      },
    },
  }
}

function textOf(file: string): string {
  try {
    return readTextFile(file)
  } catch {
    return ''
  }
}

/** Names for containers, of a daemon that is still to begin to answer them: until then a container waits. */
export class NamesToCome implements ContainerNames {
  #resolve: (names: ContainerNames) => void = () => {}
  readonly #served = new Promise<ContainerNames>((resolve) => {
    this.#resolve = resolve
  })

  serve(names: ContainerNames): void {
    this.#resolve(names)
  }

  async at(gateway: Gateway): Promise<ContainerResolver | null> {
    return await (await this.#served).at(gateway)
  }
}
