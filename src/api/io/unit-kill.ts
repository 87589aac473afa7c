// Signals to the processes of a unit, on every machine that has it: the way out where a unit does not stop by itself.
import type { FastifyInstance } from 'fastify'
import { type KillSignal, killSignals } from '../../agent/driver.js'
import { paths, type UnitKillBody } from '../../contract/contract.js'
import { killQuery } from '../../contract/queries.js'
import { abortAfter } from '../../lib/io/clock.js'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'
import { typedUnitName } from '../../unit/name.js'
import { askPeerJson } from './ask-peer.js'
import { type ApiContext, ProblemError } from './context.js'
import { machineHeader } from './peers.js'

/** How long a machine may take. */
const killWithinMs = 10_000

export function unitKillRoute(server: FastifyInstance, context: ApiContext): void {
  server.post<{ Params: { name: string }; Querystring: { signal?: string } }>(
    '/v1/units/:name/kill',
    { schema: { querystring: killQuery } },
    async ({ params, query, headers }): Promise<UnitKillBody> => {
      const how = readSignal(query.signal ?? 'SIGKILL')
      const unit = typedUnitName(params.name)
      const everywhere = unit === null ? [] : machinesWith(context, unit)
      const machines = headers[machineHeader] === undefined ? everywhere : [context.machine]
      if (unit === null || machines.length === 0) throw notOnMachine(params.name)
      const sentOn = await Promise.all(machines.map((machine) => killOn(context, machine, unit, how)))
      const sent = sentOn.flat()
      // A daemon that asks in the name of a caller knows of more machines.
      if (sent.length === 0 && headers[machineHeader] === undefined) throw nothingRuns(unit)
      return { unit, signal: how, machines: sent }
    },
  )
}

/** Where its processes may be: where it is seen, also when nobody wants it there any more. */
function machinesWith({ registry: { view } }: ApiContext, unit: UnitName): readonly MachineId[] {
  return [...view.machines.keys()].filter((machine) => view.reportsOf(machine).has(unit)).sort()
}

/** The machine, where there was a process to send it to. */
async function killOn(
  context: ApiContext,
  machine: MachineId,
  unit: UnitName,
  how: KillSignal,
): Promise<readonly string[]> {
  const signal = abortAfter(context.clock, killWithinMs)
  if (machine === context.machine) {
    const driver = context.agent?.driverOf(unit) ?? null
    if (driver === null) throw notOnMachine(unit)
    return (await driver.kill(unit, how, signal)) ? [machine] : []
  }
  const path = `${paths.unitKill(unit)}?signal=${how}`
  const { machines } = await askPeerJson<UnitKillBody>(
    context,
    machine,
    { key: 'machines' },
    { method: 'POST', path },
    signal,
  )
  return machines
}

function readSignal(text: string): KillSignal {
  const wanted = text.toUpperCase().replace(/^(?!SIG)/, 'SIG')
  const known = killSignals.find((one) => one === wanted)
  if (known !== undefined) return known
  throw new ProblemError({
    status: 400,
    code: 'api/bad-request',
    message: `"${text}" is not a signal that can be sent`,
    hint: `signals: ${killSignals.join(', ')}`,
  })
}

function notOnMachine(name: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'unit/not-on-machine',
    message: `${name} is on no machine that answers`,
    hint: 'mariposa unit list shows the units on machines',
  })
}

function nothingRuns(name: UnitName): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'unit/not-running',
    message: `nothing of ${name} is running, so no signal was sent`,
    hint: `mariposa unit status ${name} shows its state`,
  })
}
