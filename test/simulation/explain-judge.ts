// What `explain` says of instances that wait, as a daemon's API answers it: what really speaks against each machine, all of it,
// and first what the planner has met. Judged by the manifests and the records, without the scheduler's code, where nothing has
// changed for a while.
import { type ExplainBody, type ExplainedMachine, paths } from '../../src/contract/contract.js'
import type { Refusal, UnitName } from '../../src/model/unit.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { askOutside, type EverywhereParts } from './everywhere.js'
import { neededMb, usedMb } from './memory.js'
import { whyNotNear } from './near.js'
import type { Node } from './node.js'
import { instancesOn, placeOf, type Runs } from './places.js'
import { type Deed, project } from './scenario.js'
import type { Stillness } from './stillness.js'

/** What may speak against a machine here. */
type Against = 'away' | 'cordoned' | 'zone' | 'memory' | 'port' | 'apart' | 'near'

const words: Readonly<Record<Against, RegExp>> = {
  away: /, which does not answer now$/,
  cordoned: /^is cordoned/,
  zone: /^has (no zone|zone=\w+) in its metadata/,
  memory: /^has \d+ MiB of memory left/,
  port: /^has host port \d+\/tcp in use by/,
  apart: /^holds \S+, kept apart by|^is too close to/,
  near: /^has \d+ of the \d+ units that \S+( by zone)? requires nearby$|^cannot meet \S+( by zone)?: no such unit is placed$/,
}
const kinds: Readonly<Partial<Record<Refusal['kind'], Against>>> = {
  ...{ cordoned: 'cordoned', metadata: 'zone', memory: 'memory', port: 'port', conflict: 'apart' },
  ...{ far: 'apart', near: 'near', 'nothing-near': 'near', 'driver-away': 'away' },
}
/** What has been so for as long every daemon has heard of. */
const stillForMs = 15_000

/** Asks a daemon why the instances of a service are where they are, and judges what it says of those that wait. */
export async function askExplain(
  { who, details }: Deed,
  parts: EverywhereParts,
  stillness: Stillness,
): Promise<void> {
  const { nodes, clockwork, count, broke } = parts
  const node = nodes.find(({ name, daemon }) => name === details['via'] && daemon !== null)
  if (node === undefined) return
  const begunAt = clockwork.now
  const answer = await askOutside(node, { method: 'GET', path: paths.explain(project, who) }, parts)
  if (answer?.status !== 200) {
    count(answer === null ? 'explain without an answer' : 'explain refused')
    return
  }
  // Of what goes on meanwhile it says what this daemon has heard.
  const troubledAt = Math.max(...nodes.map((one) => (one.lives ? one.troubledAt : 0)))
  if (begunAt - Math.max(stillness.changedAt, troubledAt) < stillForMs || node.daemon === null) return
  const { view } = node.daemon.registry
  for (const { name, machines } of (JSON.parse(answer.text) as ExplainBody).instances) {
    const instance = view.instancesOf(serviceKey(project, who)).find((one) => one.name === name)
    if (instance === undefined || !view.waiting.has(instance.unit)) continue
    count('explained why it waits')
    const wrong = judgeExplained(view, instance.unit, machines, nodes)
    if (wrong !== null) broke(`${node.name} explains ${name}: ${wrong}`)
  }
}

/** Null where all of it is so. */
function judgeExplained(
  view: ClusterView,
  unit: UnitName,
  told: readonly ExplainedMachine[],
  nodes: readonly Node[],
): string | null {
  const runs: Runs = (one, machine) => nodes.some(({ id, host }) => id === machine && host.runs(one))
  const known = new Set(told.map(({ machine }) => machine))
  for (const { id } of view.machines.values()) if (!known.has(id)) return `nothing is said of ${id}`
  for (const { machine, reasons } of told) {
    const said = reasons.map((reason) => againstIn(reason) ?? reason)
    const is = speaksAgainst(view, unit, machine, runs)
    if (listed(said) !== listed(is))
      return `against ${machine} it says "${reasons.join('; ')}", and there is ${listed(is) || 'nothing'}`
    const memory = reasons.find((reason) => words.memory.test(reason))
    const [, needed] = /, (\d+) MiB are needed/.exec(memory ?? '') ?? []
    if (needed !== undefined && Number(needed) !== neededMb(view, unit)) return `it says "${memory}"`
  }
  // Where it has to be near others, that is what it is told of all other machines.
  const first = told.map(({ reasons }) => {
    const all = reasons.map(againstIn)
    return all.includes('near') ? 'near' : (all[0] ?? '')
  })
  const met = (view.waiting.get(unit)?.refusals ?? []).map(({ refusal }) => kinds[refusal.kind] ?? '')
  return listed(first) === listed(met) ? null : `first for ${listed(first)}, and it waits for ${listed(met)}`
}

function speaksAgainst(view: ClusterView, unit: UnitName, machine: string, runs: Runs): readonly Against[] {
  const record = [...view.machines.values()].find(({ id }) => id === machine)
  if (record === undefined) return []
  const { zone, port, away } = placeOf(view, unit)
  const service = view.instances.get(unit)?.service ?? ''
  const others = instancesOn(view, machine, runs).filter((one) => one.unit !== unit)
  const freeMb = (record.capacity.memoryMb ?? 0) - (usedMb(view, runs).get(record.id) ?? 0)
  const isApart = others.some(
    (one) => away.includes(one.service) || placeOf(view, one.unit).away.includes(service),
  )
  return [
    ...((record.driversAway ?? []).length > 0 ? (['away'] as const) : []),
    ...(view.orders.get(record.id)?.cordoned === true ? (['cordoned'] as const) : []),
    ...(zone !== null && record.metadata['zone'] !== zone ? (['zone'] as const) : []),
    ...(freeMb < neededMb(view, unit) ? (['memory'] as const) : []),
    ...(port !== null && others.some((one) => placeOf(view, one.unit).port === port)
      ? (['port'] as const)
      : []),
    ...(isApart ? (['apart'] as const) : []),
    ...(whyNotNear(view, unit, machine, runs) === null ? [] : (['near'] as const)),
  ]
}

function againstIn(reason: string): Against | null {
  return (Object.keys(words) as Against[]).find((one) => words[one].test(reason)) ?? null
}

function listed(all: readonly string[]): string {
  return [...new Set(all)].sort().join(', ')
}
