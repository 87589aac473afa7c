// A deploy on its way to being decided: its sources read and compiled, and what each service becomes. With a thousand services
// that takes a second, which nobody is to wait for: it is done in steps, and the decision has little left to do.

import type { DeployRequest } from '../contract/contract.js'
import type { Explainer } from '../engine/explain.js'
import { type Steps, toEnd } from '../lib/sliced-work.js'
import { hasErrors } from '../model/diagnostic.js'
import type { Service } from '../model/service.js'
import type { ClusterView } from '../store/view.js'
import { type DeployedVersion, deployService, type MadeVersion } from './deploy-service.js'
import { Found } from './draft-parts.js'
import type { HandedOver } from './entry-claims.js'
import { Preparation, type Prepared, type PreparedVersion, type ToPrepare } from './prepare.js'
import { isProblem, type Problem } from './problem.js'
import { pruneOthers, type Removed } from './prune.js'
import { hasRoom } from './room.js'
import type { Change } from './services.js'

interface ToDraft extends ToPrepare {
  readonly request: DeployRequest
}

/**
 * What is known of a deploy before it is decided. Each part holds for the records that it was found from (`Found`): where one
 * of those is another by now, it is found anew.
 */
export class DeployDraft {
  readonly #asked: ToDraft
  readonly #preparation: Preparation
  readonly #known = new Found<PreparedVersion, DeployedVersion | Problem>()
  readonly #removals = new Found<Service, Change | Problem>()
  readonly #placeable = new WeakSet<MadeVersion>()

  constructor(asked: ToDraft) {
    this.#asked = asked
    this.#preparation = new Preparation(asked)
  }

  /** Finds out what is not known yet, or not any more, of one service after the other. The view may change in between. */
  *steps(view: ClusterView, explainer: Explainer): Steps<void> {
    yield* this.#preparation.steps(view)
    const { versions, diagnostics } = this.#preparation.soFar()
    if (hasErrors(diagnostics)) return
    for (const one of versions) {
      const outcome = this.decided(view, one)
      yield
      if (isProblem(outcome) || this.#asked.request.waitForRoom === true) continue
      if (outcome.made.length > 0) yield* explainer.takeIn()
      for (const made of outcome.made) this.isPlaceable(view, explainer, made)
      yield
    }
    if (this.#asked.request.prune === true)
      yield* pruneOthers(
        view,
        this.#asked.project,
        versions.map(({ read }) => read.manifest.name),
        this.#asked.now,
        this.#removals,
      )
  }

  /** Whether little is left to be found out about the view as it is. */
  isDone(view: ClusterView): boolean {
    if (!this.#preparation.isDone(view)) return false
    const { versions, diagnostics } = this.#preparation.soFar()
    if (hasErrors(diagnostics)) return true
    const { project } = this.#asked
    return versions.every((one) => this.#known.has(view, project, one.read.manifest.name, one))
  }

  prepared(view: ClusterView): Prepared {
    return this.#preparation.result(view)
  }

  /** What a service becomes, or why nothing. */
  decided(view: ClusterView, one: PreparedVersion): DeployedVersion | Problem {
    const { project, request, now } = this.#asked
    return this.#known.of(view, project, one.read.manifest.name, one, () =>
      deployService(view, one, request, now),
    )
  }

  /** What becomes of the services that it does not name, or why nothing. */
  removed(
    view: ClusterView,
    named: readonly string[],
    handedOverOf: (service: Service) => readonly HandedOver[],
  ): readonly Removed[] | Problem {
    const { project, now } = this.#asked
    return toEnd(pruneOthers(view, project, named, now, this.#removals, handedOverOf))
  }

  /** Whether some machine can take a new version, or could when it was asked last. */
  isPlaceable(view: ClusterView, explainer: Explainer, made: MadeVersion): boolean {
    if (this.#placeable.has(made)) return true
    const found = hasRoom(view, explainer, made)
    if (found) this.#placeable.add(made)
    return found
  }
}
