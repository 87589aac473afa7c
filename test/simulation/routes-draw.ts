// Deploys of a project whose services have routes of the entry: services are renamed, joined and split, and what is asked of
// them one by one comes at any time of that.
import { type Dice, diceOf } from './clockwork.js'
import { type ClaimWord, claimWords, type Filed, filesOf, printFiles, routedNames } from './routes.js'
import type { ActName, Deed } from './scenario.js'

interface RoutesWish {
  readonly seed: number
  readonly machines: number
  readonly busyMs: number
  readonly calm?: number
}

const sound = ['good', 'good', 'good', 'late', 'late', 'slow'] as const
const kinds = [...sound, ...sound, 'never', 'sick', 'ends', 'missing'] as const
/** What is asked of one service at a time. */
const asks: readonly ActName[] = [
  ...(['scale', 'scale', 'stop', 'start', 'start', 'revert', 'reprovision', 'delete'] as const),
  ...(['freeze', 'end-hand-over'] as const),
]
const changes = [
  ...Array<'rename'>(8).fill('rename'),
  ...([
    'back',
    'back',
    'again',
    'again',
    'anew',
    'anew',
    'join',
    'into',
    'split',
    'swap',
    'more',
    'less',
  ] as const),
] as const

export function drawRoutes(wish: RoutesWish): readonly Deed[] {
  const sites = drawSites(wish)
  return [...sites, ...drawAsks(wish, sites)]
}

/** Two people deploy the files, who know what the other has done, and not what has become of it. */
function drawSites({ seed, machines, busyMs, calm = 1 }: RoutesWish): readonly Deed[] {
  const dice = diceOf(`sites ${seed}`)
  const of = dice.chance(0.5) ? sound : kinds
  // In some seeds there is nearly always time for one to end before the next.
  const restMs = dice.pick([0, 60_000, 180_000]) ?? 0
  const deeds: Deed[] = []
  let files: readonly Filed[] = [made('r0', ['h0', 't0'], dice, of, 0), made('r1', ['h1'], dice, sound, 0)]
  let former = files
  for (let atMs = 5000; atMs < busyMs; ) {
    const details = {
      via: `m${dice.between(0, machines)}`,
      has: printFiles(files),
      scale: `${dice.between(1, 4)}`,
      deadline: `${dice.pick([60_000, 60_000, 600_000])}`,
      prune: deeds.length === 0 || dice.chance(0.9) ? 'yes' : 'no',
    }
    deeds.push({ atMs, who: dice.chance(0.8) ? 'site0' : 'site1', what: 'site', details })
    atMs += calm * (dice.chance(0.3) ? dice.between(20, 5000) : restMs + dice.between(5000, 90_000))
    const next = changed(files, former, dice, of, deeds.length)
    former = files
    files = next
  }
  return deeds
}

/** The files of the next deploy. */
function changed(
  files: readonly Filed[],
  former: readonly Filed[],
  dice: Dice,
  of: readonly string[],
  n: number,
): readonly Filed[] {
  const one = dice.pick(files)
  const free = routedNames.filter((name) => files.every((other) => other.name !== name))
  const [first, second] = [dice.pick(free), dice.pick(free)]
  if (one === undefined || first === undefined) return former
  const others = files.filter((other) => other !== one)
  const another = dice.pick(others)
  switch (dice.pick(changes)) {
    case 'rename': {
      // Now and then only the name is another.
      const anew = dice.chance(0.4) ? { ...one, name: first } : made(first, one.claims, dice, of, n)
      return [...others, anew]
    }
    case 'back':
      return former
    case 'anew':
      return [...others, made(one.name, one.claims, dice, of, n)]
    case 'join': {
      if (another === undefined) return files
      const all = [...one.claims, ...another.claims]
      return [...others.filter((other) => other !== another), made(first, all, dice, of, n)]
    }
    case 'into': {
      if (another === undefined) return files
      const all = [...another.claims, ...one.claims]
      return [...others.filter((other) => other !== another), made(another.name, all, dice, of, n)]
    }
    case 'split': {
      if (second === undefined || second === first || one.claims.length < 2) return files
      const [claim, ...rest] = one.claims
      if (claim === undefined) return files
      return [...others, made(first, [claim], dice, of, n), made(second, rest, dice, of, n)]
    }
    case 'swap': {
      if (another === undefined) return files
      const rest = others.filter((other) => other !== another)
      return [...rest, { ...one, claims: another.claims }, { ...another, claims: one.claims }]
    }
    case 'more': {
      const left = claimWords.filter((word) => files.every(({ claims }) => !claims.includes(word)))
      const word = dice.pick(left)
      return word === undefined || files.length > 2 ? files : [...files, made(first, [word], dice, of, n)]
    }
    case 'less':
      return others.length > 0 ? others : files
    default:
      return files
  }
}

function made(
  name: string,
  claims: readonly ClaimWord[],
  dice: Dice,
  of: readonly string[],
  n: number,
): Filed {
  const kind = dice.pick(of) ?? 'good'
  const isChecked = kind === 'late' || kind === 'never' || kind === 'sick' || dice.chance(0.5)
  const memory = `${dice.between(1, 5) * 64}`
  return { name, kind, memory, checked: isChecked ? 'yes' : 'no', n: `d${n}`, claims }
}

/** Nearly always of what is in the files, or just was. */
function drawAsks({ seed, machines, busyMs, calm = 1 }: RoutesWish, sites: readonly Deed[]): readonly Deed[] {
  const dice = diceOf(`routed ${seed}`)
  // In a third of the seeds nobody interferes.
  const pace = dice.pick([0, 1, 4]) ?? 0
  const deeds: Deed[] = []
  if (pace === 0) return deeds
  for (let atMs = 10_000; ; ) {
    atMs += calm * pace * dice.between(500, 40_000)
    if (atMs >= busyMs) return deeds
    const via = `m${dice.between(0, machines)}`
    if (dice.chance(0.1)) {
      const [who, what] = [`m${dice.between(0, machines)}`, dice.chance(0.5) ? 'cordon' : 'drain'] as const
      const rolling = what === 'drain' && { rolling: `${dice.between(1, 3)}` }
      deeds.push({ atMs, who, what, details: { via, for: `${dice.between(1000, 60_000)}`, ...rolling } })
    } else {
      const what = dice.pick(asks) ?? 'scale'
      const known = sites.filter((site) => site.atMs <= atMs).slice(-2)
      const filed = known.flatMap(filesOf).map(({ name }) => name)
      const who = dice.pick(dice.chance(0.95) ? filed : routedNames) ?? 'r0'
      deeds.push({ atMs, who, what, details: { via, ...moreOf(what, dice) } })
    }
  }
}

function moreOf(what: ActName, dice: Dice): Readonly<Record<string, string>> {
  if (what === 'scale') return { to: `${dice.between(0, 5)}` }
  if (what === 'revert') return { back: `${dice.between(0, 3)}` }
  return what === 'freeze' ? { for: `${dice.between(1000, 30_000)}` } : {}
}
