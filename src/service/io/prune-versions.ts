// A pass of the leader that keeps the versions of services from adding up. What goes is decided in `versionsToForget`.
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { ServiceVersion } from '../../model/service.js'
import type { Decision } from '../../store/decision.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import type { ClusterView, ServiceKey } from '../../store/view.js'
import { forgetOps, versionsToForget } from '../retention.js'

/** How often the leader looks for versions that nothing needs any more. */
export const lookForOldVersionsEveryMs = 60_000
/** Versions that one transaction removes. */
const dropsPerWrite = 50

interface PruneVersionsOptions {
  readonly registry: Registry
  readonly log: Log
  readonly epoch: () => number | null
  /** How many versions of a service are kept. */
  readonly keep: () => number
}

export function pruneVersions({ registry, log, epoch, keep }: PruneVersionsOptions): Pass {
  return async (_now, signal) => {
    const leading = epoch()
    if (leading === null) return { wakeAt: null }
    for (const key of [...registry.view.services.keys()]) {
      for (let more = true; more && !signal.aborted; ) {
        const { decision, committed } = await registry.decide(
          (view) => forgetting(view, key, keep()),
          [ledBy(leading)],
        )
        const [oldest] = decision.gone
        more = committed && oldest !== undefined
        if (more)
          log.info('service', 'removed unused versions', {
            service: key,
            versions: decision.gone.length,
            from: oldest?.ordinal,
          })
      }
    }
    return { wakeAt: null }
  }
}

function forgetting(
  view: ClusterView,
  key: ServiceKey,
  keep: number,
): Decision & { readonly gone: readonly ServiceVersion[] } {
  const service = view.services.get(key)
  const gone = service === undefined ? [] : versionsToForget(view, service, keep).slice(0, dropsPerWrite)
  const ops = service === undefined || gone.length === 0 ? [] : forgetOps(view, service, gone)
  return { decidedOn: [], ops, gone }
}
