// One simulated cluster and what is done to it: operators and faults as a scenario says, then quiet, and what has to hold
// all along and in the end. What happens is told as a trace.
import { describeError } from '../../src/lib/io/log.js'
import { isFrozen } from '../../src/service/queue.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { leaderKey } from '../../src/store/records.js'
import type { ClusterView } from '../../src/store/view.js'
import { BodiesJudge } from './bodies-judge.js'
import { Clockwork } from './clockwork.js'
import type { SimulatedStore } from './connection.js'
import { type Counts, noteChanges } from './coverage.js'
import { DeadlinesJudge } from './deadlines-judge.js'
import type { SimulatedDisk } from './disk.js'
import { EmbeddedWorld } from './embedded.js'
import { Etcd } from './etcd.js'
import { EventsJudge } from './events-judge.js'
import { heal, hurt } from './faults.js'
import { GivenSecrets } from './given-secrets.js'
import { GrowthJudge, type Records } from './growth-judge.js'
import { LeavingJudge } from './leaving-judge.js'
import { Loads } from './loads.js'
import { MemoryJudge } from './memory-judge.js'
import { nearTextOf } from './near.js'
import { NearJudge } from './near-judge.js'
import { Network } from './network.js'
import { Node, type World } from './node.js'
import { Operators } from './operators.js'
import { ProgramsJudge } from './programs-judge.js'
import { ReasonsJudge } from './reasons-judge.js'
import { RecordsJudge } from './records-judge.js'
import { noteKept } from './releases.js'
import { judgeRest } from './rest-judge.js'
import { RolloutsJudge } from './rollouts-judge.js'
import { asOfServices, filesOf } from './routes.js'
import { RoutesJudge } from './routes-judge.js'
import { ScalingJudge } from './scaling-judge.js'
import { type Deed, faultOf, numberOf, project, type Scenario } from './scenario.js'
import { SchedulesJudge } from './schedules-judge.js'
import { SeamJudges } from './seam-judges.js'
import { SecretsJudge } from './secrets-judge.js'
import { SilenceJudge } from './silence-judge.js'
import { SpinJudge } from './spin-judge.js'
import { StopsJudge } from './stops-judge.js'
import { UnitsJudge } from './units-judge.js'
import { ViewsJudge } from './views-judge.js'
import { VolumesJudge } from './volumes-judge.js'
import { judgeWaiting } from './waiting-judge.js'
import { WebhooksJudge } from './webhooks-judge.js'

export interface Report {
  /** What did not hold, in words; empty where all did. */
  readonly broken: readonly string[]
  /** When the first of that was seen, after the beginning; null where all held. */
  readonly brokeAtMs: number | null
  readonly steps: number
  /** How often what came about. */
  readonly counts: Counts
  readonly virtualMs: number
  /** How much of that was leapt over, as nothing would have come of it. */
  readonly leaptMs: number
  /** How many records of each kind there were at the end of each day. */
  readonly days: readonly Records[]
  /** Of each daemon that was there all along how much it held in memory, in words; empty where nobody asks for that. */
  readonly memory: readonly string[]
  /** All that happened, as one number: two runs of a seed have the same. */
  readonly print: number
}

export type Trace = (line: string) => void

/** Losses are waited for, rollouts run into their deadlines, back-offs are at their longest. */
const quietMs = 900_000
/** So much memory that nothing has to make way for anything. */
const roomyMb = 64 * 1024
/** After the store was away every daemon has told within so long what became of its programs. */
const hearsWithinMs = 30_000
/** What was decided the moment before takes so long until it is under way. */
const beginsWithinMs = 100
/** A daemon that was not there does not know that its clock was set. */
const endsDaemons: ReadonlySet<string | null> = new Set([
  ...(['kill-daemon', 'stop-daemon', 'power-off', 'change-release'] as const),
  // Each of these ends with a start anew.
  ...(['disk-error', 'flip-bit'] as const),
])

export interface SimulateOptions {
  readonly trace?: Trace
  /** Whether time leaps where nothing would come of what there is to do; default: it does. */
  readonly leaps?: boolean
  /** Whether it is counted what daemons hold in memory, which takes seconds of each run; default: it is not. */
  readonly countsMemory?: boolean
  /** Is given all records as they are in the end. */
  readonly onEnd?: (view: ClusterView) => void
}

export async function simulate(scenario: Scenario, options: SimulateOptions = {}): Promise<Report> {
  return new Simulation(scenario, options).run()
}

class Simulation {
  readonly #scenario: Scenario
  readonly #tell: Trace | null
  readonly #onEnd: (view: ClusterView) => void
  readonly #clockwork: Clockwork
  readonly #store: SimulatedStore
  /** Where the store's files are; null where it is an etcd. */
  readonly #disk: SimulatedDisk | null
  readonly #nodes: Node[]
  readonly #operators: Operators
  readonly #records: RecordsJudge
  readonly #programs: ProgramsJudge
  readonly #rollouts: RolloutsJudge
  readonly #webhooks: WebhooksJudge
  readonly #events: EventsJudge
  readonly #schedules: SchedulesJudge
  readonly #volumes: VolumesJudge
  readonly #leaving: LeavingJudge
  readonly #spin: SpinJudge
  readonly #growth: GrowthJudge
  /** Null where nobody asks for that. */
  readonly #memory: MemoryJudge | null
  readonly #views: ViewsJudge
  readonly #units: UnitsJudge
  /** Null where nothing asks to be near anything. */
  readonly #near: NearJudge | null
  readonly #silence: SilenceJudge
  readonly #stops: StopsJudge
  readonly #reasons: ReasonsJudge
  readonly #seams: SeamJudges
  readonly #network: Network
  readonly #bodies: BodiesJudge
  readonly #secrets: SecretsJudge
  /** Null where nothing is scaled by what it has to do. */
  readonly #loads: Loads | null
  readonly #scaling: ScalingJudge | null
  /** Null where nothing has routes. */
  readonly #routes: RoutesJudge | null
  /** Null where no clock can be known: what another machine has written with one that is an hour off. */
  readonly #deadlines: DeadlinesJudge | null
  readonly #broken: string[] = []
  readonly #counts: Record<string, number> = {}
  readonly #began: number
  #brokeAtMs: number | null = null
  /** Who sees what the store has; null until it has opened. */
  #seen: Registry | null = null
  /** Since which revision somebody leads. */
  #epoch = 0
  #ledSince = 0
  #print = 0

  constructor(
    scenario: Scenario,
    { trace, leaps = true, countsMemory = false, onEnd = () => {} }: SimulateOptions,
  ) {
    this.#scenario = scenario
    this.#tell = trace ?? null
    this.#onEnd = onEnd
    const clockwork = new Clockwork(scenario.seed)
    this.#clockwork = clockwork
    this.#began = clockwork.now
    const broke = (what: string): void => this.#break(what)
    const count = (what: string): void => this.#count(what)
    const embedded = scenario.members === 0 ? new EmbeddedWorld({ clockwork, broke, count }) : null
    const store = embedded ?? new Etcd(clockwork, scenario.members, scenario.linkMs)
    this.#store = store
    this.#disk = embedded?.disk ?? null
    store.start((error) => broke(`the store: ${describeError(error)}`))
    const scales = scenario.deeds.some(({ details }) => details['auto'] !== undefined)
    this.#loads = scales ? new Loads(clockwork, () => this.#nodes.map(({ host }) => host)) : null
    const network = new Network(clockwork, count)
    this.#network = network
    const bodies = new BodiesJudge({ broke, count, useOf: (service) => bodyUseOf(scenario, service) })
    this.#bodies = bodies
    const secrets = new SecretsJudge(broke)
    this.#secrets = secrets
    const given = new GivenSecrets(secrets, broke, count)
    this.#nodes = nodesOf(scenario, {
      network,
      movesVolumes: scenario.deeds.some(({ what }) => what === 'move'),
      hasEntry: scenario.deeds.some(({ what }) => what === 'site'),
      looksAtAll: scenario.seed % 2 === 0,
      nodes: () => this.#nodes,
      loads: this.#loads,
      living: () => this.#nodes.filter(({ lives }) => lives).length,
      clockwork,
      store,
      onFault: (who, error) =>
        broke(`${who}: ${error instanceof Error ? (error.stack ?? error.message) : describeError(error)}`),
      onFields: (who, fields) => secrets.seen(`the log of ${who}`, JSON.stringify(fields ?? null)),
      onLog: (who, line) => {
        bodies.seen(`a line of ${who}`, line)
        secrets.seen(`a line of ${who}`, line)
        this.#trace(who, line)
      },
      onLoading: (node, instance, unit) => {
        this.#programs.loading(node, instance)
        this.#seams.loading(node, unit)
      },
      onStarted: (node, program, unit) => {
        bodies.begun(unit)
        given.begun(unit, this.#seen?.view ?? null)
        this.#reasons.begun(node, unit)
        this.#programs.started(node, program)
        this.#schedules.started(program)
      },
      onView: ({ name }, registry, changes) => this.#views.look(name, registry, changes),
      onStopping: (node, unit) => {
        this.#leaving.stopping(unit)
        this.#seams.stopping(node, unit)
        this.#reasons.stopping(node, unit)
      },
      onChecked: (unit, isWell) => this.#reasons.checked(unit, isWell),
      onStep: (step) => count(`step ${step}`),
      onWriting: ({ id }, ...what) => this.#volumes.writing(id, ...what),
      onDeleted: ({ id }, ...what) => this.#volumes.deleted(id, ...what),
      send: (letter, way, from, signal) => {
        bodies.seen('a webhook', letter.body)
        secrets.seen('a webhook', letter.body)
        return this.#webhooks.send(letter, way, from, signal)
      },
    })
    if (leaps)
      clockwork.leap({
        isQuiet: () =>
          !this.#operators.isAsking && store.isQuiet() && this.#nodes.every((node) => node.isQuiet),
        onLeap: (ms) => store.leapt(ms),
      })
    this.#volumes = new VolumesJudge({
      ...{ broke, count },
      volumesOn: (machine) => this.#nodes.find(({ id }) => id === machine)?.host.volumes ?? null,
    })
    this.#units = new UnitsJudge({
      ...{ broke, count, now: () => clockwork.now, nodes: this.#nodes },
      isRoomy: scenario.memoryMb >= roomyMb,
    })
    const asksForNear = scenario.deeds.some((deed) => nearTextOf(deed).length > 0)
    const isRoomy = scenario.memoryMb >= roomyMb
    this.#near = asksForNear
      ? new NearJudge({ ...{ broke, count, isRoomy }, now: () => clockwork.now })
      : null
    const nodes = this.#nodes
    this.#views = new ViewsJudge({ broke, count })
    this.#spin = new SpinJudge({
      ...{ nodes, broke, now: () => clockwork.now, steps: () => clockwork.steps },
    })
    const now = (): number => clockwork.now
    this.#growth = new GrowthJudge({
      ...{ broke, now, machines: scenario.machines, isOneClock: !scenario.deeds.some(isOfClocks) },
      names: new Set(scenario.deeds.flatMap(namesIn)).size,
    })
    this.#memory = countsMemory
      ? new MemoryJudge({ broke, now, nodes, busyMs: scenario.busyMs, world: this })
      : null
    this.#silence = new SilenceJudge({
      ...{ broke, count, now, nodes },
      withoutLeaderAt: () => store.withoutLeader.to,
    })
    this.#stops = new StopsJudge({ broke, count, now, nodes })
    this.#seams = new SeamJudges({ broke, count, now, nodes })
    const isOneClock = !scenario.deeds.some(isOfClocks)
    this.#reasons = new ReasonsJudge({ ...{ nodes, isOneClock, broke, count }, now: () => clockwork.now })
    const servesForMs = (instance: string): number =>
      Math.max(...nodes.map(({ host }) => host.servesForMs(instance)))
    const unheardMs = (instance: string): number =>
      Math.max(...nodes.map((node) => (node.host.servedAt(instance) === null ? 0 : node.unheardMs)))
    // While its driver is away, and for a moment after, nobody knows whether it serves.
    const isKnown = (instance: string): boolean =>
      nodes.every(
        ({ host }) => host.servedAt(instance) === null || clockwork.now - host.awayAt > hearsWithinMs,
      ) && unheardMs(instance) === 0
    this.#leaving = new LeavingJudge({ ...{ servesForMs, isKnown, broke, count }, now: () => clockwork.now })
    this.#rollouts = new RolloutsJudge({
      ...{ now: () => clockwork.now, servesForMs, broke, count },
      withoutLeader: () => store.withoutLeader,
      isOneClock,
    })
    this.#records = new RecordsJudge({
      now: () => clockwork.now,
      servedAt: (instance) =>
        knownAt(store, clockwork.now, latest(nodes.map(({ host }) => host.servedAt(instance)))),
      servesForMs,
      unheardMs,
      runs: (unit, machine) => {
        const running = nodes.find(({ id }) => id === machine)?.host.running ?? []
        // What was loaded and told to stop before it had begun may begin all the same, for the moment until that is heard.
        return [...running].some((one) => one.unit === unit && clockwork.now - one.startedAt > beginsWithinMs)
      },
      isRoomy: scenario.memoryMb >= roomyMb && !scenario.deeds.some(asksForPlace),
      broke,
    })
    this.#programs = new ProgramsJudge({
      ...{ clockwork, nodes, broke },
      retiredForMs: (instance) => this.#records.retiredForMs(instance),
    })
    this.#events = new EventsJudge({ broke, count })
    this.#webhooks = new WebhooksJudge({
      clockwork,
      broke,
      count,
      epoch: () => this.#epoch,
      outOfTouchAt: (name) => nodes.find((node) => node.name === name)?.outOfTouchAt ?? 0,
    })
    this.#schedules = new SchedulesJudge({
      ...{ broke, now: () => clockwork.now, count: (what, times) => this.#count(what, times) },
      isOneClock,
      isForward:
        scenario.machines === 1 &&
        scenario.deeds.every((deed) => !isOfClocks(deed) || numberOf(deed, 'by') >= 0),
    })
    const loads = this.#loads
    this.#scaling =
      loads && new ScalingJudge({ ...{ loads, broke, count, now }, ledSince: () => this.#ledSince })
    const { machines } = scenario
    this.#routes = scenario.deeds.some(({ what }) => what === 'site')
      ? new RoutesJudge({ ...{ machines, isRoomy, broke, count }, now: () => clockwork.now })
      : null
    const isKnownClock =
      scenario.machines === 1 &&
      !scenario.deeds.some((deed) => endsDaemons.has(faultOf(deed)) || faultOf(deed) === 'drift-clock')
    this.#deadlines = isKnownClock ? new DeadlinesJudge(() => clockwork.now, broke) : null
    this.#operators = new Operators({
      ...{ clockwork, nodes, broke },
      trace: (who, line) => this.#trace(who, line),
      deletesVolumes: (uuid, what) => this.#volumes.asked(uuid, what),
      makeSecret: () => this.#webhooks.makeSecret(),
      network: scenario.deeds.some(goesOverNetwork) ? network : null,
      ...{ bodies, secrets, routes: this.#routes },
      asksForRun: (service, by) => this.#schedules.asksForRun(service, by),
      startTold: (task) => this.#schedules.startTold(task),
      count: (what) => this.#count(`act ${what}`),
    })
  }

  async run(): Promise<Report> {
    const { busyMs, deeds, linkMs, seed } = this.#scenario
    const clockwork = this.#clockwork
    this.#trace('world', `seed ${seed}`)
    for (const node of this.#nodes) {
      node.slow(linkMs)
      node.start()
    }
    // A store on a disk opens in its time.
    this.#witness().then(
      (opened) => {
        this.#seen = opened
      },
      (error: unknown) => this.#break(describeError(error)),
    )
    clockwork.announce(deeds.map(({ atMs }) => this.#began + atMs))
    for (const deed of deeds) clockwork.after(deed.atMs, () => this.#do(deed))
    await this.#go(this.#began + busyMs)
    this.#trace('world', 'all is healed, and nobody asks for anything')
    this.#store.heal()
    this.#network.heal()
    for (const node of this.#nodes) heal(node, linkMs)
    await this.#go(this.#began + busyMs + quietMs)
    this.#judgeRest(this.#seen)
    if (this.#deadlines !== null) this.#count('deadline reached', this.#deadlines.seen)
    return {
      broken: this.#broken,
      brokeAtMs: this.#brokeAtMs,
      steps: clockwork.steps,
      counts: this.#counts,
      virtualMs: clockwork.now - this.#began,
      leaptMs: clockwork.leaptMs,
      days: this.#growth.days,
      memory: this.#memory?.told ?? [],
      print: this.#print,
    }
  }

  #judgeRest(witness: Registry | null): void {
    if (this.#broken.length > 0) return
    if (witness === null) {
      this.#break('the store was never opened')
      return
    }
    const { view } = witness
    this.#onEnd(view)
    for (const what of judgeRest(view, this.#operators.told, this.#nodes)) this.#break(what)
    for (const what of judgeWaiting(view, this.#nodes)) this.#break(what)
    this.#views.judgeRest(witness, this.#nodes)
    this.#growth.judge(witness)
    this.#count('waiting judged', view.waiting.size)
    this.#webhooks.judgeRest(view)
    this.#bodies.judgeRest(view)
    this.#seams.judgeRest(view)
    this.#volumes.judgeRest(view)
    this.#operators.judgeRest(view)
    this.#scaling?.judgeRest(view)
    this.#routes?.judgeRest(view, this.#nodes)
    this.#units.judgeRest(view, this.#operators.toldOfUnits, this.#nodes)
    this.#schedules.judgeRest(view, (service) => isFrozen(view, project, service))
  }

  #go(until: number): Promise<void> {
    return this.#clockwork.run(
      until,
      () => {
        this.#programs.look()
        this.#spin.look()
        if (this.#seen !== null) this.#seams.step(this.#seen.view)
        this.#growth.look(this.#seen)
        this.#memory?.look(this.#seen)
      },
      () => this.#broken.length > 0,
    )
  }

  #do(deed: Deed): void {
    for (const one of asOfServices(deed)) this.#reasons.asked(one)
    this.#routes?.asked(deed)
    const fault = faultOf(deed)
    if (deed.what === 'load') {
      this.#loads?.set(deed.who, { cores: numberOf(deed, 'cores'), rps: numberOf(deed, 'rps') })
      this.#trace('world', `${deed.who}: load ${JSON.stringify(deed.details)}`)
      return
    }
    if (fault === null) {
      this.#operators.begin(deed)
      return
    }
    const parts = {
      ...{ clockwork: this.#clockwork, store: this.#store, disk: this.#disk, nodes: this.#nodes },
      network: this.#network,
      linkMs: this.#scenario.linkMs,
      broke: (what: string) => this.#break(what),
    }
    if (!hurt(deed, parts)) return
    this.#count(`fault ${fault}`)
    this.#trace(deed.who, `FAULT ${fault} ${JSON.stringify(deed.details)}`)
  }

  /** One who sees what the store has, at once. */
  async #witness(): Promise<Registry> {
    const onError = (error: unknown): void => this.#break(describeError(error))
    const witness = await openRegistry(this.#store.truth, { onError })
    witness.onChange((kinds, changes) => {
      noteChanges(changes, (what) => this.#count(what))
      this.#views.look('the store', witness, changes)
      noteKept(changes, (what) => this.#count(what))
      if (kinds.has('event')) {
        this.#webhooks.noted(changes, witness.view)
        this.#events.look(changes)
      }
      if (kinds.has('leader')) {
        this.#epoch = witness.entryAt(leaderKey)?.modRevision ?? 0
        this.#ledSince = this.#clockwork.now
      }
      this.#records.look(witness.view, kinds)
      this.#rollouts.look(witness.view, changes)
      this.#volumes.look(witness.view, changes)
      this.#leaving.look(witness.view, changes)
      this.#reasons.look(witness.view, changes)
      this.#scaling?.look(witness.view, changes)
      this.#units.look(witness.view, changes)
      this.#near?.look(witness.view, changes)
      this.#routes?.look(witness.view, changes)
      this.#silence.look(witness.view)
      this.#stops.look(witness.view)
      this.#seams.look(witness.view, changes)
      this.#bodies.look(witness.view, changes)
      this.#operators.look(changes)
      this.#secrets.look(changes)
      if (kinds.has('task') || kinds.has('run') || kinds.has('instance') || kinds.has('schedule'))
        this.#schedules.look(witness.view)
      if (kinds.has('task')) this.#deadlines?.look(witness.view)
    })
    return witness
  }

  #count(what: string, times = 1): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + times
  }

  #trace(who: string, line: string): void {
    const text = `${((this.#clockwork.now - this.#began) / 1000).toFixed(3).padStart(10)} ${who}: ${line}`
    this.#print = printOf(this.#print, text)
    this.#tell?.(text)
  }

  #break(what: string): void {
    this.#trace('BROKEN', what)
    this.#broken.push(what)
    this.#brokeAtMs ??= this.#clockwork.now - this.#began
  }
}

/** How the calls of a service hand their bodies on, which is the same in all of its versions; null where they do not. */
function bodyUseOf({ deeds }: Scenario, service: string): string | null {
  const isIt = ({ who, what, details }: Deed): boolean =>
    who === service && what === 'deploy' && details['body'] !== undefined
  return deeds.find(isIt)?.details['body'] ?? null
}

/** Whether it is what comes to the doors of daemons: where there is one, all of it does. */
function goesOverNetwork({ what, details }: Deed): boolean {
  return (
    ['volumes', 'move', 'plan', 'race', 'explain', 'site'].includes(what) || details['proof'] !== undefined
  )
}

/** The services and units that a deed asks for. */
function namesIn(deed: Deed): readonly string[] {
  return 'via' in deed.details ? [deed.who, ...filesOf(deed).map(({ name }) => name)] : []
}

/** Whether a clock tells another time after it. */
function isOfClocks(deed: Deed): boolean {
  const fault = faultOf(deed)
  return fault === 'set-clock' || fault === 'drift-clock'
}

/** Whether it is a deploy of something that may not be on any machine, beside anything. */
function asksForPlace({ details }: Deed): boolean {
  return ['zone', 'port', 'away', 'near', 'verb'].some((name) => details[name] !== undefined)
}

function nodesOf({ machines, memoryMb }: Scenario, world: World): Node[] {
  return Array.from(
    { length: machines },
    (_, n) =>
      new Node(n, world, {
        capacity: { cpus: 8, memoryMb, diskMb: 100_000 },
        metadata: { zone: n % 2 === 0 ? 'a' : 'b' },
      }),
  )
}

/** While nobody leads nobody hears of what does its work no more: what did then is taken for serving a while longer. */
function knownAt({ withoutLeader }: SimulatedStore, now: number, servedAt: number | null): number | null {
  const { from, to } = withoutLeader
  return servedAt !== null && servedAt >= from && now - to <= hearsWithinMs ? now : servedAt
}

/** A number that is another with nearly any other text (FNV-1a, with 32 bits): for each line, so that it is cheap. */
function printOf(before: number, text: string): number {
  let print = before
  for (let n = 0; n < text.length; n++) print = Math.imul(print ^ text.charCodeAt(n), 0x01000193)
  return print >>> 0
}

function latest(instants: readonly (number | null)[]): number | null {
  return instants.reduce((a, b) => (a === null ? b : b === null ? a : Math.max(a, b)), null)
}
