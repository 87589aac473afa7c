// Routes about the system itself: versions, readiness, machines, units, tasks.
import type { FastifyInstance } from 'fastify'
import { byKeys } from '../../lib/sort.js'
import { toIso } from '../../lib/time.js'
import { describeExit } from '../../model/instance-state.js'
import type { DesiredUnit } from '../../model/unit.js'
import { toUnitName } from '../../unit/name.js'
import { machineBodyOf, taskBodyOf, unitBodyOf } from '../bodies.js'
import { paths, type UnitDetails, type VersionBody } from '../contract.js'
import { type ApiContext, ProblemError } from './context.js'

export function systemRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, units, machine, version } = context
  const { view } = registry
  server.get(paths.health, () => ({ status: 'ok' }))
  server.get(paths.ready, (_request, reply) => {
    const ready = view.leader !== null
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'waiting for a leader' })
  })
  server.get(paths.version, (): VersionBody => ({ version, machine, leader: view.leader?.machine ?? null }))
  server.get(paths.machines, () =>
    [...view.machines.values()]
      .sort(byKeys((one) => one.id))
      .map((one) => machineBodyOf(view, one, units.needs)),
  )
  server.get(paths.units, () =>
    [...view.units.values()].sort(byKeys((unit) => unit.name)).map((unit) => unitBodyOf(view, unit)),
  )
  server.get<{ Params: { name: string } }>('/v1/units/:name', (request) =>
    unitDetailsOf(context, findUnit(context, request.params.name)),
  )
  server.get(paths.tasks, () =>
    [...view.tasks.values()]
      .sort(
        byKeys(
          (task) => task.createdAt,
          (task) => task.uuid,
        ),
      )
      .map(taskBodyOf),
  )
  server.get<{ Params: { uuid: string } }>('/v1/tasks/:uuid', (request) =>
    taskBodyOf(findTask(context, request.params.uuid)),
  )
}

export function findUnit({ registry }: ApiContext, name: string): DesiredUnit {
  const valid = toUnitName(name)
  const unit = valid === null ? undefined : registry.view.units.get(valid)
  if (unit !== undefined) return unit
  throw new ProblemError({
    status: 404,
    code: 'unit/unknown',
    message: `there is no unit "${name}"`,
    hint: 'mariposa unit list shows what there is',
  })
}

export function findTask({ registry }: ApiContext, uuid: string) {
  const task = registry.view.tasks.get(uuid)
  if (task === undefined)
    throw new ProblemError({ status: 404, code: 'task/unknown', message: `there is no task ${uuid}` })
  return task
}

async function unitDetailsOf({ registry, agent }: ApiContext, unit: DesiredUnit): Promise<UnitDetails> {
  const { view } = registry
  const report = view.reportOf(unit.name)
  const running = report !== null && report.active !== 'inactive' && report.active !== 'failed'
  const stats = running
    ? await agent?.driverOf(unit.name)?.stats(unit.name, AbortSignal.timeout(2000))
    : undefined
  return {
    ...unitBodyOf(view, unit),
    text: view.files.get(unit.hash) ?? '',
    pid: report?.pid ?? null,
    container: report?.containerId ?? null,
    since: report?.since == null ? null : toIso(report.since),
    restarts: report?.restarts ?? 0,
    reason: report?.failure?.message ?? (report?.exit == null ? '' : describeExit(report.exit)),
    memoryBytes: stats?.memoryBytes ?? null,
    cpuNs: stats?.cpuNs ?? null,
    processes: stats?.processes ?? null,
  }
}
