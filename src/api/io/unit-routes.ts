// Routes about units: lists, single ones, what is wanted of them, and how that comes along.
import { json } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { describeError } from '../../lib/io/log.js'
import { byKeys } from '../../lib/sort.js'
import type { DesiredState, DesiredUnit, UnitName } from '../../model/unit.js'
import { toUnitName, typedUnitName } from '../../unit/name.js'
import {
  type LogRecord,
  paths,
  type UnitChangeRequest,
  type UnitChangeResponse,
  type UnitDetails,
  type UnitProgress,
  type UnitProgressBody,
} from '../contract.js'
import { explainUnit } from '../explain.js'
import { unitChangeRequest } from '../requests.js'
import { unitBodyOf, unitDetailsOf, unitProgressOf } from '../unit-bodies.js'
import { changeUnits } from '../unit-verbs.js'
import { type ApiContext, actorOf, applyChange, ProblemError } from './context.js'
import { lastLogs, loggedUnits } from './instance-logs.js'
import { sendLooks } from './looks.js'
import { machineHeader } from './peers.js'
import { streamEvents } from './streams.js'

/** Of how many units that failed the last lines are shown, and how many lines. */
const failedLogs = { units: 3, lines: 10 } as const

export function unitRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, units, explainer, clock } = context
  const { view } = registry
  server.get(paths.units, () =>
    [...view.units.values()]
      .sort(byKeys((unit) => unit.name))
      .map((unit) => unitBodyOf(view, units.needs, unit, clock.now())),
  )
  server.get<{ Params: { name: string } }>('/v1/units/:name', ({ params, headers }) => {
    const unit = findUnit(context, params.name)
    return headers[machineHeader] === undefined ? detailsAnywhere(context, unit) : detailsHere(context, unit)
  })
  server.get<{ Params: { name: string } }>('/v1/units/:name/explain', ({ params }) =>
    explainUnit(view, explainer, unitBodyOf(view, units.needs, findUnit(context, params.name), clock.now())),
  )
  server.post<{ Body: UnitChangeRequest }>(
    paths.unitChanges,
    { schema: { body: unitChangeRequest } },
    async (request): Promise<UnitChangeResponse> => {
      const { response } = await applyChange(context, actorOf(request), (now, at) =>
        changeUnits(now, request.body, at),
      )
      return response
    },
  )
  server.get<{ Querystring: ProgressQuerystring }>(paths.unitProgress, async ({ query }, reply) => {
    const asked = readProgressQuery(query)
    await sendLooks(registry, streamEvents(reply), async () => {
      const look = await progressNow(context, asked)
      return { look, over: look.units.every(({ outcome }) => outcome !== 'going') }
    })
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
    hint: 'mariposa unit files shows what there is',
  })
}

/** Asks the machine that a unit runs on; what that cannot tell is left out. */
async function detailsAnywhere(context: ApiContext, unit: DesiredUnit): Promise<UnitDetails> {
  const { registry, peers, log } = context
  const machine = registry.view.placements.get(unit.name)?.machine ?? context.machine
  if (machine === context.machine || !peers.knows(machine)) return detailsHere(context, unit)
  try {
    const request = { method: 'GET', path: paths.unit(unit.name) } as const
    return (await json(await peers.ask(machine, request, AbortSignal.timeout(askWithinMs)))) as UnitDetails
  } catch (error) {
    log.warn('api', `what ${unit.name} uses is not known: ${describeError(error)}`)
    return detailsHere(context, unit)
  }
}

const askWithinMs = 3000

async function detailsHere(
  { registry, units, agent, clock }: ApiContext,
  unit: DesiredUnit,
): Promise<UnitDetails> {
  const details = unitDetailsOf(registry.view, units.needs, unit, clock.now())
  const runs = details.active !== null && details.active !== 'inactive' && details.active !== 'failed'
  const stats = runs
    ? await agent?.driverOf(unit.name)?.stats(unit.name, AbortSignal.timeout(2000))
    : undefined
  return {
    ...details,
    memoryBytes: stats?.memoryBytes ?? null,
    cpuNs: stats?.cpuNs ?? null,
    processes: stats?.processes ?? null,
  }
}

interface ProgressQuerystring {
  readonly unit?: string | string[]
  readonly wanted?: string
}

interface AskedProgress {
  readonly names: readonly UnitName[]
  readonly wanted: DesiredState | null
}

function readProgressQuery({ unit = [], wanted = '' }: ProgressQuerystring): AskedProgress {
  const names = [unit].flat().flatMap((name) => toUnitName(name) ?? [])
  const state = wanted === 'none' ? null : wanted
  if (names.length === 0) throw badQuery('unit has to name a unit')
  if (state !== null && state !== 'inactive' && state !== 'loaded' && state !== 'launched') {
    throw badQuery('wanted has to be none, inactive, loaded or launched')
  }
  return { names, wanted: state }
}

function badQuery(message: string): ProblemError {
  return new ProblemError({ status: 400, code: 'api/bad-request', message })
}

async function progressNow(context: ApiContext, { names, wanted }: AskedProgress): Promise<UnitProgress> {
  const { registry, units, explainer, clock } = context
  const now = clock.now()
  const looks = names.map((name) => unitProgressOf(registry.view, units.needs, explainer, name, wanted, now))
  const failed = looks.filter(({ outcome }) => outcome === 'failed').slice(0, failedLogs.units)
  if (failed.length === 0) return { units: looks }
  const logs = new Map<string, readonly LogRecord[]>()
  for (const { name } of failed) {
    const unit = toUnitName(name)
    if (unit === null) continue
    logs.set(name, await lastLogs(context, loggedUnits(registry.view, unit, name), failedLogs.lines))
  }
  return { units: looks.map((look): UnitProgressBody => ({ ...look, logs: logs.get(look.name) ?? [] })) }
}
