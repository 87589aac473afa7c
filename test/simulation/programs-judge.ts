// What may never be seen of the programs themselves: two of one instance beside each other, and a start of what is to stop
// for good.
import type { Clockwork } from './clockwork.js'
import type { Program } from './host.js'
import { agentTtlMs, type Node } from './node.js'

export interface ProgramsParts {
  readonly clockwork: Clockwork
  readonly nodes: readonly Node[]
  /** How long an instance has been one that is to stop for good. */
  readonly retiredForMs: (instance: string) => number
  readonly broke: (what: string) => void
}

/** A machine that is back learns within so long what was decided without it, and does it. */
const hearsWithinMs = agentTtlMs + 30_000

/** What was decided the moment before takes so long until it is under way. */
const beginsWithinMs = 100

interface Running {
  readonly node: Node
  readonly program: Program
}

export class ProgramsJudge {
  readonly #parts: ProgramsParts
  /** Those that run beside each other, each on a machine that could not know better. */
  #pairs: (readonly [Running, Running])[] = []

  constructor(parts: ProgramsParts) {
    this.#parts = parts
  }

  /** What a daemon knows to stop for good it does not make ready to start again. */
  loading(node: Node, instance: string | null): void {
    if (instance !== null && node.knowsRetiredForMs(instance) > beginsWithinMs)
      this.#parts.broke(`${node.name} makes ${instance} ready, and knows that it is to stop for good`)
  }

  /** What is to stop for good is never started again. */
  started(node: Node, program: Program): void {
    const { broke, nodes, retiredForMs } = this.#parts
    const { instance, unit } = program
    const heardAt = Math.max(node.outOfTouchAt, node.host.awayAt)
    const connectedForMs = this.#parts.clockwork.now - heardAt
    if (instance !== null && Math.min(connectedForMs, retiredForMs(instance)) > hearsWithinMs)
      broke(`${unit} starts on ${node.name}, and is retired`)
    for (const other of nodes)
      for (const one of other.host.running)
        if (one !== program && !program.isGlobal && idOf(one) === idOf(program))
          this.#pairs.push([
            { node, program },
            { node: other, program: one },
          ])
  }

  /** Two programs of one instance never run beside each other, but for a machine that has not heard of its loss. */
  look(): void {
    if (this.#pairs.length === 0) return
    this.#pairs = this.#pairs.filter((pair) => pair.every(({ program }) => program.endedAt === null))
    for (const [{ node, program }, other] of this.#pairs)
      if (!this.#isExcused(node) && !this.#isExcused(other.node))
        this.#parts.broke(`two programs of ${program.unit} run, on ${other.node.name} and ${node.name}`)
  }

  /** It could not know what the others decided, or has only just heard of it. */
  #isExcused(node: Node): boolean {
    return this.#parts.clockwork.now - node.outOfTouchAt < hearsWithinMs
  }
}

function idOf({ instance, unit }: Program): string {
  return instance ?? unit
}
