// The scheduler in memory, on one core: units over ten thousand machines, a million of them with BENCH_UNITS=1000000.
// Each case runs in a process of its own, so that what one leaves in memory does not count for the next.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'

const machineCount = 10_000
const unitCount = Number(process.env['BENCH_UNITS'] ?? 100_000)
const serviceCount = 1_000
/** Decisions in a transaction, all of which are taken in in one turn. */
const written = 1_000

/** Rows of the bench table: `{name, value, unit, floor?, ratio?}`. */
export async function run() {
  return ['plain', 'mixed'].flatMap((kind) => {
    const output = execFileSync(process.execPath, [fileURLToPath(import.meta.url), kind], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return JSON.parse(output).map((row) => ({ ...row, name: `${kind}: ${row.name}` }))
  })
}

async function measure(kind) {
  const { Scheduler } = await bundle('src/engine/scheduler.ts', 'scheduler.mjs')
  const cluster = await openCluster(kind === 'plain' ? plainText : mixedText)
  const { view, units } = cluster

  // All that a new leader has to do with a view that it never saw: read the units' texts, take units in, decide.
  const placed = timed(() => {
    const scheduler = new Scheduler(view, units.needs)
    return { scheduler, actions: scheduler.step(1).actions }
  })
  const { scheduler, actions } = placed.value
  const turns = inTurnsOf(written, (change) => scheduler.note(change))
  cluster.follow(turns.take)
  const places = actions.filter((action) => action.kind === 'place').length
  const peak = process.resourceUsage().maxRSS / 1024
  cluster.carryOut(actions)
  const rest = timed(() => scheduler.step(2)).ms
  const taken = [...turns.times(), rest]
  cluster.follow((change) => scheduler.note(change))

  const one = median(
    Array.from({ length: 21 }, (_, n) => {
      cluster.addUnit(1 + 20 * n, 100_000, unitCount)
      const step = timed(() => scheduler.step(3 + n))
      cluster.carryOut(step.value.actions)
      return step.ms + timed(() => scheduler.step(3 + n)).ms
    }),
  )

  for (let n = 0; n < 100; n++) cluster.remove('machine', machineRecord(97 * n))
  const lost = timed(() => scheduler.step(100))
  const moved = lost.value.actions.filter((action) => action.kind === 'place').length

  const size = `${unitCount} units on ${machineCount} machines`
  const rate = (ms) => Math.round((places * 1000) / ms)
  return [
    { name: `${size} (${actions.length - places} find none)`, value: rate(placed.ms), unit: 'per s' },
    { name: `${size}, by processor time`, value: rate(placed.cpuMs), unit: 'per s' },
    { name: `${size}, peak memory with the view`, value: peak, unit: 'MiB' },
    {
      name: 'taking all these decisions in, once they are written',
      value: taken.reduce((sum, ms) => sum + ms, 0),
      unit: 'ms',
    },
    {
      name: `the longest turn of that (as they are written: ${written} at a time)`,
      value: Math.max(...taken),
      unit: 'ms',
    },
    { name: 'one new unit among them, placed and taken in', value: one, unit: 'ms' },
    { name: `100 machines lost: ${moved} units placed elsewhere`, value: lost.ms, unit: 'ms' },
    { name: `100 machines lost, by processor time`, value: lost.cpuMs, unit: 'ms' },
  ]
}

/** A view with all machines and units, and what changes it as a store would. */
async function openCluster(textOf) {
  const { LiveView } = await bundle('src/store/view.ts', 'view.mjs')
  const { keyOf } = await bundle('src/store/records.ts', 'records.mjs')
  const { openUnitReader } = await bundle('src/unit/reader.ts', 'reader.mjs')
  const { unitHash } = await bundle('src/unit/print.ts', 'print.mjs')
  const view = new LiveView()
  let tell = () => {}
  const apply = (change) => {
    view.apply(change)
    tell(change)
  }
  const entryOf = (kind, record) => {
    const key = keyOf(kind, record)
    return { key, value: JSON.stringify(record), createRevision: 1, modRevision: 1, lease: null }
  }
  const put = (kind, record) => {
    const entry = entryOf(kind, record)
    apply({ type: 'put', key: entry.key, entry, previous: null })
  }
  const remove = (kind, record) => {
    const previous = entryOf(kind, record)
    apply({ type: 'delete', key: previous.key, previous })
  }
  const hashes = Array.from({ length: serviceCount }, (_, service) => {
    const text = textOf(service)
    put('file', { hash: unitHash(text), text })
    return unitHash(text)
  })
  const addUnit = (service, n, createdAt) => put('unit', unitRecord(service, n, hashes[service], createdAt))
  for (let n = 0; n < machineCount; n++) put('machine', machineRecord(n))
  for (let service = 0; service < serviceCount; service++)
    for (let n = 1; n <= unitCount / serviceCount; n++) addUnit(service, n, service)
  return {
    view,
    units: openUnitReader((hash) => view.files.get(hash)),
    follow: (listener) => {
      tell = listener
    },
    addUnit,
    remove,
    carryOut: (actions) => {
      for (const action of actions) {
        if (action.kind === 'place') put('placement', action.placement)
        else if (action.kind === 'evict') remove('placement', action.placement)
        else if (action.kind === 'wait') put('waiting', action.waiting)
        else remove('waiting', view.waiting.get(action.unit))
      }
    },
  }
}

/** Takes values, and measures how long so many of them take. */
function inTurnsOf(count, take) {
  const times = []
  let taken = 0
  return {
    take: (value) => {
      if (taken++ % count === 0) times.push(0)
      const start = performance.now()
      take(value)
      times[times.length - 1] += performance.now() - start
    },
    times: () => times,
  }
}

function timed(work) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const value = work()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { value, ms, cpuMs: (user + system) / 1000 }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

function machineRecord(n) {
  const id = n.toString(16).padStart(4, '0').repeat(8)
  return {
    id,
    hostname: `machine-${n}`,
    ip: '10.0.0.1',
    metadata: {
      rack: `r${n % 40}`,
      disk: n % 3 === 0 ? 'ssd' : 'hdd',
      region: n % 2 === 0 ? 'east' : 'west',
    },
    capacity: { cpus: 64, memoryMb: 262_144, diskMb: 1_000_000 },
    drivers: ['process', 'docker'],
    version: '0',
    bootedAt: 0,
  }
}

function unitRecord(service, n, hash, createdAt) {
  return { name: `s${service}@${n}.service`, hash, desired: 'launched', instance: null, createdAt }
}

function plainText(service) {
  return `[Service]\nExecStart=/bin/s${service}\n`
}

/** What a service of the mixed case asks for, by its number: of twenty, one follows another one. */
function mixedText(service) {
  const lines = [`Memory=${[64, 128, 256][service % 3]}`, `Cpu=${[10, 25, 50][service % 3]}`]
  const fleet = []
  const part = service % 20
  if (part === 19) fleet.push(`MachineOf=s${service - 1}@%i.service`)
  if (part < 4) fleet.push(`MachineMetadata=disk=${part === 0 ? 'ssd' : 'hdd'}`)
  if (part === 4) fleet.push('MachineMetadata="region=east" "disk=ssd"', 'MachineMetadata=region=west')
  if (part === 5 || part === 6) fleet.push('Conflicts=%p@*.service')
  if (part === 7) fleet.push(`Conflicts=s${service - 2}@*.service`)
  if (part === 8 || part === 9) lines.push(`Affinity=instance!=~s${service}@*`)
  if (part === 10) lines.push(`Affinity=instance==~s${service - 5}@*`)
  if (part === 11) lines.push('Affinity=machine.disk==~ssd')
  if (part === 12 || part === 13) lines.push(`Port=${8000 + service}/tcp`)
  if (part === 14) lines.push('Port=0:8080/tcp')
  if (part === 15) lines.push('Spread=rack')
  return `[Service]\nExecStart=/bin/s${service}\n[X-Mariposa]\n${lines.join('\n')}\n[X-Fleet]\n${fleet.join('\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await measure(process.argv[2] ?? 'plain')
  process.stdout.write(`${JSON.stringify(rows)}\n`)
}
