// How the health checks of a unit reach it.
import type { CheckedUnit } from '../../health/io/checker.js'
import type { Endpoint, ExecResult, NoEndpoint } from '../../health/io/probe.js'
import { isLoopback } from '../../lib/loopback.js'
import type { Instant } from '../../lib/time.js'
import type { HealthCheck } from '../../model/health-check.js'
import type { ObservedUnit, Placement, UnitName } from '../../model/unit.js'
import type { Driver } from '../driver.js'

export type CommandRunner = (
  argv: readonly string[],
  user: string | null,
  signal: AbortSignal,
  onRunning: (stillRuns?: () => boolean) => void,
) => Promise<ExecResult>

/** How much of a check's output is kept; its end is what tells. */
const outputKept = 4096

/** A unit as it is placed and seen, and the address of its machine on a network; null where it is on no such network. */
interface Whereabouts {
  readonly observed: Pick<ObservedUnit, 'address'>
  readonly placement: Placement
  readonly addressOn: (network: string) => string | null
}

/**
 * A running unit with its checks. Checks begin anew when the agent does (`agentStartedAt`): an instance is not
 * declared unhealthy for one failed probe just because its machine's daemon was restarted.
 */
export function checkedUnit(
  where: Whereabouts & { readonly observed: ObservedUnit },
  checks: readonly HealthCheck[],
  agentStartedAt: Instant,
  exec: CommandRunner,
): CheckedUnit {
  const { name, since } = where.observed
  return {
    name,
    startedAt: Math.max(since ?? 0, agentStartedAt),
    checks,
    target: { portOf: (port, network) => endpointOf(where, port, network), exec },
  }
}

/**
 * Where a port of the manifest answers. By itself (`network` null) a container answers on its own address and port,
 * whatever shares the host's network on the port published there. On a network of the machine nothing answers but what
 * the machine itself takes: the published port.
 */
export function endpointOf(where: Whereabouts, port: number, network: string | null): Endpoint | NoEndpoint {
  const { address } = where.observed
  const own = address === null || isLoopback(address) ? null : address
  const published = where.placement.ports.find(
    (binding) => binding.container === port && binding.protocol === 'tcp',
  )
  if (network === null)
    return own === null
      ? { address: published?.ip ?? address ?? '127.0.0.1', port: published?.host ?? port }
      : { address: own, port }
  const here = where.addressOn(network)
  if (here === null) return { why: `this machine has no address on the network ${network}` }
  if (own !== null && published === undefined)
    return { why: `the port is not published, so that it does not answer on the network ${network}` }
  return { address: here, port: published?.host ?? port }
}

/** Runs a check's command beside its unit and keeps the end of what it prints. */
export async function runCommand(
  driver: Driver,
  name: UnitName,
  argv: readonly string[],
  user: string | null,
  signal: AbortSignal,
  onRunning: (stillRuns?: () => boolean) => void,
): Promise<ExecResult> {
  let output = Buffer.alloc(0)
  const onOutput = (_stream: 'stdout' | 'stderr', chunk: Uint8Array): void => {
    output = Buffer.concat([output, chunk]).subarray(-outputKept)
  }
  const { code } = await driver.exec(name, { argv, user, stdin: null, onOutput, onRunning }, signal)
  return { code, output: output.toString('utf8') }
}
