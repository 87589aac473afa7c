// The manifests that simulated operators deploy: how a program behaves stands in its command.
import { nearTextOf } from './near.js'
import { routeLines } from './routes.js'
import type { Deed } from './scenario.js'

/** Kinds of programs, with the words that `host.ts` reads. */
const behaviours: Readonly<Record<string, string>> = {
  good: '',
  late: 'ready=8000',
  never: 'ready=36000000',
  slow: 'stops=4000',
  sick: 'sick=100',
  ends: 'exits=300 code=1',
  missing: 'missing',
}

/** What a schedule's firings are counted from: an hour before every run begins. */
export const firesFrom = '2023-11-14T21:00:00Z'

/** The manifest that an act `deploy` hands in. */
export function manifestOf(deed: Deed): string {
  const { who, details } = deed
  const {
    kind = 'good',
    memory,
    n,
    checked,
    restart,
    hook,
    zone,
    port,
    away,
    volume,
    auto,
    urls,
    body,
    after,
    most,
    deaf,
    secret,
    patience: stopsWithin = '5',
  } = details
  const behaviour = isRun(kind) ? `exits=${details['takes']}` : (behaviours[kind] ?? '')
  const lingers = details['lingers'] === undefined ? '' : `stops=${details['lingers']}`
  const words = [...behaviour.split(' '), lingers, deaf === 'yes' ? 'ignores-term' : ''].filter(
    (word) => word !== '',
  )
  const rules = [
    ...(zone === undefined ? [] : [`machine.zone==${zone}`]),
    ...(away === undefined ? [] : [`service!=${away}`]),
    ...nearTextOf(deed),
  ]
  const patience = kind === 'never' ? ', start_period: 1h' : ''
  return [
    'compute_type: process',
    `command: [${['/sim', ...words].join(', ')}]`,
    `memory: ${memory}M`,
    `stop: {timeout: ${stopsWithin}}`,
    `environment: {KIND: ${kind}, N: "${n}"${secret === 'variable' ? `, OWN: "{{ .meta.own_${who} }}"` : ''}}`,
    ...(secret === 'file' ? [`secrets: [own_${who}]`] : []),
    ...(checked === 'yes' ? [`healthchecks: [{type: command, command: [/check], poll: 5s${patience}}]`] : []),
    // What is checked is found by a name, too, and leaves that before it is stopped.
    ...(checked === 'yes' ? ['cns: {ttl: 2, services: [all]}'] : []),
    ...(kind === 'job' ? jobOf(details) : []),
    ...(kind === 'event' ? ['service_type: event'] : []),
    ...(most === undefined ? [] : [`concurrency: ${most}`]),
    ...(restart === undefined ? [] : [`restart: ${restart}`]),
    ...(rules.length === 0
      ? []
      : [
          `affinity: [${rules.map((rule) => (rule.includes(', by: ') ? `{rule: "${rule}}` : `"${rule}"`)).join(', ')}]`,
        ]),
    ...(port === undefined ? [] : [`ports: ["${port}"]`]),
    ...(auto?.startsWith('rps:') ? [`entry: [{host: ${who}.test}]`, 'ports: ["0:8080"]'] : []),
    ...routeLines(details['routes']),
    ...(after === undefined ? [] : [`after: [{service: ${after.replace(':', ', condition: ')}}]`]),
    ...(volume === undefined ? [] : [`volumes: [{name: data, path: /data, on_lost: ${volume}}]`]),
    ...(auto === undefined ? [] : scalingOf(auto)),
    ...(auto === undefined && urls !== 'yes' ? [] : ['triggers:']),
    ...(auto === undefined ? [] : metricTriggersOf(auto)),
    ...(urls !== 'yes' ? [] : isRun(kind) ? [startTrigger(body)] : [startTrigger(undefined), ...urlTriggers]),
    ...(hook === 'yes' ? [`webhooks: {url: "https://hooks.test/${who}"}`] : []),
    '',
  ].join('\n')
}

/** Whether it is started for a while, and ends by itself. */
function isRun(kind: string): boolean {
  return kind === 'job' || kind === 'event'
}

/** What `auto=METRIC:ENABLE:MIN:MAX:DELAY:WINDOW` says, in seconds; METRIC is `cpu` or `rps`. */
function wordsOfAuto(auto: string) {
  const [metric = '', enable = '', min = '', max = '', delay = '', window = ''] = auto.split(':')
  return { metric, enable, min, max, delay, window }
}

function scalingOf(auto: string): readonly string[] {
  const { enable, min, max, delay } = wordsOfAuto(auto)
  return [`autoscale: {enable: ${enable}, min: ${min}, max: ${max}, retrigger_delay: ${delay}}`]
}

function metricTriggersOf(auto: string): readonly string[] {
  const { metric, window } = wordsOfAuto(auto)
  // So close that one instance less would often be one too few.
  const [name, most, least] =
    metric === 'rps' ? ['entry.rps', 100, 75] : ['containermonitor.cpu_used', 0.8, 0.6]
  const rule = (operator: string, value: number): string =>
    `metric: ${name}, operator: "${operator}", value: ${value}, time: ${window} seconds`
  return [
    `  - busy: {${rule('>', most)}, action: incr, instances: 2}`,
    `  - idle: {${rule('<', least)}, action: decr}`,
  ]
}

/** For what runs and ends, too. `body`: how its calls hand theirs on. */
function startTrigger(body: string | undefined): string {
  return `  - go: {url: true, action: start${body === undefined ? '' : `, body: ${body}`}}`
}

const urlTriggers = [
  '  - halt: {url: true, action: stop}',
  '  - more: {url: true, action: scale, instances: 1}',
]

function jobOf({ every, overlap }: Deed['details']): readonly string[] {
  const interval = `R/${firesFrom}/PT${every}S`
  return ['service_type: scheduled', `schedule: {interval: "${interval}", epsilon: 20, overlap: ${overlap}}`]
}

/** Whether a program of a manifest of these can do its work. */
export function canRun(manifest: string): boolean {
  return /KIND: (good|slow|late)/.test(manifest)
}

/** How long a program of a manifest of these has to end when it is told to. */
export function patienceOf(manifest: string): number {
  return 1000 * Number(/^stop: \{timeout: (\d+)\}$/m.exec(manifest)?.[1])
}

/** Whether each instance of a manifest of these has a volume of its own. */
export function hasSlots(manifest: string): boolean {
  return manifest.includes('volumes: [')
}

/** The service that one of a manifest of these comes up after; null where it waits for none. */
export function awaitedBy(manifest: string): string | null {
  return /^after: \[\{service: ([^,]+),/m.exec(manifest)?.[1] ?? null
}

/** Whether instances of a manifest of these can be found by a name. */
export function hasName(manifest: string): boolean {
  return manifest.includes('cns: {')
}
