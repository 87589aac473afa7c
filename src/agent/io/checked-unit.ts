// How the health checks of a unit reach it.
import type { CheckedUnit } from '../../health/io/checker.js'
import type { Endpoint, ExecResult } from '../../health/io/probe.js'
import type { Instant } from '../../lib/time.js'
import type { HealthCheck } from '../../model/health-check.js'
import type { ObservedUnit, Placement, UnitName } from '../../model/unit.js'
import type { Driver } from '../driver.js'

export type CommandRunner = (
  argv: readonly string[],
  user: string | null,
  signal: AbortSignal,
) => Promise<ExecResult>

/** How much of a check's output is kept; its end is what tells. */
const outputKept = 4096

/**
 * A running unit with its checks. Checks begin anew when the agent does (`agentStartedAt`): an instance is not
 * declared unhealthy for one failed probe just because its machine's daemon was restarted.
 */
export function checkedUnit(
  observed: ObservedUnit,
  placement: Placement,
  checks: readonly HealthCheck[],
  agentStartedAt: Instant,
  exec: CommandRunner,
): CheckedUnit {
  return {
    name: observed.name,
    startedAt: Math.max(observed.since ?? 0, agentStartedAt),
    checks,
    target: { portOf: (port) => endpointOf(observed, placement, port), exec },
  }
}

/** A container answers on its own address and port; whatever shares the host's network on the port published there. */
export function endpointOf(observed: ObservedUnit, placement: Placement, port: number): Endpoint {
  const { address } = observed
  if (address !== null && !isLoopback(address)) return { address, port }
  const published = placement.ports.find(
    (binding) => binding.container === port && binding.protocol === 'tcp',
  )
  return { address: published?.ip ?? address ?? '127.0.0.1', port: published?.host ?? port }
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}

/** Runs a check's command beside its unit and keeps the end of what it prints. */
export async function runCommand(
  driver: Driver,
  name: UnitName,
  argv: readonly string[],
  user: string | null,
  signal: AbortSignal,
): Promise<ExecResult> {
  let output = Buffer.alloc(0)
  const onOutput = (_stream: 'stdout' | 'stderr', chunk: Uint8Array): void => {
    output = Buffer.concat([output, chunk]).subarray(-outputKept)
  }
  const { code } = await driver.exec(name, { argv, user, stdin: null, onOutput }, signal)
  return { code, output: output.toString('utf8') }
}
