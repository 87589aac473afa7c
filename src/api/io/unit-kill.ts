// Signals to the processes of a unit, on every machine that has it: the way out where a unit does not stop by itself.
import type { FastifyInstance } from 'fastify'
import { type KillSignal, killSignals } from '../../agent/driver.js'
import { paths, type UnitKillBody } from '../../contract/contract.js'
import { killQuery } from '../../contract/queries.js'
import { abortAfter } from '../../lib/io/clock.js'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'
import { typedUnitName } from '../../unit/name.js'
import { askPeer } from './ask-peer.js'
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
      await Promise.all(machines.map((machine) => killOn(context, machine, unit, how)))
      return { unit, signal: how, machines }
    },
  )
}

/** Where its processes may be: where it is seen, also when nobody wants it there any more. */
function machinesWith({ registry: { view } }: ApiContext, unit: UnitName): readonly MachineId[] {
  return [...view.machines.keys()].filter((machine) => view.reportsOf(machine).has(unit)).sort()
}

async function killOn(
  context: ApiContext,
  machine: MachineId,
  unit: UnitName,
  how: KillSignal,
): Promise<void> {
  const signal = abortAfter(context.clock, killWithinMs)
  if (machine === context.machine) {
    const driver = context.agent?.driverOf(unit) ?? null
    if (driver === null) throw notOnMachine(unit)
    await driver.kill(unit, how, signal)
    return
  }
  const path = `${paths.unitKill(unit)}?signal=${how}`
  const answer = await askPeer(context, machine, { method: 'POST', path }, signal)
  answer.resume()
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
