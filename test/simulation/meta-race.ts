// Several operators at once who change the same keys of the metadata over daemons' APIs: by counting, by comparing the CAS id
// that they have read, or without looking. Each write tells by its value which request it is of, so that none is lost, none
// takes effect twice, and none that was refused takes any.
import { type MetaBody, paths } from '../../src/contract/contract.js'
import { keys } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { askOutside, type EverywhereParts, refusalOf } from './everywhere.js'
import { NoAnswer } from './network.js'
import { recordIn } from './record-in.js'
import { type Deed, numberOf, project } from './scenario.js'

/** `add`: counts by itself, with a comparison; `replace`: sets after a comparison; `set`: whatever is there. */
export const raceVerbs = ['incr', 'incr', 'add', 'add', 'replace', 'set', 'take'] as const
type RaceVerb = (typeof raceVerbs)[number]

interface Request {
  readonly key: string
  readonly verb: RaceVerb
  /** What it was compared with; null: with nothing. */
  readonly cas: string | null
  isRefused: boolean
  /** The CAS id that its write has, as was seen; null: nothing was. */
  written: string | null
  /** What its answer has; null where none came. */
  told: string | null
}

/** Values from there on were set, and those below were counted since. */
const setBy = 1_000_000_000

export class MetaRace {
  readonly #parts: EverywhereParts
  /** By their numbers, of which each is of one request. */
  readonly #requests = new Map<number, Request>()
  /** CAS ids of what was removed. */
  readonly #removed = new Set<string>()

  constructor(parts: EverywhereParts) {
    this.#parts = parts
  }

  /** Throws ProblemError where it is refused, and NoAnswer where nobody knows. */
  async change(deed: Deed): Promise<void> {
    const { details } = deed
    const [key = ''] = deed.who.split('.')
    const verb = details['verb'] as RaceVerb
    const n = numberOf(deed, 'n')
    const path = paths.metaKey(project, key)
    if (verb === 'incr') {
      const request = this.#begun(n, { key, verb, cas: null })
      const body = await this.#ask(deed, { method: 'POST', path: `${path}/incr`, body: { by: n } }, request)
      request.told = body.casId
      return
    }
    if (verb === 'set') {
      const request = this.#begun(n, { key, verb, cas: null })
      const asked = { method: 'PUT' as const, path, body: { value: `${n * setBy}` } }
      request.told = (await this.#ask(deed, asked, request)).casId
      return
    }
    const { value, casId } = await this.#ask(deed, { method: 'GET', path }, null)
    await this.#parts.clockwork.sleep(numberOf(deed, 'wait'))
    const request = this.#begun(n, { key, verb, cas: casId })
    if (verb === 'take') {
      await this.#ask(deed, { method: 'DELETE', path: `${path}?cas=${casId}` }, request)
      request.told = casId
      return
    }
    const next = verb === 'add' ? Number(value) + n : n * setBy
    const asked = { method: 'PUT' as const, path, body: { value: `${next}`, cas: casId } }
    request.told = (await this.#ask(deed, asked, request)).casId
  }

  look(changes: readonly Change[]): void {
    for (const change of changes) {
      const before = recordIn('meta', change.previous)
      const after = change.type === 'put' ? recordIn('meta', change.entry) : null
      const key = (after ?? before)?.key ?? ''
      if (!key.startsWith('c') || change.key !== keys.meta(project, key)) continue
      if (after !== null) this.#written(key, before, after)
      else if (before !== null) this.#removed.add(before.casId)
    }
  }

  judgeRest(): void {
    const { broke } = this.#parts
    const all = [...this.#requests]
    for (const [n, { key, verb, cas, told, written }] of all) {
      if (told === null || verb === 'take') continue
      if (written !== told) broke(`meta ${key}: ${verb} ${n} was told ${told}, and was written as ${written}`)
      if (cas === told) broke(`meta ${key}: ${verb} ${n} has the CAS id that it was compared with`)
    }
    const takes = all.flatMap(([, one]) => (one.verb === 'take' && !one.isRefused ? [one] : []))
    for (const id of this.#removed)
      if (!takes.some(({ cas }) => cas === id)) broke(`meta: what had the CAS id ${id} was removed by nobody`)
    for (const { key, told } of takes) {
      if (told === null) continue
      const others = takes.filter((one) => one.told === told)
      if (others.length > 1) broke(`meta ${key}: it was acknowledged twice that ${told} is removed`)
      if (!this.#removed.has(told)) broke(`meta ${key}: it was acknowledged that ${told} is removed`)
    }
  }

  #written(
    key: string,
    before: { readonly value: string; readonly casId: string } | null,
    after: { readonly value: string; readonly casId: string },
  ): void {
    const { broke, count } = this.#parts
    const value = Number(after.value)
    const isSet = value % setBy === 0
    const n = isSet ? value / setBy : value - Number(before?.value ?? 0)
    const request = this.#requests.get(n)
    const say = (what: string): void =>
      broke(`meta ${key}: ${before?.value ?? 'nothing'} became ${value}, ${what}`)
    const isSetter = request?.verb === 'set' || request?.verb === 'replace'
    if (request === undefined || request.key !== key || isSet !== isSetter) {
      say('which nobody asked for')
      return
    }
    if (request.written !== null) say(`by ${request.verb} ${n} once more`)
    if (request.isRefused) say(`by ${request.verb} ${n}, which was refused`)
    if (request.cas !== null && request.cas !== before?.casId)
      say(`by ${request.verb} ${n}, which was compared with another`)
    request.written = after.casId
    count(`meta written by ${request.verb}`)
  }

  #begun(n: number, request: Pick<Request, 'key' | 'verb' | 'cas'>): Request {
    const begun = { ...request, isRefused: false, written: null, told: null }
    this.#requests.set(n, begun)
    return begun
  }

  async #ask(
    { details }: Deed,
    asked: Parameters<typeof askOutside>[1],
    request: Request | null,
  ): Promise<MetaBody> {
    const { nodes, broke } = this.#parts
    const node = nodes.find(({ name, daemon }) => name === details['via'] && daemon !== null)
    if (node === undefined) throw new NoAnswer('nobody to ask')
    const answer = await askOutside(node, asked, this.#parts)
    if (answer === null || answer.status >= 500) throw new NoAnswer(answer?.text ?? 'no answer')
    if (answer.status === 200) return JSON.parse(answer.text) as MetaBody
    if (request !== null) request.isRefused = true
    if (request?.written != null) broke(`meta ${request.key}: ${request.verb} was refused, and written`)
    throw refusalOf(answer)
  }
}
