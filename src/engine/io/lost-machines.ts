// Tells the history of machines that have gone: what a machine says itself ends with it.
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { EventDraft } from '../../model/event.js'
import type { MachineId } from '../../model/machine.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import type { MassLoss } from '../../store/losses.js'
import { decodeEvents, keys, kindOfKey, prefixes, read } from '../../store/records.js'
import type { Losses } from '../../store/steady-losses.js'

export interface LostMachinesOptions {
  readonly registry: Registry
  readonly events: EventLog
  readonly losses: Losses
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
}

/**
 * The pass of whoever leads. Every engine remembers the machines that it has seen, so that the loss of the machine that
 * led is told by the next leader; that none is told twice, the history itself says.
 */
export function lostMachinesPass({ registry, events, losses, log, epoch }: LostMachinesOptions): Pass {
  const { view } = registry
  const sayMassLoss = massLossTeller(log)
  const seen = new Map([...view.machines.values()].map(({ id, hostname }) => [id, hostname]))
  registry.onChange((kinds, changes) => {
    if (!kinds.has('machine')) return
    for (const change of changes) {
      if (change.type !== 'put' || kindOfKey(change.key) !== 'machine') continue
      const found = read('machine', change.entry)
      if ('record' in found) seen.set(found.record.id, found.record.hostname)
    }
  })
  return async (now) => {
    const leading = epoch()
    const mass = losses.massLoss(now)
    if (leading !== null) sayMassLoss(mass)
    const wakeAt = mass?.until ?? null
    const gone = [...seen].filter(([id]) => !view.machines.has(id))
    if (leading === null || gone.length === 0) return { wakeAt }
    const told = lossesTold(registry)
    for (const [id, hostname] of gone) {
      const draft = lostEvent(id, hostname)
      const compare = [ledBy(leading), { key: keys.machine(id), modRevision: 0 }]
      const isTold = told.has(id) || (await registry.commit(compare, events.append([draft])))
      // It may be back, or another may lead: then it is looked at again when there is reason to.
      if (!isTold) continue
      if (!told.has(id)) log.warn('engine', draft.message)
      if (!view.machines.has(id)) seen.delete(id)
    }
    return { wakeAt }
  }
}

/** Says once that most machines vanished together, and once that this is over. */
function massLossTeller(log: Log): (mass: MassLoss | null) => void {
  let told = false
  return (mass) => {
    if (mass !== null && !told)
      log.warn('engine', 'most machines vanished together: nothing that they ran is started elsewhere', {
        machines: mass.machines,
        until: new Date(mass.until).toISOString(),
      })
    if (mass === null && told) log.info('engine', 'what lost machines ran is started elsewhere again')
    told = mass !== null
  }
}

/** The machines of which the history says last that they are lost. */
function lossesTold(registry: Registry): ReadonlySet<string> {
  const told = new Set<string>()
  for (const { kind, machine } of registry.entriesUnder(prefixes.event).flatMap(decodeEvents)) {
    if (machine === null) continue
    if (kind === 'machine-lost') told.add(machine)
    else if (kind === 'machine-joined') told.delete(machine)
  }
  return told
}

function lostEvent(machine: MachineId, hostname: string): EventDraft {
  const message = `${hostname} is lost: it has not said that it is there for longer than its lease`
  return { kind: 'machine-lost', project: null, service: null, instance: null, machine, message }
}
