// `npm run simulate`: seed after seed, until a time or a number of them is over. Prints what broke, with the seed.
import { parseArgs } from 'node:util'
import { simulate } from './run.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    machines: { type: 'string', default: '3' },
    services: { type: 'string', default: '5' },
    busy: { type: 'string', default: '30' },
    'until-broken': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) {
  console.log(`npm run simulate -- [options]

  --seed N        one seed, with its trace
  --from N        the first of several seeds (1)
  --seeds N       how many; without it as many as the time allows
  --minutes N     for how long (1)
  --machines N    of each cluster (3)
  --services N    of each cluster (5)
  --busy N        minutes of virtual time with operators and faults; a quarter of an hour of quiet follows (30)
  --until-broken  end with the first seed that is broken
  --mutation NAME put that fault into the product first and say when it is found; all of test/simulation/mutations.mjs
                  one after the other with "all"`)
  process.exit(0)
}

const only = values.seed === undefined ? null : Number(values.seed)
const first = only ?? Number(values.from)
const most = only === null ? Number(values.seeds ?? Number.POSITIVE_INFINITY) : 1
const from = performance.now()
const elapsedMs = (): number => performance.now() - from
const isOver = (): boolean => values.seeds === undefined && elapsedMs() >= Number(values.minutes) * 60_000

const total = { seeds: 0, broken: 0, steps: 0, virtualMs: 0 }
const counts: Record<string, number> = {}
for (let seed = first; seed < first + most && (seed === first || !isOver()); seed++) {
  const report = await simulate({
    seed,
    machines: Number(values.machines),
    services: Number(values.services),
    busyMs: Number(values.busy) * 60_000,
    ...(only !== null && { trace: (line) => console.log(line) }),
  })
  total.seeds += 1
  total.steps += report.steps
  total.virtualMs += report.virtualMs
  for (const [what, times] of Object.entries(report.counts)) counts[what] = (counts[what] ?? 0) + times
  if (report.broken.length === 0) continue
  total.broken += 1
  console.log(`seed ${seed} is broken: ${report.broken[0]}`)
  if (values['until-broken']) break
}
const days = total.virtualMs / 86_400_000
console.log(
  `${total.seeds} seeds, ${total.broken} broken; ${total.steps} steps, ${days.toFixed(2)} days of a cluster in ${(elapsedMs() / 1000).toFixed(0)} s`,
)
console.log(
  Object.entries(counts)
    .sort()
    .map(([what, times]) => `${what} ${times}`)
    .join(', '),
)
process.exit(total.broken === 0 ? 0 : 1)
