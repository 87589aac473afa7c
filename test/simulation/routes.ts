// Services that the world reaches by the entry, as one project whose files somebody deploys as a whole, with --prune: what the
// files do not name is removed, and where others take over what it served it goes once those serve.
import { type DeployResponse, paths } from '../../src/contract/contract.js'
import type { Task } from '../../src/model/task.js'
import { askOutside, type EverywhereParts, refusalOf } from './everywhere.js'
import { manifestOf } from './manifest.js'
import { NoAnswer } from './network.js'
import type { Node } from './node.js'
import type { RoutesJudge } from './routes-judge.js'
import { type Deed, numberOf, project } from './scenario.js'

/** Of these services the project may have some at a time. */
export const routedNames = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5'] as const
export const claimWords = ['h0', 'h1', 'p0', 't0', 't1'] as const

export type ClaimWord = (typeof claimWords)[number]

/** What the entry may serve, by its word in a scenario, as a manifest has it, and as the product names it. */
const routes: Readonly<Record<ClaimWord, { readonly yaml: string; readonly claim: string }>> = {
  h0: { yaml: 'host: a.test, drain: 5', claim: 'a.test/' },
  h1: { yaml: 'host: b.test, drain: 0', claim: 'b.test/' },
  p0: { yaml: 'host: a.test, path: /api, drain: 20', claim: 'a.test/api' },
  t0: { yaml: 'tcp: 7000, drain: 5', claim: 'tcp:7000' },
  t1: { yaml: 'tcp: 7001, drain: 0', claim: 'tcp:7001' },
}

/** A service of the files, as the detail `has` of a deed says it: `r0,good,64,yes,d1,h0+t0`. */
export interface Filed {
  readonly name: string
  readonly kind: string
  readonly memory: string
  readonly checked: string
  /** A number in its manifest: with another one it is another version. */
  readonly n: string
  readonly claims: readonly ClaimWord[]
}

export function printFiles(files: readonly Filed[]): string {
  return files
    .map(({ name, kind, memory, checked, n, claims }) =>
      [name, kind, memory, checked, n, claims.join('+')].join(','),
    )
    .join(';')
}

/** What a deed hands in; nothing for one that is about something else. */
export function filesOf({ details }: Pick<Deed, 'details'>): readonly Filed[] {
  const { has = '' } = details
  return has.split(';').flatMap((text) => {
    const [name = '', kind = '', memory = '', checked = '', n = '', claims = ''] = text.split(',')
    const words = claims.split('+').filter((word) => word !== '') as ClaimWord[]
    return name === '' ? [] : [{ name, kind, memory, checked, n, claims: words }]
  })
}

/** The lines of a manifest for what its detail `routes` claims. */
export function routeLines(claims: string | undefined): readonly string[] {
  if (claims === undefined || claims === '') return []
  const all = claims.split('+').map((word) => `{${routes[word as ClaimWord].yaml}}`)
  return [`entry: [${all.join(', ')}]`, 'ports: ["0:8080"]']
}

/** The same for those who know what is asked of services one by one. */
export function asOfServices(deed: Deed): readonly Deed[] {
  return deed.what === 'site' ? routedNames.map((who) => ({ ...deed, who, what: 'delete' })) : [deed]
}

/** The deletion of a service that waits until others serve; null where none does. */
export function handOverIn(tasks: readonly Task[]): Task | null {
  return tasks.find(({ state, order }) => state === 'queued' && isHandOver(order)) ?? null
}

export function isHandOver(order: Task['order']): boolean {
  return order?.kind === 'delete' && order.handsOver !== undefined
}

/** The path and body that `mariposa project deploy FILE … --prune` sends. */
function requestOf(deed: Deed): { readonly path: string; readonly body: object } {
  const sources = filesOf(deed).map(({ name, claims, ...details }) => ({
    file: `${name}.yml`,
    text: manifestOf({ ...deed, who: name, details: { ...details, routes: claims.join('+') } }),
    name,
  }))
  const body = {
    ...{ sources, scale: numberOf(deed, 'scale'), deadlineMs: numberOf(deed, 'deadline') },
    ...(deed.details['prune'] === 'yes' && { prune: true }),
  }
  return { path: paths.deploy(project), body }
}

export class Sites {
  readonly #parts: EverywhereParts
  readonly #judge: RoutesJudge
  #asking = 0

  constructor(parts: EverywhereParts, judge: RoutesJudge) {
    this.#parts = parts
    this.#judge = judge
  }

  /** Whether a request is on its way: a server takes turns of its own for it, over which no time is to leap. */
  get isAsking(): boolean {
    return this.#asking > 0
  }

  /** Hands the files in. Throws ProblemError where that is refused, and NoAnswer where nobody knows. */
  async deploy(deed: Deed): Promise<void> {
    const { count } = this.#parts
    const node = this.#node(deed)
    if (node === null) throw new NoAnswer('nobody to ask')
    const files = filesOf(deed)
    const asked = this.#judge.asks(files)
    this.#asking += 1
    const answer = await askOutside(node, { method: 'POST', ...requestOf(deed) }, this.#parts).finally(() => {
      this.#asking -= 1
    })
    if (answer === null || answer.status >= 500) throw new NoAnswer(answer?.text ?? 'no answer')
    if (answer.status !== 200) {
      this.#judge.refused(asked)
      throw refusalOf(answer)
    }
    this.#judge.done(asked)
    const { services } = JSON.parse(answer.text) as DeployResponse
    for (const { outcome, handsOver } of services)
      count(`site ${outcome}${handsOver === undefined ? '' : ', hands over'}`)
  }

  /** Whoever gets no answer from one daemon asks the next. */
  #node({ details }: Deed): Node | null {
    const { nodes } = this.#parts
    const from = nodes.findIndex(({ name }) => name === details['via'])
    const inTurn = [...nodes.slice(from), ...nodes.slice(0, from)]
    return inTurn.find(({ daemon }) => daemon !== null) ?? null
  }
}
