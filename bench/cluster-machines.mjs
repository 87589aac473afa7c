// A cluster of three real machines and one etcd: 300 units from their submission until all run, by one command and by one
// request each as fleetctl makes them, beside the same units started by systemd alone; a machine that loses power; and what
// 1,000 units cost while they only run. As root.
// `node bench/cluster-machines.mjs` measures all; `--units 90 --rest 200` smaller ones.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'

const rounds = 3
const ttlSeconds = 5
const restMs = 60_000
/** Requests on their way at a time, all to one daemon. */
const clients = 8
const program = '/bin/sleep 1000000'

/** Rows of the bench table. */
export async function run({ units = 300, rest = 1000 } = {}) {
  const { startCluster } = await bundle('test/machines/cluster/cluster.ts', 'cluster.mjs')
  const fleet = await bundle('test/machines/cluster/fleet-units.ts', 'fleet-units.mjs')
  const cluster = await startCluster({ machines: 3, ttlSeconds })
  try {
    return [
      ...(await measureStart(cluster, fleet, units)),
      ...(await measureRest(cluster, fleet, rest)),
      ...(await measureLoss(cluster, units)),
    ]
  } finally {
    await cluster.stop()
  }
}

/** Floor and cluster in turns, so that a busy moment hits all. */
async function measureStart(cluster, fleet, n) {
  const taken = []
  for (let round = 0; round < rounds; round++) {
    const floor = await startBySystemd(cluster, n)
    const [atOnce, oneByOne] = ['all', 'each'].map((how) =>
      Array.from({ length: n }, (_, index) => `${how}${round}-${index}.service`),
    )
    const together = await untilAllRun(cluster, atOnce, () => startTogether(cluster, atOnce))
    await destroyAll(cluster, fleet, atOnce)
    const apart = await untilAllRun(cluster, oneByOne, () => startApart(cluster, fleet, oneByOne))
    await destroyAll(cluster, fleet, oneByOne)
    if (process.env.BENCH_DEBUG) console.error({ floor, together, apart })
    taken.push({ floor, together, apart })
  }
  const row = (how, name) => ({
    name: `${n} units over 3 machines, ${name}, until all run (floor: systemd alone)`,
    value: median(taken.map((one) => one[how])),
    unit: 'ms',
    floor: median(taken.map(({ floor }) => floor)),
    ratio: median(taken.map((one) => one[how] / one.floor)),
  })
  return [row('together', 'by one command'), row('apart', 'by a request for each')]
}

/** On each machine its share, all machines at the same time. */
async function startBySystemd({ machines }, n) {
  const share = Math.ceil(n / machines.length)
  const each = (command) => `for n in $(seq ${share}); do ${command}; done`
  const names = `$(seq --format=bench-floor-%g.service ${share})`
  const write = `printf '[Service]\\nExecStart=${program}\\n' > /run/systemd/system/bench-floor-$n.service`
  const all = (script) => Promise.all(machines.map((machine) => machine.run('sh', '-ec', script)))
  const from = performance.now()
  await all(`${each(write)}; systemctl daemon-reload; systemctl start ${names}`)
  const ms = performance.now() - from
  await all(`systemctl stop ${names}; rm /run/systemd/system/bench-floor-*; systemctl daemon-reload`)
  return ms
}

/** From the first request until every unit is reported to run; in ms. */
async function untilAllRun(cluster, names, start) {
  const from = performance.now()
  const running = cluster.until('all run', allRun(names))
  await start()
  await running
  return performance.now() - from
}

/** As `mariposa unit start FILE...` asks for them. */
async function startTogether({ machines: [machine] }, names) {
  const text = `[Service]\nExecStart=${program}\n`
  const units = names.map((name) => ({ name, source: { file: name, text } }))
  const { status, text: answer } = await machine.ask('POST', '/v1/unit-changes', { verb: 'start', units })
  if (status !== 200) throw new Error(answer)
}

/** As fleetctl asks for them, several clients at a time. */
async function startApart({ machines: [machine] }, { submit }, names) {
  await eachOf(names, (name) => submit(machine, name, 'launched'))
}

function allRun(names) {
  return (view) =>
    names.every((name) => {
      const report = view.reportOf(name)
      return report?.active === 'active' && view.machines.has(report.machine)
    })
}

async function destroyAll(cluster, { destroy }, names) {
  await eachOf(names, (name) => destroy(cluster.machines[0], name))
  await cluster.settles()
}

/** What etcd and the daemons do while nothing happens. */
async function measureRest(cluster, fleet, n) {
  const names = Array.from({ length: n }, (_, index) => `rest-${index}.service`)
  await untilAllRun(cluster, names, () => startTogether(cluster, names))
  await cluster.settles()
  await sleep(10_000)
  const before = { revision: revisionOf(cluster), costs: costsOf(cluster) }
  await sleep(restMs)
  const writes = revisionOf(cluster) - before.revision
  const leader = cluster.machines.indexOf(cluster.leader())
  const after = costsOf(cluster)
  const cpu = after.map(
    ({ cpuSeconds }, at) => (cpuSeconds - before.costs[at].cpuSeconds) * (100_000 / restMs),
  )
  await destroyAll(cluster, fleet, names)
  const others = cpu.filter((_, at) => at !== leader)
  const memory = after.map(({ rssMb }) => rssMb)
  return [
    { name: `writes of etcd with ${n} units at rest`, value: writes / (restMs / 1000), unit: '/s' },
    { name: `leader's CPU with ${n} units at rest`, value: cpu[leader], unit: '% of a core' },
    { name: `another daemon's CPU with ${n} units at rest`, value: Math.max(...others), unit: '% of a core' },
    { name: `a daemon's memory with ${n} units at rest`, value: Math.max(...memory), unit: 'MiB' },
  ]
}

function revisionOf({ etcd }) {
  return JSON.parse(etcd.ctl('endpoint', 'status', '--write-out=json'))[0].Status.header.revision
}

function costsOf({ machines }) {
  return machines.map(({ daemon }) => daemon.cost())
}

/** A machine that follows loses power, and then the one that leads. */
async function measureLoss(cluster, n) {
  const names = Array.from({ length: n }, (_, index) => `loss-${index}.service`)
  await untilAllRun(cluster, names, () => startTogether(cluster, names))
  await cluster.settles()
  const rows = []
  for (const what of ['follower', 'leader']) {
    const leader = cluster.leader()
    const machine = what === 'leader' ? leader : cluster.machines.find((one) => one !== leader)
    const from = performance.now()
    await machine.cutPower()
    await cluster.until('it is lost', (view) => !view.machines.has(machine.id))
    await cluster.until('all run', allRun(names))
    rows.push({
      name: `a ${what} loses power: until its share of ${n} units runs elsewhere (floor: its lease)`,
      value: performance.now() - from,
      unit: 'ms',
      floor: ttlSeconds * 1000,
      ratio: (performance.now() - from) / (ttlSeconds * 1000),
    })
    await machine.boot()
    await cluster.settles()
  }
  return rows
}

async function eachOf(items, work) {
  let next = 0
  const client = async () => {
    while (next < items.length) await work(items[next++])
  }
  await Promise.all(Array.from({ length: clients }, client))
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { units: { type: 'string', default: '300' }, rest: { type: 'string', default: '1000' } },
  })
  for (const { name, value, unit, floor, ratio } of await run({
    units: Number(values.units),
    rest: Number(values.rest),
  })) {
    const against = floor === undefined ? '' : `  (floor ${floor.toFixed(0)}, ratio ${ratio.toFixed(2)})`
    console.log(`${name}: ${value.toFixed(2)} ${unit}${against}`)
  }
}
