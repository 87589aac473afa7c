// With `--profile requests` operators change a project's metadata beside services, and ask for what has to be refused: what
// is told of both, and the end of it.
import { ProblemError } from '../../src/api/io/context.js'
import { changeMachine } from '../../src/changes/machines.js'
import { countMeta, removeMeta, setMeta } from '../../src/changes/meta.js'
import type { Problem } from '../../src/changes/problem.js'
import { terminateTask } from '../../src/changes/queue.js'
import { revertService } from '../../src/changes/rollouts.js'
import { type Change, changeScales, startService } from '../../src/changes/services.js'
import { changeUnits } from '../../src/changes/unit-verbs.js'
import type { UnitName } from '../../src/model/unit.js'
import type { ClusterView } from '../../src/store/view.js'
import { type Deed, project } from './scenario.js'

export const metaVerbs = ['set', 'set', 'count', 'remove'] as const

/** A key's value as it was acknowledged; null: there is none; `unknown`: nobody was told for sure. */
export type MetaTold = { readonly value: string | null } | 'unknown'

type Ask = <C extends Change>(decide: (view: ClusterView, now: number) => C | Problem) => Promise<C>
type Wrong = (view: ClusterView, name: string, now: number) => Change | Problem

const plainSeal = (secret: string): string => secret
const nobody = 'nobody.service' as UnitName

/** What nobody may do, whatever there is; `name`: a service, which may be there or not. */
export const wrongs: Readonly<Record<string, Wrong>> = {
  'start-unknown': (view, _, now) => startService(view, project, 'nobody', undefined, now),
  'revert-unknown': (view, name, now) => revertService(view, project, name, { version: '9999' }, now),
  'scale-beyond': (view, name, now) => changeScales(view, project, { [name]: 1e9 }, now),
  'end-unknown': (view, _, now) => terminateTask(view, '00000000-0000-5000-8000-000000000000', false, now),
  'end-over': (view, name, now) => {
    const over = [...view.tasks.values()].find((task) => task.service === name && task.finishedAt !== null)
    return terminateTask(view, over?.uuid ?? '', false, now)
  },
  'machine-unknown': (view, _, now) => changeMachine(view, 'nobody', { cordoned: true }, now),
  'unit-unknown': (view, _, now) => changeUnits(view, { verb: 'start', units: [{ name: nobody }] }, now),
  'meta-unknown': (view) => removeMeta(view, project, 'nobody', undefined),
  'meta-bad-key': (view, _, now) => setMeta(view, project, 'a b', { value: 'x' }, plainSeal, now),
  'meta-cas': (view, _, now) =>
    setMeta(view, project, 'k0', { value: 'wrong', cas: 'of-another' }, plainSeal, now),
}

export class Requests {
  readonly told = new Map<string, MetaTold>()
  readonly #broke: (what: string) => void

  constructor(broke: (what: string) => void) {
    this.#broke = broke
  }

  /** Throws what the product refuses it with. */
  async meta({ who: key, details }: Deed, ask: Ask): Promise<void> {
    const before = this.told.get(key) ?? { value: null }
    this.told.set(key, 'unknown')
    const value = `v${details['n']}`
    try {
      const done = await ask((view, now) => {
        if (details['verb'] === 'remove') return removeMeta(view, project, key, undefined)
        if (details['verb'] === 'count') return countMeta(view, project, key, Number(details['n']), now)
        return setMeta(view, project, key, { value }, plainSeal, now)
      })
      this.told.set(key, { value: done.set[0]?.value ?? null })
    } catch (error) {
      if (error instanceof ProblemError && error.problem.code !== 'api/contended') this.told.set(key, before)
      throw error
    }
  }

  /** Throws what the product refuses it with, as it has to. */
  async wrong({ who: name, details }: Deed, ask: Ask): Promise<void> {
    const which = details['which'] ?? ''
    const wrong = wrongs[which]
    if (wrong === undefined) return this.#broke(`there is no wrong request "${which}"`)
    await ask((view, now) => wrong(view, name, now))
    this.#broke(`${name}: ${which} was acknowledged`)
  }

  judgeRest(view: ClusterView): void {
    for (const [key, told] of this.told) {
      const value = view.metaOf(project).get(key)?.value ?? null
      if (told !== 'unknown' && told.value !== value)
        this.#broke(`meta ${key} is ${value ?? 'not there'}; told ${told.value ?? 'that it is not'}`)
    }
  }
}
