// What units use of their machines: this daemon knows of those here, and asks the others for theirs.
import type { FastifyInstance } from 'fastify'
import type { UnitUse as ReadUse } from '../../agent/io/metrics/collector.js'
import { paths, type UnitUse, type UseBody } from '../../contract/contract.js'
import { abortAfter } from '../../lib/io/clock.js'
import { byKeys } from '../../lib/sort.js'
import { toIso } from '../../lib/time.js'
import type { Machine, MachineId } from '../../model/machine.js'
import type { ApiContext } from './context.js'
import { askJson, machineHeader } from './peers.js'

/** How long another machine may take: somebody is looking. */
const answerWithinMs = 3000

export function useRoutes(server: FastifyInstance, context: ApiContext): void {
  const { view } = context.registry
  server.get(paths.use, async ({ headers }): Promise<UseBody> => {
    const isForUs = headers[machineHeader] !== undefined
    const machines = [...view.machines.values()]
      .filter(({ id }) => !isForUs || id === context.machine)
      .sort(byKeys(({ hostname }) => hostname))
    const answers = await Promise.all(
      machines.map((machine) =>
        machine.id === context.machine ? useHere(context, machine) : useThere(context, machine),
      ),
    )
    return {
      units: answers.flatMap(({ units }) => units),
      machines: answers.flatMap((answer) => answer.machines),
      silent: answers.flatMap(({ silent }) => silent),
    }
  })
}

async function useHere({ collector }: ApiContext, machine: Machine): Promise<UseBody> {
  const { id, hostname, capacity } = machine
  const uses = (await collector?.uses()) ?? []
  return {
    units: uses.map((one) => useOf(one, id)),
    machines: [{ machine: id, hostname, cpus: capacity.cpus, memoryMb: capacity.memoryMb }],
    silent: [],
  }
}

/** One that does not answer hides nothing of the others. */
async function useThere(context: ApiContext, { id, hostname }: Machine): Promise<UseBody> {
  try {
    const signal = abortAfter(context.clock, answerWithinMs)
    const asked = { method: 'GET' as const, path: paths.use }
    const use = await askJson<UseBody>(context, id, { key: 'machines' }, asked, signal)
    if (use.machines.length > 0 || use.silent.length > 0) return use
    return silent({ id, hostname }, 'it is not known to itself: its lease has ended, and it registers again')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return silent({ id, hostname }, reason)
  }
}

function silent({ id, hostname }: Pick<Machine, 'id' | 'hostname'>, reason: string): UseBody {
  return { units: [], machines: [], silent: [{ machine: id, hostname, reason }] }
}

function useOf({ unit, use }: ReadUse, machine: MachineId): UnitUse {
  return {
    unit: unit.name,
    project: unit.instance?.project ?? null,
    service: unit.instance?.service ?? null,
    instance: unit.instance?.name ?? null,
    machine,
    at: toIso(use.at),
    startedAt: use.startedAt === null ? null : toIso(use.startedAt),
    restarts: use.restarts,
    cpuNs: use.cpuNs,
    memoryBytes: use.memoryBytes,
    memoryLimitBytes: use.memoryLimitBytes,
  }
}
