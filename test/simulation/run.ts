// One simulated cluster from a seed: operators and faults at random, then quiet, and what has to hold all along and in the
// end. A run can be told as a trace, which the same seed gives again.
import type { Change } from '../../src/api/changes.js'
import { changeScales, deleteService, startService, stopService } from '../../src/api/changes.js'
import { decideDeploy } from '../../src/api/deploy.js'
import { ProblemError } from '../../src/api/io/context.js'
import { changeMachine } from '../../src/api/machines.js'
import type { Problem } from '../../src/api/problem.js'
import { freezeScope, unfreezeScope } from '../../src/api/queue.js'
import { revertService } from '../../src/api/rollouts.js'
import { sha1 } from '../../src/lib/hash.js'
import { describeError } from '../../src/lib/io/log.js'
import { defaultSettings } from '../../src/manifest/settings.js'
import { openMemoryStore } from '../../src/store/io/memory.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { randomFrom } from '../interleaving/turns.js'
import { Clockwork } from './clockwork.js'
import type { Program } from './host.js'
import { agentTtlMs, Node, type World } from './node.js'
import { RecordsJudge } from './records-judge.js'

export interface Settings {
  readonly seed: number
  readonly machines: number
  readonly services: number
  /** How long operators and faults are at work, in virtual time; then all is healed, and has to come to rest. */
  readonly busyMs: number
  /** Faults that this run may have; each seed has some of them. */
  readonly faults?: readonly Fault[]
  readonly trace?: (line: string) => void
}

export const faults = [
  'kill-daemon',
  'stop-daemon',
  'power-off',
  'cut',
  'freeze',
  'set-clock',
  'kill-program',
  'slow-link',
] as const
export type Fault = (typeof faults)[number]

export interface Report {
  /** What did not hold, in words; empty where all did. */
  readonly broken: readonly string[]
  readonly steps: number
  /** How often each operator's act and each fault came about. */
  readonly counts: Readonly<Record<string, number>>
  readonly virtualMs: number
  /** All that happened, as one number: two runs of a seed have the same. */
  readonly print: number
}

const project = 'default'

export async function simulate(settings: Settings): Promise<Report> {
  const random = randomFrom(settings.seed)
  const clockwork = new Clockwork(random)
  const storeTime = { now: () => clockwork.now, after: clockwork.after.bind(clockwork) }
  const store = openMemoryStore({ clock: storeTime, timers: storeTime, historyLimit: 100_000 })
  const simulation = new Simulation(settings, clockwork, store)
  return simulation.run()
}

/** What an operator was told of a service that is so; null: what nobody was told for sure. */
interface Told {
  readonly ordinal: number | null
  readonly scale: number | null
  readonly isStopped: boolean | null
  readonly isDeleted: boolean | null
}

class Simulation {
  readonly #settings: Settings
  readonly #clockwork: Clockwork
  readonly #store: Store
  readonly #nodes: Node[]
  readonly #faults: readonly Fault[]
  readonly #broken: string[] = []
  readonly #counts: Record<string, number> = {}
  readonly #told = new Map<string, Told>()
  /** When an instance last did its work, by its uuid. */
  readonly #servedAt = new Map<string, number>()
  readonly #isRoomy: boolean
  /** What a message between a daemon and the store takes at most. */
  readonly #linkMs: number
  readonly #judge: RecordsJudge
  readonly #busyWith = new Set<string>()
  readonly #began: number
  /** When tasks that are not over began, as time goes by and not as a clock says. */
  readonly #begun = new Map<string, number>()
  #print = 0

  constructor(settings: Settings, clockwork: Clockwork, store: Store) {
    this.#settings = settings
    this.#clockwork = clockwork
    this.#store = store
    this.#began = clockwork.now
    const world: World = {
      clockwork,
      store,
      onFault: (who, error) =>
        this.#break(
          `${who}: ${error instanceof Error ? (error.stack ?? error.message) : describeError(error)}`,
        ),
      onLog: (who, line) => this.#trace(who, line),
      send: async () => ({ at: clockwork.now, tookMs: 1, status: 200, error: null, retryAfterMs: null }),
    }
    this.#isRoomy = clockwork.chance(0.5)
    this.#linkMs = clockwork.pick([4, 40, 200]) ?? 4
    const memoryMb = this.#isRoomy ? 64 * 1024 : 3 * 1024
    this.#nodes = Array.from(
      { length: settings.machines },
      (_, n) =>
        new Node(`m${n}`, world, {
          capacity: { cpus: 8, memoryMb, diskMb: 100_000 },
          metadata: { zone: n % 2 === 0 ? 'a' : 'b' },
        }),
    )
    this.#judge = new RecordsJudge({
      now: () => this.#clockwork.now,
      servedAt: (instance) => this.#servedAt.get(instance) ?? null,
      runs: (unit, machine) => {
        const host = this.#nodes.find(({ id }) => id === machine)?.host
        return [...(host?.running ?? [])].some((program) => program.unit === unit)
      },
      isRoomy: this.#isRoomy,
      broke: (what) => this.#break(what),
    })
    // Each seed has a part of the faults: what only comes of one is found where others do not drown it.
    this.#faults = (settings.faults ?? faults).filter(() => clockwork.chance(0.5))
  }

  async run(): Promise<Report> {
    const clockwork = this.#clockwork
    this.#trace('world', `seed ${this.#settings.seed}, faults: ${this.#faults.join(', ') || 'none'}`)
    for (const node of this.#nodes) {
      node.slow(this.#linkMs)
      node.start()
    }
    const witness = await this.#witness()
    const busyUntil = clockwork.now + this.#settings.busyMs
    this.#operate(busyUntil)
    this.#injure(busyUntil)
    await this.#go(busyUntil)
    this.#heal()
    // Losses are waited for, rollouts run into their deadlines, back-offs are at their longest.
    await this.#go(clockwork.now + 900_000)
    this.#checkRest(witness.view)
    return {
      broken: this.#broken,
      steps: clockwork.steps,
      counts: this.#counts,
      virtualMs: clockwork.now - this.#began,
      print: this.#print,
    }
  }

  async #go(until: number): Promise<void> {
    while (this.#broken.length === 0 && (await this.#clockwork.step(until))) this.#checkPrograms()
  }

  /** One who sees what the store has, at once. */
  async #witness(): Promise<Registry> {
    const onError = (error: unknown): void => this.#break(describeError(error))
    const witness = await openRegistry(this.#store, { onError })
    witness.onChange((kinds) => {
      this.#judge.look(witness.view)
      if (kinds.has('task')) this.#checkDeadlines(witness.view)
    })
    return witness
  }

  // ── Operators ────────────────────────────────────────────────────────────────────────────────────────────────────

  #operate(until: number): void {
    const names = Array.from({ length: this.#settings.services }, (_, n) => `s${n}`)
    let last: string | undefined
    const next = (): void => {
      if (this.#clockwork.now >= until) return
      // Often one change follows the other closely, while the first is still being carried out.
      const isSoon = this.#clockwork.chance(0.4)
      const [least, most] = isSoon ? [1, 4 * this.#linkMs] : [200, 20_000]
      this.#clockwork.after(this.#clockwork.between(least, most), () => {
        const name = isSoon && last !== undefined ? last : this.#clockwork.pick(names)
        last = name
        // One operator for a service at a time: what was acknowledged last is what counts.
        if (name !== undefined && !this.#busyWith.has(name)) {
          this.#busyWith.add(name)
          this.#act(name).then(
            () => this.#busyWith.delete(name),
            (error: unknown) => this.#break(`an operator of ${name}: ${describeError(error)}`),
          )
        }
        next()
      })
    }
    next()
  }

  async #act(name: string): Promise<void> {
    const daemon = this.#clockwork.pick(this.#nodes.flatMap((node) => node.daemon ?? []))
    if (daemon === undefined) return
    const change: typeof daemon.change = (decide) => within(daemon.change(decide), this.#clockwork)
    const told = this.#told.get(name)
    const act =
      told === undefined || told.isDeleted
        ? 'deploy'
        : (this.#clockwork.pick([
            'deploy',
            'deploy',
            'scale',
            'scale',
            'stop',
            'start',
            'revert',
            'delete',
            'freeze',
            'cordon',
          ] as const) ?? 'deploy')
    const asked = (what: string): void => {
      this.#count(act)
      this.#trace('operator', `${name}: ${what}`)
    }
    try {
      switch (act) {
        case 'deploy': {
          const scale = this.#clockwork.between(1, 5)
          const text = this.#manifest()
          asked(`deploy at ${scale}: ${text.replaceAll('\n', '; ')}`)
          const deadlineMs = this.#clockwork.pick([60_000, 600_000]) ?? 600_000
          const request = { sources: [{ file: `${name}.yml`, text, name }], scale, deadlineMs }
          const done = await change((view, now) => decideDeploy(view, defaultSettings, project, request, now))
          const ordinal = done.response.services[0]?.ordinal
          if (ordinal !== undefined)
            this.#acknowledge(name, { ordinal, scale, isStopped: false, isDeleted: false })
          break
        }
        case 'scale': {
          const scale = this.#clockwork.between(0, 6)
          asked(`scale ${scale}`)
          await change((view, now) => changeScales(view, project, { [name]: scale }, now))
          this.#acknowledge(name, { scale, isStopped: false })
          break
        }
        case 'stop':
          asked('stop')
          await change((view, now) => stopService(view, project, name, {}, now))
          this.#acknowledge(name, { isStopped: true })
          break
        case 'start':
          asked('start')
          await change((view, now) => startService(view, project, name, undefined, now))
          // What was scaled to nothing starts with one.
          this.#acknowledge(name, { isStopped: false, ...(told?.scale === 0 && { scale: 1 }) })
          break
        case 'revert': {
          const newest = daemon.registry.view.services.get(serviceKey(project, name))?.lastOrdinal ?? 1
          const ordinal = this.#clockwork.between(1, newest + 1)
          asked(`revert to ${ordinal}`)
          await change((view, now) => revertService(view, project, name, { version: `${ordinal}` }, now))
          this.#acknowledge(name, { ordinal })
          break
        }
        case 'delete':
          asked('delete')
          await change((view, now) => deleteService(view, project, name, { force: true }, now))
          this.#acknowledge(name, { isDeleted: true })
          break
        case 'freeze':
          asked('freeze, and a while later not')
          // What waited in the queue is ended by it.
          this.#acknowledge(name, { ordinal: null, scale: null, isStopped: null })
          await change((view, now) => freezeScope(view, project, name, now))
          await this.#clockwork.sleep(this.#clockwork.between(1000, 30_000))
          await this.#insist((view, now) => unfreezeScope(view, project, name, now))
          break
        case 'cordon': {
          const node = this.#clockwork.pick(this.#nodes)
          if (node === undefined) break
          asked(`cordon ${node.name}, and a while later not`)
          await change((view, now) => changeMachine(view, node.id, { cordoned: true }, now))
          await this.#clockwork.sleep(this.#clockwork.between(1000, 60_000))
          await this.#insist((view, now) => changeMachine(view, node.id, { cordoned: false }, now))
          break
        }
      }
      // What waits for something else takes effect later, or is ended before it does.
      const tasks = daemon.registry.view.tasksOf(serviceKey(project, name))
      if (tasks.some(({ state }) => state === 'queued'))
        this.#acknowledge(name, { ordinal: null, scale: null })
    } catch (error) {
      this.#refused(name, act, error)
    }
  }

  /** Asks daemon after daemon until one has done it, or says that there is nothing to be done. */
  async #insist(decide: (view: ClusterView, now: number) => Change | Problem): Promise<void> {
    for (;;) {
      const daemon = this.#clockwork.pick(this.#nodes.flatMap((node) => node.daemon ?? []))
      try {
        if (daemon !== undefined) {
          await within(daemon.change(decide), this.#clockwork)
          return
        }
      } catch (error) {
        if (error instanceof ProblemError && error.problem.code !== 'api/contended') return
        if (!isOutage(error)) throw error
      }
      await this.#clockwork.sleep(1000)
    }
  }

  #acknowledge(name: string, told: Partial<Told>): void {
    const unknown: Told = { ordinal: null, scale: null, isStopped: false, isDeleted: false }
    this.#told.set(name, { ...(this.#told.get(name) ?? unknown), ...told })
    this.#trace('operator', `${name}: acknowledged ${JSON.stringify(told)}`)
  }

  #refused(name: string, act: string, error: unknown): void {
    if (error instanceof ProblemError) {
      this.#trace('operator', `${name}: ${act} refused: ${error.problem.message}`)
      return
    }
    if (!isOutage(error)) throw error
    // Nobody knows what came of it.
    this.#trace('operator', `${name}: ${act}: no answer`)
    this.#acknowledge(name, { ordinal: null, scale: null, isStopped: null, isDeleted: null })
  }

  #manifest(): string {
    const kinds = [
      'good',
      'good',
      'good',
      'late',
      'late',
      'slow',
      'sick',
      'ends',
      'missing',
      'never',
    ] as const
    const kind = this.#clockwork.pick(kinds) ?? 'good'
    const words = {
      good: '',
      late: 'ready=8000',
      never: 'ready=36000000',
      slow: 'stops=4000',
      sick: 'sick=100',
      ends: 'exits=300 code=1',
      missing: 'missing',
    }
    const argv = ['/sim', ...words[kind].split(' ').filter((word) => word !== '')]
    // What is ready late, or gets sick, would be taken for well without.
    const isChecked = kind === 'late' || kind === 'never' || kind === 'sick' || this.#clockwork.chance(0.5)
    const patience = kind === 'never' ? ', start_period: 1h' : ''
    const checks = isChecked
      ? `healthchecks: [{type: command, command: [/check], poll: 5s${patience}}]\n`
      : ''
    const restart = this.#clockwork.chance(0.5) ? 'restart: always\n' : ''
    return (
      `compute_type: process\ncommand: [${argv.join(', ')}]\nmemory: ${this.#clockwork.between(1, 4) * 64}M\n` +
      `stop: {timeout: 5}\nenvironment: {KIND: ${kind}, N: "${this.#clockwork.between(0, 1000)}"}\n${checks}${restart}`
    )
  }

  // Faults

  #injure(until: number): void {
    if (this.#faults.length === 0) return
    const next = (): void => {
      this.#clockwork.after(this.#clockwork.between(2_000, 60_000), () => {
        if (this.#clockwork.now >= until) return
        const node = this.#clockwork.pick(this.#nodes)
        const fault = this.#clockwork.pick(this.#faults)
        if (node !== undefined && fault !== undefined) this.#hurt(node, fault)
        next()
      })
    }
    next()
  }

  #hurt(node: Node, fault: Fault): void {
    const clockwork = this.#clockwork
    const forMs = clockwork.chance(0.7) ? clockwork.between(200, 20_000) : clockwork.between(20_000, 120_000)
    this.#count(fault)
    this.#trace(node.name, `FAULT ${fault} for ${forMs} ms`)
    const afterwards = (what: () => void): void => {
      clockwork.after(forMs, what)
    }
    switch (fault) {
      case 'kill-daemon':
        node.kill()
        afterwards(() => node.start())
        return
      case 'stop-daemon':
        node.stop('purpose').catch((error: unknown) => this.#break(`stop: ${describeError(error)}`))
        afterwards(() => node.start())
        return
      case 'power-off':
        node.powerOff()
        afterwards(() => node.start())
        return
      case 'cut':
        node.cut()
        afterwards(() => node.heal())
        return
      case 'freeze':
        node.freeze(Math.min(forMs, 60_000))
        return
      case 'set-clock':
        node.time.setBy(clockwork.between(-3_600_000, 3_600_000))
        return
      case 'kill-program':
        node.host.kill()
        return
      case 'slow-link':
        node.slow(clockwork.between(4, 800))
        afterwards(() => node.slow(this.#linkMs))
        return
    }
  }

  #heal(): void {
    this.#trace('world', 'all is healed, and nobody asks for anything')
    for (const node of this.#nodes) {
      node.heal()
      node.slow(this.#linkMs)
      node.start()
    }
  }

  // What has to hold

  /** Two programs of one instance never run beside each other, but for a machine that has not heard of its loss. */
  #checkPrograms(): void {
    const running = new Map<string, { readonly node: Node; readonly program: Program }>()
    for (const node of this.#nodes) {
      for (const program of node.host.running) {
        const id = program.instance ?? program.unit
        if (node.host.serves(program)) this.#servedAt.set(id, this.#clockwork.now)
        if (program.startedAt === this.#clockwork.now) this.#checkStart(node, program)
        const other = running.get(id)
        if (other === undefined) running.set(id, { node, program })
        else if (!this.#isExcused(node) && !this.#isExcused(other.node))
          this.#break(`two programs of ${program.unit} run, on ${other.node.name} and ${node.name}`)
      }
    }
  }

  /**
   * No rollout is over for its deadline before that, whatever is done to the clock. One machine knows what was done to its
   * own; what another one has written with a clock that is an hour off it cannot know.
   */
  #checkDeadlines(view: ClusterView): void {
    if (this.#settings.machines > 1 || this.#faults.some((fault) => endsDaemons.has(fault))) return
    for (const { uuid, state, error, service } of view.tasks.values()) {
      const begunAt = this.#begun.get(uuid)
      if (state === 'active' && begunAt === undefined) this.#begun.set(uuid, this.#clockwork.now)
      if (state !== 'failed' || begunAt === undefined) continue
      this.#begun.delete(uuid)
      const deadlineMs = 1000 * Number(/it was not up after ([\d.]+) s/.exec(error ?? '')?.[1] ?? 0)
      const tookMs = this.#clockwork.now - begunAt
      if (deadlineMs > 0) this.#count('deadline')
      if (tookMs < deadlineMs - hearsOfTaskWithinMs)
        this.#break(`${service}: a task is over for its deadline of ${deadlineMs} ms after ${tookMs} ms`)
    }
  }

  /** What is to stop for good is never started again. */
  #checkStart(node: Node, { instance, unit }: Program): void {
    if (instance === null || this.#isExcused(node)) return
    if (this.#judge.retiredForMs(instance) > hearsWithinMs)
      this.#break(`${unit} starts on ${node.name}, and is retired`)
  }

  /** It could not know what the others decided, or has only just heard of it. */
  #isExcused(node: Node): boolean {
    return this.#clockwork.now - node.outOfTouchAt < hearsWithinMs
  }

  /** After a long quiet everything is as it was asked for. */
  #checkRest(view: ClusterView): void {
    if (this.#broken.length > 0) return
    for (const [name, told] of this.#told) {
      const service = view.services.get(serviceKey(project, name))
      const say = (what: string): void => this.#break(`${name}: ${what}; told ${JSON.stringify(told)}`)
      if (told.isDeleted === null) continue
      if (told.isDeleted) {
        if (service !== undefined) say('was deleted, and is there')
        continue
      }
      if (service === undefined) {
        say('is gone')
        continue
      }
      const version = view.versions.get(service.current)
      if (told.ordinal !== null && version?.ordinal !== told.ordinal)
        say(`is at version ${version?.ordinal ?? 'none'}`)
      if (told.isStopped === true && service.scale !== 0) say(`was stopped, and is at ${service.scale}`)
      if (told.isStopped === false && told.scale !== null && service.scale !== told.scale)
        say(`is at scale ${service.scale}`)
      this.#checkPrograms()
      // A rollout that a freeze has ended leaves what it had not replaced yet.
      if (told.ordinal !== null) this.#checkServes(view, name)
    }
    const placed = new Set([...view.placements.values()].map(({ unit, machine }) => `${machine} ${unit}`))
    for (const node of this.#nodes)
      for (const { unit } of node.host.running)
        if (!placed.has(`${node.id} ${unit}`))
          this.#break(`${unit} runs on ${node.name} and is not placed there`)
  }

  /** A version that can run does, as often as was asked for. */
  #checkServes(view: ClusterView, name: string): void {
    const service = view.services.get(serviceKey(project, name))
    const version = service && view.versions.get(service.current)
    if (service === undefined || version === undefined) return
    if (!/KIND: (good|slow|late)/.test(version.text)) return
    const up = this.#nodes.flatMap(({ host }) =>
      [...host.running].filter(({ unit }) => {
        const instance = [...view.instances.values()].find((one) => one.unit === unit)
        return instance?.service === name && instance.version === version.uuid && instance.retired === null
      }),
    )
    if (up.length !== service.scale)
      this.#break(
        `${name}: ${up.length} of ${service.scale} run; rollout ${JSON.stringify(service.rollout)}, blocked ${service.blocked ?? 'no'}`,
      )
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1
  }

  #trace(who: string, line: string): void {
    const text = `${((this.#clockwork.now - this.#began) / 1000).toFixed(3).padStart(10)} ${who}: ${line}`
    this.#print = Number.parseInt(sha1(`${this.#print}${text}`).slice(0, 12), 16)
    this.#settings.trace?.(text)
  }

  #break(what: string): void {
    this.#trace('BROKEN', what)
    this.#broken.push(what)
  }
}

/** A daemon that was not there does not know that its clock was set. */
const endsDaemons: ReadonlySet<Fault> = new Set(['kill-daemon', 'stop-daemon', 'power-off'])
/** The witness sees a task as soon as it is in the store; who wrote it had read its clock a little before. */
const hearsOfTaskWithinMs = 5000

/** A machine that is back learns within so long what was decided without it, and does it. */
const hearsWithinMs = agentTtlMs + 30_000

function isOutage(error: unknown): boolean {
  return error instanceof StoreError || error instanceof Silence
}

/** A daemon that was asked is gone, or stands still. */
class Silence extends Error {}

async function within<T>(answer: Promise<T>, clockwork: Clockwork): Promise<T> {
  return Promise.race([
    answer,
    clockwork.sleep(10_000).then(() => {
      throw new Silence('no answer')
    }),
  ])
}
