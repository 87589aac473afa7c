// What is frozen stays as it is: in one change with the freeze all that goes on is ended, and nothing of the service is made,
// begun, told to stop or scaled before it is lifted.
import { decode, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'

export interface FreezesParts {
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

export class FreezesJudge {
  readonly #parts: FreezesParts
  /** What was frozen before the last change, by the names of services; an empty one: the whole project. */
  #frozen: ReadonlySet<string> = new Set()

  constructor(parts: FreezesParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    const before = this.#frozen
    if (changes.some(({ key }) => kindOfKey(key) === 'task')) this.#frozen = frozenIn(view)
    for (const change of changes) {
      const done = doneTo(change)
      if (done === null || ![before, this.#frozen].every((all) => all.has(done.service) || all.has('')))
        continue
      this.#parts.count('change under a freeze')
      if (done.what !== null) this.#parts.broke(`${done.service} is frozen, and ${done.what}`)
    }
  }
}

function frozenIn(view: ClusterView): ReadonlySet<string> {
  return new Set(
    [...view.tasks.values()].flatMap(({ kind, finishedAt, service }) =>
      kind === 'freeze' && finishedAt === null ? [service] : [],
    ),
  )
}

/** What a change does to a service, that a freeze is against; null where it is about none. */
function doneTo(change: Change): { readonly service: string; readonly what: string | null } | null {
  if (change.type === 'delete') return null
  const { entry, previous } = change
  switch (kindOfKey(entry.key)) {
    case 'instance': {
      const { service, name, uuid, retired } = decode('instance', entry)
      const before = previous && decode('instance', previous)
      if (before?.uuid !== uuid) return { service, what: `${name} is made` }
      return { service, what: retired !== null && before.retired === null ? `${name} is to stop` : null }
    }
    case 'run': {
      const { service, outcome } = decode('run', entry)
      return { service, what: previous === null && outcome === 'started' ? 'a run is begun' : null }
    }
    case 'service': {
      const { name: service, uuid, scale, starts, current } = decode('service', entry)
      const before = previous && decode('service', previous)
      if (before?.uuid !== uuid) return null
      const isMore = scale !== before.scale || starts > before.starts || current !== before.current
      return { service, what: isMore ? 'its scale, version or runs are others' : null }
    }
    default:
      return null
  }
}
