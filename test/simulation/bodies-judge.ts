// What has to hold of the bodies of calls: the run that a call starts has just that body, no other run has, it is kept for no
// longer than for that, and nobody else sees anything of it.
import type { UnitToRun } from '../../src/agent/driver.js'
import { decode, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { type CallBody, hushed } from './calls.js'
import { project } from './scenario.js'

export interface BodiesParts {
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
  /** How the triggers of a service hand bodies on; null where they do not. */
  readonly useOf: (service: string) => string | null
}

/** What a run was given of a call. */
interface Given {
  readonly variables: Readonly<Record<string, string>>
  /** In base64. */
  readonly file: string | null
}

interface Sent {
  readonly service: string
  readonly body: CallBody
}

export class BodiesJudge {
  readonly #parts: BodiesParts
  /** By the word that no other has. */
  readonly #sent = new Map<string, Sent>()
  /** The instance that got each, by the word. */
  readonly #got = new Map<string, string>()
  /** The words of calls that were acknowledged, by task. */
  readonly #told = new Map<string, string>()
  #view: ClusterView | null = null

  constructor(parts: BodiesParts) {
    this.#parts = parts
  }

  /** Somebody is about to send it. */
  sent(service: string, body: CallBody): void {
    this.#sent.set(body.word, { service, body })
  }

  /** A call with it took effect, as that task. */
  told(task: string, { word }: CallBody): void {
    this.#told.set(task, word)
  }

  /** Whether runs get the bodies of a trigger's calls. */
  isGiven(service: string, trigger: string): boolean {
    return trigger === 'go' && this.#parts.useOf(service) !== null
  }

  /** Something that others read: a line of a log, a webhook, an answer. */
  seen(where: string, text: string): void {
    if (text.includes(hushed)) this.#parts.broke(`${where} shows the body of a call: ${text.slice(0, 400)}`)
  }

  look(view: ClusterView, changes: readonly Change[]): void {
    this.#view = view
    for (const change of changes) {
      if (change.type === 'delete') continue
      this.seen(`the record ${change.key}`, change.entry.value)
      if (kindOfKey(change.key) !== 'task') continue
      const { uuid, state, service, instance } = decode('task', change.entry)
      const word = this.#told.get(uuid)
      if (word === undefined || state !== 'completed') continue
      this.#told.delete(uuid)
      if (this.#parts.useOf(service) === null) continue
      const own = view.instancesOf(serviceKey(project, service)).find(({ n }) => n === instance)
      // A start counts as done where its instance is lost with its machine before it began: others would take its place.
      if (own !== undefined && own.lost !== null) continue
      this.#parts.count('bodies of calls arrived')
      if (!this.#got.has(word))
        this.#parts.broke(`${service}: the start ${uuid} is done, and no program got the body of its call`)
    }
  }

  /** A program begins. */
  begun({ instance, secrets = {}, environment, files = [] }: UnitToRun): void {
    if (instance === null) return
    const given: Given = {
      variables: Object.fromEntries(
        Object.entries({ ...environment, ...secrets }).filter(
          ([name]) => name.startsWith('TRIGGER_') && name !== 'TRIGGER_BODY',
        ),
      ),
      file: base64(files.find(({ path }) => path === '.trigger-body')?.content),
    }
    const { service } = instance
    const { broke, count, useOf } = this.#parts
    const hasSome = given.file !== null || Object.keys(given.variables).length > 0
    if (!hasSome) {
      this.#checkNone(`${instance.uuid}`, service)
      return
    }
    const word = wordIn(given)
    const sent = word === null ? undefined : this.#sent.get(word)
    if (word === null || sent === undefined) {
      this.#checkEmpty(service, given)
      return
    }
    count(`body given, ${useOf(service)}`)
    if (sent.service !== service) broke(`${service} got a body that was sent to ${sent.service}`)
    const expected = JSON.stringify(expectedOf(sent.body, useOf(service)))
    if (JSON.stringify(given) !== expected)
      broke(`${service}: a run got ${JSON.stringify(given)} of a call, and was sent ${expected}`)
    const before = this.#got.get(word)
    if (before !== undefined && before !== `${instance.uuid}`)
      broke(`${service}: the body of one call went to two runs, ${before} and ${instance.uuid}`)
    this.#got.set(word, `${instance.uuid}`)
  }

  /** After a long quiet only what still has to begin, or may begin again, has a body in the store. */
  judgeRest(view: ClusterView): void {
    for (const key of view.servicesWithCallBodies()) {
      const needed = [
        ...[view.services.get(key)],
        ...view.runsOf(key).filter(({ instance }) => instance === null),
        // What is to stop on a machine that is away is there until that is back, or gone for good.
        ...[...view.allInstancesOf(key)].filter(({ retired, lost }) => retired === null || lost !== null),
        ...view.tasksOf(key).filter(({ finishedAt }) => finishedAt === null),
      ].map((one) => JSON.stringify(one))
      for (const id of view.callBodiesOf(key).keys()) {
        this.#parts.count('body kept')
        if (!needed.some((one) => one?.includes(id)))
          this.#parts.broke(`${key}: the body ${id} is kept, and nothing needs it any more`)
      }
    }
  }

  /** Its run was started by no call with a body. */
  #checkNone(uuid: string, service: string): void {
    const view = this.#view
    const key = serviceKey(project, service)
    const instance = view?.instancesOf(key).find((one) => `${one.uuid}` === uuid)
    const run = view?.runsOf(key).find((one) => one.instance === instance?.name)
    const isGiven = run?.body !== undefined && (run.body.file || run.body.variables.length > 0)
    if (isGiven && run.serviceUuid === view?.services.get(key)?.uuid)
      this.#parts.broke(`${instance?.name} begins without the body that its run has`)
  }

  /** A call without a body has an empty file. */
  #checkEmpty(service: string, given: Given): void {
    if (JSON.stringify(given) !== JSON.stringify({ variables: {}, file: '' }))
      this.#parts.broke(`${service}: a run got ${JSON.stringify(given)}, which nobody has sent`)
  }
}

function base64(content: Uint8Array | undefined): string | null {
  return content === undefined ? null : Buffer.from(content).toString('base64')
}

function wordIn({ variables, file }: Given): string | null {
  const texts = [...Object.values(variables), Buffer.from(file ?? '', 'base64').toString('latin1')]
  for (const text of texts) {
    const found = /hush-[0-9a-f]{16}/.exec(text)?.[0]
    if (found !== undefined) return found
  }
  return null
}

/** What comes of a body, read apart from the product. */
function expectedOf({ bytes, type, word }: CallBody, use: string | null): Given {
  if (use === 'file')
    return { variables: type === null ? {} : { TRIGGER_BODY_TYPE: type }, file: base64(bytes) }
  const odd = type === 'application/json' ? { TRIGGER_ODD: '' } : {}
  return { variables: { TRIGGER_N: '7', ...odd, TRIGGER_WORD: word }, file: null }
}
