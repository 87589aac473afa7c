// Judges of what happens between the parts of the product, each at what changes and most of them in the end.
import type { UnitName } from '../../src/model/unit.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { ComingsJudge } from './comings-judge.js'
import { FreezesJudge } from './freezes-judge.js'
import { GlobalsJudge } from './globals-judge.js'
import { LeadJudge } from './lead-judge.js'
import type { Node } from './node.js'
import { PromptJudge } from './prompt-judge.js'
import { TextsJudge } from './texts-judge.js'
import { ToldJudge } from './told-judge.js'
import { WaitingFiringsJudge } from './waiting-firings-judge.js'

export interface SeamParts {
  readonly now: () => number
  readonly nodes: readonly Node[]
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

export class SeamJudges {
  readonly #comings: ComingsJudge
  readonly #freezes: FreezesJudge
  readonly #globals: GlobalsJudge
  readonly #lead: LeadJudge
  readonly #prompt: PromptJudge
  readonly #firings: WaitingFiringsJudge
  readonly #texts: TextsJudge
  readonly #told: ToldJudge

  constructor(parts: SeamParts) {
    this.#comings = new ComingsJudge(parts)
    this.#freezes = new FreezesJudge(parts)
    this.#globals = new GlobalsJudge(parts)
    this.#lead = new LeadJudge(parts)
    this.#prompt = new PromptJudge(parts)
    this.#firings = new WaitingFiringsJudge(parts)
    this.#texts = new TextsJudge(parts)
    this.#told = new ToldJudge(parts)
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    this.#comings.look(changes)
    this.#freezes.look(view, changes)
    this.#globals.look(view, changes)
    this.#lead.look(view, changes)
    this.#prompt.look(view, changes)
    this.#firings.look(view, changes)
    this.#texts.look(view, changes)
    this.#told.look(view, changes)
  }

  /** A daemon begins to make a unit ready. */
  loading(node: Node, unit: UnitName): void {
    this.#prompt.loading(node, unit)
  }

  /** A daemon tells the program of a unit to stop. */
  stopping(node: Node, unit: UnitName): void {
    this.#globals.stopping(node, unit)
  }

  /** To be called after each step, also of those with which nothing changes. */
  step(view: ClusterView): void {
    this.#prompt.step(view)
  }

  /** After a long quiet. */
  judgeRest(view: ClusterView): void {
    this.#comings.judgeRest(view)
  }
}
