// What objects of this process hold on to, also in closures and private fields, which only a snapshot of the heap shows:
// everything that can be reached from them, counted by where it is held. All of it is counted that is no code, and no number
// by itself.
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeHeapSnapshot } from 'node:v8'

/** How many things are held in each place, such as `Mirror.#entries.[]`. */
export type Held = ReadonlyMap<string, number>

/** The part of a snapshot that is read here: https://github.com/v8/v8/blob/main/src/profiler/heap-snapshot-generator.cc. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly [readonly string[]]
      readonly edge_fields: readonly string[]
      readonly edge_types: readonly [readonly string[]]
    }
  }
  readonly nodes: readonly number[]
  readonly edges: readonly number[]
  readonly strings: readonly string[]
}

/** Shows in the snapshot which objects are meant. */
class HeldBy {
  readonly owners: readonly object[]
  readonly others: readonly object[]

  constructor(owners: readonly object[], others: readonly object[]) {
    this.owners = owners
    this.others = others
  }
}

/** Of each owner: what it holds by any way that does not lead through another owner, or one of the others. */
export function heldBy(owners: readonly object[], others: readonly object[]): readonly Held[] {
  const marked = new HeldBy(owners, others)
  const graph = new Graph(snapshot())
  const mark = graph.only(HeldBy.name)
  const listed = (list: string): readonly number[] =>
    graph
      .edges(mark)
      .flatMap(({ name, to }) =>
        name === list ? graph.edges(to).flatMap((edge) => (edge.type === 'element' ? [edge.to] : [])) : [],
      )
  const [from, ends] = [listed('owners'), listed('others')]
  if (from.length !== marked.owners.length || ends.length > marked.others.length)
    throw new Error('the snapshot of the heap does not show what was asked for')
  return from.map((owner) => graph.count(owner, new Set([mark, ...from, ...ends])))
}

function snapshot(): Snapshot {
  const path = join(tmpdir(), `mariposa-simulation-${process.pid}.heapsnapshot`)
  try {
    writeHeapSnapshot(path)
    return JSON.parse(readFileSync(path, 'utf8')) as Snapshot
  } finally {
    rmSync(path, { force: true })
  }
}

interface Edge {
  readonly type: string
  /** Of a field or variable; a number of an element. */
  readonly name: string | number
  readonly to: number
}

/** What nobody wrote: shapes of objects, compiled code, and what all objects of a class have. */
const notOurs = new Set([
  'map',
  '__proto__',
  'shared',
  'code',
  'feedback_cell',
  'scope_info',
  'native_context',
])
/** Objects without a name of their own are named by who has them. */
const unnamed = new Set(['Object', 'Array', 'Map', 'Set', 'Promise', 'system / Context', 'Generator', ''])
/** A plain object with more fields is used as a map. */
const fieldsAtMost = 40
/** A place is told by so many steps from an object of a class. */
const stepsAtMost = 3

class Graph {
  readonly #snapshot: Snapshot
  readonly #nodeSize: number
  readonly #edgeSize: number
  readonly #nodeTypes: readonly string[]
  readonly #edgeTypes: readonly string[]
  readonly #edgeCountAt: number
  /** Where the edges of each node begin. */
  readonly #edgesFrom: Uint32Array

  constructor(of: Snapshot) {
    const { meta } = of.snapshot
    this.#snapshot = of
    this.#nodeSize = meta.node_fields.length
    this.#edgeSize = meta.edge_fields.length
    this.#nodeTypes = meta.node_types[0]
    this.#edgeTypes = meta.edge_types[0]
    this.#edgeCountAt = meta.node_fields.indexOf('edge_count')
    this.#edgesFrom = new Uint32Array(of.nodes.length / this.#nodeSize + 1)
    for (let n = 0; n < this.#edgesFrom.length - 1; n++)
      this.#edgesFrom[n + 1] = (this.#edgesFrom[n] ?? 0) + this.#edgeCount(n)
  }

  /** The one object of a class that there is. */
  only(name: string): number {
    const { nodes, strings } = this.#snapshot
    const [type, text] = [this.#nodeTypes.indexOf('object'), strings.indexOf(name)]
    // The prototype of its class has the same name, and comes without fields.
    for (let n = 0; n < this.#edgesFrom.length - 1; n++)
      if (nodes[n * this.#nodeSize] === type && nodes[n * this.#nodeSize + 1] === text)
        if (this.edges(n).some((edge) => edge.name === 'owners')) return n
    throw new Error(`there is no ${name} in the snapshot of the heap`)
  }

  edges(node: number): readonly Edge[] {
    const { edges, strings } = this.#snapshot
    const found: Edge[] = []
    const end = (this.#edgesFrom[node + 1] ?? 0) * this.#edgeSize
    for (let at = (this.#edgesFrom[node] ?? 0) * this.#edgeSize; at < end; at += this.#edgeSize) {
      const type = this.#edgeTypes[edges[at] ?? -1] ?? ''
      const name = edges[at + 1] ?? 0
      const text = type === 'element' || type === 'hidden' ? name : (strings[name] ?? '')
      found.push({ type, name: text, to: (edges[at + 2] ?? 0) / this.#nodeSize })
    }
    return found
  }

  /** The nearest way to each counts. */
  count(from: number, ends: ReadonlySet<number>): Held {
    const held = new Map<string, number>()
    const seen = new Set([...ends, from])
    let next: (readonly [node: number, place: readonly string[]])[] = [[from, ['']]]
    while (next.length > 0) {
      const these = next
      next = []
      for (const [node, place] of these) {
        const edges = this.edges(node).filter(isOfOurs)
        const isMap = this.#name(node) === 'Object' && edges.length > fieldsAtMost
        for (const { name, to } of edges) {
          if (seen.has(to) || !this.#isHeld(to)) continue
          seen.add(to)
          const there = this.#place(to, place, isMap ? '[]' : stepOf(name))
          // A string may be made of others.
          if (!this.#type(to).endsWith('string')) next.push([to, there])
          const text = there.join('.')
          held.set(text, (held.get(text) ?? 0) + 1)
        }
      }
    }
    return held
  }

  #place(node: number, of: readonly string[], step: string): readonly string[] {
    const name = this.#name(node)
    if (this.#type(node) === 'object' && !unnamed.has(name)) return [name]
    if (step === '' || of.at(-1) === step) return of
    return [of[0] ?? '', ...[...of.slice(1), step].slice(-stepsAtMost)]
  }

  /** Whether it is an object of the program, or what such a one is made of. */
  #isHeld(node: number): boolean {
    return !notHeld.has(this.#type(node))
  }

  #edgeCount(node: number): number {
    return this.#snapshot.nodes[node * this.#nodeSize + this.#edgeCountAt] ?? 0
  }

  #type(node: number): string {
    return this.#nodeTypes[this.#snapshot.nodes[node * this.#nodeSize] ?? -1] ?? ''
  }

  #name(node: number): string {
    return this.#snapshot.strings[this.#snapshot.nodes[node * this.#nodeSize + 1] ?? -1] ?? ''
  }
}

const notHeld: ReadonlySet<string> = new Set(['hidden', 'code', 'object shape', 'synthetic', 'number'])

function isOfOurs({ type, name }: Edge): boolean {
  return type !== 'weak' && type !== 'hidden' && !notOurs.has(`${name}`)
}

/** Elements of lists and tables are all in one place; the tables themselves are where their owners are. */
function stepOf(name: string | number): string {
  if (typeof name === 'number' || /^\d+/.test(name)) return '[]'
  return transparent.has(name) ? '' : name
}

const transparent: ReadonlySet<string> = new Set(['table', 'elements', 'properties', 'context', 'previous'])
