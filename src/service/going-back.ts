// Which version a deploy goes back to by itself when it fails, and which versions have been up so that they can be that.
import type { Service, ServiceVersion } from '../model/service.js'
import { isRollout, type WayBack, wayBackOf } from '../model/task.js'
import type { Finish } from './actions.js'
import { askedOnlyAfter, type Leaving } from './asked-only.js'
import type { Assessed } from './assess.js'

/** So many are remembered: whoever goes back further does it by hand. */
const rememberedAtMost = 5

/**
 * The version that a deploy of `version` goes back to: the one before, or where that has not been up the last one that was.
 * Of what is current and has been up already it is what the rollout says that it takes over from; null for nothing. One that
 * gets only the requests that ask for it has not been meant for all.
 */
export function goingBackTo(situation: Leaving, version: string): string | null {
  const { service, versions } = situation
  const { current, rollout } = service
  const { askedOnly = [] } = askedOnlyAfter(situation, version)
  const cameUp = (service.cameUp ?? []).filter(
    (uuid) => versions.some((one) => one.uuid === uuid) && !askedOnly.includes(uuid),
  )
  if (cameUp.includes(current)) return version === current ? (rollout?.revertTo ?? null) : current
  const before = rollout?.revertTo ?? (version === current ? null : current)
  return cameUp.findLast((uuid) => uuid !== version) ?? before
}

/** A service when its current version has come up: as a rollout wants it that is over now, or all of what is to be there. */
export function withComeUp(
  service: Service,
  versions: readonly ServiceVersion[],
  live: readonly Assessed[],
  rolledOut: boolean,
): Service {
  const { cameUp = [], current, rollout } = service
  if (cameUp.at(-1) === current || service.type !== 'continuous') return service
  const isSteady = rollout === null && isAllUp(service, live)
  const isRolledOut = rolledOut && live.some((item) => isUpAt(item, current))
  if (!isSteady && !isRolledOut) return service
  const others = cameUp.filter((uuid) => uuid !== current && versions.some((one) => one.uuid === uuid))
  return { ...service, cameUp: [...others, current].slice(-rememberedAtMost) }
}

/** Whether all of it is up at its current version, and nothing has failed lately: what ends soon after it came up is not. */
function isAllUp({ scale, current, failures }: Service, live: readonly Assessed[]): boolean {
  if (scale === 0 || failures !== null || live.length !== scale) return false
  return live.every((item) => isUpAt(item, current))
}

function isUpAt({ up, instance }: Assessed, version: string): boolean {
  return up && instance.version === version
}

/** A service whose version has failed: nothing goes back to that. One that merely replaces what is there judges no version. */
export function withoutFailed(service: Service, failures: readonly Finish[]): Service {
  const { cameUp = [], current } = service
  const hasFailed = failures.some(({ task }) => isRollout(task) && task.kind !== 'reprovision')
  return hasFailed && cameUp.includes(current)
    ? { ...service, cameUp: cameUp.filter((uuid) => uuid !== current) }
    : service
}

/** How what has failed of a service goes back, also where its rollout was over already; null where it does not. */
export function wayBackFrom({ rollout }: Service, failures: readonly Finish[]): WayBack | null {
  const [first] = failures
  if (first === undefined) return null
  return rollout === null ? (first.task.replacing?.back ?? null) : wayBackOf(rollout)
}
