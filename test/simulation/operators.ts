// Those who ask a cluster for changes, and what they were told: what is acknowledged has to be there in the end.

import { ProblemError } from '../../src/api/io/context.js'
import { decideDeploy } from '../../src/changes/deploy.js'
import { withSecrets } from '../../src/changes/generated-secrets.js'
import { changeMachine } from '../../src/changes/machines.js'
import type { Problem } from '../../src/changes/problem.js'
import { freezeScope, terminateTask, unfreezeScope } from '../../src/changes/queue.js'
import { reprovisionService, revertService } from '../../src/changes/rollouts.js'
import type { Change } from '../../src/changes/services.js'
import { changeScales, deleteService, startService, stopService } from '../../src/changes/services.js'
import { changeUnits } from '../../src/changes/unit-verbs.js'
import type { MachineChangeRequest, UnitVerb } from '../../src/contract/contract.js'
import { describeError } from '../../src/lib/io/log.js'
import type { UnitName } from '../../src/model/unit.js'
import { volumeKey } from '../../src/model/volume.js'
import type { Change as StoredChange } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { lostVolumes } from '../../src/volumes/bodies.js'
import { defaultSettings } from '../manifest/default-settings.js'
import type { BodiesJudge } from './bodies-judge.js'
import { bodyOf, type CallBody, type CallOnce, callsOverNetwork, directCalls, isOutage } from './calls.js'
import type { Clockwork, Dice } from './clockwork.js'
import { askExplain } from './explain-judge.js'
import { lookAround } from './given-secrets.js'
import { manifestOf } from './manifest.js'
import { MetaRace } from './meta-race.js'
import { nearTextOf } from './near.js'
import { type Network, NoAnswer } from './network.js'
import type { Daemon, Node } from './node.js'
import { Planned } from './planned.js'
import { Requests } from './requests.js'
import { handOverIn, Sites } from './routes.js'
import type { RoutesJudge } from './routes-judge.js'
import { type ActName, type Deed, numberOf, project } from './scenario.js'
import { seal } from './sealing.js'
import type { SecretsJudge } from './secrets-judge.js'
import { Stillness } from './stillness.js'
import { unitNameOf, unitTextOf } from './units.js'
import type { UnitTold } from './units-judge.js'
import { askUse } from './use.js'
import { askVolumes, moveVolume, removeVolume } from './volume-requests.js'

/** What an operator was told of a service that is so; null: what nobody was told for sure. */
export interface Told {
  readonly ordinal: number | null
  readonly scale: number | null
  readonly isStopped: boolean | null
  readonly isDeleted: boolean | null
  /** Instances of other versions stay beside it: what replaced some was a canary. */
  readonly isCanary: boolean
}

export interface OperatorsParts {
  readonly clockwork: Clockwork
  readonly nodes: readonly Node[]
  readonly trace: (who: string, line: string) => void
  /** What came about, by kind. */
  readonly count: (what: string) => void
  readonly broke: (what: string) => void
  /** Somebody asks to delete a volume of that key, or a service of that name with its volumes. */
  readonly deletesVolumes: (uuid: string, what: string) => void
  /** Somebody asks for one instance more; and does not any more, as that was refused. */
  readonly asksForRun: (service: string, by: number) => void
  /** A start that was acknowledged, by its task. */
  readonly startTold: (task: string) => void
  /** Of a webhook's receiver. */
  readonly makeSecret: () => string
  /** What those outside ask daemons over; null where calls go straight to what decides. */
  readonly network: Network | null
  readonly bodies: BodiesJudge
  readonly secrets: SecretsJudge
  /** Null where nothing has routes. */
  readonly routes: RoutesJudge | null
}

type Decide<C extends Change> = (view: ClusterView, now: number) => C | Problem
type Ask = <C extends Change>(decide: Decide<C>) => Promise<C>

export class Operators {
  readonly told = new Map<string, Told>()
  readonly toldOfUnits = new Map<UnitName, UnitTold>()
  readonly requests: Requests
  readonly #stillness: Stillness
  readonly #planned: Planned | null
  readonly #race: MetaRace | null
  readonly #sites: Sites | null
  readonly #parts: OperatorsParts
  readonly #busyWith = new Set<string>()
  /** Services that triggers may scale. */
  readonly #scalesItself = new Set<string>()
  readonly #dice: Dice
  readonly #callOnce: CallOnce

  constructor(parts: OperatorsParts) {
    this.#parts = parts
    this.requests = new Requests(parts.broke)
    this.#dice = parts.clockwork.dice('operators')
    const { clockwork, network, nodes } = parts
    this.#stillness = new Stillness(() => clockwork.now)
    this.#planned = network && new Planned({ ...parts, network }, this.#stillness)
    this.#race = network && new MetaRace({ ...parts, network })
    this.#sites = network && parts.routes && new Sites({ ...parts, network }, parts.routes)
    const calls = { clockwork, nodes, dice: this.#dice }
    this.#callOnce =
      network === null
        ? directCalls(calls, (answer) => within(answer, clockwork))
        : callsOverNetwork(calls, network)
  }

  /** One operator for a service at a time: what was acknowledged last is what counts. */
  begin(deed: Deed): void {
    // While somebody looks at a plan others change what it is about.
    if (deed.what === 'plan') this.#looksAtPlan(deed)
    // Who only asks is in nobody's way.
    else if (deed.what === 'explain') this.#asksWhy(deed)
    else this.#begin(deed)
  }

  get isAsking(): boolean {
    return this.#sites?.isAsking === true
  }

  /** Looks at what has changed at once. */
  look(changes: readonly StoredChange[]): void {
    this.#stillness.look(changes)
    this.#planned?.look(changes)
    this.#race?.look(changes)
  }

  judgeRest(view: ClusterView): void {
    this.requests.judgeRest(view)
    this.#race?.judgeRest()
  }

  #asksWhy(deed: Deed): void {
    const { network, broke } = this.#parts
    if (network === null) return
    askExplain(deed, { ...this.#parts, network }, this.#stillness).catch((error: unknown) =>
      broke(`who asks why ${deed.who} waits: ${describeError(error)}`),
    )
  }

  #looksAtPlan(deed: Deed): void {
    this.#planned?.plan(deed).then(
      (isShown) => isShown && this.#begin(deed),
      (error: unknown) => this.#parts.broke(`an operator of ${deed.who}: ${describeError(error)}`),
    )
  }

  #begin(deed: Deed): void {
    const { who, what } = deed
    if (this.#busyWith.has(who)) {
      this.#parts.count(`${what} left out`)
      return
    }
    this.#busyWith.add(who)
    this.#act(deed).then(
      () => this.#busyWith.delete(who),
      (error: unknown) => this.#parts.broke(`an operator of ${who}: ${describeError(error)}`),
    )
  }

  async #act(deed: Deed): Promise<void> {
    const { who: name, what, details } = deed
    const { clockwork, nodes, count, trace } = this.#parts
    // Whoever gets no answer from one daemon asks the next.
    const from = nodes.findIndex((node) => node.name === details['via'])
    const daemon = nodes.map((_, n) => nodes[(from + n) % nodes.length]?.daemon).find((one) => one != null)
    if (daemon === undefined || daemon === null) return
    count(what)
    trace('operator', `${name}: ${what} ${wordsOf(details)}`)
    const ask: Ask = (decide) => within(daemon.change(decide), clockwork)
    try {
      if (what === 'remove-volume') await this.#removeVolume(deed, daemon)
      else await this.#ask(deed, ask, daemon.registry.view)
      // What waits for something else takes effect later, or is ended before it does.
      const tasks = daemon.registry.view.tasksOf(serviceKey(project, name))
      if (tasks.some(({ state }) => state === 'queued'))
        this.#acknowledge(name, { ordinal: null, scale: null })
    } catch (error) {
      this.#refused(name, what as ActName, error)
    }
  }

  async #ask(deed: Deed, ask: Ask, view: ClusterView): Promise<void> {
    const { who: name } = deed
    // As a stop or a start of the whole project asks for it.
    const ordered = deed.details['order'] === 'yes' ? ({ inOrder: true } as const) : {}
    switch (deed.what as ActName) {
      case 'deploy': {
        const { kind = '', auto } = deed.details
        const scale = ['job', 'event'].includes(kind) ? null : numberOf(deed, 'scale')
        if (auto !== undefined) this.#scalesItself.add(name)
        const deadlineMs = numberOf(deed, 'deadline')
        if (deed.details['secret'] !== undefined) await this.requests.give(name, view, ask)
        const request = {
          sources: [{ file: `${name}.yml`, text: manifestOf(deed), name }],
          ...{ deadlineMs, ...canaryOf(deed) },
          ...(scale !== null && { scale }),
        }
        const secrets = {
          make: this.#parts.makeSecret,
          seal,
          opens: () => true,
          keyHeld: () => ({ decidedOn: [], ops: [] }),
        }
        const done = await ask((now, at) =>
          withSecrets(now, decideDeploy(now, defaultSettings, project, request, at), secrets, at),
        )
        const ordinal = done.response.services[0]?.ordinal
        if (ordinal !== undefined)
          this.#acknowledge(name, { ordinal, scale, isStopped: false, isDeleted: false, ...partOf(deed) })
        return
      }
      case 'scale': {
        const scale = numberOf(deed, 'to')
        await ask((now, at) => changeScales(now, project, { [name]: scale }, at))
        return this.#acknowledge(name, { scale, isStopped: false })
      }
      case 'stop':
        await ask((now, at) => stopService(now, project, name, ordered, at))
        return this.#acknowledge(name, { isStopped: true })
      case 'start': {
        const done = await this.#begun(name, () =>
          ask((now, at) => startService(now, project, name, undefined, at, undefined, ordered)),
        )
        this.#parts.startTold(done.tasks[0]?.uuid ?? '')
        // What was scaled to nothing starts with one.
        return this.#acknowledge(name, {
          isStopped: false,
          ...(this.told.get(name)?.scale === 0 && { scale: 1 }),
        })
      }
      case 'unit':
        return this.#changeUnit(deed, ask)
      case 'plan': {
        const scale = numberOf(deed, 'scale')
        const done = await this.#planned?.deploy(deed)
        if (done !== undefined)
          this.#acknowledge(name, {
            ...{ ordinal: done.ordinal, scale, isStopped: false, isDeleted: false },
            ...partOf(deed),
          })
        return
      }
      case 'site':
        return this.#sites?.deploy(deed)
      case 'end-hand-over': {
        const task = handOverIn(view.tasksOf(serviceKey(project, name)))
        if (task !== null) await ask((now, at) => terminateTask(now, task.uuid, false, at))
        return
      }
      case 'explain':
        return
      case 'race':
        return this.#race?.change(deed)
      case 'meta':
        if (deed.details['verb'] === 'look') return this.#looksAround(deed)
        return this.requests.meta(deed, ask)
      case 'wrong':
        return this.requests.wrong(deed, ask)
      case 'call':
        return this.#call(deed)
      case 'use':
        if (this.#parts.network !== null) await askUse(deed, { ...this.#parts, network: this.#parts.network })
        return
      case 'volumes':
        if (this.#parts.network !== null)
          await askVolumes(deed, { ...this.#parts, network: this.#parts.network })
        return
      case 'move':
        if (this.#parts.network !== null)
          await moveVolume(deed, { ...this.#parts, network: this.#parts.network })
        return
      case 'revert': {
        const newest = view.services.get(serviceKey(project, name))?.lastOrdinal ?? 1
        const ordinal = Math.max(1, newest - numberOf(deed, 'back'))
        await ask((now, at) =>
          revertService(now, project, name, { version: `${ordinal}`, ...canaryOf(deed) }, at),
        )
        return this.#acknowledge(name, { ordinal, ...partOf(deed) })
      }
      case 'reprovision':
        await ask((now, at) => reprovisionService(now, project, name, canaryOf(deed), at))
        // One of all goes on with what a canary has left.
        return partOf(deed).isCanary ? undefined : this.#acknowledge(name, { isCanary: false })
      case 'delete': {
        const volumes = deed.details['volumes'] === 'yes'
        await ask((now, at) => {
          const { uuid } = now.services.get(serviceKey(project, name)) ?? {}
          if (volumes && uuid !== undefined) this.#parts.deletesVolumes(uuid, name)
          return deleteService(now, project, name, { force: true, volumes }, at)
        })
        return this.#acknowledge(name, { isDeleted: true })
      }
      case 'remove-volume':
        return
      case 'freeze':
        // What waits in the queue is ended by it, and so is what is being carried out, a deletion too.
        // Of what nobody was told of there may be none.
        if (this.told.has(name))
          this.#acknowledge(name, {
            ...{ ordinal: null, scale: null, isStopped: null },
            ...(this.told.get(name)?.isDeleted && { isDeleted: null }),
          })
        await ask((now, at) => freezeScope(now, project, name, at))
        await this.#parts.clockwork.sleep(numberOf(deed, 'for'))
        return this.#insist((now, at) => unfreezeScope(now, project, name, at))
      case 'cordon':
        return this.#orderForAWhile(deed, ask, { cordoned: true }, () => ({ cordoned: false }))
      case 'drain': {
        const drain = { rolling: numberOf(deed, 'rolling') }
        return this.#orderForAWhile(deed, ask, { drain }, () => ({ cordoned: false }))
      }
      case 'relabel': {
        const zone = deed.details['zone'] ?? ''
        return this.#orderForAWhile(deed, ask, { metadata: { zone } }, ({ metadata }) => ({ metadata }))
      }
    }
  }

  async #looksAround(deed: Deed): Promise<void> {
    const { network, secrets } = this.#parts
    if (network !== null) await lookAround(deed, { ...this.#parts, network, secrets })
  }

  /** One of those that there are of a service: what is lost any daemon gives up, what is there its own machine deletes. */
  async #removeVolume(deed: Deed, asked: Daemon): Promise<void> {
    const { who: name, details } = deed
    const { clockwork, nodes, deletesVolumes, network } = this.#parts
    if (network !== null) return await removeVolume(deed, { ...this.#parts, network })
    const { view } = asked.registry
    const there = nodes.flatMap(({ id, daemon }) => (daemon === null ? [] : [{ id, daemon }]))
    const told = await within(
      Promise.all(there.map(({ daemon }) => daemon.listVolumes().catch(() => []))),
      clockwork,
    )
    const volumes = [...lostVolumes(view), ...told.flat()]
    const own = volumes.filter(({ service }) => service === name)
    const volume = own[Number(details['n']) % own.length]
    if (volume === undefined) return
    const daemon = volume.state === 'lost' ? asked : there.find(({ id }) => id === volume.machine)?.daemon
    if (daemon === undefined) return
    deletesVolumes(volume.uuid, volumeKey(volume))
    await within(daemon.removeVolume({ volumes, silent: [] }, volume.uuid, project), clockwork)
    this.#parts.count(`removed volume, ${volume.state}`)
  }

  async #orderForAWhile(
    deed: Deed,
    ask: Ask,
    order: MachineChangeRequest,
    back: (node: Node) => MachineChangeRequest,
  ): Promise<void> {
    const node = this.#parts.nodes.find(({ name }) => name === deed.who)
    if (node === undefined) return
    await ask((now, at) => changeMachine(now, node.id, order, at))
    await this.#parts.clockwork.sleep(numberOf(deed, 'for'))
    return this.#insist((now, at) => changeMachine(now, node.id, back(node), at))
  }

  /** Asks daemon after daemon until one has done it, or says that there is nothing to be done. */
  async #insist(decide: Decide<Change>): Promise<void> {
    const { clockwork, nodes } = this.#parts
    for (;;) {
      const daemon = this.#dice.pick(nodes.flatMap((node) => node.daemon ?? []))
      try {
        if (daemon !== undefined) {
          await within(daemon.change(decide), clockwork)
          return
        }
      } catch (error) {
        if (error instanceof ProblemError && error.problem.code !== 'api/contended') return
        if (!isOutage(error)) throw error
      }
      await clockwork.sleep(1000)
    }
  }

  /** One of fleet's verbs; those that hand in a text give another one to what is there. */
  async #changeUnit(deed: Deed, ask: Ask): Promise<void> {
    const name = unitNameOf(deed.who)
    const verb = deed.details['verb'] as UnitVerb
    const givesText = ['submit', 'load', 'start'].includes(verb)
    const source = { file: name, text: unitTextOf(deed, nearTextOf(deed)) }
    const units = [{ name, ...(givesText && { source }) }]
    const { response } = await ask((now, at) => changeUnits(now, { verb, units, replace: givesText }, at))
    this.toldOfUnits.set(name, { desired: response.units[0]?.desired ?? null })
    this.#parts.count(`unit ${verb}`)
  }

  /** What asks for one instance more: who is refused does not get it, and who hears nothing may. */
  async #begun<T>(
    service: string,
    ask: () => Promise<T>,
    isUnknown: () => boolean = () => false,
  ): Promise<T> {
    this.#parts.asksForRun(service, 1)
    try {
      return await ask()
    } catch (error) {
      if (error instanceof ProblemError && !isUnknown()) this.#parts.asksForRun(service, -1)
      throw error
    }
  }

  /** Calls a URL, at one daemon after the other until one answers: it takes effect once. */
  async #call(deed: Deed): Promise<void> {
    const { who: name, details } = deed
    const { broke, bodies } = this.#parts
    const { trigger = '', id = '', again, proof } = details
    const body = bodyOf(deed)
    if (body !== null) bodies.sent(name, body)
    let isUnknown = false
    const call = (): Promise<string> =>
      this.#callUntilAnswered(deed, body, () => {
        isUnknown = true
      })
    const task = trigger === 'go' ? await this.#begun(name, call, () => isUnknown) : await call()
    if (proof === 'wrong') broke(`${name}: the call ${id} of ${trigger} took effect, with a wrong secret`)
    if (body !== null) bodies.told(task, body)
    this.#acknowledgeCall(name, trigger)
    if (again === 'yes' && (await call()) !== task)
      broke(`${name}: the call ${id} of ${trigger} took effect twice`)
    if (again === 'other') await this.#callWithAnother(deed, task)
  }

  /** What names itself like another call, and has another body, is a mistake of the caller. */
  async #callWithAnother(deed: Deed, task: string): Promise<void> {
    const { who: name, details } = deed
    const body = bodyOf(deed, true)
    if (body === null) return
    this.#parts.bodies.sent(name, body)
    const done = await this.#callUntilAnswered(deed, body, () => {})
    // A trigger that hands no body on does not look at it.
    if (done !== task || this.#parts.bodies.isGiven(name, details['trigger'] ?? ''))
      this.#parts.broke(`${name}: the call ${details['id']} took effect with another body`)
  }

  /** The task that it began. `onUnknown`: it may have taken effect, and nobody has heard. */
  async #callUntilAnswered(deed: Deed, body: CallBody | null, onUnknown: () => void): Promise<string> {
    const { clockwork, count } = this.#parts
    const { trigger, id } = deed.details
    for (let tries = 0; ; tries++) {
      try {
        const done = await this.#callOnce(deed, tries, body)
        count(`called ${trigger}${done.repeated ? ', again' : ''}`)
        if (trigger === 'go') this.#parts.startTold(done.task)
        return done.task
      } catch (error) {
        const isLate = error instanceof ProblemError && error.problem.code === 'api/contended'
        if (isOutage(error)) onUnknown()
        if ((!isLate && !isOutage(error)) || tries === 4) throw error
        this.#parts.trace('operator', `${deed.who}: the call ${id} is tried again`)
      }
      await clockwork.sleep(1000)
    }
  }

  #acknowledgeCall(name: string, trigger: string): void {
    const known = this.told.get(name)
    if (trigger === 'halt') this.#acknowledge(name, { isStopped: true })
    else
      this.#acknowledge(name, {
        ...(trigger === 'go' && { isStopped: false, ...(known?.scale === 0 && { scale: 1 }) }),
        ...(trigger === 'more' && { scale: null, isStopped: null }),
      })
  }

  #acknowledge(name: string, told: Partial<Told>): void {
    const unknown: Told = { ordinal: null, scale: null, isStopped: false, isDeleted: false, isCanary: false }
    if (!name.startsWith('s')) return
    const known = { ...(this.told.get(name) ?? unknown), ...told }
    // What triggers scale is at the scale that they have made of it.
    this.told.set(name, this.#scalesItself.has(name) ? { ...known, scale: null } : known)
    this.#parts.trace('operator', `${name}: acknowledged ${JSON.stringify(told)}`)
  }

  #refused(name: string, act: ActName, error: unknown): void {
    const { count, trace, secrets } = this.#parts
    if (error instanceof ProblemError) {
      secrets.seen(`a refusal of ${name}`, JSON.stringify(error.problem))
      count(`refused ${error.problem.code}`)
      const why = (error.problem.details ?? []).map(({ message }) => `; ${message}`).join('')
      trace('operator', `${name}: ${act} refused: ${error.problem.message}${why}`)
      return
    }
    if (!isOutage(error)) throw error
    count(`${act} without an answer`)
    // Nobody knows what came of it.
    if (act === 'unit') this.toldOfUnits.set(unitNameOf(name), 'unknown')
    trace('operator', `${name}: ${act}: no answer`)
    // What has to be refused would have changed nothing.
    if (act !== 'wrong')
      this.#acknowledge(name, { ordinal: null, scale: null, isStopped: null, isDeleted: null })
  }
}

/** How many it is to replace; nothing where it is about all. */
function canaryOf(deed: Deed): { readonly canary?: number } {
  return deed.details['canary'] === undefined ? {} : { canary: numberOf(deed, 'canary') }
}

function partOf(deed: Deed): Pick<Told, 'isCanary'> {
  return { isCanary: deed.details['canary'] !== undefined }
}

function wordsOf(details: Readonly<Record<string, string>>): string {
  return Object.entries(details)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ')
}

async function within<T>(answer: Promise<T>, clockwork: Clockwork): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clockwork.after(10_000, () => reject(new NoAnswer('no answer')))
    answer.then(resolve, reject).finally(() => timer.cancel())
  })
}
