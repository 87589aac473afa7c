// `npm run simulate`: seed after seed, until a time or a number of them is over. Prints what broke, with the seed and the
// shortest scenario that breaks the same way.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addCounts, codesIn, coverageOf, describeCoverage } from './coverage.js'
import { drawScenario, type Wish } from './draw.js'
import { tableOf } from './growth-judge.js'
import { BadOptions, nameOf, numberOf, spansOf, wholeNumberOf } from './options.js'
import { type Report, simulate } from './run.js'
import { faultNames, parseScenario, printScenario, type Scenario } from './scenario.js'
import { type Breakage, shrink } from './shrink.js'

const { values } = orEnd(() =>
  parseArgs({
    options: {
      seed: { type: 'string' },
      scenario: { type: 'string' },
      from: { type: 'string', default: '1' },
      seeds: { type: 'string' },
      minutes: { type: 'string' },
      hours: { type: 'string' },
      days: { type: 'string' },
      machines: { type: 'string', default: '3' },
      services: { type: 'string', default: '5' },
      busy: { type: 'string' },
      calm: { type: 'string' },
      deployed: { type: 'boolean', default: false },
      every: { type: 'string' },
      faults: { type: 'string' },
      profile: { type: 'string', default: 'etcd' },
      tight: { type: 'string', default: '3072' },
      deadline: { type: 'string' },
      memory: { type: 'boolean', default: false },
      shrink: { type: 'string', default: '0' },
      save: { type: 'string' },
      'no-leaps': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'until-broken': { type: 'boolean', default: false },
      sum: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  }),
)
/** What makes each profile other than the usual. */
const profiles: Readonly<Record<string, Partial<Wish>>> = {
  etcd: {},
  embedded: { isEmbedded: true },
  places: { hasPlaces: true },
  volumes: { hasVolumes: true },
  moves: { hasVolumes: true, hasMoves: true },
  scaling: { hasScaling: true },
  network: { hasScaling: true, hasNetwork: true },
  month: { hasScaling: true, hasNetwork: true, isSteady: true, isDeployed: true, calm: 200 },
  requests: { hasRequests: true },
  units: { hasUnits: true },
  order: { hasOrder: true },
  routes: { hasRoutes: true },
}

if (values.help) {
  console.log(`npm run simulate -- [options]

  --seed N        one seed, with its trace
  --scenario FILE one scenario, with its trace: what --shrink prints
  --from N        the first of several seeds (1)
  --seeds N       how many; without it as many as the time allows
  --minutes N     for how long (1); --hours N: the same in hours
  --days N        with --seed: how many days of virtual time its operators and faults are at work, instead of --busy;
                  with several seeds: until they come to so many days of a cluster
  --machines N    of each cluster (3)
  --services N    of each cluster (5)
  --busy N        minutes of virtual time with operators and faults; a quarter of an hour of quiet follows (30)
  --calm N        operators and faults come N times as seldom (1: every few seconds)
  --deployed      all services are there from the first minutes on
  --every N       tell after each N seeds how far it is
  --profile NAME  etcd; embedded: one machine, with its store on its own disk; places: as etcd, with services that ask for
                  a zone, for ports, or to be away from others; volumes: as etcd, with services whose slots have volumes;
                  moves: as volumes, with volumes of slots that move to other machines;
                  scaling: as etcd, with services that are scaled by their load, called by URLs, and begun by hand;
                  network: as scaling, with calls that come over a network where things go wrong, and with bodies;
                  month: as network, but quiet enough for weeks: nothing is scaled, and little is done in an hour;
                  units: as etcd, with units by fleet's verbs; requests: as etcd, with metadata that are changed, with
                  requests that have to be refused, and with plans, canaries and counters; order: as etcd, with services that come up after others, and with
                  stops and starts of all of them; routes: services with routes of the entry, which are renamed with
                  --prune (etcd)
  --faults A,B    only these, of ${faultNames.join(', ')}
  --tight N       memory of each machine in MB, in the half of the seeds where things have to make way (3072)
  --deadline N    seconds that each rollout may take at most (60 or 600, by chance)
  --memory        count what the daemons hold in memory, after each quarter of --busy; those that end meanwhile are not judged
  --shrink N      for up to N minutes, leave out what a seed or scenario that is broken breaks without; print the rest (0)
  --save FILE     write that there as well
  --no-leaps      play all of the time through, also where nothing comes of what there is to do
  --json          print one object in the end instead of the lines about the whole: what was counted, and of each group
                  that has an end what was never seen
  --sum A,B       only add up what --json printed into these files, and tell of the whole
  --until-broken  end with the first seed that is broken; --minutes are those of a core then
  --mutation NAME put that fault into the product first and say when it is found; all of test/simulation/mutations.mjs
                  one after the other with "all"; --table FILE writes that into the table of FILE`)
  process.exit(0)
}

const leaps = !values['no-leaps']
const spans = orEnd(() => spansOf(values))
const wish = orEnd(wished)
const countsMemory = values.memory
const every = orEnd(() => (values.every === undefined ? null : numberOf('--every', values.every)))
const shrinkMs = 60_000 * orEnd(() => (values.shrink === '0' ? 0 : numberOf('--shrink', values.shrink)))
const from = performance.now()
const elapsedMs = (): number => performance.now() - from
const total = { seeds: 0, broken: 0, steps: 0, virtualMs: 0, leaptMs: 0 }
const counts: Record<string, number> = {}
/** What this has taken of one core: others may work on the machine as well. */
const coreSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
/** What is told on the way; one object is all that is on the standard output with `--json`. */
const say = (line: string): void => (values.json ? console.error(line) : console.log(line))

process.exitCode = (await run()) ? 0 : 1

async function run(): Promise<boolean> {
  if (values.sum !== undefined) return sumUp(values.sum.split(','))
  return await (values.scenario === undefined ? trySeeds() : replay(values.scenario))
}

/** Tells of what several runs came to. */
function sumUp(files: readonly string[]): boolean {
  let seconds = 0
  for (const file of files) {
    const one = JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof totalBody>
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += one[name]
    addCounts(counts, one.counts)
    seconds += one.seconds
  }
  console.log(describeCoverage(counts, codes()).join('\n'))
  console.log(`${describeDays()}, in ${seconds.toFixed(0)} s of simulation; ${describeFaults()}`)
  return total.broken === 0
}

function describeFaults(): string {
  const faults = Object.entries(counts).flatMap(([what, times]) => (what.startsWith('fault ') ? [times] : []))
  return `${faults.reduce((a, b) => a + b, 0)} faults of ${faults.length} kinds`
}

/** Resolves to whether all held. */
async function replay(file: string): Promise<boolean> {
  const scenario = parseScenario(readFileSync(file, 'utf8'))
  const isTold = !values['until-broken']
  const report = await simulate(scenario, { ...(isTold && { trace: say }), leaps, countsMemory })
  note(report)
  const [what] = report.broken
  for (const line of report.memory) say(line)
  if (what !== undefined) {
    say(`seed ${scenario.seed} is broken: ${what}`)
    await printShortest(scenario, { what, atMs: report.brokeAtMs })
  }
  if (!isTold) say(describeSpeed().join('\n'))
  return what === undefined
}

async function trySeeds(): Promise<boolean> {
  const { only, first, most } = orEnd(() => ({
    only: values.seed === undefined ? null : wholeNumberOf('--seed', values.seed),
    first: wholeNumberOf('--from', values.seed ?? values.from),
    most:
      values.seed !== undefined
        ? 1
        : values.seeds === undefined
          ? Number.POSITIVE_INFINITY
          : numberOf('--seeds', values.seeds),
  }))
  // How long a fault takes to be found does not hang on what else the machine does.
  const spentMs = (): number => (values['until-broken'] ? 1000 * coreSeconds() : elapsedMs())
  const isOver = (): boolean => spentMs() >= spans.forMs || total.virtualMs >= spans.daysMs
  for (let seed = first; seed < first + most && (seed === first || !isOver()); seed++) {
    const scenario = drawn(seed)
    const report = await simulate(scenario, {
      leaps,
      countsMemory,
      ...(only !== null && { trace: say }),
    })
    note(report)
    if (only !== null) for (const line of [...tableOf(report.days), ...report.memory]) say(line)
    if (every !== null && total.seeds % every === 0) say(describeSpeed().join('; '))
    if (report.broken[0] === undefined) continue
    say(`seed ${seed} is broken: ${report.broken[0]}`)
    await printShortest(scenario, { what: report.broken[0], atMs: report.brokeAtMs })
    if (values['until-broken']) break
  }
  console.log(values.json ? JSON.stringify(totalBody()) : describeTotal().join('\n'))
  return total.broken === 0
}

function drawn(seed: number): Scenario {
  return drawScenario({ ...wish, seed })
}

/** What all seeds have in common. */
function wished(): Omit<Wish, 'seed'> {
  const faults = values.faults?.split(',').filter((name) => name !== '')
  return {
    machines: wholeNumberOf('--machines', values.machines),
    services: wholeNumberOf('--services', values.services),
    busyMs: spans.busyMs,
    isDeployed: values.deployed,
    tightMb: numberOf('--tight', values.tight),
    ...profiles[nameOf('--profile', values.profile, Object.keys(profiles))],
    ...(values.calm !== undefined && { calm: numberOf('--calm', values.calm) }),
    ...(faults && { faults: faults.map((name) => nameOf('--faults', name, faultNames)) }),
    ...(values.deadline !== undefined && { deadlineMs: numberOf('--deadline', values.deadline) * 1000 }),
  }
}

/** Ends with one line where what is asked for cannot be done. */
function orEnd<T>(what: () => T): T {
  try {
    return what()
  } catch (error) {
    const isParsed = error instanceof TypeError && 'code' in error
    if (!(error instanceof BadOptions || isParsed)) throw error
    console.error(`simulate: ${error.message.split('\n', 1)[0]}`)
    process.exit(2)
  }
}

function note(report: Report): void {
  total.seeds += 1
  total.steps += report.steps
  total.virtualMs += report.virtualMs
  total.leaptMs += report.leaptMs
  if (report.broken.length > 0) total.broken += 1
  addCounts(counts, report.counts)
}

async function printShortest(scenario: Scenario, found: Breakage): Promise<void> {
  const begin = performance.now()
  const isOver = (): boolean => performance.now() - begin > shrinkMs
  if (isOver()) return
  const judge = async (candidate: Scenario): Promise<Breakage | null> => {
    const { broken, brokeAtMs } = await simulate(candidate, { leaps, countsMemory })
    return broken[0] === undefined ? null : { what: broken[0], atMs: brokeAtMs }
  }
  const text = printScenario(await shrink(scenario, found, { judge, isOver }))
  say(`the shortest that breaks so; as a file it replays with --scenario FILE:\n${text}`)
  if (values.save !== undefined) writeFileSync(values.save, text)
}

/** Of the checkout that this was bundled in, beneath which the bundle lies. */
function codes(): readonly string[] {
  return codesIn(readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8'))
}

function totalBody() {
  return { ...total, seconds: elapsedMs() / 1000, counts, coverage: coverageOf(counts, codes()) }
}

function describeTotal(): readonly string[] {
  return [...describeCoverage(counts, codes()), ...describeSpeed()]
}

function describeDays(): string {
  const leaptPart = ((100 * total.leaptMs) / Math.max(1, total.virtualMs)).toFixed(0)
  const days = (total.virtualMs / 86_400_000).toFixed(2)
  return `${total.seeds} seeds, ${total.broken} broken; ${total.steps} steps, ${days} days of a cluster, ${leaptPart} % of them leapt over`
}

function describeSpeed(): readonly string[] {
  const [days, seconds] = [total.virtualMs / 86_400_000, elapsedMs() / 1000]
  const ofCore = coreSeconds()
  const perMinute = (days * 60) / ofCore
  return [
    `${describeDays()}, in ${seconds.toFixed(0)} s, ${ofCore.toFixed(0)} s of a core`,
    `${perMinute.toFixed(2)} days of a cluster in a minute of one core`,
  ]
}
