// The compiler: texts of manifests to units, beside the YAML library's own parse of the same text, and texts of a size or
// shape that a reader may choke on.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { LineCounter, parseDocument } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))
const roundMs = 60
const rounds = 41
const warmUps = 10

/** Rows of the bench table: `{name, value, unit, floor?, ratio?}`. */
export async function run() {
  const { readManifests, standIns, compileVersion } = await load(`
    export { readManifests } from './src/manifest/manifest.ts'
    export { standIns } from './src/manifest/stand-ins.ts'
    export { compileVersion } from './src/compile/compile.ts'
  `)
  const version = { uuid: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b', ordinal: 1 }
  const compileOne = (read) => compileVersion({ project: 'default', version, ...read })
  const compileText = (text) => {
    const { manifests, diagnostics } = readManifests([{ file: 'web.yml', text }], standIns)
    return { units: manifests.map(compileOne), diagnostics }
  }
  const compiler = { readManifests, standIns, compileOne, compileText }
  return [
    textToUnit(compiler),
    toUnits(compiler),
    manyServices(compiler),
    manyKeys(compiler),
    await coldLint(),
  ]
}

function textToUnit({ compileText }) {
  const text = manifestText()
  const { units, diagnostics } = compileText(text)
  const problems = [...diagnostics, ...units.flatMap((unit) => unit.diagnostics)]
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  const { floor, ours, ratio } = sideBySide(
    () => parseDocument(text, { lineCounter: new LineCounter() }),
    () => compileText(text),
  )
  const name = `manifest of ${text.split('\n').length - 1} lines, text to unit (floor: parseDocument alone)`
  return {
    name,
    value: Math.round(ours),
    unit: 'per s',
    floor: Math.round(floor),
    ratio: Number(ratio.toFixed(2)),
  }
}

function toUnits({ readManifests, standIns, compileOne }) {
  const [read] = readManifests([{ file: 'web.yml', text: manifestText() }], standIns).manifests
  const rates = Array.from({ length: rounds }, () => rate(() => compileOne(read)))
  return { name: 'the same, canonical manifest to unit', value: Math.round(median(rates)), unit: 'per s' }
}

function manyServices({ compileText }) {
  const text = projectText(1_000)
  const { value, floor, result } = once(text, compileText)
  if (result.units.length !== 1_000) throw new Error(JSON.stringify(result.diagnostics))
  const name = 'project manifest of 1,000 services, text to units (floor: parseDocument alone)'
  return { name, value, unit: 'ms', floor, ratio: value / floor }
}

/** The library looks each key up among all others, unless it is told not to. */
function manyKeys({ compileText }) {
  const lines = Array.from({ length: 40_000 }, (_, n) => `  KEY_${n}: some value\n`)
  const text = `image: nginx\nenvironment:\n${lines.join('')}`
  const { value } = once(text, compileText, { withFloor: false })
  return { name: '40,000 keys in one map, read or refused', value, unit: 'ms' }
}

/** A text that takes long enough to be timed by itself: the median of a few runs, each beside the floor. */
function once(text, compileText, { withFloor = true } = {}) {
  let result
  const times = Array.from({ length: 7 }, () => ({
    floor: withFloor ? timeOf(() => parseDocument(text, { lineCounter: new LineCounter() })) : 0,
    value: timeOf(() => {
      result = compileText(text)
    }),
  }))
  const middle = (key) => median(times.map((time) => time[key]))
  return { value: middle('value'), floor: middle('floor'), result }
}

function timeOf(work) {
  const start = performance.now()
  work()
  return performance.now() - start
}

async function coldLint() {
  const program = join(root, 'dist', 'mariposa.js')
  if (!existsSync(program)) throw new Error('build first: npm run build')
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-bench-'))
  try {
    const file = join(dir, 'web.yml')
    await writeFile(file, manifestText())
    const spawned = (args) =>
      timeOf(() => {
        const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
        if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
      })
    const times = Array.from({ length: 21 }, () => [
      spawned(['-e', '0']),
      spawned([program, 'manifest', 'lint', file]),
    ])
    const [floor, value] = [0, 1].map((at) => median(times.map((pair) => pair[at])))
    const ratio = median(times.map(([zero, lint]) => lint / zero))
    return { name: 'mariposa manifest lint, cold (floor: node -e 0)', value, unit: 'ms', floor, ratio }
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function load(contents) {
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-bench-'))
  try {
    const outfile = join(dir, 'bundle.mjs')
    const banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    }
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner,
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** Runs two works in turns, so that a busy moment of the machine hits both: median rates, and the median ratio of times. */
function sideBySide(first, second) {
  for (let round = 0; round < warmUps; round++) [rate(first), rate(second)]
  const pairs = Array.from({ length: rounds }, () => [rate(first), rate(second)])
  return {
    floor: median(pairs.map(([a]) => a)),
    ours: median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1]
}

function rate(work) {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < roundMs) {
    work()
    count += 1
  }
  return (count * 1_000) / (performance.now() - start)
}

function manifestText() {
  return `# The search service.
name: elasticsearch
service_type: continuous
compute_type: docker
image: example/elasticsearch:0.1.1
memory: 1.5GiB
user: elastic
working_dir: /usr/share/elasticsearch
tags:
  - triton.cns.services=elasticsearch-master
  - role=search
  - tier=data
environment:
  - ES_SERVICE_NAME=elasticsearch-{{ .service.name }}
  - CLUSTER_NAME=elasticsearch
  - ES_HEAP_SIZE=512m
  - ES_NODE_MASTER=true
  - ES_NODE_DATA=true
  - NODE={{ .instance.name }}
  - CONTAINERPILOT=file:///etc/containerpilot.json
entrypoint:
  - /bin/containerpilot
command: |
  /usr/share/elasticsearch/bin/elasticsearch \\
  --default.path.conf=/etc/elasticsearch
ports:
  - 9200
  - "9300:9300"
  - "127.0.0.1:9400:9400"
  - 53/udp
healthchecks:
  # the web port
  - type: http
    port: 9200
    path: /_cluster/health
    poll: 30
    timeout: 10
    retries: 3
  # the other port
  - type: https
    port: 443
    path: /some/path
    poll: 1m
    timeout: 10s
    retries: 3
  - type: command
    command: /usr/sbin/some_executable --verbose
    user: root
    poll: 30
    timeout: 10
    retries: 3
restart: on-failure:5
stop:
  - timeout: 60
  - preservestopped: always
# End of the manifest. Comments are kept in the text of the service version, and so
# are blank lines.

# The rest is for the count of lines:
# sixty.
`
}

function projectText(count) {
  const services = Array.from(
    { length: count },
    (_, n) => `  service-${n}:
    image: registry.example/team/service-${n}:1.${n}
    memory: 256M
    environment:
      DATABASE_URL: "postgres://db.example/app?application_name={{ .service.name }}"
      LOG_LEVEL: info
    ports: ["0:8080"]
    healthchecks:
      - {type: http, port: 8080, path: /healthz, poll: 10}
    labels: {team: team-${n % 10}}
`,
  )
  return `name: default\ndefaults:\n  restart: always\n  stop: {timeout: 20}\nservices:\n${services.join('')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run())
