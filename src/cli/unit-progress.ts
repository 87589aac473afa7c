// What becomes of units as text: one line per change for logs, a block to redraw for terminals.
import type { UnitOnMachine, UnitProgress, UnitProgressBody } from '../contract/contract.js'
import type { Paint } from './paint.js'
import { clip, type Size } from './progress.js'
import { printable } from './table.js'

/** What changed between two looks, one line for each unit that did. */
export function describeUnitChanges(before: UnitProgress | null, after: UnitProgress): readonly string[] {
  const known = new Set(before?.units.map(describeUnitProgress))
  return after.units.map(describeUnitProgress).filter((line) => !known.has(line))
}

/** All units as a block of lines that fit; those that are done give way first. */
export function renderUnits({ units }: UnitProgress, size: Size, paint: Paint): readonly string[] {
  const most = Math.max(1, size.rows - 1)
  const ordered = [...units.filter((unit) => !isDone(unit)), ...units.filter(isDone)]
  const shown = ordered.length > most ? ordered.slice(0, most - 1) : ordered
  const lines = shown.map((unit) => paint[tone[unit.outcome]](clip(describeUnitProgress(unit), size.columns)))
  const left = ordered.length - shown.length
  return left > 0 ? [...lines, paint.faint(`… and ${left} more`)] : lines
}

/** `web.service: active (running) on 0123abcd`. */
export function describeUnitProgress(unit: UnitProgressBody): string {
  const reason = unit.reason === '' ? '' : `: ${printable(unit.reason)}`
  return `${unit.name}: ${describeState(unit)}${reason}`
}

/** Why a unit failed, and the last lines that it wrote. */
export function describeFailedUnit(unit: UnitProgressBody): readonly string[] {
  const first =
    unit.outcome === 'overtaken'
      ? `${unit.name}: somebody else has changed its desired state to ${unit.desired ?? 'destroyed'}`
      : describeUnitProgress(unit)
  return [first, ...unit.logs.map(({ line }) => `  ${printable(line)}`)]
}

const tone: Readonly<Record<UnitProgressBody['outcome'], 'good' | 'bad' | 'busy'>> = {
  going: 'busy',
  done: 'good',
  failed: 'bad',
  overtaken: 'bad',
}

function isDone({ outcome }: UnitProgressBody): boolean {
  return outcome === 'done'
}

function describeState({ desired, machines, outcome }: UnitProgressBody): string {
  if (desired === null) return outcome === 'done' ? 'destroyed' : 'is being destroyed'
  if (desired === 'inactive') return outcome === 'done' ? 'inactive' : 'is being unloaded'
  if (machines.length === 0) return 'has no machine yet'
  return machines.map(describeOnMachine).join(', ')
}

function describeOnMachine({ machine, active, sub }: UnitOnMachine): string {
  return `${active === null ? 'is being loaded' : `${active} (${sub ?? ''})`} on ${machine.slice(0, 8)}`
}
