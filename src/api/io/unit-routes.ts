// Routes about units: lists, single ones, what is wanted of them, and how that comes along.
import type { FastifyInstance } from 'fastify'
import { RecentlyPlaced } from '../../changes/recently-placed.js'
import { changeUnits } from '../../changes/unit-verbs.js'
import {
  paths,
  type UnitChangeRequest,
  type UnitChangeResponse,
  type UnitDetails,
  type UnitProgress,
  type UnitProgressBody,
  type UnitProgressRequest,
} from '../../contract/contract.js'
import { pageQuery } from '../../contract/queries.js'
import { unitChangeRequest, unitProgressRequest } from '../../contract/requests.js'
import { abortAfter } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import type { Actor } from '../../model/actor.js'
import type { DesiredState, DesiredUnit, UnitName } from '../../model/unit.js'
import { inPortions } from '../../store/portions.js'
import { toUnitName, typedUnitName } from '../../unit/name.js'
import { explainUnit } from '../explain.js'
import { heldByRecords } from '../held.js'
import { unitOrder } from '../orders.js'
import { unitBodyOf, unitDetailsOf, unitProgressOf } from '../unit-bodies.js'
import { type ApiContext, actorOf, applyChange, orRefuse, ProblemError } from './context.js'
import { logsOfFailedUnits } from './failed-logs.js'
import { explainerReady } from './listings.js'
import { pageOf } from './pages.js'
import { askJson, machineHeader } from './peers.js'
import { sendLooks } from './progress-stream.js'
import { streamEvents } from './streams.js'

export function unitRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, units, explainer, clock } = context
  const { view } = registry
  const recentlyPlaced = new RecentlyPlaced()
  const unsubscribe = registry.onChange((kinds, changes) => {
    if (kinds.has('placement') || kinds.has('report')) recentlyPlaced.note(changes, view, clock.steady())
  })
  server.addHook('onClose', (_server, done) => {
    unsubscribe()
    done()
  })
  server.get(paths.units, { schema: { querystring: pageQuery } }, (request, reply) =>
    pageOf(request, reply, unitOrder, [...view.units.values()]).map((unit) =>
      unitBodyOf(view, units.needs, unit, clock.now()),
    ),
  )
  server.get<{ Params: { name: string } }>('/v1/units/:name', ({ params, headers }) => {
    const unit = findUnit(context, params.name)
    return headers[machineHeader] === undefined ? detailsAnywhere(context, unit) : detailsHere(context, unit)
  })
  server.get<{ Params: { name: string } }>('/v1/units/:name/explain', async ({ params }) => {
    await explainerReady(context)
    const unit = unitBodyOf(view, units.needs, findUnit(context, params.name), clock.now())
    return explainUnit(view, explainer, unit)
  })
  server.post<{ Body: UnitChangeRequest }>(
    paths.unitChanges,
    { schema: { body: unitChangeRequest } },
    (request) => changeInParts(context, actorOf(request), request.body),
  )
  server.post<{ Body: UnitProgressRequest }>(
    paths.unitProgress,
    { schema: { body: unitProgressRequest } },
    async ({ body: { units: asked, wanted } }, reply) => {
      const names = asked.map(validName)
      await sendLooks(context, streamEvents(reply, context.clock), async () => {
        const look = await progressNow(context, names, wanted, recentlyPlaced)
        const over = look.units.every(({ outcome }) => outcome !== 'going')
        return { look, over, held: over ? null : heldByRecords(registry.view, [], names) }
      })
    },
  )
}

/** etcd compares at most 128 keys in one transaction, and a unit may have two: its own, and that of the text it leaves. */
const unitsPerWrite = 50

/**
 * Changes units as one change where they are few; more are checked together before any is written, and then written
 * in parts.
 */
async function changeInParts(
  context: ApiContext,
  by: Actor,
  request: UnitChangeRequest,
): Promise<UnitChangeResponse> {
  const { registry, clock, manifests } = context
  const parts = [
    ...inPortions(request.units, () => 0, { items: unitsPerWrite, bytes: Number.POSITIVE_INFINITY }),
  ]
  if (parts.length > 1) orRefuse(changeUnits(registry.view, request, clock.now(), manifests))
  const done: UnitChangeResponse[] = []
  for (const units of parts) {
    try {
      const { response } = await applyChange(context, by, (view, at) =>
        changeUnits(view, { ...request, units }, at, manifests),
      )
      done.push(response)
    } catch (error) {
      throw error instanceof ProblemError ? halfDone(error, done.length * unitsPerWrite) : error
    }
  }
  return {
    units: done.flatMap(({ units }) => units),
    warnings: done.flatMap(({ warnings }) => warnings),
  }
}

/** Somebody else was faster with one of the later units. */
function halfDone(error: ProblemError, count: number): ProblemError {
  const { problem } = error
  if (count === 0) return error
  return new ProblemError({
    ...problem,
    message: `${problem.message}; the ${count} units before were changed`,
  })
}

/** The unit of a name, which may lack its type. */
export function findUnit({ registry }: ApiContext, name: string): DesiredUnit {
  const valid = typedUnitName(name)
  const unit = valid === null ? undefined : registry.view.units.get(valid)
  if (unit !== undefined) return unit
  throw new ProblemError({
    status: 404,
    code: 'unit/unknown',
    message: `there is no unit "${valid ?? name}"`,
    hint: 'mariposa unit files shows the units',
  })
}

/** Asks the machine that a unit runs on; what that cannot tell is left out. */
async function detailsAnywhere(context: ApiContext, unit: DesiredUnit): Promise<UnitDetails> {
  const { registry, peers, log } = context
  const machine = registry.view.placements.get(unit.name)?.machine ?? context.machine
  if (machine === context.machine || !peers.knows(machine)) return detailsHere(context, unit)
  try {
    const request = { method: 'GET', path: paths.unit(unit.name) } as const
    const signal = abortAfter(context.clock, askWithinMs)
    return await askJson<UnitDetails>(context, machine, { key: 'name' }, request, signal)
  } catch (error) {
    log.warn('api', `cannot read the resource usage of ${unit.name}: ${describeError(error)}`)
    return detailsHere(context, unit)
  }
}

const askWithinMs = 3000

async function detailsHere(
  { registry, units, agent, clock, machine }: ApiContext,
  unit: DesiredUnit,
): Promise<UnitDetails> {
  const details = unitDetailsOf(registry.view, units.needs, unit, clock.now())
  const isHere = details.machine === null || details.machine === machine
  const runs =
    isHere && details.active !== null && details.active !== 'inactive' && details.active !== 'failed'
  const stats = runs ? await agent?.driverOf(unit.name)?.stats(unit.name, abortAfter(clock, 2000)) : undefined
  return {
    ...details,
    memoryBytes: stats?.memoryBytes ?? null,
    cpuNs: stats?.cpuNs ?? null,
    processes: stats?.processes ?? null,
  }
}

function validName(name: string): UnitName {
  const valid = toUnitName(name)
  if (valid !== null) return valid
  throw new ProblemError({ status: 400, code: 'api/bad-request', message: `"${name}" is not a unit's name` })
}

async function progressNow(
  context: ApiContext,
  names: readonly UnitName[],
  wanted: DesiredState | null,
  recentlyPlaced: RecentlyPlaced,
): Promise<UnitProgress> {
  const { registry, units, explainer, clock } = context
  const steady = clock.steady()
  const at = { now: clock.now(), isSettling: (name: UnitName) => recentlyPlaced.isSettling(name, steady) }
  const looks = names.map((name) => unitProgressOf(registry.view, units.needs, explainer, name, wanted, at))
  const failed = looks.flatMap(({ outcome, name }) => (outcome === 'failed' ? [name] : []))
  if (failed.length === 0) return { units: looks }
  const logs = await logsOfFailedUnits(context, failed)
  return { units: looks.map((look): UnitProgressBody => ({ ...look, logs: logs.get(look.name) ?? [] })) }
}
