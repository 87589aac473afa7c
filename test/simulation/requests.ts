// With `--profile requests` operators change a project's metadata beside services, and ask for what has to be refused: what
// is told of both, and the end of it.
import { ProblemError } from '../../src/api/io/context.js'
import { changeMachine } from '../../src/changes/machines.js'
import { countMeta, removeMeta, setMeta } from '../../src/changes/meta.js'
import type { Problem } from '../../src/changes/problem.js'
import { freezeScope, terminateTask, unfreezeScope } from '../../src/changes/queue.js'
import { logIn } from '../../src/changes/registries.js'
import { reprovisionService, revertService } from '../../src/changes/rollouts.js'
import { type Change, changeScales, startService } from '../../src/changes/services.js'
import { changeUnits } from '../../src/changes/unit-verbs.js'
import type { NamedUnit, UnitVerb } from '../../src/contract/contract.js'
import type { UnitName } from '../../src/model/unit.js'
import { freezesOf } from '../../src/service/queue.js'
import type { ClusterView } from '../../src/store/view.js'
import { ownKeyOf, ownWordOf } from './given-secrets.js'
import { type Deed, project } from './scenario.js'
import { seal } from './sealing.js'
import { SecretsJudge, secretOf } from './secrets-judge.js'

export const metaVerbs = ['set', 'set', 'count', 'remove', 'hide', 'login', 'look', 'look'] as const

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
  'meta-bad-value': (view, _, now) => setMeta(view, project, 'k0', { value: 'a\0b' }, plainSeal, now),
  'start-bad-variables': (view, name, now) =>
    startService(view, project, name, undefined, now, undefined, {}, { set: { 'a b': 'x' } }),
  'revert-not-previous': (view, name, now) =>
    revertService(view, project, name, { version: '1', previous: '9999' }, now),
  'replace-not-previous': (view, name, now) =>
    reprovisionService(view, project, name, { previous: '9999' }, now),
  'freeze-unknown': (view, _, now) => freezeScope(view, 'elsewhere', undefined, now),
  // Operators freeze services, and never all of them.
  'unfreeze-all': (view, _, now) =>
    namesOf(view).every((name) => freezesOf(view, project, name).length === 0)
      ? unfreezeScope(view, project, undefined, now)
      : unfreezeScope(view, project, 'nobody', now),
  'machine-bad-metadata': (view, _, now) =>
    changeMachine(view, [...view.machines.keys()][0] ?? 'nobody', { metadata: { 'a b': 'x' } }, now),
  'machine-ambiguous': (view, _, now) =>
    changeMachine(view, view.machines.size > 1 ? 'm' : 'nobody', { cordoned: true }, now),
  'unit-bad-name': (view, _, now) => units(view, 'start', [{ name: 'a b' }], now),
  'unit-not-to-stop': (view, _, now) => units(view, 'stop', [{ name: nobody }], now),
  'unit-template': (view, _, now) =>
    units(view, 'start', [{ name: 'nobody@.service', source: sourceOf('[Service]\n') }], now),
  'unit-bad-text': (view, _, now) =>
    units(view, 'submit', [{ name: nobody, source: sourceOf('ExecStart=/bin/x\n') }], now),
  'unit-named-twice': (view, _, now) => {
    const source = sourceOf('[Service]\nExecStart=/bin/x\n')
    const unit = { name: nobody, source }
    return units(view, 'submit', [unit, unit], now)
  },
  'unit-of-service': (view, name, now) => {
    const own = [...view.instances.values()].find(({ service }) => service === name)
    return units(view, 'destroy', [{ name: own?.unit ?? nobody }], now)
  },
}

function units(
  view: ClusterView,
  verb: UnitVerb,
  named: readonly NamedUnit[],
  now: number,
): Change | Problem {
  return changeUnits(view, { verb, units: [...named] }, now)
}

function sourceOf(text: string): { readonly file: string; readonly text: string } {
  return { file: 'nobody.service', text }
}

function namesOf(view: ClusterView): readonly string[] {
  return ['', ...[...view.services.values()].map(({ name }) => name)]
}

export class Requests {
  readonly told = new Map<string, MetaTold>()
  readonly #broke: (what: string) => void

  readonly #secrets: SecretsJudge

  constructor(broke: (what: string) => void) {
    this.#broke = broke
    this.#secrets = new SecretsJudge(broke)
  }

  /** Throws what the product refuses it with. */
  async meta({ who: key, details }: Deed, ask: Ask): Promise<void> {
    const { verb, n = '' } = details
    if (verb === 'hide') {
      const hidden = { value: secretOf(n), secret: true }
      const done = await ask((view, now) => setMeta(view, project, `h${key}`, hidden, seal, now))
      this.#secrets.seen(`the answer about h${key}`, JSON.stringify(done.set))
      return
    }
    if (verb === 'login') {
      const login = { username: 'simulated', password: secretOf(`login-${n}`) }
      const done = await ask((_, now) => logIn({ host: `${key}.test` }, login, seal, now))
      this.#secrets.seen(`the login of ${key}.test`, JSON.stringify(done.events))
      return
    }
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

  /** Sets the secret that the programs of a service are given. */
  async give(service: string, view: ClusterView, ask: Ask): Promise<void> {
    const key = ownKeyOf(service)
    if (view.metaOf(project).has(key)) return
    const own = { value: secretOf(ownWordOf(service)), secret: true }
    await ask((now, at) => setMeta(now, project, key, own, seal, at))
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
