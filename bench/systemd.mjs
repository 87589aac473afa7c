// Units to running under systemd: the driver (load, start, seen running) beside what an administrator would type (write
// the files, one reload, one `systemctl start`), both inside one machine that real systemd runs. As root.
// `node bench/systemd.mjs --units 300` for another number.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle, bundlePath } from './bundle.mjs'

const rounds = 3
const driverBundle = 'systemd-driver.mjs'

/** Rows of the bench table, measured inside a machine that is started for it. */
export async function run({ n = 100 } = {}) {
  await bundle('src/drivers/systemd/io/driver.ts', driverBundle)
  const { insideMachine, runInside } = await bundle('test/machines/nspawn.ts', 'nspawn.mjs')
  const { startSystemd } = await bundle('test/machines/systemd-host.ts', 'systemd-host.mjs')
  const host = await startSystemd()
  try {
    const script = join(insideMachine.project, 'bench/systemd.mjs')
    const argv = [insideMachine.node, script, '--inside', '--units', String(n)]
    const { code, stdout, stderr } = await runInside(host.handle, argv)
    if (code !== 0) throw new Error(`the measurement failed: ${stderr}`)
    return JSON.parse(stdout)
  } finally {
    await host.stop()
  }
}

/** Both in turns, so that a busy moment of the machine hits both. */
async function measure(n) {
  const { openSystemdDriver } = await import(pathToFileURL(bundlePath(driverBundle)).href)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const driver = await openSystemdDriver({ clock: { now: () => Date.now() }, log })
  floorRound(2)
  await ourRound(driver, 2)
  const pairs = []
  for (let round = 0; round < rounds; round++) pairs.push([floorRound(n), await ourRound(driver, n)])
  await driver.close()
  const row = (name, part) => ({
    name,
    value: median(pairs.map(([, ours]) => ours[part])),
    unit: 'ms',
    floor: median(pairs.map(([floor]) => floor[part])),
    ratio: median(pairs.map(([floor, ours]) => ours[part] / floor[part])),
  })
  return [
    row(`${n} units, load + start to running (floor: write, daemon-reload, systemctl start)`, 'upMs'),
    row(`${n} units, stop + unload (floor: systemctl stop, remove, daemon-reload)`, 'downMs'),
    {
      name: `list of ${n} running units, nothing changed`,
      value: median(pairs.map(([, ours]) => ours.listMs)),
      unit: 'ms',
    },
  ]
}

function floorRound(n) {
  const names = Array.from({ length: n }, (_, index) => `bench-floor-${index}.service`)
  const files = names.map((name) => join('/run/systemd/system', name))
  const text = lines.map(([name, value]) => `${name}=${value}`).join('\n')
  const from = performance.now()
  mkdirSync('/run/systemd/system', { recursive: true })
  for (const file of files) writeFileSync(file, `[Service]\n${text}\n`)
  execFileSync('systemctl', ['daemon-reload'])
  execFileSync('systemctl', ['start', ...names])
  const up = performance.now()
  execFileSync('systemctl', ['stop', ...names])
  for (const file of files) rmSync(file)
  execFileSync('systemctl', ['daemon-reload'])
  return { upMs: up - from, downMs: performance.now() - up }
}

async function ourRound(driver, n) {
  const { signal } = new AbortController()
  const units = unitsOf(n)
  const from = performance.now()
  await Promise.all(
    units.map(async (unit) => {
      await driver.load(unit, signal)
      await driver.start(unit.name, signal)
    }),
  )
  const seen = await driver.list(signal)
  const up = performance.now()
  const running = seen.filter(({ sub }) => sub === 'running').length
  if (running !== n) throw new Error(`${running} of ${n} run`)
  await driver.list(signal)
  const listed = performance.now()
  await Promise.all(units.map(({ name }) => driver.unload(name, signal)))
  return { upMs: up - from, listMs: listed - up, downMs: performance.now() - listed }
}

const lines = [
  ['Type', 'exec'],
  ['ExecStart', '/bin/sleep 1000'],
]

function unitsOf(n) {
  const options = lines.map(([name, value], index) => ({ section: 'Service', name, value, line: index + 1 }))
  return Array.from({ length: n }, (_, index) => ({
    name: `bench-ours-${index}.service`,
    hash: 'bench',
    file: { options },
    instance: null,
    ports: [],
    environment: {},
  }))
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: { inside: { type: 'boolean', default: false }, units: { type: 'string', default: '100' } },
  })
  const n = Number(values.units)
  if (values.inside) console.log(JSON.stringify(await measure(n)))
  else console.table(await run({ n }))
}
