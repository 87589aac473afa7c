// A container's restart policy counts only while the container is to run: Docker starts by it at every boot what it finds.
import type { Inspected, RestartPolicy } from './api.js'
import { restartLabel } from './labels.js'

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
  const [name = '', retries = ''] = (Config.Labels?.[restartLabel] ?? '').split(':')
  const known = names.find((one) => one === name)
  return known === undefined
    ? (ofUnit ?? HostConfig.RestartPolicy)
    : { Name: known, MaximumRetryCount: Number(retries) }
}

const names = ['no', 'on-failure', 'always', 'unless-stopped'] as const

export function isSamePolicy(one: RestartPolicy, other: RestartPolicy): boolean {
  return one.Name === other.Name && one.MaximumRetryCount === other.MaximumRetryCount
}
