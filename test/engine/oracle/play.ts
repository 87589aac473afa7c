// Plays a history on the product's scheduler, and on the test's own cluster beside it.
import { absentUnit, freshMemory, reportOf } from '../../../src/agent/report.js'
import type { EngineAction } from '../../../src/engine/pass-decisions.js'
import { Scheduler } from '../../../src/engine/scheduler.js'
import { opsOf } from '../../../src/engine/writes.js'
import { type Steps, toEnd } from '../../../src/lib/sliced-work.js'
import type { MachineId } from '../../../src/model/machine.js'
import type { InstanceRef, UnitFailure } from '../../../src/model/unit.js'
import { keys, putOf } from '../../../src/store/records.js'
import { ScratchStore } from '../../../src/store/scratch.js'
import { asUnitName } from '../../../src/unit/name.js'
import { unitHash } from '../../../src/unit/print.js'
import { openUnitReader } from '../../../src/unit/reader.js'
import { plan } from '../plan.js'
import {
  type Activity,
  type Cluster,
  copyOf,
  emptyCluster,
  instanceName,
  printUnit,
  type Unit,
} from './cluster.js'
import type { Happening } from './histories.js'
import { isLeaving, type Seat } from './reading.js'

/** What is to be judged: how things were before a pass and are after it, and what the product did and says. */
export interface Outcome {
  readonly cluster: Cluster
  readonly before: readonly Seat[]
  readonly after: readonly Seat[]
  readonly actions: readonly EngineAction[]
  readonly waiting: ReadonlyMap<
    string,
    readonly { readonly machine: string; readonly kind: string; readonly machines: number }[]
  >
}

export class Play {
  readonly #store = new ScratchStore((change) => {
    this.#scheduler.note(change)
    this.#starting.scheduler.note(change)
  })
  readonly #units = openUnitReader((hash) => this.#store.view.files.get(hash))
  readonly #scheduler = new Scheduler(this.#store.view, (unit) => this.#units.needs(unit))
  /** One that takes in what there is while things happen, and begins again when it has. */
  #starting = this.#startAnew()
  readonly #cluster = emptyCluster()
  /** Units of which a machine has said last that they cannot have a port. */
  readonly #failed = new Set<string>()
  #now = 1_000_000

  /**
   * Lets something happen; returns what came of it where that was a pass. What a scheduler says that starts anew is asked
   * for at the end alone: by then it has had all the time to differ.
   */
  happen(happening: Happening, isLast = false): Outcome | null {
    this.#now++
    if (this.#starting.steps.next(true).done === true && !isLast) this.#starting = this.#startAnew()
    const { machines, orders, units, reports } = this.#cluster
    switch (happening.do) {
      case 'machine':
        machines.set(happening.machine.id, happening.machine)
        this.#putMachine(happening.machine.id)
        return null
      case 'lose':
        machines.delete(happening.machine)
        this.#store.apply([{ op: 'delete', key: keys.machine(happening.machine as MachineId) }])
        return null
      case 'order':
        orders.set(happening.machine, happening.order)
        this.#putOrder(happening.machine)
        return null
      case 'unit': {
        const createdAt = units.get(happening.unit)?.createdAt ?? this.#now
        const [, service = null, n] = /^(.+)@(\d+)\.service$/.exec(happening.unit) ?? []
        const { unit: name, asks, desired } = happening
        units.set(name, { name, asks, desired, service, n: Number(n ?? 0), createdAt })
        this.#putUnit(name)
        return null
      }
      case 'destroy':
        units.delete(happening.unit)
        reports.delete(happening.unit)
        this.#store.apply([{ op: 'delete', key: keys.unit(asUnitName(happening.unit)) }])
        return null
      case 'report':
        this.#report(happening.unit, happening.active, null)
        return null
      case 'port-taken':
        this.#takePort(happening.unit)
        return null
      case 'pass':
        return this.#pass(isLast)
    }
  }

  #pass(isLast: boolean): Outcome {
    const { view } = this.#store
    const before = this.#seats()
    const anew = isLast ? plan(view, (unit) => this.#units.needs(unit), this.#now).actions : null
    const { actions } = this.#scheduler.step(this.#now)
    if (anew !== null && JSON.stringify(actions) !== JSON.stringify(anew))
      throw new Error(
        `who followed decides ${JSON.stringify(actions)}\nwho starts anew ${JSON.stringify(anew)}`,
      )
    const late = isLast ? this.#lateActions() : null
    if (late !== null && JSON.stringify(late) !== JSON.stringify(anew))
      throw new Error(
        `who took its time decides ${JSON.stringify(late)}\nwho starts anew ${JSON.stringify(anew)}`,
      )
    this.#store.apply(actions.flatMap((action) => opsOf(view, action)))
    const again = this.#scheduler.step(this.#now).actions
    if (again.length > 0) throw new Error(`it is not at rest: ${JSON.stringify(again)}`)
    const after = this.#seats()
    this.#forgetReports(after)
    this.#failed.clear()
    const waiting = new Map(
      [...view.waiting.values()].map(({ unit, refusals }) => [
        unit as string,
        refusals.map(({ machine, refusal, machines = 1 }) => ({ machine, kind: refusal.kind, machines })),
      ]),
    )
    return { cluster: copyOf(this.#cluster), before, after, actions, waiting }
  }

  #startAnew(): { readonly scheduler: Scheduler; readonly steps: Steps<void> } {
    const scheduler = new Scheduler(this.#store.view, (unit) => this.#units.needs(unit))
    return { scheduler, steps: scheduler.takeIn(1) }
  }

  #lateActions(): readonly EngineAction[] {
    toEnd(this.#starting.steps)
    return this.#starting.scheduler.step(this.#now).actions
  }

  #seats(): readonly Seat[] {
    const { view } = this.#store
    const globals = [...view.globallyPlaced()].flatMap((name) => [...view.globalPlacementsOf(name).values()])
    return [...view.placements.values(), ...globals].map(({ unit, machine, ports }) => ({
      unit,
      machine,
      ports,
    }))
  }

  /** A machine says nothing more of what has left it, and nothing of a port that was given up. */
  #forgetReports(seats: readonly Seat[]): void {
    for (const [unit, { machine }] of this.#cluster.reports) {
      const isThere = seats.some((seat) => seat.unit === unit && seat.machine === machine)
      if (isThere && !this.#failed.has(unit)) continue
      this.#cluster.reports.delete(unit)
      this.#store.apply([{ op: 'delete', key: keys.report(machine as MachineId, asUnitName(unit)) }])
    }
  }

  #putMachine(id: string): void {
    const machine = this.#cluster.machines.get(id)
    if (machine === undefined) return
    this.#store.apply([
      putOf('machine', {
        id: id as MachineId,
        hostname: id,
        ip: '10.0.0.1',
        metadata: machine.metadata,
        capacity: { cpus: machine.cpus, memoryMb: machine.memoryMb, diskMb: 10_000 },
        drivers: machine.docker ? ['process', 'docker'] : ['process'],
        version: '0',
        bootedAt: 0,
      }),
    ])
  }

  #putOrder(id: string): void {
    const { cordoned = false, drained = false } = this.#cluster.orders.get(id) ?? {}
    const drain = drained ? { drain: { since: 0, parallel: 1 } } : {}
    this.#store.apply([putOf('order', { id: id as MachineId, cordoned, ...drain })])
  }

  #putUnit(name: string): void {
    const unit = this.#cluster.units.get(name)
    if (unit === undefined) return
    const text = printUnit(unit.asks)
    const hash = unitHash(text)
    const { desired, createdAt } = unit
    this.#store.apply([
      putOf('file', { hash, text }),
      putOf('unit', { name: asUnitName(name), hash, desired, instance: refOf(unit), createdAt }),
    ])
  }

  #report(name: string, active: Activity, failure: UnitFailure | null): void {
    const placement = this.#store.view.placements.get(asUnitName(name))
    if (placement === undefined || !this.#cluster.machines.has(placement.machine)) return
    this.#cluster.reports.set(name, { machine: placement.machine, active })
    const report = reportOf(placement.machine, absentUnit(asUnitName(name), 'process'), freshMemory)
    this.#store.apply([putOf('report', { ...report, active, failure })])
  }

  #takePort(name: string): void {
    const port = this.#store.view.placements.get(asUnitName(name))?.ports[0]?.host
    const unit = this.#cluster.units.get(name)
    if (port === undefined || unit === undefined || isLeaving(unit)) return
    this.#failed.add(name)
    this.#report(name, 'inactive', { code: 'agent/port-taken', message: '', permanent: false, port })
  }
}

function refOf(unit: Unit): InstanceRef | null {
  const name = instanceName(unit)
  if (name === null || unit.service === null) return null
  const { service, n } = unit
  return { project: 'default', service, name, n, uuid: `uuid-of-${name}`, version: 'v1' }
}
