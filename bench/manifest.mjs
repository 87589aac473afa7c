// Manifests per second: text to canonical manifest, beside the YAML library's own parse of the same text.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { LineCounter, parseDocument } from 'yaml'

const roundMs = 60
const rounds = 41
const warmUps = 10

/** Rows of the bench table: `{name, value, unit, floor?, ratio?}`. */
export async function run() {
  const { parseManifest } = await load('src/manifest/manifest.ts')
  const text = manifestText()
  const { diagnostics } = parseManifest({ file: 'web.yaml', text })
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics))
  const [floor, ours, ratio] = sideBySide(
    () => parseDocument(text, { lineCounter: new LineCounter() }),
    () => parseManifest({ file: 'web.yaml', text }),
  )
  const name = `manifest of ${text.split('\n').length - 1} lines, text to canonical (floor: parseDocument alone)`
  return [
    {
      name,
      value: Math.round(ours),
      unit: 'per s',
      floor: Math.round(floor),
      ratio: Number(ratio.toFixed(2)),
    },
  ]
}

async function load(entry) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const dir = await mkdtemp(join(tmpdir(), 'mariposa-bench-'))
  try {
    const outfile = join(dir, 'bundle.mjs')
    const banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    }
    await build({
      entryPoints: [join(root, entry)],
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

/** Runs two works in turns, so that a busy moment of the machine hits both: median rates, and the median ratio. */
function sideBySide(first, second) {
  for (let round = 0; round < warmUps; round++) [rate(first), rate(second)]
  const pairs = Array.from({ length: rounds }, () => [rate(first), rate(second)])
  return [
    median(pairs.map(([a]) => a)),
    median(pairs.map(([, b]) => b)),
    median(pairs.map(([a, b]) => a / b)),
  ]
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, value, unit, floor, ratio } of await run()) {
    process.stdout.write(`${name}: ${value} ${unit}, floor ${floor}, ratio ${ratio}\n`)
  }
}
