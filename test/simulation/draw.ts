// A scenario at random: the same seed gives the same one. Each seed has a part of the faults, so that what only comes of
// one is found where others do not drown it, and a pace of its own.
import { sha1 } from '../../src/lib/hash.js'
import { randomFrom } from '../interleaving/turns.js'
import { bodySorts, proofs } from './calls.js'
import { drawExplains, withOperators } from './draw-operators.js'
import { withRedeploysAtFirings } from './firings-draw.js'
import { withGivenSecrets } from './given-secrets.js'
import { drawMachineTroubles, drifts } from './machine-troubles.js'
import { withNear } from './near-draw.js'
import { releases } from './releases.js'
import { metaVerbs, wrongs } from './requests.js'
import { drawRoutes } from './routes-draw.js'
import {
  type ActName,
  type Deed,
  embeddedFaultNames,
  etcdFaultNames,
  type FaultName,
  isStoreFault,
  networkFaultNames,
  type Scenario,
  type WorkName,
} from './scenario.js'

export interface Wish {
  readonly seed: number
  readonly machines: number
  readonly services: number
  /** How long operators and faults are at work, in virtual time. */
  readonly busyMs: number
  /** Faults that it may have. */
  readonly faults?: readonly FaultName[]
  /** The memory of each machine where things may have to make way; half of the seeds have more than enough. */
  readonly tightMb?: number
  /** How long rollouts may take; left out: some a minute, others ten. */
  readonly deadlineMs?: number
  /** Without services that a schedule starts, and without webhooks. */
  readonly isPlain?: boolean
  /** Services ask for a zone, for ports, and to be away from each other. */
  readonly hasPlaces?: boolean
  /** Services ask for volumes of their slots. */
  readonly hasVolumes?: boolean
  /** Volumes of slots are moved to other machines, whose disks may be full. */
  readonly hasMoves?: boolean
  /** Units are handed in by fleet's verbs beside services. */
  readonly hasUnits?: boolean
  /** Services come up after others of their project, and go down before them where all are stopped. */
  readonly hasOrder?: boolean
  /** There are only services with routes of the entry, which are renamed, joined and split. */
  readonly hasRoutes?: boolean
  /** Metadata are changed, and what has to be refused is asked for. */
  readonly hasRequests?: boolean
  /** Services are scaled by what they have to do, called by URLs, and begun by hand. */
  readonly hasScaling?: boolean
  /** Nothing is scaled by what it has to do, which is measured every few seconds: of a month most is leapt over then. */
  readonly isSteady?: boolean
  /** Calls of URLs come over a network where things go wrong, and with bodies. */
  readonly hasNetwork?: boolean
  /** The store is on the disk of the only machine. */
  readonly isEmbedded?: boolean
  /** All services are there from the first minutes on. */
  readonly isDeployed?: boolean
  /** How many times as long operators and faults wait between what they do; default 1, which is every few seconds. */
  readonly calm?: number
}

/** So long after one service another is deployed where all are there from the beginning. */
const firstEveryMs = 5000
/** What is asked for most is what most goes wrong with. */
const draws: readonly ActName[] = [
  ...(['deploy', 'deploy', 'scale', 'scale', 'stop', 'start'] as const),
  ...(['revert', 'reprovision', 'delete', 'freeze', 'cordon'] as const),
]
const drawsOfPlaces: readonly ActName[] = [...draws, 'drain', 'relabel']
const drawsOfVolumes: readonly ActName[] = [...draws, 'remove-volume', 'drain']
const unitNames = ['u0', 'u1', 'u2', 'u3', 'u4', 'u5@1', 'u5@2', 'u5@3', 'u6', 'u7'] as const
/** Whom units ask not to be beside. */
const patterns = [
  'u0.service',
  'u1.service',
  'u3.service',
  'u5@*.service',
  'u5@1.service',
  'u6.service',
] as const
const drawsOfScaling: readonly (ActName | WorkName)[] = [
  ...(['deploy', 'deploy', 'scale', 'stop', 'start', 'start', 'revert', 'delete', 'freeze'] as const),
  ...(['cordon', 'call', 'call', 'call', 'call', ...Array<'load'>(8).fill('load')] as const),
]
const ofMachines: ReadonlySet<ActName | WorkName> = new Set(['cordon', 'drain', 'relabel'])
const kinds = [
  ...(['good', 'good', 'good', 'good', 'late', 'late', 'late', 'slow', 'sick', 'ends'] as const),
  ...(['missing', 'never', 'vast'] as const),
]
/** Of these none does its work for long. */
const failing: ReadonlySet<string> = new Set(['sick', 'ends', 'missing', 'never', 'vast'])
/** More than any machine has. */
const vastMb = 128 * 1024
/** What happens so late is not undone by what operators ask for. */
const lateMs = 60_000

export function drawScenario(wish: Wish): Scenario {
  const { seed, busyMs } = wish
  const machines = wish.isEmbedded ? 1 : wish.machines
  // Not the numbers that the run itself takes: what one does must not hang together with what the other does.
  // Of seeds in a row the first numbers would be alike.
  const dice = diceOf(`scenario ${seed}`)
  // The number that once said so is taken still, so that all else is as it was.
  dice.chance(0.5)
  // Two seeds and two seeds by turns: by chance the first six had no room, and what only shows where there is some did not.
  const isRoomy = seed % 4 > 1
  const linkMs = dice.pick([4, 40, 200])
  const memoryMb = isRoomy ? 64 * 1024 : (wish.tightMb ?? 3 * 1024)
  const known = wish.isEmbedded ? embeddedFaultNames : etcdFaultNames
  const chosen = (wish.faults ?? known).filter(() => dice.chance(0.5))
  // Where everything is changed all the time nothing holds for as long as triggers look back.
  const calm = (wish.calm ?? 1) * (wish.hasScaling ? dice.pick([1, 3, 6]) : 1)
  const acts = wish.hasRoutes
    ? drawRoutes({ ...wish, machines, calm })
    : withRedeploysAtFirings(withNear(drawActs({ ...wish, machines, calm }, linkMs, dice), wish), {
        ...wish,
        machines,
        calm,
      })
  const members = wish.isEmbedded ? 0 : chosen.some(isStoreFault) ? dice.pick([1, 3, 3]) : 1
  const requests = wish.hasRequests ? drawRequests({ ...wish, machines, calm }) : []
  const listings = wish.hasVolumes ? drawListings({ ...wish, machines, calm }) : []
  const moves = wish.hasMoves ? drawMoves({ ...wish, machines, calm }) : []
  const faults = drawFaults({ ...wish, machines, calm }, members, chosen, dice)
  const own = drawMachineTroubles({ ...wish, machines, calm })
  const all = [...acts.map(own.programOf), ...requests, ...listings, ...moves, ...faults, ...own.faults]
  const sent = wish.hasNetwork ? overNetwork(all, { ...wish, machines, calm }) : all
  const operated = wish.hasRequests
    ? withGivenSecrets(withOperators(sent, { ...wish, machines, calm }), wish)
    : sent
  const asks = wish.hasRequests || wish.hasPlaces
  const beside = asks ? [...operated, ...drawExplains({ ...wish, machines, calm })] : operated
  const inTurn = wish.hasOrder ? inOrder(beside, { ...wish, machines, calm }) : beside
  const deeds = inTurn.map((deed) => withDeadline(deed, wish))
  deeds.sort((a, b) => a.atMs - b.atMs)
  return { seed, machines, members, memoryMb, linkMs, busyMs, deeds }
}

function withDeadline(deed: Deed, { deadlineMs }: Wish): Deed {
  if (deed.what !== 'deploy' || deadlineMs === undefined) return deed
  return { ...deed, details: { ...deed.details, deadline: `${deadlineMs}` } }
}

/** With what is sent with calls, more calls of what runs and ends, and what goes wrong on their way. */
function overNetwork(deeds: readonly Deed[], wish: Wish): Deed[] {
  const dice = diceOf(`network ${wish.seed}`)
  // Where so many run at a time, others wait for their turn, and may be told to stop before it comes.
  const runs = diceOf(`runs ${wish.seed}`)
  const uses = new Map<string, string>()
  const useOf = (service: string): string => {
    const use = uses.get(service) ?? dice.pick(['variables', 'variables', 'file'])
    uses.set(service, use)
    return use
  }
  const withBody = (deed: Deed): Deed => {
    const { kind = '' } = deed.details
    if (deed.what === 'deploy' && (kind === 'event' || kind === 'job')) {
      const waits = runs.chance(0.5) && { most: `${runs.between(1, 3)}` }
      const replaces = kind === 'job' && runs.chance(0.5) && { overlap: 'replace' }
      return { ...deed, details: { ...deed.details, body: useOf(deed.who), ...waits, ...replaces } }
    }
    if (deed.what !== 'call') return deed
    const proof = dice.chance(0.9) ? dice.pick(proofs) : 'wrong'
    const more = { sends: dice.pick(bodySorts), proof, ...(dice.chance(0.1) && { again: 'other' }) }
    return { ...deed, details: { ...deed.details, ...more } }
  }
  return [...[...deeds, ...drawRunCalls(wish, dice)].map(withBody), ...drawNetworkFaults(wish, dice)]
}

/** With services that come after others, and with stops and starts of all of them. */
function inOrder(deeds: readonly Deed[], { seed, services, machines, busyMs, calm = 1 }: Wish): Deed[] {
  const dice = diceOf(`order ${seed}`)
  const withAfter = (deed: Deed): Deed => {
    const n = Number(deed.who.slice(1))
    if (deed.what !== 'deploy' || n === 0 || deed.details['kind'] === 'job' || dice.chance(0.3)) return deed
    const after = `s${dice.between(0, n)}:${dice.pick(['started', 'healthy'])}`
    return { ...deed, details: { ...deed.details, after } }
  }
  // The last one may be what a schedule starts.
  const all = Array.from({ length: services - 1 }, (_, n) => `s${n}`)
  const ofAll: Deed[] = []
  for (let atMs = 0; ; ) {
    atMs += calm * dice.between(20_000, 120_000)
    if (atMs >= busyMs) return [...deeds.map(withAfter), ...ofAll]
    const details = { via: `m${dice.between(0, machines)}`, order: 'yes' }
    const startMs = atMs + dice.between(500, 60_000)
    ofAll.push(...all.map((who) => ({ atMs, who, what: 'stop' as const, details })))
    if (startMs < busyMs)
      ofAll.push(...all.map((who) => ({ atMs: startMs, who, what: 'start' as const, details })))
    atMs = startMs
  }
}

function drawRunCalls({ services, machines, busyMs, calm = 1 }: Wish, dice: Dice): readonly Deed[] {
  const deeds: Deed[] = []
  for (let atMs = 0; ; ) {
    atMs += calm * dice.between(500, 30_000)
    if (atMs >= busyMs) return deeds
    const details = {
      via: `m${dice.between(0, machines)}`,
      trigger: 'go',
      id: `${dice.between(0, 1_000_000)}`,
    }
    deeds.push({ atMs, who: `s${services - dice.between(1, 3)}`, what: 'call', details })
    if (dice.chance(0.4))
      deeds.push({
        atMs,
        who: `use ${deeds.length}`.replace(' ', ''),
        what: 'use',
        details: { via: details.via },
      })
  }
}

/** Somebody looks at the volumes of all machines, over a network where things go wrong. */
function drawListings(wish: Wish): readonly Deed[] {
  const { seed, machines, busyMs, calm = 1 } = wish
  const dice = diceOf(`listings ${seed}`)
  const deeds: Deed[] = []
  for (let atMs = 0; ; ) {
    atMs += calm * dice.between(500, 40_000)
    if (atMs >= busyMs) return [...deeds, ...drawNetworkFaults(wish, dice)]
    const details = { via: `m${dice.between(0, machines)}` }
    deeds.push({ atMs, who: `list${deeds.length}`, what: 'volumes', details })
  }
}

/** Volumes move, and some of that is ended again; what receives them may have no room. */
function drawMoves({ seed, services, machines, busyMs, calm = 1 }: Wish): readonly Deed[] {
  const dice = diceOf(`moves ${seed}`)
  const isFull = dice.chance(0.5)
  const deeds: Deed[] = []
  for (let atMs = 60_000; ; ) {
    atMs += calm * dice.between(500, 30_000)
    if (atMs >= busyMs) return deeds
    const details = {
      via: `m${dice.between(0, machines)}`,
      n: `${dice.between(0, 1000)}`,
      ...(dice.chance(0.15) && { cancel: 'yes' }),
      ...(dice.chance(0.5) && { to: `m${dice.between(0, machines)}` }),
    }
    const who = `s${dice.between(0, services)}`
    deeds.push({ atMs, who, what: 'move', details })
    // Somebody deletes one, over a network where things go wrong.
    if (dice.chance(0.3))
      deeds.push({
        ...{ atMs: atMs + dice.between(0, 20_000), who, what: 'remove-volume' },
        details: { via: details.via, n: details.n },
      })
    if (isFull && dice.chance(0.2))
      deeds.push({
        ...{ atMs: atMs + dice.between(0, 10_000), who: `m${dice.between(0, machines)}` },
        ...{ what: 'fault:volumes-full', details: { for: `${dice.between(1000, 60_000)}` } },
      })
  }
}

/** Each seed has a part of them. */
function drawNetworkFaults({ machines, busyMs, calm = 1 }: Wish, dice: Dice): readonly Deed[] {
  const chosen = networkFaultNames.filter(() => dice.chance(0.6))
  const ends = ['outside', ...Array.from({ length: machines }, (_, n) => `m${n}`)]
  const faults: Deed[] = []
  for (let atMs = 0; chosen.length > 0; ) {
    atMs += calm * dice.between(1_000, 40_000)
    if (atMs >= busyMs) break
    const fault = dice.pick(chosen)
    const forMs = dice.chance(0.7) ? dice.between(200, 20_000) : dice.between(20_000, 90_000)
    const details = {
      for: `${forMs}`,
      ...(fault === 'net-one-way' && { to: dice.pick(ends) }),
      ...(fault === 'net-slow' && { most: `${dice.between(100, 12_000)}` }),
    }
    faults.push({ atMs, who: `m${dice.between(0, machines)}`, what: `fault:${fault}`, details })
  }
  return faults
}

function drawRequests({ seed, services, machines, busyMs, calm = 1 }: Wish): readonly Deed[] {
  const dice = diceOf(`requests ${seed}`)
  const deeds: Deed[] = []
  for (let atMs = 0; ; ) {
    atMs += dice.between(100, 6000) * calm
    if (atMs >= busyMs) return deeds
    const via = `m${dice.between(0, machines)}`
    const n = `${dice.between(0, 1000)}`
    const isWrong = dice.chance(0.4)
    deeds.push({
      atMs,
      who: isWrong ? `s${dice.between(0, services)}` : `k${dice.between(0, 4)}`,
      what: isWrong ? 'wrong' : 'meta',
      details: {
        via,
        ...(isWrong ? { which: dice.pick(Object.keys(wrongs)) } : { verb: dice.pick(metaVerbs), n }),
      },
    })
  }
}

function drawActs(
  {
    seed,
    services,
    machines,
    busyMs,
    calm = 1,
    isPlain = false,
    hasPlaces = false,
    hasVolumes = false,
    hasScaling = false,
    isSteady = false,
    hasUnits = false,
    isDeployed = false,
  }: Wish,
  linkMs: number,
  dice: Dice,
): readonly Deed[] {
  const deeds: Deed[] = []
  // Its own numbers: without places a seed is what it was before there were any.
  const places = hasPlaces ? diceOf(`places ${seed}`) : null
  const volumes = hasVolumes ? diceOf(`volumes ${seed}`) : null
  const scaling = hasScaling && !isSteady ? diceOf(`scaling ${seed}`) : null
  const replaces = diceOf(`replaces ${seed}`)
  const known = hasScaling
    ? drawsOfScaling
    : hasPlaces || hasUnits
      ? drawsOfPlaces
      : hasVolumes
        ? drawsOfVolumes
        : draws
  // In half of the clusters the last service is one that a schedule starts.
  const job = !isPlain && dice.chance(0.5) ? `s${services - 1}` : null
  // One that is begun by hand and by calls.
  const event = hasScaling ? `s${services - 2}` : null
  const exists = new Set<string>()
  if (isDeployed) {
    deeds.push(...drawFirst({ seed, services, machines, calm, isPlain }, job))
    for (const { who } of deeds) exists.add(who)
  }
  let last: string | null = null
  for (let atMs = 0; ; ) {
    // Often one change follows the other closely, while the first is still being carried out.
    const isSoon = dice.chance(0.4)
    atMs += isSoon ? dice.between(1, 4 * linkMs) : calm * dice.between(200, 20_000)
    if (atMs >= busyMs) return deeds
    const service: string = isSoon && last !== null ? last : `s${dice.between(0, services)}`
    last = service
    const unit = hasUnits && dice.chance(0.6) ? dice.pick(unitNames) : null
    const what = unit !== null ? 'unit' : exists.has(service) ? dice.pick(known) : 'deploy'
    if (what === 'deploy') exists.add(service)
    if (what === 'delete') exists.delete(service)
    const who = unit ?? (ofMachines.has(what) ? `m${dice.between(0, machines)}` : service)
    const via = dice.between(0, machines)
    const details: Readonly<Record<string, string>> = {
      ...(what !== 'load' && { via: `m${via}` }),
      ...drawDetails(what, dice),
      ...(unit !== null && withReplaces(unit, drawUnit(unit, dice), replaces)),
      ...(what === 'deploy' && service === job && drawJob(dice, calm)),
      ...(what === 'deploy' && service === event && drawEvent(dice)),
      ...(what === 'deploy' &&
        service !== job &&
        service !== event &&
        scaling !== null &&
        drawScaling(service, scaling)),
      ...(what === 'deploy' && hasScaling && { urls: 'yes' }),
      ...(what === 'deploy' && service !== job && places !== null && drawPlace(service, services, places)),
      ...(what === 'deploy' && service !== job && volumes !== null && drawVolume(volumes)),
      ...(what === 'delete' && volumes?.chance(0.4) && { volumes: 'yes' }),
      ...(what === 'deploy' && !isPlain && hasWebhook(service) && { hook: 'yes' }),
    }
    deeds.push({ atMs, who, what, details })
    // Where days go by nobody leaves a service that fails as it is.
    if (calm > 1 && what === 'deploy' && failing.has(details['kind'] ?? ''))
      deeds.push({ atMs: atMs + dice.between(30_000, 120_000), who, what, details: asGood(details) })
  }
}

/** All services, one after the other, of programs that do their work. */
function drawFirst(
  { seed, services, machines, calm = 1, isPlain = false }: Omit<Wish, 'busyMs'>,
  job: string | null,
): readonly Deed[] {
  const dice = diceOf(`deployed ${seed}`)
  return Array.from({ length: services }, (_, n) => {
    const who = `s${n}`
    const details: Readonly<Record<string, string>> = {
      via: `m${dice.between(0, machines)}`,
      ...asGood(drawDeploy(dice)),
      ...(who === job && drawJob(dice, calm)),
      ...(!isPlain && hasWebhook(who) && { hook: 'yes' }),
    }
    return { atMs: (n + 1) * firstEveryMs, who, what: 'deploy' as const, details }
  })
}

/** What is asked for, of a program that does its work. */
function asGood(details: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...details, kind: 'good', memory: '64' }
}

function diceOf(what: string): Dice {
  return new Dice(randomFrom(Number.parseInt(sha1(what).slice(0, 7), 16)))
}

/** Where its instances may be; most may be anywhere. */
function drawPlace(service: string, services: number, dice: Dice): Readonly<Record<string, string>> {
  const other = `s${dice.between(0, services)}`
  return {
    ...(dice.chance(0.2) && { zone: dice.pick(['a', 'b']) }),
    ...(dice.chance(0.2) && { port: `${8000 + dice.between(0, 2)}` }),
    ...(dice.chance(0.2) && { away: service }),
    ...(dice.chance(0.1) && { away: other }),
  }
}

/** Most have one; of half of them a slot begins anew where its machine is lost. */
function drawVolume(dice: Dice): Readonly<Record<string, string>> {
  return dice.chance(0.8) ? { volume: dice.pick(['wait', 'fresh']) } : {}
}

/** Every other service tells somebody of what happens to it, in all of its versions. */
function hasWebhook(service: string): boolean {
  return Number(service.slice(1)) % 2 === 0
}

function drawDetails(what: ActName | WorkName, dice: Dice): Readonly<Record<string, string>> {
  switch (what) {
    case 'load':
      return { cores: `${dice.between(0, 400)}`, rps: `${dice.between(0, 500)}` }
    case 'unit':
    case 'use':
    case 'volumes':
    case 'move':
    case 'site':
    case 'end-hand-over':
    case 'meta':
    case 'race':
    case 'plan':
    case 'explain':
    case 'wrong':
      return {}
    case 'call':
      return {
        trigger: dice.pick(['go', 'go', 'go', 'more', 'halt']),
        id: `${dice.between(0, 1_000_000)}`,
        ...(dice.chance(0.3) && { again: 'yes' }),
      }
    case 'deploy':
      return drawDeploy(dice)
    case 'scale':
      return { to: `${dice.between(0, 7)}` }
    case 'revert':
      return { back: `${dice.between(0, 6)}` }
    case 'remove-volume':
      return { n: `${dice.between(0, 1000)}` }
    case 'freeze':
      return { for: `${dice.between(1000, 30_000)}` }
    case 'cordon':
      return { for: `${dice.between(1000, 60_000)}` }
    case 'drain':
      return { for: `${dice.between(1000, 60_000)}`, rolling: `${dice.between(1, 3)}` }
    case 'relabel':
      return { for: `${dice.between(1000, 60_000)}`, zone: dice.pick(['a', 'b']) }
    case 'stop':
    case 'start':
    case 'reprovision':
    case 'delete':
      return {}
  }
}

function drawDeploy(dice: Dice): Readonly<Record<string, string>> {
  const kind = dice.pick(kinds)
  // What is ready late, or gets sick, would be taken for well without.
  const isChecked = kind === 'late' || kind === 'never' || kind === 'sick' || dice.chance(0.5)
  return {
    scale: `${dice.between(1, 6)}`,
    deadline: `${dice.pick([60_000, 600_000])}`,
    memory: kind === 'vast' ? `${vastMb}` : `${dice.between(1, 5) * 64}`,
    kind,
    n: `${dice.between(0, 1000)}`,
    ...(isChecked && { checked: 'yes' }),
    ...(dice.chance(0.5) && { restart: 'always' }),
  }
}

function drawJob(dice: Dice, calm: number): Readonly<Record<string, string>> {
  return {
    kind: 'job',
    every: `${dice.pick(calm > 1 ? [900, 3600] : [15, 60])}`,
    takes: `${dice.pick([300, 10_000, 40_000])}`,
    overlap: dice.pick(['skip', 'allow', 'replace']),
    checked: 'no',
    restart: 'no',
  }
}

function drawEvent(dice: Dice): Readonly<Record<string, string>> {
  return { kind: 'event', takes: `${dice.pick([300, 10_000, 40_000])}`, checked: 'no', restart: 'no' }
}

/** Two of three are scaled by themselves, in all of their versions. Those can do their work, or nothing would be measured. */
function drawScaling(service: string, dice: Dice): Readonly<Record<string, string>> {
  if (Number(service.slice(1)) % 3 === 2) return {}
  const metric = Number(service.slice(1)) % 2 === 0 ? 'cpu' : 'rps'
  const [min, more] = [dice.pick([0, 1, 1, 2]), dice.between(1, 6)]
  const enable = dice.chance(0.85) ? 'true' : 'notify'
  const words = [metric, enable, min, min + more, dice.pick([20, 60]), dice.pick([20, 30, 60])]
  const kind = dice.pick(['good', 'good', 'late', 'slow'])
  // What is ready late would be taken for well without a check.
  return { auto: words.join(':'), kind, memory: '64', ...(kind === 'late' && { checked: 'yes' }) }
}

/** What a unit asks for; those of a template are spread, and the last two are on every machine that fits. */
function drawUnit(who: string, dice: Dice): Readonly<Record<string, string>> {
  const n = Number(/\d/.exec(who)?.[0])
  const isGlobal = n > 5
  const [apart, after, far] = [dice.pick(patterns), dice.between(0, n), dice.between(0, 6)]
  return {
    verb: dice.pick(['start', 'start', 'start', 'start', 'load', 'submit', 'stop', 'unload', 'destroy']),
    // Of each unit always as much, so that another text needs no more room than it has.
    memory: `${128 * (1 + (n % 4))}`,
    n: `${dice.between(0, 3)}`,
    ...(dice.chance(0.25) && { zone: dice.pick(['a', 'b']) }),
    ...(dice.chance(0.3) && { apart }),
    ...(!isGlobal && n > 0 && n < 5 && dice.chance(0.4) && { after: `u${after}` }),
    ...(dice.chance(0.15) && { far: `u${far}` }),
    ...(isGlobal && { global: 'yes' }),
    ...(who.includes('@') && { spread: 'yes' }),
  }
}

/** Some take the place of others; a text that asks for that may not say whom its unit conflicts with. */
function withReplaces(
  who: string,
  { apart, ...details }: Readonly<Record<string, string>>,
  dice: Dice,
): Readonly<Record<string, string>> {
  const isReplacing = dice.chance(0.3) && details['global'] === undefined
  const [of, others] = [dice.pick(patterns), dice.pick(patterns)]
  if (!isReplacing) return { ...details, ...(apart !== undefined && { apart }) }
  return { ...details, replaces: of === `${who}.service` ? others : of }
}

function drawFaults(
  { seed, machines, busyMs, calm = 1 }: Wish,
  members: number,
  from: readonly FaultName[],
  dice: Dice,
): readonly Deed[] {
  if (from.length === 0) return []
  const deeds: Deed[] = []
  const boots = diceOf(`boots ${seed}`)
  // In half of the clusters no clock is ever set back.
  const isForward = dice.chance(0.5)
  if (from.includes('die') && machines > 2) deeds.push(...drawDeaths(machines, busyMs, dice))
  for (let atMs = 0; ; ) {
    atMs += calm * dice.between(2_000, 60_000)
    if (atMs >= busyMs) return deeds
    const fault = dice.pick(from)
    if (fault === 'die') continue
    const forMs = dice.chance(0.7) ? dice.between(200, 20_000) : dice.between(20_000, 120_000)
    const isLate = fault === 'power-off' && boots.chance(0.5)
    deeds.push({
      who: isStoreFault(fault) ? `e${dice.between(0, members)}` : `m${dice.between(0, machines)}`,
      ...{ atMs, what: `fault:${fault}` as const },
      details: {
        ...detailsOf(fault, forMs, isForward, dice),
        ...(isLate && { late: `${boots.between(1000, 60_000)}` }),
      },
    })
  }
}

/** One machine dies, or most of them together, as those of a rack do; one goes on in any case. */
function drawDeaths(machines: number, busyMs: number, dice: Dice): readonly Deed[] {
  const atMs = dice.chance(0.5) ? dice.between(0, busyMs) : Math.max(0, busyMs - dice.between(0, lateMs))
  const dead = dice.chance(0.3) ? machines - 1 : 1
  const first = dice.between(0, machines)
  return Array.from({ length: dead }, (_, n) => ({
    ...{ atMs, who: `m${(first + n) % machines}`, what: 'fault:die' as const, details: {} },
  }))
}

function detailsOf(
  fault: FaultName,
  forMs: number,
  isForward: boolean,
  dice: Dice,
): Readonly<Record<string, string>> {
  switch (fault) {
    case 'freeze':
      return { for: `${Math.min(forMs, 60_000)}` }
    case 'set-clock':
      return { by: `${dice.between(isForward ? 0 : -3_600_000, 3_600_000)}` }
    case 'kill-program':
      return { n: `${dice.between(0, 1000)}` }
    case 'slow-link':
      return { for: `${forMs}`, most: `${dice.between(4, 800)}` }
    case 'lose-member':
      return { for: `${forMs}`, how: dice.pick(['dead', 'cut']) }
    case 'lag-member':
      return { for: `${forMs}`, by: `${dice.between(20, 5000)}` }
    case 'drift-clock':
      return { ppm: `${dice.pick(drifts)}`, for: `${forMs}` }
    case 'change-release':
      return { for: `${forMs}`, to: dice.pick(releases) }
    case 'compact':
    case 'die':
    case 'poison':
      return {}
    case 'kill-daemon':
    case 'stop-daemon':
    case 'power-off':
    case 'cut':
    case 'driver-away':
    case 'driver-hangs':
    case 'cut-outside':
    case 'lose-quorum':
    case 'disk-full':
    case 'disk-error':
    case 'flip-bit':
    case 'net-cut':
    case 'net-one-way':
    case 'net-lose-requests':
    case 'net-lose-answers':
    case 'net-slow':
    case 'volumes-full':
      return { for: `${forMs}` }
  }
}

class Dice {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  chance(of: number): boolean {
    return this.#random() < of
  }

  /** A whole number from `least` to below `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least))
  }

  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T
  }
}
