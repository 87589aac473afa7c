// A container's restart policy counts only while the container is to run: Docker starts by it at every boot what it finds.
// Of a unit that runs once Docker gets none at all: the agent restarts it, and only after an end that was the program's own.
import { dockerBackoffMs, steadyAfterMs } from '../../lib/backoff.js'
import type { Inspected, RestartPolicy } from './api.js'
import { restartLabel, runLabel } from './labels.js'

/** Of what is not to run. */
export const noRestart: RestartPolicy = { Name: 'no', MaximumRetryCount: 0 }

/** The label that keeps the policy of a container while that is taken off. */
export function restartMark({ Name, MaximumRetryCount }: RestartPolicy): Readonly<Record<string, string>> {
  return { [restartLabel]: `${Name}:${MaximumRetryCount}` }
}

/**
 * The policy that a container is to have while it is to run. One without the label, of an earlier version, has what its
 * unit says, or what it has now where that is not known.
 */
export function wantedPolicy({ Config, HostConfig }: Inspected, ofUnit?: RestartPolicy): RestartPolicy {
  if (isRun(Config)) return noRestart
  return markedPolicy(Config) ?? ofUnit ?? HostConfig.RestartPolicy
}

/** The policy of a unit that runs once, which is the agent's to carry out; null for all others. */
export function policyOfRun({ Config }: Pick<Inspected, 'Config'>): RestartPolicy | null {
  return isRun(Config) ? (markedPolicy(Config) ?? noRestart) : null
}

/** Whether a policy asks for a restart after so many, with Docker's logic. */
export function asksForRestart(
  { Name, MaximumRetryCount }: RestartPolicy,
  exitCode: number,
  restarts: number,
): boolean {
  if (Name === 'no') return false
  if (Name !== 'on-failure') return true
  return exitCode !== 0 && (MaximumRetryCount === 0 || restarts < MaximumRetryCount)
}

/** How long after its end a container is restarted: of its restarts so many came before its last steady run. */
export function restartWaitMs(restarts: number, steady: number): number {
  return dockerBackoffMs(Math.max(0, restarts - steady))
}

/** Whether a run was so long that the wait begins anew. */
export function wasSteady({ StartedAt, FinishedAt }: Inspected['State']): boolean {
  return Date.parse(FinishedAt) - Date.parse(StartedAt) >= steadyAfterMs
}

function isRun({ Labels }: Inspected['Config']): boolean {
  return Labels?.[runLabel] === 'true'
}

function markedPolicy({ Labels }: Inspected['Config']): RestartPolicy | null {
  const [name = '', retries = ''] = (Labels?.[restartLabel] ?? '').split(':')
  const known = names.find((one) => one === name)
  return known === undefined ? null : { Name: known, MaximumRetryCount: Number(retries) }
}

const names = ['no', 'on-failure', 'always', 'unless-stopped'] as const

export function isSamePolicy(one: RestartPolicy, other: RestartPolicy): boolean {
  return one.Name === other.Name && one.MaximumRetryCount === other.MaximumRetryCount
}
