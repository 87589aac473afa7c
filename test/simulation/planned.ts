// Deploys that are planned first, over a daemon's API: an operator looks at the plan, others go on meanwhile, and then the
// deploy expects it. It does what was shown, or it is refused and changes nothing; without an answer it is one of the two.
import {
  type DeployResponse,
  type PlannedService,
  type PlanResponse,
  paths,
} from '../../src/contract/contract.js'
import type { ServiceVersion } from '../../src/model/service.js'
import { keys } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { askOutside, type EverywhereParts, refusalOf } from './everywhere.js'
import { manifestOf } from './manifest.js'
import { NoAnswer } from './network.js'
import type { Node } from './node.js'
import { recordIn } from './record-in.js'
import { type Deed, numberOf, project } from './scenario.js'
import type { Stillness } from './stillness.js'

/** A deploy on its way, by the number in its manifest that no other has. */
interface Expected {
  readonly plan: PlanResponse
  readonly shown: PlannedService
  /** When it was asked for. */
  readonly at: number
  state: 'shown' | 'asked' | 'refused' | 'done'
}

/** What an answer has of a deploy that was acknowledged. */
export interface Deployed {
  readonly ordinal: number
}

/** What has been so for as long every daemon has heard of. */
const stillForMs = 15_000

export class Planned {
  readonly #parts: EverywhereParts
  readonly #expected = new Map<string, Expected>()
  readonly #stillness: Stillness

  constructor(parts: EverywhereParts, stillness: Stillness) {
    this.#parts = parts
    this.#stillness = stillness
  }

  /** Looks at what a deploy would do, and thinks about it for a while. Resolves to whether there is anything to go on with. */
  async plan(deed: Deed): Promise<boolean> {
    const { clockwork, count } = this.#parts
    const node = this.#node(deed)
    if (node === null) return false
    const request = { method: 'POST' as const, path: paths.plan(project), body: requestOf(deed) }
    const at = clockwork.now
    const answer = await askOutside(node, request, this.#parts)
    if (answer === null || answer.status !== 200) {
      count(answer === null ? 'plan without an answer' : `plan refused ${refusalOf(answer).problem.code}`)
      return false
    }
    const plan = JSON.parse(answer.text) as PlanResponse
    const shown = plan.services.find(({ service }) => service === deed.who)
    if (shown === undefined || plan.cut === true) {
      this.#parts.broke(`${deed.who}: a plan ${plan.cut === true ? 'was cut' : 'does not name it'}`)
      return false
    }
    this.#expected.set(markOf(deed), { plan, shown, at, state: 'shown' })
    count('looked at a plan')
    await clockwork.sleep(numberOf(deed, 'wait'))
    return true
  }

  /** Deploys as was shown. Throws ProblemError where that is refused, and NoAnswer where nobody knows. */
  async deploy(deed: Deed): Promise<Deployed> {
    const { broke, count } = this.#parts
    const expected = this.#expected.get(markOf(deed))
    const node = this.#node(deed)
    if (expected === undefined || node === null) throw new NoAnswer('nobody to ask')
    const body = { ...requestOf(deed), expect: expected.plan.id }
    expected.state = 'asked'
    const request = { method: 'POST' as const, path: paths.deploy(project), body }
    const answer = await askOutside(node, request, this.#parts)
    if (answer === null || answer.status >= 500) throw new NoAnswer(answer?.text ?? 'no answer')
    if (answer.status !== 200) {
      expected.state = 'refused'
      const refusal = refusalOf(answer)
      if (refusal.problem.code === 'deploy/not-as-planned') this.#judgeRefused(deed, node, expected)
      throw refusal
    }
    expected.state = 'done'
    const isStill = expected.at - this.#stillness.changedAt >= stillForMs
    if (isStill) count('deployed as planned, of what had not changed')
    const { services, planned = [] } = JSON.parse(answer.text) as DeployResponse
    const done = services.find(({ service }) => service === deed.who)
    const now = planned.find(({ service }) => service === deed.who)
    if (done?.ordinal !== expected.shown.ordinal)
      broke(`${deed.who}: planned as version ${expected.shown.ordinal}, and deployed as ${done?.ordinal}`)
    if (now === undefined || doneBy(now) !== doneBy(expected.shown))
      broke(`${deed.who}: shown ${doneBy(expected.shown)}, and deployed ${now && doneBy(now)}`)
    count('deployed as planned')
    return { ordinal: expected.shown.ordinal }
  }

  /** What is as it was is planned as it was, however much later. */
  #judgeRefused({ who }: Deed, node: Node, { at, plan }: Expected): void {
    const { broke, count } = this.#parts
    if (at - Math.max(this.#stillness.changedAt, node.troubledAt) < stillForMs) return
    count('plan out of date, and nothing has changed')
    broke(`${who}: the plan ${plan.id} is said to be out of date, and nothing has changed since`)
  }

  /** Looks at what has changed at once, which is all that one deploy has written. */
  look(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type !== 'put' || change.previous !== null) continue
      const version = recordIn('version', change.entry)
      const mark = /N: "(p\d+)"/.exec(version?.text ?? '')?.[1]
      const expected = this.#expected.get(mark ?? '')
      if (version !== null && expected !== undefined) this.#judge(version, expected, changes)
    }
  }

  #judge(
    { service: name, ordinal, uuid }: ServiceVersion,
    { shown, state }: Expected,
    changes: readonly Change[],
  ): void {
    const { broke, count } = this.#parts
    const say = (what: string): void => broke(`${name}: a deploy that expected a plan ${what}`)
    if (state === 'refused' || state === 'shown') say(`was ${state} only, and made version ${ordinal}`)
    if (ordinal !== shown.ordinal) say(`made version ${ordinal}, and showed ${shown.ordinal}`)
    const change = changes.find(({ key }) => key === keys.service(project, name))
    const before = recordIn('service', change?.previous ?? null)
    const after = change?.type === 'put' ? recordIn('service', change.entry) : null
    if (after === null) {
      say('changed no service')
      return
    }
    if ((before?.current ?? null) !== shown.previous) say(`took the place of ${before?.current ?? 'nothing'}`)
    if ((before?.scale ?? 0) !== shown.scale.from)
      say(`found scale ${before?.scale}, not ${shown.scale.from}`)
    if ((before?.lastInstance ?? 0) !== shown.lastInstance) say('found instances that were not there')
    // One that waits for what goes on changes nothing else yet.
    if (after.current !== uuid) count('deployed as planned, later')
    else if (after.scale !== shown.scale.to) say(`set the scale to ${after.scale}, not ${shown.scale.to}`)
  }

  #node({ details }: Deed): Node | null {
    return this.#parts.nodes.find(({ name, daemon }) => name === details['via'] && daemon !== null) ?? null
  }
}

function requestOf(deed: Deed): object {
  const { who, details } = deed
  return {
    sources: [{ file: `${who}.yml`, text: manifestOf(deed), name: who }],
    scale: numberOf(deed, 'scale'),
    deadlineMs: numberOf(deed, 'deadline'),
    ...(details['canary'] !== undefined && { canary: numberOf(deed, 'canary') }),
  }
}

/** No other manifest has it. */
function markOf({ details }: Deed): string {
  return details['n'] ?? ''
}

/** All that a plan says will be done, without its reasons. */
function doneBy(one: PlannedService): string {
  const { service, outcome, ordinal, previous, scale, lastInstance, diff, start, stop, unplaced } = one
  const names = (all: PlannedService['start']): readonly string[] => all.map(({ name }) => name)
  const places = start.map(({ name, machine }) => `${name} ${machine}`)
  return JSON.stringify([
    ...[service, outcome, ordinal, previous, scale, lastInstance],
    ...[diff, places, names(stop), names(unplaced)],
  ])
}
